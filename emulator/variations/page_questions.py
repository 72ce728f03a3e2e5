"""Variations of what the hosted page asks, and of what already stands in its fields."""

from typing import Final

from emulator.protocols.hosted_page.forms.offered_fields import Values, asked
from emulator.protocols.hosted_page.session import PageSession
from emulator.variations.model import Variation


def _without_phone(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    return tuple(name for name in asked(session, method, values) if name != "phone")


VARIATIONS: Final = (
    Variation(
        "page-address-without-phone",
        "A page that needs the billing address asks for country, city, zip and address, and for no phone.",
        lambda design: design.in_page(asked=_without_phone),
    ),
)
