"""POST /api/v1/payment/card/credit: a payout to a stored card, or the refund of a card payment."""

from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.checkout import charging
from emulator.protocols.checkout.behaviour import Instrument, PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS, written
from emulator.protocols.checkout.captures_and_refunds import notify_refund, refuses_refund
from emulator.protocols.checkout.instruments import issuer_says
from emulator.protocols.checkout.lookups import order_of_payment
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_FROM_CARDS: Final = (Protocol.CHECKOUT, Protocol.S2S_CARD)
_BAD_AMOUNT: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("order_amount", "This value is not valid."),)
)


def _text(attempt: PostAttempt, name: str) -> str:
    return str(attempt.body.get(name) or "")


def find_refunded(attempt: PostAttempt) -> Refusal | None:
    """Find the card payment of the order, if there is one: then the credit is its refund.

    Of several payments of an order the newest that is settled is meant, else the newest.
    """
    behaviour, account = attempt.gateway.checkout, attempt.account
    found = attempt.gateway.payments.of_order(account, _text(attempt, "order_id")) if account else []
    meant = [payment for payment in found if payment.protocol in _FROM_CARDS and behaviour.refundable(payment)]
    settled = [payment for payment in meant if payment.state is State.SETTLED]
    attempt.payment = next(iter(settled or meant), None)
    return None if attempt.payment is None else refuses_refund(attempt, attempt.payment)


def check_duplicate(attempt: PostAttempt) -> Refusal | None:
    """Refuse an order that the merchant credited within the window."""
    gateway = attempt.gateway
    window = gateway.checkout_window(attempt.operation)
    age = window.age(_text(attempt, "merchant_key"), _text(attempt, "order_id"), gateway.clock.seconds())
    return None if age is None else gateway.checkout.duplicate


def check_token(attempt: PostAttempt) -> Refusal | None:
    """Refuse a card token that is not the merchant's."""
    gateway, account, token = attempt.gateway, attempt.account, _text(attempt, "card_token")
    access = gateway.access
    if account is None or access.token_known(account, token) or gateway.vault.card(account, token) is not None:
        return None
    return access.wrong_token


def credit(attempt: PostAttempt) -> Reply:
    """Refund the payment of the order, or pay out to the card of the token; the outcome is reported by callback."""
    return _pay_out(attempt) if attempt.payment is None else _refund(attempt, attempt.payment)


def _taken(attempt: PostAttempt) -> None:
    gateway = attempt.gateway
    window = gateway.checkout_window(attempt.operation)
    window.take(_text(attempt, "merchant_key"), _text(attempt, "order_id"), gateway.clock.seconds())


def _refund(attempt: PostAttempt, payment: Payment) -> Reply:
    gateway = attempt.gateway
    amount = Decimal(_text(attempt, "order_amount"))
    obstacle = gateway.moves.make(payment, Move.REFUND, amount, gateway.clock.now())
    if obstacle is not None:
        return gateway.answers.refuse(attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    _taken(attempt)
    notify_refund(attempt, payment, _text(attempt, "order_amount"))
    return _accepted(attempt, payment)


def _pay_out(attempt: PostAttempt) -> Reply:
    gateway, account = attempt.gateway, cast("Account", attempt.account)
    token = _text(attempt, "card_token")
    session = PageSession("", _as_session(attempt), account, gateway.release, gateway.clock.now())
    card = gateway.vault.card(account, token)
    instrument = issuer_says(session, card, token) if card else Instrument(token=token)
    payment = charging.new_payment(gateway, session, instrument, holder="", details={})
    _taken(attempt)
    gateway.payments.add(payment)
    charging.decide(gateway, payment, approved=instrument.approved)
    return _accepted(attempt, payment)


def _as_session(attempt: PostAttempt) -> Object:
    names = ("number", "amount", "currency", "description")
    order: Object = {name: _text(attempt, f"order_{name}") for name in names[1:]}
    given: Object = {
        name: attempt.body[name] for name in ("payee_first_name", "payee_last_name") if name in attempt.body
    }
    custom_data = attempt.body.get("custom_data")
    if isinstance(custom_data, dict) and attempt.gateway.release >= "6.7.0":
        given["custom_data"] = custom_data
    return {"operation": "credit", "order": {"number": _text(attempt, "order_id"), **order}, **given}


def _accepted(attempt: PostAttempt, payment: Payment) -> Reply:
    body: Object = {
        "payment_id": payment.id,
        "result": "accepted",
        "status": WORDS[payment.state],
        "date": written(attempt.gateway.clock.now()),
        "order": order_of_payment(payment),
    }
    return Reply(Kind.CHECKOUT_CREDIT, 200, body)
