"""Variations of which parameters S2S looks at: the contract lists those of methods and card sets for Checkout only."""

from typing import Final

from emulator.design import Design
from emulator.rules.model import Rule
from emulator.rules.s2s_apm.methods import ROWS
from emulator.variations.model import Variation

_LISTED: Final = frozenset(row.path for row in ROWS)


def _of_no_method(row: Rule) -> Rule | None:
    return None if row.path in _LISTED else row


def _of_no_set(row: Rule) -> Rule | None:
    return None if row.path.startswith("parameters[") else row


def _apm(design: Design) -> Design:
    return design.with_apm_rows("SALE", _of_no_method)


def _card(design: Design) -> Design:
    return design.with_post_rows(_of_no_set)


VARIATIONS: Final = (
    Variation("apm-without-parameter-lists", "S2S APM looks at no parameter of a method.", _apm),
    Variation("card-without-parameter-lists", "S2S CARD looks at no set of card parameters.", _card),
)
