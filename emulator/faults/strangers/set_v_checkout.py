"""Faults of strangers' engineers that the suite did not notice at first (set V, Checkout)."""

from typing import Final

from emulator.changes.checkout_sessions import refusing
from emulator.faults.model import breaks, faults
from emulator.wire.values import Object, child, text_of


def _debit_of_nothing(body: Object) -> bool:
    nothing = not text_of(child(body, "order", "amount")).strip("0.")
    return nothing and body.get("operation") == "debit"


FAULTS: Final = faults(
    {
        "v-session-of-zero-refused-on-debits": breaks(
            "CHK-ORD-21",
            "A debit of nothing that starts a chain is refused, and a purchase that does is taken (lines 60 and 71).",
            refusing("order.amount", _debit_of_nothing),
            since="6.7.0",
        ),
    }
)
