"""Faults of strangers that the suite did not notice at first (set V, Checkout), and others of their classes."""

from typing import Final

from emulator.changes import s2s_card
from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import refusing
from emulator.engine.callbacks.notice import Fields, Value
from emulator.faults.model import breaks, faults
from emulator.wire.values import Object, child, text_of


def _debit_of_nothing(body: Object) -> bool:
    nothing = not text_of(child(body, "order", "amount")).strip("0.")
    return nothing and body.get("operation") == "debit"


def _without_hashes(value: Value) -> Value:
    if not isinstance(value, dict):
        return value
    return {name: _without_hashes(below) for name, below in value.items() if name != "hash"}


def _unhashed(fields: Fields) -> Fields:
    """Custom data without the members that are called as the signature of the callback is."""
    return fields | {"custom_data": _without_hashes(fields["custom_data"])} if "custom_data" in fields else fields


FAULTS: Final = faults(
    {
        "v-session-of-zero-refused-on-debits": breaks(
            "CHK-ORD-21",
            "A debit of nothing that starts a chain is refused, and a purchase that does is taken (lines 60 and 71).",
            refusing("order.amount", _debit_of_nothing),
            since="6.7.0",
        ),
        "v-custom-data-without-hash": breaks(
            "CBK-ATT-13", "Members of custom_data that are called hash do not come back.", NOTICES.fields(_unhashed)
        ),
        "v-card-custom-data-without-hash": breaks(
            "CBK-S2C-13",
            "Members of custom_data that are called hash do not come back.",
            s2s_card.NOTICES.fields(_unhashed),
        ),
    }
)
