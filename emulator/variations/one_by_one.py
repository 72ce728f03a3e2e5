"""A variation of every protocol: callbacks of a payment come one by one, the next once the one before was taken."""

from typing import Final

from emulator.changes.steps import OPENED_FIRST
from emulator.design import Design, all_of
from emulator.variations.model import Variation


def _in_order(design: Design) -> Design:
    return design.in_callbacks(in_order=True)


VARIATIONS: Final = (
    Variation(
        "callbacks-one-by-one",
        "A payment is notified before it settles; that it has settled is notified once that callback was taken.",
        all_of(OPENED_FIRST, _in_order),
    ),
)
