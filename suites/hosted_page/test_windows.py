"""In which window the payer returns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from bs4 import Tag

from fixtures.deferred import deferred
from fixtures.judging.expectations import Finding
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Nonconformance, inconclusive, not_applicable
from fixtures.payer import Landing, Page, Visit
from fixtures.payer.addresses import parts_of
from fixtures.payer.leading import way_to, ways_of
from fixtures.protocols.checkout.operations import status_of_order
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened_page, pages_of_another
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.leaving import leave
from fixtures.protocols.hosted_page.page import FIRST_ERROR, HostedPages
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

WINDOWS = {"_self": ("", "_self"), "_parent": ("_parent",), "_top": ("_top",), "_blank": ("_blank",)}
"""What a link or form may say to open its address in a window."""
SEEN = {**WINDOWS, "_parent": ("_parent", "_top"), "_top": ("_parent", "_top")}
"""The same as a browser sees it: the parent of a frame of the merchant's page is the top window."""
NEW_WINDOW = "_blank"
EXPIRY_MINUTES = 2
PAID = ("SETTLED", "PENDING")
"""Statuses of a payment that came to its end for the payer."""
FORCED = {**WINDOWS, "_top": ("_top", "_blank")}
"""What it may say in a frame: there _top takes a step that opens a new window."""


@dataclass(frozen=True)
class Return:
    """How the payer came back to the merchant.

    Attributes:
        landing: where, and in which window.
        by_step: a page was shown before, on which the payer had to go on.
    """

    landing: Landing
    by_step: bool


@requirement("CHK-LNK-01")
@pytest.mark.parametrize("target", ["_self", "_parent", "_top"])
def test_return_address_opens_where_url_target_says(pages: HostedPages, target: str) -> None:
    came = must_return_in(pages, pages.session(url_target=target), target, FORCED[target])
    if came.landing.target == "_blank" and not came.by_step:
        expected = f"the payer returns to the merchant in the window {target}, or by a step that opens a new one"
        raise Nonconformance(Finding(expected, f"{came.landing.url} in _blank", "There was no such step."))


@requirement("CHK-LNK-02")
def test_override_link_target_decides_in_place_of_the_merchant(pages: HostedPages) -> None:
    there, forced = overriding(pages)
    other = next(target for target in ("_self", "_parent") if target != forced)

    must_return_in(there, there.session(url_target=other), forced, FORCED[forced])


@requirement("CHK-LNK-03")
def test_override_link_target_decides_without_url_target(pages: HostedPages) -> None:
    there, forced = overriding(pages)

    must_return_in(there, there.session(), forced, FORCED[forced])


@requirement("CHK-LNK-01")
def test_return_address_of_a_debit_opens_where_url_target_says(pages: HostedPages) -> None:
    must_return_in(pages, pages.session("debit", url_target="_parent"), "_parent", FORCED["_parent"])


@requirement("CHK-LNK-02")
def test_override_link_target_decides_for_a_debit_as_well(pages: HostedPages) -> None:
    there, forced = overriding(pages)
    other = next(target for target in ("_self", "_parent") if target != forced)

    must_return_in(there, there.session("debit", url_target=other), forced, FORCED[forced])


@requirement("CHK-LNK-02")
def test_override_link_target_decides_on_the_page_of_a_session_that_is_over(pages: HostedPages) -> None:
    there, forced = overriding(pages)
    other = beside(forced)
    found = linked_when_over(there, there.session(url_target=other))
    if found in WINDOWS[other] and not there.payer.reads_scripts:
        there = there.with_scripts()
        found = linked_when_over(there, there.session(url_target=other))

    if found in WINDOWS[other]:
        expected = f"a link to the merchant that opens in {forced}, which the MID forces, and not in {other}"
        raise Nonconformance(Finding(expected, f"one that opens in {found}", "The merchant's url_target decided."))


def linked_when_over(pages: HostedPages, session: JsonRequest) -> str:
    """Return the window that the link says which leads from a session that was paid, and is opened again.

    What a browser does in a frame shows no difference between _parent and _top.
    No line says that such a page has a link, or what one without a window means.
    """
    with where_it_comes_about("a page of a session that is over"):
        address = pages.payments.open(session)
        must_have_paid(pages, pages.enter_on(pages.payer.open(address, framed=True), session, pages.entry()))
        again = pages.payer.open(address, framed=True)
    if again.page is None or again.onward is None:
        not_applicable(f"the page of a session that is over has no one link to the merchant: {again.summary}")
    return again.onward.target


def open_with_another_target(run: Run) -> OpenedPage:
    """Open the page of a session that expires soon, and asks for another window than the MID forces."""
    there, forced = overriding(pages_of_another(run))
    session = there.session(url_target=beside(forced), session_expiry=EXPIRY_MINUTES)
    return opened_page(run, there, session, there.asks_for_card)


