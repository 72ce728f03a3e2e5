"""POST /api/v1/payment/recurring: secondary charges of a chain, and those that a schedule makes."""

from typing import Final, cast

from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import equal
from emulator.protocols.checkout import charging
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS, written
from emulator.protocols.checkout.lookups import customer_of_payment, order_of_payment
from emulator.protocols.checkout.requests import named_payment
from emulator.rules.amounts import well_formed
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object, child, text_of

_BAD_AMOUNT: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("order.amount", "This value is not valid."),)
)
_DECLINED: Final = "declined"


def find_chain(attempt: PostAttempt) -> Refusal | None:
    """Find the payment that started the chain: its id and its recurring token belong together."""
    body = attempt.body
    account, wanted = attempt.account, str(body.get("recurring_init_trans_id"))
    found = attempt.gateway.payments.find(account, wanted) if account else None
    token = str(body.get("recurring_token"))
    started = found is not None and found.protocol is Protocol.CHECKOUT and bool(found.recurring_token)
    attempt.payment = found if found is not None and started and equal(found.recurring_token, token) else None
    return attempt.gateway.checkout.wrong_chain if attempt.payment is None else None


def check_amount(attempt: PostAttempt) -> Refusal | None:
    """Refuse an amount that has other decimals than the currency of the chain."""
    text = text_of(child(attempt.body, "order", "amount"))
    fits = well_formed(text, named_payment(attempt).currency, attempt.gateway.amounts)
    return None if fits else _BAD_AMOUNT


def check_duplicate(attempt: PostAttempt) -> Refusal | None:
    """Refuse an order number that the merchant charged within the window."""
    gateway = attempt.gateway
    key, number = str(attempt.body.get("merchant_key")), text_of(child(attempt.body, "order", "number"))
    age = gateway.checkout_window(attempt.operation).age(key, number, gateway.clock.seconds())
    return None if age is None else gateway.checkout.duplicate


def charge_again(attempt: PostAttempt) -> Reply:
    """Charge the payer of a chain again."""
    gateway, body = attempt.gateway, attempt.body
    order = {name: text_of(child(body, "order", name)) for name in ("number", "amount", "description")}
    given = body.get("custom_data")
    custom_data = cast("Object", given) if isinstance(given, dict) and gateway.release >= "6.7.0" else {}
    window = gateway.checkout_window(attempt.operation)
    window.take(str(body.get("merchant_key")), order["number"], gateway.clock.seconds())
    payment = charging.secondary(gateway, named_payment(attempt), order=order, custom_data=custom_data)
    return Reply(Kind.CHECKOUT_RECURRING, 200, _answer(payment))


def _answer(payment: Payment) -> Object:
    declined = payment.state is State.DECLINED
    body: Object = {"status": _DECLINED if declined else WORDS[payment.state]}
    if declined:
        body["reason"] = payment.decline_reason
    body |= {"payment_id": payment.id, "date": written(payment.created), "order": order_of_payment(payment)}
    customer = customer_of_payment(payment)
    return body | ({"customer": customer} if customer else {})
