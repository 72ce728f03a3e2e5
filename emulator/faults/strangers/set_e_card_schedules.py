"""Faults of schedules and callbacks of S2S CARD: what one of them does to another, days and hours (fifth set).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.changes.notices import EVERY_NOTICE
from emulator.changes.s2s_card import NOTICES, around, last
from emulator.design import Design
from emulator.engine.calendar import Terms, number, weekday_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, Protocol
from emulator.engine.schedules import Schedule, Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Refusal, Reply

_NEW: Final = "6.7.0"
_LOCAL_EVENING: Final = 21  # o'clock in UTC, when a day begins three hours further east
_SUNDAY: Final = 6


# --- schedules ---


def _namesakes_deleted(design: Design) -> Design:
    created: list[Schedule] = []

    def creating(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        if not reply.is_error and attempt.account is not None:
            found = attempt.gateway.schedules.find(attempt.account, str(reply.body.get("schedule_id")))
            created.extend([found] if found is not None else [])
        return reply

    def deleting(perform: Perform, attempt: CardAttempt) -> Reply:
        reply, gone = perform(attempt), attempt.schedule
        for one in created if gone is not None and not reply.is_error else ():
            same = gone is not None and one.owner == gone.owner and one.terms.get("name") == gone.terms.get("name")
            one.deleted = one.deleted or same
        return reply

    return around(deleting, "DELETE_SCHEDULE")(around(creating, "CREATE_SCHEDULE")(design))


def _paused_survives(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    if attempt.schedule is not None and attempt.schedule.paused:
        attempt.schedule.deleted = False
    return reply


def _run_by_update(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    if attempt.schedule is not None and attempt.schedule.paused and not reply.is_error:
        attempt.gateway.schedules.run(attempt.schedule)
    return reply


def _sunday_on_monday(design: Design) -> Design:
    inner = design.schedules.first_due

    def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
        due = inner(terms, start, day)
        by_weekday = day is None and terms.get("delayed_first_payment") == "to_day_of_week"
        sunday = weekday_of(terms.get("first_payment_day_of_week", "")) == _SUNDAY
        return due + timedelta(days=1) if by_weekday and sunday else due

    return design.in_schedules(first_due=first_due)


def _local_date(design: Design) -> Design:
    """The date that is reported is that of the charge three hours further east."""
    seen: set[str] = set()

    def changed(notice: Notice) -> list[Notice]:
        payment, reported = notice.payment, notice.fields.get("first_recurring_date")
        if not isinstance(reported, str) or payment.protocol is not Protocol.S2S_CARD:
            return [notice]
        if payment.id not in seen and payment.transactions[-1].date.hour >= _LOCAL_EVENING:
            record = record_of(payment)
            next_day = date.fromisoformat(record.first_recurring_date) + timedelta(days=1)
            record.first_recurring_date = next_day.isoformat()
        seen.add(payment.id)
        fields = {**notice.fields, "first_recurring_date": record_of(payment).first_recurring_date}
        return [replace(notice, fields=fields)]

    return NOTICES.changed(changed)(design)


def _amount_of_first_chain(design: Design) -> Design:
    firsts: dict[tuple[str, str, str], str] = {}
    inner = design.card.scheduled_amount

    def amount(initial: Payment) -> str:
        if not record_of(initial).schedule_amount or not initial.email:
            return inner(initial)
        return firsts.setdefault((initial.account.key, initial.email, initial.currency), inner(initial))

    return design.in_card(scheduled_amount=amount)


def _counted_by_hand(design: Design) -> Design:
    by_hand: dict[str, int] = {}
    inner = design.schedules.is_over

    def charging(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        if not reply.is_error and attempt.payment is not None:
            by_hand[attempt.payment.id] = by_hand.get(attempt.payment.id, 0) + 1
        return reply

    def is_over(subscription: Subscription) -> bool:
        count = number(subscription.schedule.terms, "payments_count", 0)
        made = subscription.made + by_hand.get(subscription.initial.id, 0)
        return inner(subscription) or 0 < count <= made

    return around(charging, "RECURRING_SALE")(design.in_schedules(is_over=is_over))


# --- callbacks ---


def _card_of_payee(design: Design) -> Design:
    payees: dict[tuple[str, str], str] = {}

    def note(attempt: CardAttempt) -> Refusal | None:
        form = attempt.form
        payees[form.get("client_key", ""), form.get("order_id", "")] = form.get("payee_card_number", "")
        return None

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        to = payees.get((payment.account.key, payment.order_number), "")
        if payment.action != "CARD2CARD" or not to:
            return [notice]
        return [replace(notice, fields={**notice.fields, "card": f"{to[:6]}******{to[-4:]}"})]

    return NOTICES.changed(changed)(last(note, "CARD2CARD")(design))


def _newest_card_of_payer(design: Design) -> Design:
    newest: dict[tuple[str, str], str] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if payment.card is None or not payment.email or "card" not in notice.fields:
            return [notice]
        key = payment.account.key, payment.email
        if notice.event != "CREDITVOID":
            newest[key] = payment.card.masked
            return [notice]
        return [replace(notice, fields={**notice.fields, "card": newest.get(key, payment.card.masked)})]

    return NOTICES.changed(changed)(design)


def _retried_without_custom_data(design: Design) -> Design:
    retried: set[str] = set()

    def retrying(perform: Perform, attempt: CardAttempt) -> Reply:
        if attempt.payment is not None:
            retried.add(attempt.payment.id)
        return perform(attempt)

    hidden = EVERY_NOTICE.lacking(lambda notice: notice.payment.id in retried, "custom_data")
    return hidden(around(retrying, "RETRY")(design))


FAULTS: Final = faults(
    {
        "e-delete-schedule-deletes-namesakes": breaks(
            "S2C-SCH-43",
            "DELETE_SCHEDULE deletes all schedules of the merchant that have the same name (line 360).",
            _namesakes_deleted,
        ),
        "e-paused-schedule-survives-delete": breaks(
            "S2C-SCH-43",
            "DELETE_SCHEDULE of a paused schedule is answered as always, and deletes nothing (line 360).",
            around(_paused_survives, "DELETE_SCHEDULE"),
        ),
        "e-update-schedule-runs-paused": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE of a paused schedule lets it run again (line 359).",
            around(_run_by_update, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "e-schedule-amount-of-payers-first-chain": breaks(
            "S2C-SCP-14",
            "payment_schedule_amount of a payer's second chain has no effect: that of the first one is charged"
            " (line 63).",
            _amount_of_first_chain,
            since=_NEW,
        ),
        "e-transfer-callback-shows-card-of-payee": breaks(
            "CBK-SIG-09",
            "The callback of CARD2CARD shows the payee's digits in card, and is signed with the payer's (line 406).",
            _card_of_payee,
        ),
        "e-refund-callback-shows-payers-newest-card": breaks(
            "CBK-SIG-08",
            "The callback of CREDITVOID shows the card that the payer used last, not the one it is signed with"
            " (line 406).",
            _newest_card_of_payer,
        ),
        "e-retried-charge-without-custom-data": breaks(
            "CBK-S2C-14",
            "The callback of a RECURRING_SALE that a RETRY settled lacks its custom_data (line 420).",
            _retried_without_custom_data,
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "e-first-payment-on-sunday-comes-on-monday": breaks(
            "S2C-SCH-29",
            "A first_payment_day_of_week of Sunday lets the first charge come on the Monday after (line 301).",
            _sunday_on_monday,
            since=_NEW,
        ),
        "e-first-recurring-date-three-hours-ahead": breaks(
            "S2C-SCP-16",
            "From 21:00 UTC on first_recurring_date is the day after that of the first automatic charge (line 288).",
            _local_date,
            since=_NEW,
        ),
        "e-payments-count-counts-charges-by-hand": breaks(
            "S2C-SCP-06",
            "Each RECURRING_SALE of its chain is taken off the payments_count of a schedule (line 298).",
            _counted_by_hand,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
