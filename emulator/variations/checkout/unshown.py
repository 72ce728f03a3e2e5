"""Variations of what lines 337 to 342 leave open: where look-ups by order are asked, and what half a pair is called."""

from dataclasses import replace
from typing import Final

from emulator.design import Design
from emulator.protocols.checkout.operations import Operation
from emulator.rules.model import Rule
from emulator.variations.model import Variation


def _by_payment_only(operation: Operation) -> Operation:
    return replace(operation, rows=(*operation.rows, Rule("payment_id", "required")))


def _elsewhere(design: Design) -> Design:
    """Look-ups by order have an address of their own; that of look-ups by payment asks for a payment_id."""
    own = replace(design.checkout.operations["status"], path="/api/v1/order/status")
    changed = design.in_operations(_by_payment_only, "status")
    return changed.in_checkout(operations={**changed.checkout.operations, "status_by_order": own})


VARIATIONS: Final = (
    Variation("look-ups-by-order-elsewhere", "Look-ups by order have an address of their own.", _elsewhere),
)
