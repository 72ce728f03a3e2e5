"""Faults of another author that the suite did not notice at first (set U), and others of their classes: S2S CARD."""

from dataclasses import replace
from datetime import date, datetime
from typing import Final, cast

from emulator.changes.s2s_card import also_hashed, around
from emulator.design import Change, Design
from emulator.engine.calendar import Terms, months_later
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest, Perform
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.rules.amounts import is_zero
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import Reply

_NEW: Final = "6.7.0"
_FIRST_DATE: Final = "first_recurring_date"
_COMPANIONS: Final = {
    "first_payment_interval_length": "by_interval",
    "first_payment_day_of_week": "to_day_of_week",
}
_OF_MD5: Final = 32
"""Digits of a hash with MD5."""


def _first_amount_once_run(design: Design) -> Design:
    """RUN lets a schedule charge the amount of the first payment."""
    run: set[str] = set()
    inner = design.card.scheduled_amount

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        run.add(attempt.form.get("schedule_id", ""))
        return perform(attempt)

    def scheduled_amount(initial: Payment) -> str:
        return initial.amount_text if initial.schedule_id in run else inner(initial)

    return around(act, "RUN")(design.in_card(scheduled_amount=scheduled_amount))


def _fragment_in_the_path(action: str) -> Change:
    """The number sign of the term_url_3ds of an action is encoded, so that its fragment is a part of the path."""

    def change(design: Design) -> Design:
        inner = design.card.way_back

        def way_back(payment: Payment) -> str:
            address = inner(payment)
            return address.replace("#", "%23") if payment.action == action else address

        return design.in_card(way_back=way_back)

    return change


def _positive_by_token(flag: str) -> Change:
    """An amount of zero is refused to a SALE by card token that has a flag."""

    def changed(row: Rule) -> Rule:
        if (row.path, row.keyword) != ("order_amount", "positive"):
            return row
        check = cast("Check", row.bound)

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            is_refused = bool(parent.get("card_token")) and parent.get(flag) == "Y" and is_zero(str(value))
            return not is_refused and check(value, parent, context)

        return replace(row, bound=bound)

    return lambda design: design.with_sale_rows(changed)


def _passed_day_of_this_month(design: Design) -> Design:
    """A day of the month that has passed is that of the month in which the schedule starts."""
    inner = design.schedules.first_due

    def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
        due = inner(terms, start, day)
        waits_for_day = day is None and terms.get("delayed_first_payment") == "to_day_of_month"
        return months_later(start, 0, due.day) if waits_for_day else due

    return design.in_schedules(first_due=first_due)


def _begins_rightly(test: CardHashTest) -> bool:
    """A hash with SHA256 of which the digits count that one with MD5 has."""
    right = test.formula(test.account.password, test.account.hash, test.values)
    return len(test.given) == len(right) > _OF_MD5 and test.given[:_OF_MD5] == right[:_OF_MD5]


def _in_title_case(name: str) -> str:
    return name.upper() if "_" in name and name == name.title() else name


def _counted_from_before_the_challenge(perform: Perform, attempt: CardAttempt) -> Reply:
    """first_recurring_date of a challenged payment is counted from the day on which it was asked for."""
    reply, payment = perform(attempt), attempt.payment
    shown = reply.body.get(_FIRST_DATE)
    if payment is None or not shown or not record_of(payment).challenged:
        return reply
    late = payment.transactions[0].date.date() - payment.created.date()
    return replace(reply, body={**reply.body, _FIRST_DATE: (date.fromisoformat(str(shown)) - late).isoformat()})


def _delay_by_companion(perform: Perform, attempt: CardAttempt) -> Reply:
    """UPDATE_SCHEDULE with a companion of a delay alone makes that the delay."""
    reply, schedule, form = perform(attempt), attempt.schedule, attempt.form
    modes = [mode for name, mode in _COMPANIONS.items() if name in form and "delayed_first_payment" not in form]
    if schedule is not None and modes:
        schedule.terms["delayed_first_payment"] = modes[0]
    return reply


FAULTS: Final = faults(
    {
        "u-card-first-amount-once-a-schedule-runs-again": breaks(
            "S2C-SCP-14",
            "A schedule that was paused and runs again charges the amount of the first payment (lines 63 and 352).",
            _first_amount_once_run,
            since=_NEW,
        ),
        "u-first-charge-on-a-day-of-this-month-that-has-passed": breaks(
            "S2C-SCH-30",
            "With to_day_of_month a day that has passed is that of this month, not of the next (lines 288 and 302).",
            _passed_day_of_this_month,
            since=_NEW,
        ),
        "u-first-date-counted-from-before-the-challenge": breaks(
            "S2C-SCP-16",
            "Look-ups show a first_recurring_date that is counted from the SALE and not from its challenge (line 288).",
            around(_counted_from_before_the_challenge, "GET_TRANS_STATUS", "GET_TRANS_DETAILS"),
            since=_NEW,
        ),
        "u-delay-by-its-companion": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE with a companion of another delay alone changes the delay as well (line 359).",
            around(_delay_by_companion, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "u-action-names-in-title-case-known": breaks(
            "S2C-ACT-03",
            "Names of several words are read with a capital at the beginning of each, as Get_Trans_Status (line 363).",
            lambda design: design.in_actions(read_name=_in_title_case),
        ),
        **{
            f"u-second-half-of-sha256-does-not-count-in-{action.lower().replace('_', '-')}": breaks(
                "S2C-SIG-52",
                f"Of a hash of {action} with SHA256 the first 32 digits count, as many as MD5 has (lines 391 and 407).",
                also_hashed(_begins_rightly, action),
            )
            for action in ("SALE", "GET_TRANS_DETAILS")
        },
        **{
            f"u-fragment-of-the-way-back-of-a-{action.lower()}-in-its-path": breaks(
                "S2C-TDS-05",
                f"The number sign in the term_url_3ds of a {action} is encoded on the way back (line 425).",
                _fragment_in_the_path(action),
            )
            for action in ("SALE", "DEBIT")
        },
        **{
            f"u-zero-by-token-refused-with-{flag.replace('_', '-')}": breaks(
                requirement,
                f"A SALE of nothing by card token with {flag}=Y is refused for its amount (line 352).",
                _positive_by_token(flag),
                since=_NEW,
            )
            for flag, requirement in (("auth", "S2C-AMT-05"), ("recurring_init", "S2C-AMT-06"))
        },
    }
)