@requirement("CHK-LNK-02")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_with_another_target)
def test_override_link_target_decides_on_the_page_of_a_session_that_expired(ready: OpenedPage) -> None:
    forced, other = overriding(ready.pages)[1], str(ready.session.get("url_target"))
    found = linked_when_expired(ready.pages, ready)
    if found in WINDOWS[other] and not ready.pages.payer.reads_scripts:
        found = linked_when_expired(ready.pages.with_scripts(), ready)

    if found in WINDOWS[other]:
        expected = f"a link to the merchant that opens in {forced}, which the MID forces, and not in {other}"
        raise Nonconformance(Finding(expected, f"one that opens in {found}", "The merchant's url_target decided."))


def linked_when_expired(pages: HostedPages, opened: OpenedPage) -> str:
    """Return the window that the link says which leads from an expired session; no line says that there is one."""
    visit = pages.payer.open(opened.first.url, framed=True)
    if visit.page is None or visit.onward is None or pages.asks_for_card(visit.page):
        not_applicable(f"the page of an expired session has no one link to the merchant: {visit.summary}")
    return visit.onward.target


@requirement("CHK-LNK-04")
def test_forced_top_in_a_frame_shows_a_step_that_opens_a_new_window(pages: HostedPages) -> None:
    there = pages.of("override_link_target_top")
    came = must_return_in(there, there.session(), "_blank", WINDOWS["_blank"], by_step=True)
    if not came.by_step:
        expected = "a page on which the payer continues to the merchant"
        raise Nonconformance(Finding(expected, f"the payer was sent to {came.landing.url}", "There was no such step."))


@requirement("CHK-LNK-04")
def test_payer_who_leaves_a_frame_with_top_forced_does_not_stay_in_it(pages: HostedPages) -> None:
    there = pages.of("override_link_target_top")
    landing = left_in_a_frame(there)
    if landing.target in WINDOWS["_self"] and not there.payer.reads_scripts:
        landing = left_in_a_frame(there.with_scripts())

    if landing.target in WINDOWS["_self"]:
        expected = "a payer who leaves is brought out of the frame, by a step that opens a new window"
        raise Nonconformance(Finding(expected, f"{landing.url} in the frame itself", "There was no such step."))


def left_in_a_frame(pages: HostedPages) -> Landing:
    """Leave a page in a frame of the merchant's page; where nobody can, or nothing leads back, other checks decide."""
    with where_it_comes_about("a payer who leaves the page in a frame"):
        visit = pages.open(pages.session(), framed=True)
        step = step_before(visit.page) or step_beside(visit.page)
        if step is not None and visit.page is not None:
            visit = pages.payer.press_on(visit.page, step)
        left = leave(pages, visit.page) if visit.page is not None else visit
        if left.page is not None and left.onward is not None:
            left = pages.payer.press_on(left.page, way_to(left.page, left.onward))
    if left.landing is None:
        not_applicable(f"whoever leaves the page in a frame is led to no address of the merchant: {left.summary}")
    return _came(left.landing, step, by_step=False).landing


def open_in_a_frame_to_expire(run: Run) -> OpenedPage:
    """Open the page of a session that expires soon, of a MID that forces _top."""
    there = pages_of_another(run).of("override_link_target_top")
    return opened_page(run, there, there.session(session_expiry=EXPIRY_MINUTES), there.asks_for_card)


@requirement("CHK-LNK-04")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_in_a_frame_to_expire)
def test_payer_of_an_expired_session_does_not_stay_in_the_frame_with_top_forced(ready: OpenedPage) -> None:
    landing = came_after_expiry(ready.pages, ready)
    if landing.target in WINDOWS["_self"] and not ready.pages.payer.reads_scripts:
        landing = came_after_expiry(ready.pages.with_scripts(), ready)

    if landing.target in WINDOWS["_self"]:
        expected = "the payer is brought out of the frame, by a step that opens a new window"
        raise Nonconformance(Finding(expected, f"{landing.url} in the frame itself", "There was no such step."))


def came_after_expiry(pages: HostedPages, opened: OpenedPage) -> Landing:
    """Open the page of an expired session in a frame; where nothing leads back, other checks decide."""
    visit = pages.payer.open(opened.first.url, framed=True)
    step = step_before(visit.page)
    if step is not None and visit.page is not None:
        visit = pages.payer.press_on(visit.page, step)
    if visit.page is not None and visit.onward is not None and not pages.asks_for_card(visit.page):
        visit = pages.payer.press_on(visit.page, way_to(visit.page, visit.onward))
    if visit.landing is None:
        not_applicable(f"the page of an expired session leads to no address of the merchant: {visit.summary}")
    return _came(visit.landing, step, by_step=False).landing


def overriding(pages: HostedPages) -> tuple[HostedPages, str]:
    """Return the pages of the account that forces a link target, and which one that is."""
    account = pages.profile.account("override_link_target", "checkout")
    return pages.of("override_link_target"), str(account.override_link_target) if account else ""


def beside(forced: str) -> str:
    """Return a window that no page can be meant to open which opens in the forced one."""
    return next(target for target in ("_parent", "_top", "_blank") if not set(FORCED[target]) & set(FORCED[forced]))


