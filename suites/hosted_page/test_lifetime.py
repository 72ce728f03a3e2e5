"""How long a session is open, and that it is paid once."""

from __future__ import annotations

from fixtures.deferred import deferred, longest_real_wait
from fixtures.judging.expectations import Finding
from fixtures.judging.verdicts import Inconclusive, Nonconformance, inconclusive
from fixtures.payer import HttpPayer, Visit
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import FINDING_FIELDS, Entered
from fixtures.protocols.hosted_page.must import must_ask_for_no_card, must_be_shown, must_end_at, must_see
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.hosted_page.payments_of_order import made_since, standing
from fixtures.protocols.hosted_page.posting import must_be_a_form, proven_by_form
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

MINUTE = 60
DEFAULT_MINUTES = 60
GIVEN_MINUTES = 3
BETWEEN_MINUTES = 90
"""Above an hour, and no number of whole ones."""
LONGEST_MINUTES = 720
SERVER_ERROR = 500


def open_page(run: Run, minutes: int | None) -> OpenedPage:
    """Open the page of a session with that session_expiry; ``None``: without."""
    lasts = (minutes or DEFAULT_MINUTES) * MINUTE
    if run.clock.waits and lasts > longest_real_wait(run.profile.run.time_budget_seconds):
        inconclusive(
            f"a session of {lasts // MINUTE} minutes takes that long to expire",
            decides="clock in [run] of the profile, or a time_budget_seconds of more than an hour",
        )
    return opened(run) if minutes is None else opened(run, session_expiry=minutes)


def open_default(run: Run) -> OpenedPage:
    """Open the page of a session that is looked at before it expires."""
    return open_page(run, None)


def open_default_to_expire(run: Run) -> OpenedPage:
    """Open the page of a session that is looked at after it expired."""
    return open_page(run, None)


def open_given(run: Run) -> OpenedPage:
    """Open the page of a session with session_expiry that is looked at before it expires, and again afterwards.

    On a real clock one check looks at it before, and another one afterwards.
    """
    page = open_page(run, GIVEN_MINUTES)
    if not run.clock.waits:
        run.clock.elapse((GIVEN_MINUTES - 1) * MINUTE)
        page.again()
    return page


def open_given_to_expire(run: Run) -> OpenedPage:
    """Open the page of a session with session_expiry that is looked at after it expired."""
    return open_page(run, GIVEN_MINUTES)


def open_debit_to_expire(run: Run) -> OpenedPage:
    """Open the page of a debit with session_expiry that is looked at after it expired."""
    must_offer(run.profile, ("capability:debit",), "checkout")
    return opened(run, session_expiry=GIVEN_MINUTES, operation="debit")


def open_between(run: Run) -> OpenedPage:
    """Open the page of a session of an hour and a half that is looked at before it expires."""
    return open_page(run, BETWEEN_MINUTES)


def open_between_to_expire(run: Run) -> OpenedPage:
    """Open the page of a session of an hour and a half that is looked at after it expired."""
    return open_page(run, BETWEEN_MINUTES)


def open_longest(run: Run) -> OpenedPage:
    """Open the page of the longest session there is."""
    return open_page(run, LONGEST_MINUTES)


def open_to_be_paid_late(run: Run) -> OpenedPage:
    """Open the page of a session whose form is posted after it expired."""
    return open_page(run, GIVEN_MINUTES)


def open_to_be_sent_late(run: Run) -> OpenedPage:
    """Open the page of a session whose payer sends the form after it expired."""
    return open_page(run, GIVEN_MINUTES)


def open_to_be_sent_late_without_expiry_url(run: Run) -> OpenedPage:
    """Open the page of a session without expiry_url whose payer sends the form after it expired."""
    return opened(run, session_expiry=GIVEN_MINUTES, without=("expiry_url",))


@requirement("CHK-LIF-01")
@deferred(after=(DEFAULT_MINUTES - 1) * MINUTE, before=DEFAULT_MINUTES * MINUTE, start=open_default)
def test_session_is_open_after_59_minutes(ready: OpenedPage) -> None:
    must_be_open(ready, DEFAULT_MINUTES)


