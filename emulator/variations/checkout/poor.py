"""Variations of Checkout callbacks and look-ups that carry less than those of public documents."""

from typing import Final

from emulator.changes.checkout import NOTICES, answering, leaving_out
from emulator.variations.model import Variation
from emulator.wire.replies import Kind
from emulator.wire.values import Object

POOR: Final = "checkout-callback-members-of-the-contract-only"
POOR_LOOK_UPS: Final = "checkout-look-up-members-of-the-contract-only"
_UNPROMISED: Final = ("order_currency", "order_description", "order_amount", "status", "reason", "date")


def _of_the_contract(body: Object) -> Object:
    order = body.get("order")
    number = {"order_id": order["number"]} if isinstance(order, dict) and "number" in order else {}
    return number | {name: value for name, value in body.items() if name not in ("order", "date", "reason")}


VARIATIONS: Final = (
    Variation(POOR, "Callbacks of Checkout carry only what the contract shows.", NOTICES.without(*_UNPROMISED)),
    Variation(
        POOR_LOOK_UPS,
        "Look-ups of Checkout show the number of the order, and neither its amount nor its currency.",
        answering(_of_the_contract, Kind.CHECKOUT_STATUS),
    ),
    Variation(
        "checkout-arn-never-known",
        "No account is given an ARN in Checkout: it stays empty in callbacks, and look-ups leave it out.",
        lambda design: leaving_out("ARN", Kind.CHECKOUT_STATUS)(NOTICES.saying("ARN", "")(design)),
    ),
)