def must_return_in(
    pages: HostedPages, session: JsonRequest, target: str, windows: tuple[str, ...], *, by_step: bool = False
) -> Return:
    """From a frame of the merchant's page the payer returns in a window; return how.

    Without a browser a window is seen in the attributes of links and forms only. A script may still open another one,
    so that what looks wrong there is looked at in a browser.
    """
    came = returned(pages, session, by_step=by_step)
    looks_wrong = isinstance(came, Entered) or came.landing.target not in windows or came.by_step < by_step
    if looks_wrong and not pages.payer.reads_scripts:
        pages = pages.with_scripts()
        came = returned(pages, pages.again(session), by_step=by_step)
    if pages.payer.reads_scripts:
        windows = tuple({seen for window in windows for seen in SEEN.get(window, (window,))})
    expected = f"the payer returns to the merchant in the window {target}"
    if isinstance(came, Entered):
        must_have_paid(pages, came)
        reply = came.last.page.reply if came.last.page is not None else None
        raise Nonconformance(Finding(expected, came.story, "No one link leads to the merchant."), reply)
    if came.landing.target not in windows:
        window = came.landing.target or "the frame itself"
        raise Nonconformance(Finding(expected, f"{came.landing.url} in {window}", "That is a different window."))
    return came


def must_have_paid(pages: HostedPages, entered: Entered) -> None:
    """End the check where the payment did not come to its end in the frame: what does not end leads nowhere.

    Browsers keep the cookies of a page from a frame of another site, and a page may take no entry without its own.
    """
    page = entered.last.page
    has_failed = page is None or page.status is None or page.status >= FIRST_ERROR
    if not has_failed and not entered.is_asked_again and is_paid(pages, str(entered.session.get("order.number"))):
        return
    pages.proven("card")
    inconclusive(
        f"the payment does not come to its end in a frame of the merchant's page: {entered.story}",
        decides="a target whose page works in a frame of a page of another site",
    )


def is_paid(pages: HostedPages, number: str) -> bool:
    """Return whether an order is paid, as far as a look-up can say; where none is offered, it is taken for paid."""
    if pages.profile.lacks("capability:status_lookup"):
        return True
    ask = status_of_order(number)
    found = pages.payments.polling.until(lambda: status_in(pages.payments.merchant.post(ask)), PAID.__contains__)
    return found in PAID


def returned(pages: HostedPages, session: JsonRequest, *, by_step: bool = False) -> Return | Entered:
    """Pay in a frame of the merchant's page and return how the payer came back, pressing the one link if need be.

    Where nothing leads back, what came of the payment is returned.

    Args:
        pages: where the payer pays.
        session: what is paid.
        by_step: a step that opens a new window is looked for beside what a page asks as well, and taken.
    """
    visits: list[Visit] = []
    step = None
    for visit in pages.paying.steps(pages.open(session, framed=True), pages.entry()):
        visits.append(visit)
        step = step_before(visit.page) if len(visits) == 1 else None
        step = step or (step_beside(visit.page) if by_step else None)
        if step is not None and visit.page is not None:
            visits.extend(pages.paying.steps(pages.payer.press_on(visit.page, step), pages.entry()))
            break
    entered = Entered(session, tuple(visits), pages.payer)
    last = entered.last
    if last.landing is not None:
        return _came(last.landing, step, by_step=_ends_with_a_step(entered))
    if last.onward is None or last.page is None:
        return entered
    pressed = pages.payer.press_on(last.page, way_to(last.page, last.onward))
    if pressed.landing is None:
        return replace(entered, visits=(*entered.visits, pressed))
    return _came(pressed.landing, step, by_step=True)


def _came(landing: Landing, step: Tag | None, *, by_step: bool) -> Return:
    if step is None:
        return Return(landing, by_step=by_step)
    # The payer pays in the window that the step opened, and that is where a merchant outside of it is seen.
    return Return(replace(landing, target=NEW_WINDOW), by_step=True)


def _ends_with_a_step(entered: Entered) -> bool:
    """Return whether the payer left from a page that asks for nothing: its one button is a step, as a link is."""
    before = entered.visits[-2].page if len(entered.visits) > 1 else None
    return before is not None and not any(form.asked for form in before.forms)


def step_before(page: Page | None) -> Tag | None:
    """Return the one link of a page that asks nothing, or its one button, where it opens another window."""
    asks_nothing = page is not None and not any(form.asked for form in page.forms)
    ways = [way for way in ways_of(page) if is_of_target(page, way[0])] if page is not None and asks_nothing else []
    ways = [way for way in ways if way[1].name == "a"] or ways
    return ways[0][1] if len(ways) == 1 and ways[0][0].target == NEW_WINDOW else None


def is_of_target(page: Page, landing: Landing) -> bool:
    """Return whether a link leads on at the target, and not to a page of the merchant, as its logo does."""
    return parts_of(landing.url).netloc == parts_of(page.url).netloc


def step_beside(page: Page | None) -> Tag | None:
    """Return the link or button that opens another window beside what a page asks, and leads on with the payment.

    It says Continue, as line 496 does, or leads to the page itself; one to the merchant's terms does neither.
    """
    if page is None:
        return None
    for landing, element in ways_of(page):
        says_so = "continue" in element.get_text(" ", strip=True).lower()
        if landing.target == NEW_WINDOW and (says_so or landing.address == Landing(page.url).address):
            return element
    return None