@requirement("CHK-LIF-01")
@deferred(after=(DEFAULT_MINUTES + 1) * MINUTE, start=open_default_to_expire)
def test_session_is_expired_after_61_minutes(ready: OpenedPage) -> None:
    must_be_expired(ready)


@requirement("CHK-LIF-02")
@deferred(after=(GIVEN_MINUTES - 1) * MINUTE, before=GIVEN_MINUTES * MINUTE, start=open_given)
def test_session_is_open_a_minute_before_session_expiry(ready: OpenedPage) -> None:
    must_be_open(ready, GIVEN_MINUTES)


@requirement("CHK-LIF-02")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_given_to_expire)
def test_session_is_expired_a_minute_after_session_expiry(ready: OpenedPage) -> None:
    must_be_expired(ready)


@requirement("CHK-LIF-02")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_given)
def test_session_that_was_looked_at_meanwhile_expires_no_later(ready: OpenedPage) -> None:
    must_be_expired(ready)


@requirement("CHK-LIF-02")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_debit_to_expire)
def test_session_of_a_debit_is_expired_a_minute_after_session_expiry(ready: OpenedPage) -> None:
    must_be_expired(ready)


@requirement("CHK-LIF-02")
@deferred(after=(BETWEEN_MINUTES - 1) * MINUTE, before=BETWEEN_MINUTES * MINUTE, start=open_between)
def test_session_of_an_hour_and_a_half_is_open_a_minute_before_its_end(ready: OpenedPage) -> None:
    must_be_open(ready, BETWEEN_MINUTES)


@requirement("CHK-LIF-02")
@deferred(after=(BETWEEN_MINUTES + 1) * MINUTE, start=open_between_to_expire)
def test_session_of_an_hour_and_a_half_is_expired_a_minute_after_its_end(ready: OpenedPage) -> None:
    must_be_expired(ready)


@requirement("CHK-LIF-02")
@deferred(after=(LONGEST_MINUTES - 1) * MINUTE, before=LONGEST_MINUTES * MINUTE, start=open_longest)
def test_longest_session_is_open_a_minute_before_its_end(ready: OpenedPage) -> None:
    must_be_open(ready, LONGEST_MINUTES)


@requirement("CHK-LIF-03")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_to_be_paid_late)
def test_expired_session_takes_no_payment(run: Run, pages: HostedPages, ready: OpenedPage) -> None:
    must_pay(post(open_to_be_paid_late(run), run), "while its session is open")
    before = standing(pages, ready.session)

    posted = post(ready, run)

    expected = "the expired session takes no payment"

    if posted.end is not None and is_at(posted.end, str(ready.session.get("success_url"))):
        raise Nonconformance(Finding(expected, posted.last.summary, "The form that was opened before pays it."))
    if made := made_since(before, standing(pages, ready.session)):
        raise Nonconformance(
            Finding(expected, f"{made} payments of its order", "The form that was opened before pays.")
        )


@requirement("CHK-URL-13")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_to_be_sent_late)
def test_payer_who_sends_the_form_of_an_expired_session_is_sent_to_expiry_url(run: Run, ready: OpenedPage) -> None:
    must_pay(post(open_to_be_sent_late(run), run), "while its session is open")

    posted = post(ready, run)
    if posted.end is None:
        must_be_no_server_error(posted, "the payer is sent to expiry_url")
        # A page may say first that it is too late; the way back is then that of whoever looks at it again.
        posted = Entered(ready.session, (ready.again(),), ready.pages.payer)

    must_end_at(posted, ready.session.get("expiry_url"), "expiry_url")


@requirement("CHK-URL-18")
@deferred(after=(GIVEN_MINUTES + 1) * MINUTE, start=open_to_be_sent_late_without_expiry_url)
def test_without_expiry_url_a_form_that_is_sent_late_leads_to_a_default_page(run: Run, ready: OpenedPage) -> None:
    must_pay(post(open_to_be_sent_late(run), run), "while its session is open")

    must_be_no_server_error(post(ready, run), "a default page")


