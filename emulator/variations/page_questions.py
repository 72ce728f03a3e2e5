"""Variations of what the hosted page asks, and of what already stands on it."""

from dataclasses import replace
from typing import Final

from emulator.design import Change
from emulator.protocols.hosted_page.forms.offered_fields import Values, asked
from emulator.protocols.hosted_page.session import PageSession
from emulator.variations.model import Variation


def _without_phone(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    return tuple(name for name in asked(session, method, values) if name != "phone")


def _with(template: str) -> Change:
    return lambda design: design.in_page(markup=replace(design.page.markup, template=template))


VARIATIONS: Final = (
    Variation(
        "page-errors-stand-in-a-style",
        "The words of all errors stand on the page from the beginning, hidden by their own style.",
        _with("errors_in_a_style.html"),
    ),
    Variation(
        "page-errors-stand-in-a-class",
        "The words of all errors stand on the page from the beginning, hidden by a stylesheet.",
        _with("errors_in_a_class.html"),
    ),
    Variation(
        "page-address-without-phone",
        "A page that needs the billing address asks for country, city, zip and address, and for no phone.",
        lambda design: design.in_page(asked=_without_phone),
    ),
)
