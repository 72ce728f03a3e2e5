"""Variations of captures and refunds: no line shows a field of theirs, so that an amount may not be read."""

from dataclasses import replace
from typing import Final

from emulator.protocols.checkout.behaviour import Operation, PostAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal


def _without_amount(attempt: PostAttempt) -> Refusal | None:
    attempt.body = {name: value for name, value in attempt.body.items() if name != "amount"}
    return None


def _of_the_whole(operation: Operation) -> Operation:
    """The signature is checked over what was sent; then the amount is forgotten."""
    rows = tuple(row for row in operation.rows if row.path != "amount")
    return replace(operation, rows=rows, stages=(*operation.stages, _without_amount))


def _of_the_whole_if_well_formed(operation: Operation) -> Operation:
    return replace(operation, stages=(*operation.stages, _without_amount))


VARIATIONS: Final = (
    Variation(
        "checkout-captures-take-no-amount",
        "A capture is always of what was authorized; an amount is not read.",
        lambda design: design.in_operations(_of_the_whole, "capture"),
    ),
    Variation(
        "checkout-refunds-take-no-amount",
        "A refund is always of the whole; an amount is not read.",
        lambda design: design.in_operations(_of_the_whole, "refund"),
    ),
    Variation(
        "checkout-captures-check-amounts-only",
        "A capture is always of what was authorized; an amount has to be well-formed all the same.",
        lambda design: design.in_operations(_of_the_whole_if_well_formed, "capture"),
    ),
)
