"""The action SALE: paid, held, declined, left open, or sent on to the payer."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from emulator.engine.moves import Move
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway
from emulator.protocols.s2s_apm.callback_bodies import notify
from emulator.protocols.s2s_apm.outcomes import answer, approve, decline, facts, leave_open, new_payment
from emulator.rules.s2s_apm.brands import BANK_REPORTS, SALES, Outcome
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_EXPIRED: Final = "The QR code expired"
_REJECTED: Final = "Rejected by the bank"


def sale(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Answer a sale."""
    behaviour, form = gateway.apm, attempt.form
    payment = new_payment(attempt, State.SETTLED)
    if behaviour.holds_funds(form.get("auth", ""), gateway.release, payment.account):
        payment.intended = State.AUTHORIZED
    outcome = behaviour.sale_outcome(SALES.get(payment.brand, ""), form.get("identifier", ""))
    return Reply(Kind.APM_SALE, 200, _BECOMES[outcome](attempt, gateway, payment))


def _paid(_attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    approve(gateway, payment)
    return answer(gateway, payment, "SUCCESS")


def _declined(_attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    decline(gateway, payment)
    return answer(gateway, payment, "DECLINED")


def _undefined(_attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    leave_open(gateway, payment)
    return answer(gateway, payment, "UNDEFINED")


def _sent_on(attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    payment.state = State.REDIRECTED
    body = answer(gateway, payment, "REDIRECT") | {
        "redirect_url": f"{attempt.base}/apm/redirect/{gateway.payer_pages.open(payment)}",
        "redirect_params": {},
        "redirect_method": "GET",
    }
    body.pop("descriptor", None)
    members = {name: str(body[name]) for name in ("redirect_url", "redirect_method")}
    notify(gateway, payment, "SALE", "REDIRECT", facts(gateway, payment) | members | {"descriptor": ""})
    return body


def _waits_for_coins(attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    payment.state = State.AWAITING_BANK
    notify(gateway, payment, "SALE", "INIT", facts(gateway, payment))
    return answer(gateway, payment, "SUCCESS") | {
        "crypto_address": hashlib.sha256(payment.id.encode()).hexdigest()[:40],
        "crypto_network": attempt.form.get("crypto_network") or "ERC20",
    }


def _waits_for_scan(attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> Object:
    behaviour = gateway.apm
    body = _sent_on(attempt, gateway, payment)
    body["redirect_params"] = {"qr_code": behaviour.qr_code(f"{payment.trans_id} {payment.amount_text}")}
    word = BANK_REPORTS.get(attempt.form.get("identifier", ""))
    if word is None:
        gateway.agenda.after(behaviour.qr_seconds, lambda: _expire(gateway, payment))
    elif behaviour.bank_seconds:
        gateway.agenda.after(behaviour.bank_seconds, lambda: bank_reports(gateway, payment, word))
    else:
        bank_reports(gateway, payment, word)
    return body


def bank_reports(gateway: ApmGateway, payment: Payment, word: str) -> None:
    """Take in what the bank says of an instant QR payment: executed, rejected, or still pending."""
    move = gateway.apm.bank_words.get(word)
    if move is Move.APPROVE:
        approve(gateway, payment)
    elif move is Move.DECLINE:
        decline(gateway, payment, _REJECTED)
    elif payment.state is State.REDIRECTED:
        payment.state = State.AWAITING_BANK


def _expire(gateway: ApmGateway, payment: Payment) -> None:
    if payment.state is State.REDIRECTED:
        decline(gateway, payment, _EXPIRED)


_Becoming = Callable[[ApmAttempt, ApmGateway, Payment], Object]
_BECOMES: Final[Mapping[Outcome, _Becoming]] = {
    Outcome.PAID: _paid,
    Outcome.DECLINED: _declined,
    Outcome.UNDEFINED: _undefined,
    Outcome.REDIRECTED: _sent_on,
    Outcome.CRYPTO: _waits_for_coins,
    Outcome.QR_CODE: _waits_for_scan,
}
