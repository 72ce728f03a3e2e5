"""A notice to a merchant before it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from emulator.engine.payments import Payment

Value = str | Mapping[str, "Value"] | list["Value"]
Fields = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Notice:
    """What is reported of a payment.

    ``event`` names what happened, in the words of the protocol (SALE, 3DS, CAPTURE, recurring ...); faults choose by
    it. ``fields`` are the members without the hash, nested ones as mappings; ``attempt`` counts deliveries from 1, the
    first of which was at the second ``since`` of the clock.
    """

    payment: Payment
    event: str
    fields: Fields = field(default_factory=dict)
    attempt: int = 1
    since: float | None = None


def flattened(fields: Mapping[str, Value], prefix: str = "") -> list[tuple[str, str]]:
    """Fields as pairs of a form, nested names in brackets: ``custom_data[key]``."""
    pairs: list[tuple[str, str]] = []
    for name, value in fields.items():
        key = f"{prefix}[{name}]" if prefix else name
        if isinstance(value, Mapping):
            pairs += flattened(value, key)
        elif isinstance(value, list):
            pairs += flattened({str(index): item for index, item in enumerate(value)}, key)
        else:
            pairs.append((key, value))
    return pairs


def as_form(fields: Mapping[str, Value]) -> tuple[str, bytes]:
    """Content type and body of a form post."""
    return "application/x-www-form-urlencoded", urlencode(flattened(fields)).encode("ascii")
