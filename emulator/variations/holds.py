"""Variations of how long an authorization holds: line 316 says it of S2S APM, and nothing of cards, nor of parts."""

from datetime import timedelta
from typing import Final

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.moves import pending_until_released
from emulator.design import all_of
from emulator.engine.moves import Move
from emulator.engine.payments import State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS
from emulator.protocols.checkout.lookups import order_of_payment
from emulator.protocols.checkout.requests import named_payment
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import find_payment
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_HOLDS_FOR: Final = timedelta(days=4)


def _give_up(attempt: CardAttempt | PostAttempt) -> None:
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED:
        return
    if attempt.gateway.clock.now() - payment.created > _HOLDS_FOR:
        payment.state = State.RELEASED


def _declined_when_old(capture: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """The payer's bank has let the money go, and line 316 has the authorization PENDING until somebody releases it."""
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED:
        return capture(attempt, gateway)
    if gateway.clock.now() - payment.created <= _HOLDS_FOR:
        return capture(attempt, gateway)
    body: Object = {"action": "CAPTURE", "result": "DECLINED", "status": payment.status, "trans_id": payment.trans_id}
    return Reply(Kind.APM_CAPTURE, 200, body | {"order_id": payment.order_number})


def _void_releases_the_rest(void: checkout.Handler, attempt: PostAttempt) -> Reply:
    """A void of a payment of which a part was captured, and the rest is held, releases the rest."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    if payment.state is not State.AUTHORIZED or not payment.captured:
        return void(attempt)
    gateway.moves.make(payment, Move.RELEASE, None, gateway.clock.now())
    body: Object = {"status": WORDS[payment.state], "payment_id": payment.id, "order": order_of_payment(payment)}
    return Reply(Kind.CHECKOUT_VOID, 200, body)


def _of_a_rest_in_checkout(attempt: CardAttempt) -> Refusal | None:
    """A payment of Checkout is found as well, once a part of it was captured and the rest is held."""
    refusal = find_payment(attempt)
    if refusal is None or attempt.account is None:
        return refusal
    found = attempt.gateway.payments.find(attempt.account, attempt.form.get("trans_id", ""))
    if found is None or found.state is not State.AUTHORIZED or not found.captured:
        return refusal
    attempt.payment = found
    return None


VARIATIONS: Final = (
    Variation(
        "captured-in-part-until-released",
        "A payment of which a part was captured is PENDING until the rest is captured or released, and SETTLED then.",
        all_of(pending_until_released, checkout.around(_void_releases_the_rest, "void")),
    ),
    Variation(
        "captured-in-part-until-released-by-creditvoid",
        "As before, and in Checkout nothing releases the rest: a CREDITVOID of S2S CARD does.",
        all_of(pending_until_released, s2s_card.instead(find_payment, _of_a_rest_in_checkout, "CREDITVOID")),
    ),
    Variation(
        "card-holds-end",
        "An authorization of S2S CARD that nobody captured for four days is released.",
        all_of(
            *(
                s2s_card.last(_give_up, action)
                for action in ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS", "GET_TRANS_DETAILS")
            )
        ),
    ),
    Variation(
        "apm-captures-of-old-holds-declined",
        "An authorization of S2S APM stays PENDING, and its CAPTURE is declined once it is older than four days.",
        s2s_apm.around(_declined_when_old, "CAPTURE"),
    ),
    Variation(
        "checkout-holds-end",
        "An authorization of Checkout that nobody captured for four days is released.",
        all_of(*(checkout.last(_give_up, name) for name in ("capture", "void", "refund", "status"))),
    ),
)
