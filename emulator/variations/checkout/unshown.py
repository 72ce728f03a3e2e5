"""Variations of what lines 337 to 342 leave open: where look-ups by order are asked, and what half a pair is called."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import first
from emulator.design import Design
from emulator.protocols.checkout.behaviour import Operation, PostAttempt
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal


def _by_payment_only(operation: Operation) -> Operation:
    return replace(operation, rows=(*operation.rows, Rule("payment_id", "required")))


def _elsewhere(design: Design) -> Design:
    """Look-ups by order have an address of their own; that of look-ups by payment asks for a payment_id."""
    own = replace(design.checkout.operations["status"], path="/api/v1/order/status")
    changed = design.in_operations(_by_payment_only, "status")
    return changed.in_checkout(operations={**changed.checkout.operations, "status_by_order": own})


_HALVES: Final = ("recurring_init_trans_id", "recurring_token")


def _half_a_pair_does_not_match(design: Design) -> Design:
    """Line 337 names both, line 60 the first for purchases only, and line 342 says that fields are not shown."""
    return design.with_checkout_rows(
        "recurring", lambda row: None if row.path in _HALVES and row.keyword == "required" else row
    )


_BLANK: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("trans_id", "This value should not be blank."),)
)


def _named_by_trans_id(attempt: PostAttempt) -> Refusal | None:
    named = attempt.body.get("trans_id")
    attempt.body = {**attempt.body, "payment_id": named}
    return None if named else _BLANK


VARIATIONS: Final = (
    Variation(
        "captures-by-trans-id",
        "A capture names its payment in trans_id, and payment_id is not looked at.",
        first(_named_by_trans_id, "capture"),
    ),
    Variation("half-a-recurring-pair", "Half a pair is one that does not match.", _half_a_pair_does_not_match),
    Variation("look-ups-by-order-elsewhere", "Look-ups by order have an address of their own.", _elsewhere),
)
