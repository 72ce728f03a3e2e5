"""Variations of S2S APM: payments that somebody else decides, later, elsewhere or otherwise than by a refusal."""

import base64
from collections.abc import Callable
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes import s2s_apm as apm
from emulator.changes.s2s_apm import NOTICES, around, payment_made, payouts_open_first
from emulator.design import all_of
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import answer, approve, decline, new_payment
from emulator.protocols.s2s_apm.qr import picture
from emulator.protocols.s2s_apm.stages import check_fields
from emulator.rules.s2s_apm.brands import SALES, TEST_BRAND, Outcome, sale_outcome
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_MINUTES: Final = 120.0
_A_MOMENT: Final = 0.4
_A_SECOND: Final = 1.0
_DECIDED_BY_OPERATOR: Final = frozenset(
    {"order_amount", "order_currency", "parameters.mobile_money_operator", "parameters.mobile_number"}
)
_NOT_HELD: Final = Refusal(Kind.STATE, "Authorization is not supported by the method.", code=204007)


def _paid_in_minutes(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Line 309 has PENDING for a payment that is open; a bank may take its time."""
    behaviour, form = gateway.apm, attempt.form
    is_held = behaviour.holds_funds(form.get("auth", ""), gateway.release, cast("Account", attempt.account))
    is_paid = behaviour.sale_outcome("", form.get("identifier", "")) is Outcome.PAID
    if form.get("brand") != TEST_BRAND or not is_paid or is_held:
        return handler(attempt, gateway)
    payment = new_payment(attempt, State.SETTLED)
    payment.state = State.AWAITING_BANK
    gateway.agenda.after(_MINUTES, lambda: approve(gateway, payment))
    return Reply(Kind.APM_SALE, 200, answer(gateway, payment, "SUCCESS"))


def _sold_whatever_the_mode(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """By line 369 a SALE without auth is an immediate one, which is open until its method has paid (line 309)."""
    account, form = cast("Account", attempt.account), attempt.form
    if account.mode != "DMS" or form.get("auth") == "Y" or form.get("brand") != TEST_BRAND:
        return handler(attempt, gateway)
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)

    def pay() -> None:
        if payment is not None and payment.state is State.AUTHORIZED:
            payment.state, payment.captured = State.SETTLED, payment.amount

    gateway.agenda.after(_A_SECOND, pay)
    return reply


def _held_a_moment_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Nothing is held before the payer has confirmed it, and line 369 does not say that it is in the answer."""
    return _held_once_confirmed(handler, attempt, gateway, _A_MOMENT, approve)


def _held_unnoticed(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Line 415 does not say that an authorization is notified, nor how soon its payer confirms it."""
    return _held_once_confirmed(handler, attempt, gateway, _MINUTES, _hold_in_silence)


def _hold_in_silence(_gateway: ApmGateway, payment: Payment) -> None:
    payment.state = State.AUTHORIZED


def _held_once_confirmed(
    handler: ApmHandler,
    attempt: ApmAttempt,
    gateway: ApmGateway,
    seconds: float,
    confirm: Callable[[ApmGateway, Payment], None],
) -> Reply:
    behaviour, form = gateway.apm, attempt.form
    is_held = behaviour.holds_funds(form.get("auth", ""), gateway.release, cast("Account", attempt.account))
    is_paid = behaviour.sale_outcome(SALES.get(form.get("brand", ""), ""), form.get("identifier", "")) is Outcome.PAID
    if not is_paid or not is_held:
        return handler(attempt, gateway)
    payment = new_payment(attempt, State.AUTHORIZED)
    payment.state = State.AWAITING_BANK
    gateway.agenda.after(seconds, lambda: confirm(gateway, payment))
    return Reply(Kind.APM_SALE, 200, answer(gateway, payment, "ACCEPTED"))


def _elsewhere(family: str, identifier: str) -> Outcome:
    found = sale_outcome(family, identifier)
    return Outcome.REDIRECTED if found is Outcome.PAID else found


def _by_the_payer(family: str, identifier: str) -> Outcome:
    found = sale_outcome(family, identifier)
    return Outcome.REDIRECTED if found in (Outcome.PAID, Outcome.DECLINED) else found


def _pending(body: Object) -> Object:
    return body | {"status": "PENDING"} if body.get("status") == "REDIRECT" else body


def _pending_notice(fields: Fields) -> Fields:
    return fields | {"status": "PENDING"} if fields.get("status") == "REDIRECT" else fields


def _field_of(path: str) -> str:
    first, _, below = path.partition(".")
    return f"{first}[{below}]" if below else first


def _left_to_the_operator(attempt: ApmAttempt) -> Refusal | None:
    """What was sent and is not what the operator pays out is no wrong field."""
    refusal = check_fields(attempt)
    if refusal is None:
        return None
    wrong = {path for path, _ in refusal.violations}
    return None if wrong <= _DECIDED_BY_OPERATOR and all(map(attempt.form.get, map(_field_of, wrong))) else refusal


def _declined_by_operator(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    if check_fields(attempt) is None:
        return handler(attempt, gateway)
    payment = new_payment(attempt, State.SETTLED)
    decline(gateway, payment, "Not paid out by the operator")
    return Reply(Kind.APM_PAYOUT, 200, answer(gateway, payment, "DECLINED"))


def _payout_taken_on(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Line 309 has PENDING for what is open; which result goes with it no line says."""
    outcome = gateway.apm.payout_outcome(attempt.form.get("parameters[customer_email]", ""))
    if outcome is Outcome.UNDEFINED:
        return handler(attempt, gateway)
    payment = new_payment(attempt, State.SETTLED)
    payment.state = State.AWAITING_BANK
    decides = decline if outcome is Outcome.DECLINED else approve
    gateway.agenda.after(1.0, lambda: decides(gateway, payment))
    return Reply(Kind.APM_PAYOUT, 200, answer(gateway, payment, "ACCEPTED"))


def _without_type(fields: Fields) -> Fields:
    # One without an action has nothing else to be recognised by.
    is_open = fields.get("result") == "UNDEFINED" and "action" in fields
    return {name: value for name, value in fields.items() if name != "type"} if is_open else fields


def _taken_without_type(fields: Fields) -> Fields:
    if fields.get("result") != "UNDEFINED" or "action" not in fields:
        return fields
    return {name: value for name, value in fields.items() if name != "type"} | {
        "result": "SUCCESS",
        "status": "PENDING",
    }


def _held_by_the_test_brand_alone(attempt: ApmAttempt) -> Refusal | None:
    return _NOT_HELD if attempt.form.get("auth") == "Y" and attempt.form.get("brand") != TEST_BRAND else None


def _text_to_render(text: str) -> str:
    return base64.b64encode(text.encode()).decode("ascii")


def _in_lines(text: str) -> str:
    return base64.encodebytes(base64.b64decode(picture(text))).decode("ascii")


VARIATIONS: Final = (
    Variation(
        "apm-payments-settle-after-minutes",
        "A SALE is PENDING for two minutes before its method pays.",
        around(_paid_in_minutes, "SALE"),
    ),
    Variation(
        "apm-mode-holds-for-a-second",
        "What an account of the mode DMS sells is PENDING for a second, in which it can be captured, and is paid.",
        around(_sold_whatever_the_mode, "SALE"),
    ),
    Variation(
        "apm-authorizations-confirmed-a-moment-later",
        "A SALE with auth is ACCEPTED and PENDING, and its amount is held once its payer has confirmed it.",
        around(_held_a_moment_later, "SALE"),
    ),
    Variation(
        "apm-authorizations-confirmed-unnoticed",
        "A SALE with auth is ACCEPTED and PENDING; its payer confirms it minutes later, and no callback reports it.",
        around(_held_unnoticed, "SALE"),
    ),
    Variation(
        "apm-payers-always-sent-elsewhere",
        "Every SALE sends its payer to the page of the method, and is PENDING until that has paid.",
        all_of(
            lambda design: design.in_apm(sale_outcome=_elsewhere),
            apm.answering(_pending, *apm.ANSWERED),
            NOTICES.fields(_pending_notice),
        ),
    ),
    Variation(
        "apm-payers-decide-on-the-page",
        "Every SALE sends its payer to the page of the method, who approves or refuses there.",
        lambda design: design.in_apm(sale_outcome=_by_the_payer),
    ),
    Variation(
        "apm-bank-reports-a-second-later",
        "Every SALE is PENDING until its payer decides on the page of the method, and for a second of real time after.",
        all_of(
            lambda design: design.in_apm(sale_outcome=_by_the_payer, bank_reports_after=_A_SECOND),
            apm.answering(_pending, *apm.ANSWERED),
            NOTICES.fields(_pending_notice),
        ),
    ),
    Variation(
        "apm-payouts-declined-by-operator",
        "A payout that no operator makes is declined, and not refused.",
        all_of(
            apm.instead(check_fields, _left_to_the_operator, "CREDIT2VIRTUAL"),
            around(_declined_by_operator, "CREDIT2VIRTUAL"),
        ),
    ),
    Variation(
        "apm-payouts-taken-on",
        "A payout is ACCEPTED and PENDING, and a second later paid or declined.",
        around(_payout_taken_on, "CREDIT2VIRTUAL"),
    ),
    Variation(
        "apm-open-payouts-without-type",
        "The callback of a payout that is still open has no type; that of its outcome has it.",
        all_of(payouts_open_first, NOTICES.fields(_without_type)),
    ),
    Variation(
        "apm-open-payouts-taken",
        "The callback of a payout that is still open says SUCCESS, since it was taken, and PENDING, and has no type.",
        all_of(payouts_open_first, NOTICES.fields(_taken_without_type)),
    ),
    Variation(
        "apm-qr-code-text",
        "A QR code comes as the Base64 of the text that the merchant renders.",
        lambda design: design.in_apm(qr_code=_text_to_render),
    ),
    Variation(
        "apm-qr-code-in-lines",
        "The Base64 of a QR code comes in lines of 76 characters, as in MIME.",
        lambda design: design.in_apm(qr_code=_in_lines),
    ),
    Variation(
        "apm-holds-by-one-method",
        "Only one method holds an amount; a SALE with auth=Y by another is refused.",
        apm.last(_held_by_the_test_brand_alone, "SALE"),
    ),
)
