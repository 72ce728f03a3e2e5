"""POST /api/v1/payment/card/credit: a payout to a stored card, or the refund of a card payment."""

from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.checkout import charging
from emulator.checkout.afterwards import refuses_refund, tell_refund
from emulator.checkout.conduct import PostAttempt
from emulator.checkout.instruments import Instrument, issuer_says
from emulator.checkout.lookups import order_of_payment
from emulator.checkout.telling import WORDS, written
from emulator.hosted_page.session import PageSession
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.values import Object

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
    conduct, account = attempt.gateway.design.checkout, attempt.account
    found = attempt.gateway.payments.of_order(account, _text(attempt, "order_id")) if account else []
    meant = [payment for payment in found if payment.protocol in _FROM_CARDS and conduct.refundable(payment)]
    settled = [payment for payment in meant if payment.state is State.SETTLED]
    attempt.payment = next(iter(settled or meant), None)
    return None if attempt.payment is None else refuses_refund(attempt, attempt.payment)


def check_duplicate(attempt: PostAttempt) -> Refusal | None:
    """Refuse an order that the merchant credited within the window."""
    gateway = attempt.gateway
    window = gateway.checkout_window(attempt.operation)
    age = window.age(_text(attempt, "merchant_key"), _text(attempt, "order_id"), gateway.clock.seconds())
    return None if age is None else gateway.design.checkout.duplicate


def check_token(attempt: PostAttempt) -> Refusal | None:
    """Refuse a card token that is not the merchant's."""
    gateway, account, token = attempt.gateway, attempt.account, _text(attempt, "card_token")
    conduct = gateway.design.session
    if account is None or conduct.token_known(account, token) or gateway.vault.card(account, token) is not None:
        return None
    return conduct.wrong_token


def credit(attempt: PostAttempt) -> Reply:
    """Refund the payment of the order, or pay out to the card of the token; the outcome is told by callback."""
    return _pay_out(attempt) if attempt.payment is None else _refund(attempt, attempt.payment)


def _taken(attempt: PostAttempt) -> None:
    gateway = attempt.gateway
    window = gateway.checkout_window(attempt.operation)
    window.take(_text(attempt, "merchant_key"), _text(attempt, "order_id"), gateway.clock.seconds())


def _refund(attempt: PostAttempt, payment: Payment) -> Reply:
    gateway = attempt.gateway
    amount = Decimal(_text(attempt, "order_amount"))
    obstacle = gateway.design.moves.make(payment, Move.REFUND, amount, gateway.clock.now())
    if obstacle is not None:
        return gateway.design.answers.refuse(attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    _taken(attempt)
    tell_refund(attempt, payment, _text(attempt, "order_amount"))
    return _accepted(attempt, payment)


def _pay_out(attempt: PostAttempt) -> Reply:
    gateway, account = attempt.gateway, cast("Account", attempt.account)
    token = _text(attempt, "card_token")
    session = PageSession("", _as_session(attempt), account, gateway.design.release, gateway.clock.now())
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
    if isinstance(custom_data, dict) and attempt.gateway.design.release >= "6.7.0":
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
