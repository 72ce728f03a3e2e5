"""How long a session is open, and that it is paid once."""

from __future__ import annotations

from fixtures.checkout_operations import status_of_order
from fixtures.expectations import Finding
from fixtures.hosted_page import Entered, HostedPages, is_at
from fixtures.hosted_page_judging import must_be_shown, must_see
from fixtures.hosted_page_sowing import Sown, opened
from fixtures.matchers import Answer, answer_of
from fixtures.payer import HttpPayer, Visit
from fixtures.requests import JsonRequest
from fixtures.requirement import requirement
from fixtures.ripening import ripens
from fixtures.run import Run
from fixtures.verdicts import Nonconformance, inconclusive

MINUTE = 60
DEFAULT_MINUTES = 60
GIVEN_MINUTES = 3
PATIENCE = 600.0
"""Seconds that a run waits in real time for a session to expire, unless its time budget is larger."""


def sow(run: Run, minutes: int | None) -> Sown:
    """Open the page of a session with that session_expiry; ``None``: without."""
    lasts = (minutes or DEFAULT_MINUTES) * MINUTE
    if run.clock.waits and lasts > max(PATIENCE, run.profile.run.time_budget_seconds or 0):
        inconclusive(
            f"a session of {lasts // MINUTE} minutes takes that long to expire",
            decides="clock in [run] of the profile, or a time_budget_seconds of more than an hour",
        )
    return opened(run) if minutes is None else opened(run, session_expiry=minutes)


def sow_default(run: Run) -> Sown:
    """Sow a session that is looked at before it expires."""
    return sow(run, None)


def sow_default_to_expire(run: Run) -> Sown:
    """Sow a session that is looked at after it expired."""
    return sow(run, None)


def sow_given(run: Run) -> Sown:
    """Sow a session with session_expiry that is looked at before it expires."""
    return sow(run, GIVEN_MINUTES)


def sow_given_to_expire(run: Run) -> Sown:
    """Sow a session with session_expiry that is looked at after it expired."""
    return sow(run, GIVEN_MINUTES)


def sow_to_be_paid_late(run: Run) -> Sown:
    """Sow a session whose form is posted after it expired."""
    return sow(run, GIVEN_MINUTES)


@requirement("CHK-LIF-01")
@ripens(after=(DEFAULT_MINUTES - 1) * MINUTE, sow=sow_default)
def test_session_is_open_after_59_minutes(ripe: Sown) -> None:
    must_be_open(ripe)


@requirement("CHK-LIF-01")
@ripens(after=(DEFAULT_MINUTES + 1) * MINUTE, sow=sow_default_to_expire)
def test_session_is_expired_after_61_minutes(ripe: Sown) -> None:
    must_be_expired(ripe)


@requirement("CHK-LIF-02")
@ripens(after=(GIVEN_MINUTES - 1) * MINUTE, sow=sow_given)
def test_session_is_open_a_minute_before_session_expiry(ripe: Sown) -> None:
    must_be_open(ripe)


@requirement("CHK-LIF-02")
@ripens(after=(GIVEN_MINUTES + 1) * MINUTE, sow=sow_given_to_expire)
def test_session_is_expired_a_minute_after_session_expiry(ripe: Sown) -> None:
    must_be_expired(ripe)


@requirement("CHK-LIF-03")
@ripens(after=(GIVEN_MINUTES + 1) * MINUTE, sow=sow_to_be_paid_late)
def test_expired_session_takes_no_payment(pages: HostedPages, form_payer: HttpPayer, ripe: Sown) -> None:
    posted = post(pages, form_payer, ripe)
    expected = "the expired session takes no payment"

    if posted.end is not None and is_at(posted.end, str(ripe.session.get("success_url"))):
        raise Nonconformance(Finding(expected, posted.last.summary, "The form that was opened before pays it."))
    if made := payments_of(pages, ripe.session):
        raise Nonconformance(
            Finding(expected, f"{made} payments of its order", "The form that was opened before pays.")
        )


@requirement("CHK-LIF-04")
def test_paid_session_takes_no_second_payment(pages: HostedPages, form_payer: HttpPayer) -> None:
    session = pages.session()
    by_form = pages.by(form_payer)
    page = by_form.shown(session)
    first = by_form.enter_on(Visit(page=page), session, by_form.entry())
    if first.end is None:
        pages.proven("card")
    sown = Sown(by_form, session, page)
    # The form that was open meanwhile, and the one that the link may show again.
    tries = (first, post(pages, form_payer, sown), by_form.enter_on(sown.again(), session, by_form.entry()))
    ids = {tried.end.parameters.get("payment_id", "") for tried in tries if tried.end is not None}
    made = payments_of(pages, session)
    expected = "one payment, however often the form is sent"

    if len(ids - {""}) > 1:
        raise Nonconformance(Finding(expected, tries[-1].last.summary, "Paying again made a payment of its own."))
    if made is not None and made > 1:
        raise Nonconformance(Finding(expected, f"{made} settled payments of the order", "The form paid twice."))


def must_be_open(sown: Sown) -> None:
    """The page still asks for a card."""
    visit = sown.again()
    expected = "a page that still asks for the card"
    page = must_be_shown(visit, expected)

    must_see(sown.asks_for_card(visit), expected, page, "The session is over already.")


def must_be_expired(sown: Sown) -> None:
    """The payer is sent away, or sees a page that asks for no card."""
    visit = sown.again()
    if visit.page is not None:
        is_asked = sown.asks_for_card(visit)
        must_see(not is_asked, "an expired session", visit.page, "The page still asks for the card.")


def post(pages: HostedPages, form_payer: HttpPayer, sown: Sown) -> Entered:
    """Post the form as it was when the page was opened; a page without a form over HTTP leaves the check undecided."""
    by_form = pages.by(form_payer)
    entry = by_form.entry()
    if form_payer.form_for(sown.page, entry) is None:
        inconclusive(
            "the page has no form that could be posted without its scripts",
            decides="a page that is a form over HTTP",
        )
    return by_form.enter_on(Visit(page=sown.page), sown.session, entry)


def payments_of(pages: HostedPages, session: JsonRequest) -> int | None:
    """Return how many settled payments look-ups tell of an order; ``None`` where none can be made."""
    if pages.profile.lacks("capability:status_lookup"):
        return None
    payments = pages.payments
    reply = payments.merchant.post(status_of_order(str(session.get("order.number")), 10))
    if answer_of(reply) is not Answer.ACCEPTED:
        reply = payments.merchant.post(status_of_order(str(session.get("order.number"))))
    if answer_of(reply) is not Answer.ACCEPTED:
        return 0
    found = reply.json if isinstance(reply.json, list) else [reply.object]
    words = [str(one.get("status", "")).upper() for one in found if isinstance(one, dict)]
    return sum(word in ("SETTLED", "PENDING") for word in words)
