"""Variations of card credits: what is given back where nothing is paid out, and refunds with ids of their own."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import Handler, around, instead, last
from emulator.changes.stages import refusal_if
from emulator.design import all_of
from emulator.engine.moves import Move
from emulator.engine.payments import Protocol, State, new_id
from emulator.protocols.checkout import card_credits
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS, notify, written
from emulator.protocols.checkout.captures_and_refunds import refuses_refund
from emulator.protocols.checkout.lookups import order_of_payment
from emulator.protocols.checkout.requests import find_refundable
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_LOOKED_AT: Final = 200
_UNROUTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)
_DEBITS: Final = ("debit", "DEBIT", "RECURRING_DEBIT")
_BAD_AMOUNT: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("order_amount", "This value is not valid."),)
)

Find = Callable[[PostAttempt], Refusal | None]


def _newest_given_back(handler: Handler, attempt: PostAttempt) -> Reply:
    """Refund the payment of the order, or the newest one by the card of the token."""
    gateway, account = attempt.gateway, attempt.account
    if account is None or attempt.payment is not None:
        return handler(attempt)
    card = gateway.vault.card(account, str(attempt.body.get("card_token") or ""))
    paid = [
        payment
        for payment in gateway.payments.latest(_LOOKED_AT)
        if (payment.protocol, payment.state, payment.account) == (Protocol.CHECKOUT, State.SETTLED, account)
        and card is not None
        and payment.card is not None
        and payment.card.fragment == card.fragment
    ]
    newest = max(paid, key=lambda one: one.created, default=None)
    return handler(replace(attempt, payment=newest))


def _find_by_its_card(attempt: PostAttempt) -> Refusal | None:
    """Look at the token first: nothing is given back to another card than the one that paid, or was to pay."""
    refusal, payment, account = card_credits.find_refunded(attempt), attempt.payment, attempt.account
    if account is None or payment is None or payment.card is None:
        return refusal
    card = attempt.gateway.vault.card(account, str(attempt.body.get("card_token") or ""))
    is_another = card is not None and card.fragment != payment.card.fragment
    return attempt.gateway.access.wrong_token if is_another else refusal


_OF_ANOTHER_CARD: Final = Refusal(Kind.WRONG_CARD, "Token does not match the payment.", code=205007)


def _find_by_its_card_alone(attempt: PostAttempt) -> Refusal | None:
    """Refuse the token of another card in words of its own, before anybody looks at what became of the payment."""
    refusal = _find_by_its_card(attempt)
    return _OF_ANOTHER_CARD if refusal is attempt.gateway.access.wrong_token else refusal


def _find_named(attempt: PostAttempt) -> Refusal | None:
    """Find the payment that a credit names by its id; its order number may not have been used before (line 437)."""
    account, book, number = attempt.account, attempt.gateway.payments, str(attempt.body.get("order_id") or "")
    named = book.find(account, str(attempt.body.get("payment_id") or "")) if account else None
    if account is None or named is None or named.protocol is not Protocol.CHECKOUT:
        return card_credits.find_refunded(attempt)
    if book.of_order(account, number):
        return attempt.gateway.checkout.duplicate
    attempt.payment = named
    return refuses_refund(attempt, named)


def _own_refund(handler: Handler, attempt: PostAttempt) -> Reply:
    """Give back the payment that a credit names by its id, and report that by the credit's own ids."""
    gateway, payment, number = attempt.gateway, attempt.payment, str(attempt.body.get("order_id") or "")
    if payment is None or payment.order_number == number:
        return handler(attempt)
    amount, now = str(attempt.body.get("order_amount")), gateway.clock.now()
    obstacle = gateway.moves.make(payment, Move.REFUND, Decimal(amount), now)
    if obstacle is not None:
        return gateway.answers.refuse(attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    own = replace(payment, id=new_id(), trans_id="", order_number=number, amount=Decimal(amount), amount_text=amount)
    gateway.payments.add(own)
    notify(gateway, own, "refund", "success")
    body: Object = {
        "payment_id": own.id,
        "result": "accepted",
        "status": WORDS[own.state],
        "date": written(now),
        "order": order_of_payment(own),
    }
    return Reply(Kind.CHECKOUT_CREDIT, 200, body)


def _reported_as_credit(handler: Handler, attempt: PostAttempt) -> Reply:
    """Take the credit of a payment that it names by its id for one of its own, of which the payment shows nothing."""
    named = attempt.payment
    if named is None or named.order_number == str(attempt.body.get("order_id") or ""):
        return handler(attempt)
    if attempt.gateway.moves.hindrance(named, Move.REFUND, Decimal(str(attempt.body.get("order_amount")))) is None:
        attempt.payment = None
    return handler(attempt)


def _find_none(attempt: PostAttempt) -> Refusal | None:
    """Take every credit for a payout to the card, whatever order it names: it is used again (line 437)."""
    attempt.payment = None
    return None


def _find_in_full(attempt: PostAttempt) -> Refusal | None:
    """Find the payment that a credit gives back: of another amount it is a payout to the card (line 269)."""
    refusal = card_credits.find_refunded(attempt)
    payment = attempt.payment
    if payment is None or Decimal(str(attempt.body.get("order_amount"))) == payment.amount:
        return refusal
    attempt.payment = None
    return None


def _of_debits_disallowed(find: Find) -> Find:
    """Find a payment to be refunded; debits are served by another MID, which allows no refunds (lines 319 and 439)."""

    def found(attempt: PostAttempt) -> Refusal | None:
        refusal, payment = find(attempt), attempt.payment
        is_of_debit = payment is not None and payment.action in _DEBITS
        return attempt.gateway.checkout.no_refunds if refusal is None and is_of_debit else refusal

    return found


def _refunds_anybody(attempt: PostAttempt) -> bool:
    account = attempt.account
    return account is None or (account.refunds and not account.connector_refunds_only)


VARIATIONS: Final = (
    Variation(
        "refund-endpoint-unrouted-without-refunds",
        "No refunds are routed for accounts that allow none, or through the acquirer's portal only.",
        last(refusal_if(lambda attempt: not _refunds_anybody(attempt), _UNROUTED), "refund"),
    ),
    Variation(
        "debits-by-a-mid-without-refunds",
        "Debits are served by another MID than purchases, and that allows no refunds.",
        all_of(
            instead(card_credits.find_refunded, _of_debits_disallowed(card_credits.find_refunded), "card_credit"),
            instead(find_refundable, _of_debits_disallowed(find_refundable), "refund"),
        ),
    ),
    Variation(
        "card-credit-is-always-a-payout",
        "Every card credit is a payout, though it has the number of a paid order; refunds have an endpoint.",
        instead(card_credits.find_refunded, _find_none, "card_credit"),
    ),
    Variation(
        "card-credit-of-a-part-is-a-payout",
        "A card credit of the whole amount of a settled payment gives it back; one of another amount is a payout.",
        instead(card_credits.find_refunded, _find_in_full, "card_credit"),
    ),
    Variation(
        "card-credit-refund-is-a-credit",
        "A card credit that names a payment by payment_id is reported as one of its own; the payment stays as it is.",
        all_of(
            instead(card_credits.find_refunded, _find_named, "card_credit"),
            around(_reported_as_credit, "card_credit"),
        ),
    ),
    Variation(
        "card-credit-refund-has-ids-of-its-own",
        "A card credit that names a payment by payment_id refunds it, as a payment and an order of its own.",
        all_of(
            instead(card_credits.find_refunded, _find_named, "card_credit"),
            around(_own_refund, "card_credit"),
        ),
    ),
    Variation(
        "card-credit-takes-the-token-of-the-card-alone",
        "A card credit with the order of a payment is refused when its token is one of another card.",
        instead(card_credits.find_refunded, _find_by_its_card, "card_credit"),
    ),
    Variation(
        "refund-by-another-card-refused-by-a-code-of-its-own",
        "A card credit by the token of another card than the payment is refused as 205007, which no line has.",
        instead(card_credits.find_refunded, _find_by_its_card_alone, "card_credit"),
    ),
    Variation(
        "card-credit-gives-back-the-newest",
        "A card credit of an order of its own gives back the newest payment by the card of its token.",
        around(_newest_given_back, "card_credit"),
    ),
)
