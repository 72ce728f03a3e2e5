"""Variations of what a payment goes through before it is settled: a challenge on every card, and some time."""

from collections import Counter
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import last
from emulator.changes.stages import refusal_if
from emulator.design import Design, all_of
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Protocol, State
from emulator.protocols.checkout.behaviour import (
    REFUND_REFUSALS,
    VOID_REFUSALS,
    CheckoutGateway,
    Instrument,
    PostAttempt,
)
from emulator.protocols.hosted_page.entries import CardEntry, Entry
from emulator.protocols.hosted_page.session import PageSession
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply

_TIMES_PENDING: Final = 2
_BEFORE_IT_IS_SETTLED: Final = (
    (REFUND_REFUSALS[Obstacle.WRONG_STATE], ("refund", "card_credit")),
    (VOID_REFUSALS[Obstacle.WRONG_STATE], ("void",)),
    (Refusal(Kind.NOT_FOUND, "Incorrect transaction"), ("recurring",)),
)
"""What a payment that is not settled yet is refused with: line 456 has it of refunds alone."""


def _every_card_challenged(design: Design) -> Design:
    """Line 425 says what happens after a challenge, and nowhere that a card may be charged without one."""
    decided = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = decided(gateway, session, entry)
        is_typed = isinstance(entry, CardEntry) and session.operation not in {"credit", "transfer"}
        return replace(found, stop="challenge") if is_typed else found

    return design.in_checkout(instrument=instrument)


def _settled_later(design: Design) -> Design:
    """The first look-ups of a payment that is settled say that it is pending, and until then nothing follows it."""
    seen: Counter[str] = Counter()

    def changed(reply: Reply) -> Reply:
        if reply.kind is not Kind.CHECKOUT_STATUS or reply.listed is not None or reply.body.get("status") != "settled":
            return reply
        name = str(reply.body.get("payment_id"))
        seen[name] += 1
        return replace(reply, body={**reply.body, "status": "pending"}) if seen[name] <= _TIMES_PENDING else reply

    def is_open_yet(attempt: PostAttempt) -> bool:
        payment = attempt.payment
        is_settled = payment is not None and payment.protocol is Protocol.CHECKOUT and payment.state is State.SETTLED
        return is_settled and payment is not None and seen[payment.id] <= _TIMES_PENDING

    changes = (last(refusal_if(is_open_yet, refusal), *names) for refusal, names in _BEFORE_IT_IS_SETTLED)
    return all_of(*changes)(design.filtering(changed))


def _holds_confirmed_later(design: Design) -> Design:
    """Line 235 has payers who confirm elsewhere, and line 309 PENDING for what is open, as for what is held."""
    decided = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = decided(gateway, session, entry)
        is_open = isinstance(entry, CardEntry) and session.asks("auth") and found.approved and found.stop is None
        return replace(found, stop="processing") if is_open else found

    return design.in_checkout(instrument=instrument)


def _debits_declined(design: Design) -> Design:
    """No line says that a card which pays a purchase pays a debit as well: that is for its issuer to say."""
    decided = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = decided(gateway, session, entry)
        return replace(found, approved=False) if session.operation == "debit" else found

    return design.in_checkout(instrument=instrument)


def _payouts_declined(design: Design) -> Design:
    """A card that pays, and its token, need not be paid out to."""
    decided = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = decided(gateway, session, entry)
        return replace(found, approved=False) if session.operation == "credit" else found

    return design.in_checkout(instrument=instrument)


VARIATIONS: Final = (
    Variation(
        "checkout-issuer-declines-payouts",
        "Whatever is paid out to in a session, the issuer declines it.",
        _payouts_declined,
    ),
    Variation(
        "checkout-issuer-declines-debits",
        "Whatever pays, the issuer declines a debit of Checkout, on the page and with hosted fields.",
        _debits_declined,
    ),
    Variation(
        "checkout-holds-confirmed-elsewhere",
        "Who authorizes by card waits on the page until they have confirmed it elsewhere; the payment is PENDING.",
        _holds_confirmed_later,
    ),
    Variation(
        "checkout-every-card-challenged",
        "The payer is challenged with every card that is typed in, on the page and with hosted fields.",
        _every_card_challenged,
    ),
    Variation(
        "checkout-payments-settle-later",
        "Payments of Checkout are PENDING in their first look-ups, and cannot be changed before these show the end.",
        _settled_later,
    ),
)