@requirement("CHK-LIF-04")
def test_paid_session_takes_no_second_payment(pages: HostedPages, form_payer: HttpPayer) -> None:
    session = pages.session()
    paying = pages.by(form_payer)
    try:
        proven_by_form(paying, "card")
    except Inconclusive:
        if not (pages.payer.reads_scripts or paying.shown(paying.session()).has_scripts):
            raise
        paying = pages.with_scripts()
        paying.proven("card")
    page = paying.shown(session)
    shown = paying.going_on(Visit(page=page), paying.asks_for_card).page or page
    before = standing(pages, session)
    first = paying.enter_on(Visit(page=shown), session, paying.entry())
    must_pay(first, "at first")
    reopened = paying.payer.reload(page)
    # The form that was open meanwhile, which a browser no longer has, and the one that the link may show again.
    meanwhile = () if paying.payer.reads_scripts else (paying.enter_on(Visit(page=shown), session, paying.entry()),)
    tries = (first, *meanwhile, paying.enter_on(reopened, session, paying.entry()))
    # An attempt that is declined may have an id of its own, and line 418 has one at cancel_url as well.
    success = str(session.get("success_url"))
    paid = [tried.end for tried in tries if tried.end is not None and is_at(tried.end, success)]
    ids = {landing.parameters.get("payment_id", "") for landing in paid}
    made = made_since(before, standing(pages, session))
    expected = "one payment, however often the form is sent"

    if len(ids - {""}) > 1:
        raise Nonconformance(Finding(expected, tries[-1].last.summary, "Paying again made a payment of its own."))
    if made > 1:
        raise Nonconformance(Finding(expected, f"{made} payments of the order", "The form paid twice."))


def must_be_open(opened_earlier: OpenedPage, minutes: int) -> None:
    """The page still asks for a card; looked at too late it says nothing."""
    visit = opened_earlier.again()
    expected = "a page that still asks for the card"
    if opened_earlier.age >= minutes * MINUTE and not opened_earlier.asks_for_card(visit):
        inconclusive(
            f"the page was looked at {opened_earlier.age:.0f} seconds after it was opened, when it may be closed",
            decides="a target that answers sooner, or clock in [run] of the profile",
        )
    page = must_be_shown(visit, expected)

    must_see(opened_earlier.asks_for_card(visit), expected, page, "The session is over already.")


def must_be_expired(opened_earlier: OpenedPage) -> None:
    """The payer is sent away, or sees a page that asks for no card."""
    visit, is_asked = opened_earlier.seen_again()
    if visit.page is not None:
        must_ask_for_no_card(visit.page, "an expired session", is_asked=is_asked)


def must_be_no_server_error(posted: Entered, expected: str) -> None:
    """What a form leads to is no error of the server."""
    page = posted.page
    if page is not None and (page.status is None or page.status >= SERVER_ERROR):
        raise Nonconformance(Finding(expected, posted.last.summary, "The server fails at the form."), page.reply)


def post(opened_page: OpenedPage, run: Run) -> Entered:
    """Post the form as it was when the page was opened; without a form over HTTP the check is inconclusive.

    Nothing else is opened in between: the payer who opened the page has its cookies.
    """
    own = opened_page.pages.payer
    payer = own if isinstance(own, HttpPayer) else run.payers.form
    by_form = opened_page.pages.by(payer)
    entry = by_form.entry()
    must_be_a_form(payer, opened_page.page, entry)
    return by_form.enter_on(Visit(page=opened_page.page), opened_page.session, entry)


def must_pay(entered: Entered, when: str) -> None:
    """End the check where the form of a page cannot be posted at all, so that to refuse it says nothing."""
    if entered.end is None or not is_at(entered.end, str(entered.session.get("success_url"))):
        inconclusive(
            f"the form of a page pays nothing {when}: {entered.story}",
            decides=f"a card that pays; {FINDING_FIELDS}",
        )
