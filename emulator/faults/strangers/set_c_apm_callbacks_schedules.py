"""Faults of S2S APM, of callbacks in general, and of schedules (third set).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes import checkout, s2s_card
from emulator.changes.notices import EVERY_NOTICE
from emulator.changes.s2s_apm import NOTICES, around, instead, unless
from emulator.changes.s2s_card import around as around_card
from emulator.design import Change, Design
from emulator.engine.calendar import Terms, number
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import ascii_upper, equal, hex_digest
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.signatures import by_option
from emulator.protocols.s2s_apm.stages import check_duplicate, check_signature
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.stages import check_deprecated
from emulator.releases import holds
from emulator.rules.model import Context, JsonObject, Rule
from emulator.rules.s2s_apm.payout import operator_of, within_limits
from emulator.wire.replies import Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_PAYOUT: Final = "CREDIT2VIRTUAL"
_REMEMBERED_SECONDS: Final = 30.0


# --- S2S APM ---


def _more_than_least(row: Rule) -> Rule:
    if row.bound is not within_limits:
        return row

    def within(value: object, parent: JsonObject, context: Context) -> bool:
        operator = operator_of(context.body)
        least = operator is not None and operator.slug == "orange-eg" and value in {"1", "1.00"}
        return within_limits(value, parent, context) and not least

    return replace(row, bound=within)


def _any_yes(auth: str, release: str, account: Account) -> bool:
    return holds(release, _NEW, None) and (auth[:1] == "Y" or account.mode == "DMS")


def _signed_in_capitals(attempt: ApmAttempt) -> Refusal | None:
    """Look-ups of payouts are compared with a hash over the password in capitals."""
    account, gateway, form = attempt.account, attempt.gateway, attempt.form
    found = gateway.payments.find(account, form.get("trans_id", "")) if account else None
    if account is None or found is None or found.action != _PAYOUT:
        return check_signature(attempt)
    wanted = by_option(account, (form.get("trans_id", "")[::-1] + account.password).upper().encode())
    return None if equal(form.get("hash", ""), wanted) else gateway.access.wrong_hash


def _signed_without_reason(design: Design) -> Design:
    inner = design.callbacks.signs[Protocol.S2S_APM]

    def sign(notice: Notice) -> str:
        fields = {name: value for name, value in notice.fields.items() if name != "decline_reason"}
        return inner(replace(notice, fields=fields))

    return NOTICES.signed(sign)(design)


def _remembered(design: Design) -> Design:
    answers: dict[str, tuple[float, Reply]] = {}

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        key, now = attempt.form.get("trans_id", ""), gateway.clock.seconds()
        known = answers.get(key)
        if known is None or now - known[0] > _REMEMBERED_SECONDS:
            known = answers[key] = (now, handler(attempt, gateway))
        return known[1]

    return around(act, "GET_TRANS_STATUS")(design)


def _declined_payout(notice: Notice) -> bool:
    return notice.event == _PAYOUT and notice.payment.state is State.DECLINED


def _after_refused(first: str, then: str, obstacle: tuple[str, Obstacle]) -> Change:
    """Once ``first`` was refused of an authorization, ``then`` is refused with other words."""

    def changed(design: Design) -> Design:
        refused: set[str] = set()

        def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
            payment = attempt.payment
            held = payment is not None and payment.state is State.AUTHORIZED
            if held and attempt.action == then and payment is not None and payment.id in refused:
                return gateway.answers.refuse(gateway.apm.obstacle_refusals[obstacle])
            reply = handler(attempt, gateway)
            if held and attempt.action == first and reply.is_error and payment is not None:
                refused.add(payment.id)
            return reply

        return around(act, *{first, then})(design)

    return changed


def _sale_before(attempt: ApmAttempt) -> bool:
    found = attempt.gateway.payments.of_order(cast("Account", attempt.account), attempt.form.get("order_id", ""))
    return bool(found) and found[0].action == "SALE"


# --- callbacks ---


def _moved_elsewhere(status: int) -> bool:
    return 200 <= status < 400


def _redelivered_bare(design: Design) -> Design:
    """What is delivered again to Checkout merchants is signed anew, without the outer SHA1."""
    again = design.callbacks.repeat
    names = ("id", "order_number", "order_amount", "order_currency", "order_description")

    def repeat(notice: Notice) -> list[Notice]:
        account = notice.payment.account
        if notice.payment.protocol is not Protocol.CHECKOUT:
            return again(notice)
        text = "".join(str(notice.fields.get(name, "")) for name in names) + account.password
        return again(replace(notice, fields={**notice.fields, "hash": hex_digest(account.hash, ascii_upper(text))}))

    return design.in_callbacks(repeat=repeat)


def _challenged_token_debit(notice: Notice) -> bool:
    return notice.event == "3ds" and notice.payment.action == "debit" and bool(record_of(notice.payment).sent_token)


def _passed_debit(notice: Notice) -> bool:
    return notice.event == "debit" and record_of(notice.payment).challenged and "transStatus" in notice.fields


def _day_of_start(notice: Notice) -> list[Notice]:
    payment = notice.payment
    extra = payment.extras.get("s2s_card") or payment.extras.get("checkout")
    named = bool(getattr(extra, "schedule_start_date", ""))
    if not named or "first_recurring_date" not in notice.fields:
        return [notice]
    return [replace(notice, fields={**notice.fields, "first_recurring_date": payment.created.date().isoformat()})]


# --- schedules ---


def _renamed_without_delay(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    if attempt.schedule is not None and attempt.form.get("name") and "delayed_first_payment" not in attempt.form:
        attempt.schedule.terms["delayed_first_payment"] = "none"
    return reply


def _months_of_thirty_days(design: Design) -> Design:
    inner = design.schedules.first_due

    def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
        by_months = terms.get("first_payment_interval_unit") == "month"
        if day is None and terms.get("delayed_first_payment") == "by_interval" and by_months:
            return start + timedelta(days=30 * number(terms, "first_payment_interval_length", 1))
        return inner(terms, start, day)

    return design.in_schedules(first_due=first_due)


def _counted_anew(perform: Perform, attempt: CardAttempt) -> Reply:
    """A schedule that runs again is a new one to whoever counts."""
    reply = perform(attempt)
    if not reply.is_error and attempt.schedule is not None:
        for subscription in attempt.gateway.schedules._of(attempt.schedule):  # noqa: SLF001 - what counts is there
            subscription.made = 0
    return reply


def _initiating_amount(design: Design) -> Design:
    inner = design.checkout.scheduled_amount

    def amount(payment: Payment) -> str:
        return payment.amount_text if payment.action == "debit" else inner(payment)

    return design.in_checkout(scheduled_amount=amount)


def _no_delays_with_delay(body: Object) -> Object:
    if body.get("delayed_first_payment", "none") == "none":
        return body
    return {name: value for name, value in body.items() if name != "delays"}


def _no_delays(attempt: CardAttempt) -> bool:
    text = attempt.form.get("delays", "")
    return text.isdigit() and Decimal(text) == 0


FAULTS: Final = faults(
    {
        "apm-payout-least-in-egypt-excluded": breaks(
            "APM-C2V-23",
            "Of the four operators of Egypt one does not pay out the minimum of 1 EGP (line 267).",
            lambda design: design.with_apm_rows(_PAYOUT, _more_than_least),
        ),
        "apm-auth-by-first-letter": breaks(
            "APM-AUT-05",
            "Any auth that starts with Y holds the funds, such as YES (line 369).",
            lambda design: design.in_apm(holds_funds=_any_yes),
            since=_NEW,
        ),
        "apm-look-up-of-payout-password-in-capitals": breaks(
            "APM-STA-13",
            "GET_TRANS_STATUS of a payout wants a hash over the password in capitals (line 405).",
            instead(check_signature, _signed_in_capitals, "GET_TRANS_STATUS"),
        ),
        "apm-callback-hash-without-decline-reason": breaks(
            "CBK-SIG-14",
            "The hash of callbacks of declined payments leaves decline_reason out (line 406).",
            _signed_without_reason,
        ),
        "apm-look-up-remembered": breaks(
            "APM-CVD-06",
            "GET_TRANS_STATUS is answered again for 30 seconds, though the payment was captured since (line 370).",
            _remembered,
        ),
        "apm-declined-payout-callback-without-type": breaks(
            "CBK-APM-03",
            "The callback of a declined payout lacks type (line 421).",
            NOTICES.where(_declined_payout, lambda fields: {k: v for k, v in fields.items() if k != "type"}),
        ),
        "apm-void-after-refused-capture-as-capture": breaks(
            "APM-VOI-04",
            "VOID of an authorization whose capture was refused gets the refusal of captures (line 446).",
            _after_refused("CAPTURE", "VOID", ("CAPTURE", Obstacle.WRONG_STATE)),
            since=_NEW,
        ),
        "apm-release-locked-after-part": breaks(
            "APM-CVD-01",
            "Once CREDITVOID of a part of an authorization was refused, that of the whole is, too (line 317).",
            _after_refused("CREDITVOID", "CREDITVOID", ("CREDITVOID", Obstacle.WRONG_STATE)),
            since=_NEW,
        ),
        "apm-payout-after-sale-no-duplicate": breaks(
            "APM-REQ-12",
            "A payout with the order id of a SALE within 15 seconds is carried out (line 437).",
            unless(check_duplicate, _sale_before, _PAYOUT),
        ),
        "callback-answered-with-redirect-taken": breaks(
            "CBK-DEL-06",
            "A callback that is answered with 3xx counts as taken, and is not sent again (line 424).",
            lambda design: design.in_callbacks(accepted=_moved_elsewhere),
        ),
        "checkout-redelivery-without-sha1": breaks(
            "CBK-DEL-08",
            "Checkout callbacks that are delivered again lack the outer SHA1 of their hash (line 406).",
            _redelivered_bare,
        ),
        "debit-challenge-callback-without-expiry": breaks(
            "CBK-ATT-23",
            "The 3ds callback of a debit by token lacks card_expiration_date (line 419).",
            checkout.NOTICES.where(
                _challenged_token_debit, lambda fields: {k: v for k, v in fields.items() if k != "card_expiration_date"}
            ),
            since=_NEW,
        ),
        "debit-trans-status-stays-c": breaks(
            "CBK-ATT-45",
            "transStatus of a debit is still C once its challenge is over (line 288).",
            checkout.NOTICES.saying_where(_passed_debit, transStatus="C"),
            since=_NEW,
        ),
        "first-recurring-date-without-start-date": breaks(
            "CHK-SCH-01",
            "first_recurring_date in callbacks is the day of the first payment where schedule_start_date names one"
            " (line 288).",
            EVERY_NOTICE.changed(_day_of_start),
            since=_NEW,
        ),
        "update-schedule-name-resets-delay": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE with a name sets delayed_first_payment back to none (line 359).",
            around_card(_renamed_without_delay, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "schedule-counts-anew-after-run": breaks(
            "S2C-SCP-06",
            "After PAUSE and RUN a schedule makes payments_count payments once more (line 298).",
            around_card(_counted_anew, "RUN"),
        ),
        "checkout-debit-schedule-of-initiating-amount": breaks(
            "CHK-SCH-05",
            "Scheduled payments of a debit ignore payment_schedule_amount (line 63).",
            _initiating_amount,
            since=_NEW,
        ),
        "schedule-info-with-delay-without-delays": breaks(
            "S2C-SCH-48",
            "SCHEDULE_INFO lacks delays, which should be null, of schedules with a delayed first payment (line 303).",
            s2s_card.answering(_no_delays_with_delay, "SCHEDULE_INFO"),
            since=_NEW,
        ),
        "create-schedule-delays-of-zero-accepted": breaks(
            "S2C-SCH-16",
            "CREATE_SCHEDULE takes the retired delays where they are 0 (line 442).",
            s2s_card.unless(check_deprecated, _no_delays, "CREATE_SCHEDULE"),
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "schedule-first-months-of-thirty-days": breaks(
            "S2C-SCH-28",
            "A first_payment_interval_unit of month counts 30 days each (line 300).",
            _months_of_thirty_days,
            since=_NEW,
        ),
    }
)
"""The contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
