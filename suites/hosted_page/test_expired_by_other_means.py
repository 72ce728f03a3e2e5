"""An expired session is paid by nothing: no wallet, no stored card, and no other method than the card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import pytest

from fixtures.deferred import deferred
from fixtures.judging.expectations import Finding
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, Nonconformance, inconclusive
from fixtures.payer import HttpPayer, Page, Visit
from fixtures.payer.wallets import pay_by_wallet_on
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened_page
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.other_kinds import OTHER_KINDS, is_success
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest
from suites.hosted_page.test_lifetime import GIVEN_MINUTES, MINUTE, made_since, standing

Pay = Callable[[HostedPages, JsonRequest, Visit], Entered]


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
    own = run.payers.another()
    pages = run.hosted_pages.by(own if isinstance(own, HttpPayer) else run.payers.form)
    with where_it_comes_about(f"a session that is paid by {means}"):
        session = next((one for one in sessions(pages) if is_paid(pages, one, pay)), None)
        if session is None:
            inconclusive(f"no session is paid by {means}, as far as can be seen", decides="test data of the profile")
        again = pages.again(session).with_("session_expiry", GIVEN_MINUTES)
        return ToBePaidLate(opened_page(run, pages, again, is_shown), pay)


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
        pytest.param(means, marks=deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=opening(means)), id=means)
        for means in MEANS
    ],
)
def test_expired_session_takes_no_payment_by_other_means_than_a_card(means: str, ready: ToBePaidLate) -> None:
    page = ready.page
    before = standing(page.pages, page.session)

    paid = ready.pay(page.pages, page.session, Visit(page=page.page))

    expected = f"the expired session takes no payment by {means}"
    if is_success(paid):
        raise Nonconformance(Finding(expected, paid.last.summary, "The page that was opened before pays it."))
    if made := made_since(before, standing(page.pages, page.session)):
        raise Nonconformance(
            Finding(expected, f"{made} payments of its order", "The page that was opened before pays.")
        )
