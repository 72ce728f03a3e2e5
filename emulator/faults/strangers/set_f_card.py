"""Faults of S2S CARD: look-ups that are kept, other currencies, ends of months, order ids (sixth set).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from urllib.parse import unquote

from emulator.changes.s2s_card import NOTICES, around, first, instead
from emulator.design import Design
from emulator.engine.calendar import Terms
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.stages import check_deprecated, check_duplicate
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_LAST_DAY: Final = 28
_BIRTH_DATE: Final = "payer_birth_date"
_NOT_IN_PARTS: Final = Refusal(Kind.NOT_FOUND, "Void is not allowed.")
_DEPRECATED: Final = Refusal(Kind.SCHEDULE, "Parameter is deprecated.")


def _invalid(name: str) -> Refusal:
    return Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=((name, "This value is not valid."),))


# --- look-ups ---


def _settled_for_good(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, payment = perform(attempt), attempt.payment
    if payment is None or reply.is_error:
        return reply
    status = str(reply.body.get("status"))
    if status == "SETTLED" or "by order" in payment.extras:
        status = str(payment.extras.setdefault("by order", status))
    return replace(reply, body=reply.body | {"status": status})


# --- currencies ---


def _taken_over(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, currency = perform(attempt), attempt.form.get("order_currency")
    if attempt.payment is not None and currency and not reply.is_error:
        attempt.payment.currency = currency
    return reply


def _in_cents(body: Fields | Object) -> dict[str, object]:
    amount = str(body.get("amount", ""))
    return {**body, "amount": f"{Decimal(amount):.2f}"} if amount.count(".") == 1 else {**body}


def _capture_in_cents(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    return reply if reply.is_error or attempt.form.get("amount") else replace(reply, body=_in_cents(reply.body))


def _captured_in_cents(notice: Notice) -> list[Notice]:
    return [replace(notice, fields=_in_cents(notice.fields)) if notice.event == "CAPTURE" else notice]  # type: ignore[arg-type]


def _two_decimals(attempt: CardAttempt) -> Refusal | None:
    amount = attempt.form.get("payment_schedule_amount", "")
    return _invalid("payment_schedule_amount") if amount and len(amount.partition(".")[2]) != 2 else None


# --- days ---


def _no_later_than_28th(design: Design) -> Design:
    inner = design.schedules.first_due

    def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
        return inner(terms, start, day.replace(day=min(day.day, _LAST_DAY)) if day is not None else None)

    return design.in_schedules(first_due=first_due)


def _day_of_month_wins(design: Design) -> Design:
    inner = design.schedules.first_due

    def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
        by_month = terms.get("delayed_first_payment") == "to_day_of_month"
        return inner(terms, start, None if by_month else day)

    return design.in_schedules(first_due=first_due)


def _day_before(fields: Fields) -> Fields:
    born = fields.get(_BIRTH_DATE)
    if not isinstance(born, str):
        return fields
    return {**fields, _BIRTH_DATE: (date.fromisoformat(born) - timedelta(days=1)).isoformat()}


def _with_birth_date(notice: Notice) -> bool:
    return bool(notice.fields.get(_BIRTH_DATE))


# --- forms ---


def _decoded_twice(attempt: CardAttempt) -> Refusal | None:
    attempt.form = {name: unquote(value) for name, value in attempt.form.items()}
    return None


# --- changes ---


def _refused_and_done(design: Design) -> Design:
    """An UPDATE_SCHEDULE with delays is refused once the rest of it was carried out."""

    def later(_attempt: CardAttempt) -> Refusal | None:
        return None

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        if "delays" not in attempt.form:
            return perform(attempt)
        perform(replace(attempt, form={name: text for name, text in attempt.form.items() if name != "delays"}))
        return attempt.gateway.answers.refuse(_DEPRECATED)

    return around(act, "UPDATE_SCHEDULE")(instead(check_deprecated, later, "UPDATE_SCHEDULE")(design))


def _part_not_voided(perform: Perform, attempt: CardAttempt) -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.SETTLED and payment.captured != payment.amount:
        return attempt.gateway.answers.refuse(_NOT_IN_PARTS)
    return perform(attempt)


def _free_to_sales(design: Design) -> Design:
    """The order id of a charge is known to its own action alone."""
    charged: set[tuple[str, str]] = set()

    def order_of(attempt: CardAttempt) -> tuple[str, str]:
        return attempt.form.get("client_key", ""), attempt.form.get("order_id", "")

    def charging(perform: Perform, attempt: CardAttempt) -> Reply:
        charged.add(order_of(attempt))
        return perform(attempt)

    def lenient(attempt: CardAttempt) -> Refusal | None:
        return None if order_of(attempt) in charged else check_duplicate(attempt)

    return around(charging, "RECURRING_SALE")(instead(check_duplicate, lenient, "SALE")(design))


def _renewed_card_keeps_its_token(design: Design) -> Design:
    """A card with the same first and last digits as one on file gets its token, and pays with its date."""
    known: dict[tuple[str, str], str] = {}

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        token, account = reply.body.get("card_token"), attempt.account
        if reply.is_error or account is None or not isinstance(token, str):
            return reply
        card = attempt.gateway.vault.card(account, token)
        if card is None:
            return reply
        return replace(reply, body=reply.body | {"card_token": known.setdefault((account.key, card.fragment), token)})

    return around(act, "SALE")(design)


def _declined_charge(notice: Notice) -> bool:
    payment: Payment = notice.payment
    return payment.protocol is Protocol.S2S_CARD and bool(payment.chain) and payment.state is State.DECLINED


def _both_flags(attempt: CardAttempt) -> Refusal | None:
    form = attempt.form
    nothing = not form.get("order_amount", "").strip("0.")
    both = form.get("auth") == "Y" and form.get("recurring_init") == "Y"
    return _invalid("order_amount") if nothing and both else None


FAULTS: Final = faults(
    {
        "f-order-look-up-settled-for-good": breaks(
            "S2C-VOI-02 S2C-CVD-02",
            "GET_TRANS_STATUS_BY_ORDER goes on to say SETTLED after a VOID or a refund, if the order was looked up"
            " while it was settled (line 318).",
            around(_settled_for_good, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "f-currency-of-charge-taken-over-by-chain": breaks(
            "S2C-REC-11",
            "After one RECURRING_SALE with another order_currency the whole chain is in that currency (line 353).",
            around(_taken_over, "RECURRING_SALE"),
        ),
        "f-capture-of-the-whole-in-cents": breaks(
            "S2C-CAP-04",
            "A capture of all of 10.235 KWD is answered with amount 10.24 (line 88).",
            around(_capture_in_cents, "CAPTURE"),
        ),
        "f-capture-notified-in-cents": breaks(
            "CBK-S2C-23",
            "A capture of all of 10.235 KWD is called back with amount 10.24 (line 88).",
            NOTICES.changed(_captured_in_cents),
        ),
        "f-scheduled-amount-in-cents-only": breaks(
            "S2C-SCP-13",
            "A payment_schedule_amount of 1.500 KWD is refused, 1.50 is taken (line 63).",
            first(_two_decimals, "SALE"),
            since=_NEW,
        ),
        "f-start-dates-after-the-28th": breaks(
            "S2C-SCP-10",
            "A chain that is to start on the 31st starts on the 28th (line 62).",
            _no_later_than_28th,
            since=_NEW,
        ),
        "f-day-of-month-wins-over-start-date": breaks(
            "S2C-SCP-10",
            "schedule_start_date is ignored for schedules with delayed_first_payment=to_day_of_month (line 62).",
            _day_of_month_wins,
            since=_NEW,
        ),
        "f-birth-date-of-the-day-before": breaks(
            "GEN-AGR-05",
            "payer_birth_date in callbacks is the day before the one that was sent (line 288).",
            NOTICES.where(_with_birth_date, _day_before),
            since=_NEW,
        ),
        "f-forms-decoded-twice": breaks(
            "S2C-TDS-05 GEN-AGR-01",
            "An encoded part of term_url_3ds or order_id is decoded once more (line 425).",
            first(_decoded_twice, "SALE"),
        ),
        "f-update-refused-for-delays-is-done": breaks(
            "S2C-SCH-17",
            "An UPDATE_SCHEDULE that is refused because of delays has changed the schedule all the same (line 442).",
            _refused_and_done,
            since=_NEW,
        ),
        "f-void-after-capture-of-a-part-refused": breaks(
            "S2C-VOI-01",
            "VOID of a settled payment is refused where a part was captured (line 318).",
            around(_part_not_voided, "VOID"),
        ),
        "f-order-ids-of-charges-free-to-sales": breaks(
            "S2C-DUP-01",
            "An order id that a RECURRING_SALE used is taken by a SALE within 15 seconds (line 437).",
            _free_to_sales,
        ),
        "f-renewed-card-keeps-its-token": breaks(
            "CBK-S2C-12",
            "A renewed card gets the token of the old one; payments by it report the old expiry date (line 419).",
            _renewed_card_keeps_its_token,
        ),
        "f-declined-charge-without-custom-data": breaks(
            "CBK-S2C-14",
            "The callback of a declined RECURRING_SALE lacks the custom_data of its request (line 420).",
            NOTICES.where(
                _declined_charge, lambda fields: {name: one for name, one in fields.items() if name != "custom_data"}
            ),
            since=_NEW,
        ),
        "f-zero-for-one-reason-only": breaks(
            "S2C-AMT-05 S2C-AMT-06",
            "A SALE of nothing that is an authorization and starts a chain is refused, each alone is taken (line 71).",
            first(_both_flags, "SALE"),
            since=_NEW,
        ),
    }
)
