"""Variations of when a state is looked at: line 496 collects it for five countries only, and hides it otherwise."""

from dataclasses import replace
from typing import Final

from emulator.design import Design
from emulator.rules.countries import STATE_COUNTRIES
from emulator.rules.model import Context, JsonObject, Rule
from emulator.variations.model import Variation

_PARTIES: Final = ("payer", "payee")


def _where_collected(row: Rule) -> Rule:
    party, _, name = row.path.partition("_")
    if party not in _PARTIES or name != "state":
        return row

    def counts(_context: Context, parent: JsonObject) -> bool:
        country = parent.get(f"{party}_country")
        return isinstance(country, str) and country in STATE_COUNTRIES

    return replace(row, when=counts)


def _states_of_some(design: Design) -> Design:
    payouts = design.with_post_rows(_where_collected, "CARD2CARD", "CREDIT2CARD")
    return payouts.with_apm_rows("SALE", _where_collected)


VARIATIONS: Final = (
    Variation(
        "states-looked-at-where-collected",
        "S2S APM and card payouts look at a state in US, CA, AU, JP and IN only.",
        _states_of_some,
    ),
)
