"""Variations of changes that are answered first and carried out later: lines 315 and 338 show no more than a result."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, Handler, around
from emulator.design import Change, all_of
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import notify
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_SECONDS: Final = 0.2
_MINUTES: Final = 600.0
_TOO_LATE: Final = (State.DECLINED, State.VOIDED, State.REFUNDED)
"""States of payments that nothing can be taken back of."""


def _is_in_part(attempt: PostAttempt) -> bool:
    return attempt.payment is not None and str(attempt.body.get("amount", attempt.payment.amount)) != str(
        attempt.payment.amount
    )


def _later(name: str, kind: Kind, states: Collection[State]) -> Change:
    """A change of payments in some states is accepted; what came of it is reported by callback."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is None or payment.state not in states or _is_in_part(attempt):
            return handler(attempt)

        def carry_out() -> None:
            if handler(attempt).is_error:
                notify(attempt.gateway, payment, name, "fail")

        attempt.gateway.agenda.after(_SECONDS, carry_out)
        return Reply(kind, 200, {"payment_id": payment.id, "result": "accepted"})

    return around(act, name)


def _reported_twice(*changes: Fields) -> Change:
    """Of a refund or void several callbacks report the success (lines 309, 422 and 427 do not show how many do)."""

    def changed(notice: Notice) -> list[Notice]:
        if notice.event not in ("refund", "void") or notice.fields.get("status") != "success":
            return [notice]
        return [replace(notice, fields={**notice.fields, **fields}) for fields in changes]

    return all_of(
        NOTICES.changed(changed),
        _later("refund", Kind.CHECKOUT_REFUND, (State.SETTLED, State.REFUNDED)),
        _later("void", Kind.CHECKOUT_VOID, (State.SETTLED, *_TOO_LATE)),
    )


def _after_minutes(handler: Handler, attempt: PostAttempt) -> Reply:
    """A refund of a settled payment is accepted, and decided minutes later: no line says how soon."""
    payment = attempt.payment
    if payment is None or payment.state is not State.SETTLED:
        return handler(attempt)

    def decide() -> None:
        if handler(attempt).is_error:
            notify(attempt.gateway, payment, "refund", "fail")

    attempt.gateway.agenda.after(_MINUTES, decide)
    return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})


VARIATIONS: Final = (
    Variation(
        "checkout-refunds-decided-after-minutes",
        "A refund, also of a part, is accepted, and carried out or reported as failed minutes later.",
        around(_after_minutes, "refund"),
    ),
    Variation(
        "checkout-changes-reported-as-pending-first",
        "Refunds and voids are carried out later, and reported as a success that is pending before they are.",
        _reported_twice({"order_status": "pending"}, {}),
    ),
    Variation(
        "checkout-changes-reported-with-their-arn-later",
        "Refunds and voids are carried out later, and reported twice: with an empty ARN, and with one.",
        _reported_twice({"arn": ""}, {"arn": "74537604221222123456789"}),
    ),
    Variation(
        "checkout-captures-carried-out-later",
        "A capture of the whole is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("capture", Kind.CHECKOUT_CAPTURE, (State.AUTHORIZED,)),
    ),
    Variation(
        "checkout-refunds-carried-out-later",
        "A refund of the whole is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("refund", Kind.CHECKOUT_REFUND, (State.SETTLED,)),
    ),
    Variation(
        "checkout-voids-carried-out-later",
        "A void is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("void", Kind.CHECKOUT_VOID, (State.SETTLED, *_TOO_LATE)),
    ),
)
