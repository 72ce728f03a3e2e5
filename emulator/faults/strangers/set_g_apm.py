"""Faults of S2S APM: two currencies and two countries that are nearly alike (set G).

Numbers of lines are those of the interface description.
"""

import re
from dataclasses import replace
from typing import Final

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.rules.s2s_apm.operators import OPERATORS, Operator
from emulator.rules.s2s_apm.payout import operator_of

_FRANCS: Final = frozenset({"XOF", "XAF"})
_NUMBERS: Final = tuple({one.number for one in OPERATORS.values() if one.currency in _FRANCS})


def _of_either_franc(path: str, also: str) -> Change:
    """Operators that pay out one of the CFA francs take what those of the other one take."""

    def changed(row: Rule) -> Rule:
        if (row.path, row.keyword, row.tag) != (path, "combination", ""):
            return row
        usual: Check = row.bound  # type: ignore[assignment]

        def look(value: object, parent: JsonObject, context: Context) -> bool:
            operator: Operator | None = operator_of(context.body)
            is_franc = operator is not None and operator.currency in _FRANCS
            return (is_franc and re.fullmatch(also, str(value)) is not None) or usual(value, parent, context)

        return replace(row, bound=look)

    return lambda design: design.with_apm_rows("CREDIT2VIRTUAL", changed)


FAULTS: Final = faults(
    {
        "g-apm-both-cfa-francs-are-one": breaks(
            "APM-C2V-26",
            "Operators of Cameroon pay out XOF, and those of Cote d'Ivoire XAF (lines 246 and 263 to 265).",
            _of_either_franc("order_currency", "|".join(sorted(_FRANCS))),
        ),
        "g-apm-numbers-of-both-cfa-countries": breaks(
            "APM-C2V-30",
            "Operators of Cameroon pay out to numbers of Cote d'Ivoire, and the other way round (line 249).",
            _of_either_franc("parameters.mobile_number", "|".join(_NUMBERS)),
        ),
    }
)
