"""An expired session is paid by nothing: no wallet, no stored card, and no other method than the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import pytest

from fixtures.deferred import deferred
from fixtures.judging.expectations import Finding
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, Nonconformance, inconclusive
from fixtures.payer import Page, Visit
from fixtures.payer.challenges import answers_on, is_challenge
from fixtures.payer.simulators import paying_on
from fixtures.payer.wallets import pay_by_wallet_on
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened_page
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.other_kinds import OTHER_KINDS, is_success
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.payments_of_order import made_since, standing
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.polling import Polling
from fixtures.wire.requests import JsonRequest

Pay = Callable[[HostedPages, JsonRequest, Visit], Entered]

EXPIRY_MINUTES = 3
UNDER_WAY = ("3DS", "REDIRECT", "PENDING", "SETTLED")
"""Statuses of payments that a payer has begun."""


def by_its_form(pages: HostedPages, session: JsonRequest, visit: Visit) -> Entered:
    """Fill in and send what the page asks."""
    return pages.enter_on(visit, session, pages.entry())


def by_a_wallet(pages: HostedPages, session: JsonRequest, visit: Visit) -> Entered:
    """Send the token of a wallet."""
    paid = pay_by_wallet_on(pages.paying, visit, pages.profile.test_data.wallet_tokens)
    return Entered(session, (visit if paid is None else paid[1],), pages.payer)


def with_a_wallet(pages: HostedPages) -> Iterator[JsonRequest]:
    must_offer(pages.profile, OTHER_KINDS["purchase by wallet"].needs, "checkout")
    yield pages.session()


def with_a_stored_card(pages: HostedPages) -> Iterator[JsonRequest]:
    must_offer(pages.profile, OTHER_KINDS["purchase by token"].needs, "checkout")
    yield OTHER_KINDS["purchase by token"].session(pages)


def with_another_method(pages: HostedPages) -> Iterator[JsonRequest]:
    """Yield a session of each method of the profile but the usual one."""
    data = pages.profile.test_data
    for family, method in data.methods.items():
        if method != data.method:
            with suppress(Inconclusive):
                yield pages.session(f"method:{family}", methods=[method])


MEANS: Mapping[str, tuple[Callable[[HostedPages], Iterator[JsonRequest]], Pay]] = {
    "wallet": (with_a_wallet, by_a_wallet),
    "stored card": (with_a_stored_card, by_its_form),
    "another method": (with_another_method, by_its_form),
}


@dataclass(frozen=True)
class ToBePaidLate:
    """A page that was opened, of a kind that pays while its session is open, and what pays it."""

    page: OpenedPage
    pay: Pay


def open_to_be_paid_late(run: Run, means: str) -> ToBePaidLate:
    """Open the page of a session of the first kind by which another one was paid at once."""
    must_offer(run.profile, ("capability:hosted_page",))
    sessions, pay = MEANS[means]
    # Over forms, for a browser may show that the time is over; with cookies that nobody else clears meanwhile.
    pages = run.hosted_pages.by(run.payers.another_form())
    with where_it_comes_about(f"a session that is paid by {means} once the payer sends its page"):
        paid = (session for session in sessions(pages) if is_paid(pages, session, pay))
        opened = (open_for_a_short_time(run, pages, session) for session in paid)
        page = next((page for page in opened if not has_begun(page)), None)
        if page is None:
            inconclusive(
                f"no session is paid by {means}, or its payment begins when its page is opened, as far as can be seen",
                decides="test data of the profile",
            )
        return ToBePaidLate(page, pay)


def open_for_a_short_time(run: Run, pages: HostedPages, session: JsonRequest) -> OpenedPage:
    """Open the page of another session like one, which expires soon."""
    return opened_page(run, pages, pages.again(session).with_("session_expiry", EXPIRY_MINUTES), is_shown)


def has_begun(opened: OpenedPage) -> bool:
    """Return whether a payment is under way before the payer has sent anything: no line ends one when its session does.

    Its payer may be at the page of a bank or an issuer already, which reports later what became of it (lines 309, 320).
    """
    pages, page = opened.pages, opened.page
    shown = under_way(standing(pages, opened.session))
    idle = shown_of_unopened(pages, opened.session) if shown else Counter[str]()
    if opened.end is not None or shown - idle:
        return True
    selectors = pages.payer.selectors
    if is_challenge(page, selectors) or paying_on(page, selectors) is not None:
        return True
    if idle and not any(pages.payer.asks(page, what) for what in ("card_number", "security_code")):
        return True  # Look-ups call it as what has not begun, and nothing shows that the page is none of a bank.
    # "Pay" and "Cancel" may be of the gateway's own page, or of a bank's: then look-ups decide, if they can.
    return bool((idle or pages.profile.lacks("capability:status_lookup")) and answers_on(page, selectors))


def shown_of_unopened(pages: HostedPages, session: JsonRequest) -> Counter[str]:
    """Return what look-ups show as under way of a like session whose page nobody opens.

    They may show the payment that a session is opened for, for line 288 does not say from when on there is one.
    """
    unopened = pages.again(session)
    pages.payments.open(unopened)
    return under_way(Polling(pages.payments.clock).until(lambda: standing(pages, unopened), bool))


def under_way(found: Counter[str]) -> Counter[str]:
    """Return the payments among those of an order that a payer has begun, by their status."""
    return Counter({word: found[word] for word in UNDER_WAY if found[word]})


def is_paid(pages: HostedPages, session: JsonRequest, pay: Pay) -> bool:
    """Return whether a session is paid while it is open."""
    with suppress(Inconclusive):
        return is_success(pay(pages, session, pages.open(session)))
    return False


def is_shown(page: Page) -> bool:
    """Return whether there is anything to be sent."""
    return bool(page.forms)


def opening(means: str) -> Callable[[Run], ToBePaidLate]:
    """Return what opens a page whose session is to be paid by something after it expired."""
    return lambda run: open_to_be_paid_late(run, means)


@requirement("CHK-LIF-03")
@pytest.mark.parametrize(
    "means",
    [
        pytest.param(means, marks=deferred(after=60.0 * (EXPIRY_MINUTES + 1), start=opening(means)), id=means)
        for means in MEANS
    ],
)
def test_expired_session_takes_no_payment_by_other_means_than_a_card(means: str, ready: ToBePaidLate) -> None:
    page = ready.page
    before = standing(page.pages, page.session)

    paid = ready.pay(page.pages, page.session, Visit(page=page.page))

    after = standing(page.pages, page.session)
    expected = f"the expired session takes no payment by {means}"
    if made := made_since(before, after):
        raise Nonconformance(
            Finding(expected, f"payments of its order: {made}", "The page that was opened before pays.")
        )
    # Where look-ups show what the order has, they say whether it is paid: a link back to the shop pays nothing.
    if is_success(paid) and not after:
        raise Nonconformance(Finding(expected, paid.last.summary, "The page that was opened before pays it."))
