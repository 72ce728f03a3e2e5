"""The QR of an instant payment on the hosted page: what stands beside it, and how long it lasts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fixtures.deferred import deferred, waits
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import Page, Visit
from fixtures.payer.page import without_blanks
from fixtures.payer.pictures import Watching, has_another_qr, has_canvas, has_qr_since, pictures, says_over
from fixtures.payer.reading import asking_for_another_code
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened_page, pages_of_another
from fixtures.protocols.hosted_page.instant_qr import has_picture, qr_session, where_qr_is
from fixtures.protocols.hosted_page.must import fail, must_be_shown, must_see
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.payments import unreached
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

QR_SECONDS = 60
SECONDS_OF_A_LOOK = QR_SECONDS - 20
"""When a QR is looked at that is still valid."""
SECONDS_OF_DOUBT = 5
"""A QR that is looked at so shortly before its end may be gone: it is made while the page is asked for."""
CLIENT_ERROR = 400
EXPIRED = (404, 410)
"""How some servers answer for what is over."""
OTHER_AMOUNT = "76.54"
OF_ANOTHER = "It shows that of another merchant whose order has the same number."


@requirement("HPP-OUT-05")
def test_qr_is_shown_with_number_amount_and_description(pages: HostedPages) -> None:
    session = qr_session(pages)
    page = must_be_shown(where_qr_is(pages, session), "a page with a QR")
    if not has_picture(page) and page.has_scripts and not pages.payer.reads_scripts:
        # A script may draw it.
        pages, session = pages.with_scripts(), pages.again(session)
        page = must_be_shown(where_qr_is(pages, session), "a page with a QR")
    if not has_picture(page):
        pages.must_get_on(session)
    wanted = {name: str(session.get(f"order.{name}")) for name in ("number", "description")}
    missing = [
        *(name for name, text in wanted.items() if without_blanks(text).lower() not in page.bare_text.lower()),
        *(["amount"] if not shows_amount(page, str(session.get("order.amount"))) else []),
    ]

    must_see(has_picture(page), "a page with a QR", page, "There is no picture on it, and no text of a code.")
    must_see(not missing, "order number, amount and description beside the QR", page, f"{missing} is missing.")


def shows_amount(page: Page, amount: str) -> bool:
    """Return whether a page shows an amount, be it set in parts; what is no part of a unit may be left out."""
    whole, _, part = amount.partition(".")
    if re.search(re.sub(r"\D+", "[.,]", amount), page.bare_text):
        return True
    return not part.strip("0") and re.search(rf"(?<![\w.,-]){whole}(?![.,]?\d)", page.text) is not None


@requirement("HPP-OUT-05")
def test_qr_of_one_merchant_does_not_show_the_order_of_another(pages: HostedPages) -> None:
    session = qr_session(pages)
    other = session.with_("order.description", "A gift of somebody else").with_("order.amount", OTHER_AMOUNT)
    with where_it_comes_about("an instant QR payment of another merchant"):
        theirs = pages.of("second_merchant")
        theirs.going_on(theirs.open(other), Watching())

    page = must_be_shown(where_qr_is(pages, session), "a page with a QR")

    must_see("gift of somebody else" not in page.text, "a page with the order of its session", page, OF_ANOTHER)
    must_see(not shows_amount(page, OTHER_AMOUNT), f"an amount of {session.get('order.amount')}", page, OF_ANOTHER)


def open_qr(run: Run) -> OpenedPage:
    """Open the QR of an instant payment that is looked at before it expires, and again afterwards.

    On a real clock one check looks at it before, and another one afterwards.
    """
    ready = shown_qr(run)
    if not run.clock.waits:
        run.clock.elapse(SECONDS_OF_A_LOOK)
        again_at(ready)
    return ready


def open_another_qr(run: Run) -> OpenedPage:
    """Open a QR that nobody looks at before it expires."""
    return shown_qr(run)


def shown_qr(run: Run, session_for: Callable[[HostedPages], JsonRequest] = qr_session) -> OpenedPage:
    """Open the QR of an instant payment."""
    must_offer(run.profile, ("capability:instant_qr",))
    if (valid := run.profile.test_data.instant_qr.valid_seconds) != QR_SECONDS:
        not_applicable(f"the operator has set another time: valid_seconds = {valid}")
    pages = pages_of_another(run)
    opened_earlier = opened_page(run, pages, session_for(pages), Watching())
    page, first = opened_earlier.page, opened_earlier.first
    if not has_qr_since(page, first):
        inconclusive(
            f"no QR is shown, as far as can be seen; the last page is {Visit(page).summary}",
            decides="a target that shows the QR as a picture, or as a text that it calls QR",
        )
    visit = again_at(opened_earlier)
    again = visit.page
    if again is None or not has_picture(again) or (again.status or 0) >= CLIENT_ERROR:
        inconclusive(
            f"opened again at once the address shows no QR, and nothing shows how long one lasts: {visit.summary}",
            decides="a target whose page shows the QR of a payment again",
        )
    if pictures(again) != pictures(page):
        inconclusive(
            f"opened again at once the page shows another QR: {visit.summary}",
            decides="a target whose page shows the QR of a payment again",
        )
    return opened_earlier


def again_at(ready: OpenedPage) -> Visit:
    """Return where the payer is who opens the page of a QR again: it may be the first page that they see now."""
    is_first = ready.page is ready.first
    return ready.again(Watching(None if is_first else frozenset(pictures(ready.first))))


@requirement("HPP-OUT-06")
@deferred(after=SECONDS_OF_A_LOOK, before=QR_SECONDS, start=open_qr)
def test_qr_is_shown_for_nearly_a_minute(ready: OpenedPage) -> None:
    visit = again_at(ready)
    if visit.end is not None:
        inconclusive(
            f"the payment was decided before its QR was looked at again: {visit.summary}",
            decides="session_member and pending in [test_data.instant_qr]: a payment of which the bank reports nothing",
        )
    if ready.age >= QR_SECONDS - SECONDS_OF_DOUBT:
        inconclusive(
            f"the QR was looked at {ready.age:.0f} seconds after it was asked for, when it may be gone",
            decides="a target that answers sooner, or clock in [run] of the profile",
        )
    page = must_be_shown(visit, "the QR is still shown")

    must_see(has_qr_since(page, ready.first), "the QR, before its minute is over", page, "It is gone.")


@requirement("HPP-OUT-06")
@deferred(after=QR_SECONDS + 10, start=open_another_qr)
def test_qr_expires_after_a_minute(ready: OpenedPage) -> None:
    must_be_over(ready)


@requirement("HPP-OUT-06")
@deferred(after=QR_SECONDS + 10, start=open_qr)
def test_qr_that_was_looked_at_meanwhile_expires_no_later(ready: OpenedPage) -> None:
    must_be_over(ready)


@requirement("HPP-OUT-06")
@waits(2 * (QR_SECONDS + 10))
def test_second_qr_of_a_session_expires_after_a_minute_as_the_first_does(run: Run) -> None:
    with where_it_comes_about("a second QR of a session, once the first is over"):
        ready = second_qr(run)
    run.clock.elapse(QR_SECONDS + 10)

    must_be_over(ready)


def unreported(pages: HostedPages) -> JsonRequest:
    """Return a session that is paid by instant QR, and names nothing by which a bank of tests would report."""
    return pages.session(methods=qr_session(pages).get("methods"))


def second_qr(run: Run) -> OpenedPage:
    """Let a QR expire, and open another one on the same page.

    Of its payment the bank reports nothing: one that it calls pending may still be paid by the first.
    """
    ready = shown_qr(run, unreported)
    run.clock.elapse(QR_SECONDS + 10)
    expired = again_at(ready)
    element = next(asking_for_another_code(expired.page), None) if expired.page is not None else None
    if expired.page is None or element is None:
        unreached(f"nothing leads to another QR, as far as can be seen: {expired.summary}")
    try:
        again = ready.pages.payer.press_on(expired.page, element)
    except LookupError as error:
        unreached(f"nothing leads to another QR: {error}")
    if again.page is None or not has_another_qr(again.page, expired.page, before=ready.page, first=ready.first):
        unreached(f"another try shows no QR, as far as can be seen: {again.summary}")
    second = replace(ready, page=again.page)
    # Of a QR that is shown no more at once, nothing shows afterwards whether it is over.
    at_once = again_at(second)
    if at_once.page is None or pictures(at_once.page) != pictures(second.page):
        unreached(f"opened again at once the address does not show that QR: {at_once.summary}")
    return second


def must_be_over(ready: OpenedPage) -> None:
    """The page shows the QR no more, or another one, or says that it is over."""
    expected = "no QR, or another one, after its minute"
    visit = again_at(ready)
    if visit.page is not None:
        page = must_be_shown(visit, expected, EXPIRED)
        if pictures(page) != pictures(ready.page) or says_over(page, ready.page):
            return
        if has_canvas(page):
            inconclusive(
                f"whether a canvas still shows the same QR cannot be seen: {visit.summary}",
                decides="a target that shows the QR as a picture, or as a text that it calls QR",
            )
        fail(expected, visit.summary, "The same QR is shown.", page.reply)
