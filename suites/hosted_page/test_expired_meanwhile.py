"""A card that expires while its payer is on the page: line 121 holds on the day on which it is paid."""

from __future__ import annotations

from datetime import datetime, timedelta

from fixtures.deferred import waits
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.payer import HttpPayer, Visit
from fixtures.protocols.hosted_page.must import must_not_pay
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.posting import must_be_a_form, proven_by_form
from fixtures.protocols.hosted_page.today import now_of
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.months import month_from

LONGEST_MINUTES = 720
BEFORE, AFTER = timedelta(hours=5), timedelta(hours=6)
"""How long before the end of a month the page is opened, and how long after it the form is sent: within a session."""


def end_of_month(now: datetime) -> datetime:
    """Return the next end of a month, by UTC, before which there is time to open a page."""
    later = now + BEFORE
    return (later.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + timedelta(days=32)).replace(day=1)


@requirement("HPP-EXP-02")
@waits(0)
def test_card_that_expired_since_its_page_was_opened_does_not_pay(
    pages: HostedPages, form_payer: HttpPayer, run: Run, clock: Clock
) -> None:
    there = pages.by(form_payer)
    with where_it_comes_about("a page that is opened in one month and sent in the next"):
        if clock.waits:
            inconclusive("a month would have to end", decides="clock in [run] of the profile")
        proven_by_form(there, "card")
        now = now_of(pages, clock)
        end = end_of_month(now)
        expiry = month_from(end - BEFORE, 0)
        clock.elapse((end - BEFORE - now).total_seconds())
        session = there.session(session_expiry=LONGEST_MINUTES)
        shown = there.shown(session)
        page = there.going_on(Visit(shown), there.asks_for_card).page or shown
        entry = {**there.entry(), "expiry": expiry}
        must_be_a_form(form_payer, page, entry)
        clock.elapse((BEFORE + AFTER).total_seconds())
        # In which zone the target counts its days is open: its own page says whether the card is expired by now.
        fresh = pages.by(run.payers.another_form()).unproven("card", expiry=expiry)
        if not fresh.is_refused:
            inconclusive(
                f"a page that is opened when the month is over takes the card as well: {fresh.story}",
                decides="a target whose months end with those of UTC",
            )

        # Half a day later the page may be gone, which decides nothing.
        must_not_pay(there.enter_on(Visit(page), session, entry, ("expiry",)))
