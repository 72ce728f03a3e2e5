"""A variation of Checkout callbacks that carry less than those of public documents."""

from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.variations.model import Variation

POOR: Final = "checkout-callback-members-of-the-contract-only"
_UNPROMISED: Final = ("order_currency", "order_description", "order_amount", "status", "reason", "date")

VARIATIONS: Final = (
    Variation(POOR, "Callbacks of Checkout carry only what the contract shows.", NOTICES.without(*_UNPROMISED)),
)
