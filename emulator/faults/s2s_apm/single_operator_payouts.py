"""Faults of mobile-money payouts that one operator of one country does not show."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.rules.s2s_apm.operators import Operator
from emulator.rules.s2s_apm.payout import operator_of

_FURTHER: Final = ("mtn-gh", "safaricom-ke", "telcom-ke", "mtn-ci", "vodacom-tz", "orange-eg")
_OF_ONE_COUNTRY: Final = "-gh"
Accepts = Callable[[str, Operator], bool]


def _also(path: str, tag: str, accepts: Accepts) -> Change:
    """What ``accepts`` holds for passes the combination of the field with its operator."""

    def changed(row: Rule) -> Rule:
        if (row.path, row.keyword, row.tag) != (path, "combination", tag):
            return row
        usual = row.bound

        def look(value: object, parent: JsonObject, context: Context) -> bool:
            operator = operator_of(context.body)
            free = operator is not None and isinstance(value, str) and accepts(value, operator)
            return free or _holds(usual, value, parent, context)

        return replace(row, bound=look)

    return lambda design: design.with_apm_rows("CREDIT2VIRTUAL", changed)


def _holds(check: object, value: object, parent: JsonObject, context: Context) -> bool:
    looks: Check = check  # type: ignore[assignment]
    return looks(value, parent, context)


def _without_fraction(value: str, operator: Operator) -> bool:
    return DECIMAL.fullmatch(value) is not None and operator.least <= int(Decimal(value)) <= operator.most


def _elsewhere(_value: str, operator: Operator) -> bool:
    return not operator.slug.endswith(_OF_ONE_COUNTRY)


def _by_further_operators(value: str, operator: Operator) -> bool:
    large = DECIMAL.fullmatch(value) is not None and Decimal(value) > operator.most
    return large and operator.slug in _FURTHER


def _as_little_as_wanted(slug: str) -> Accepts:
    def accepts(value: str, operator: Operator) -> bool:
        return operator.slug == slug and DECIMAL.fullmatch(value) is not None and 0 < Decimal(value) < operator.least

    return accepts


_WITHOUT_MINIMUM: Final = {
    "tigo-gh": "APM-C2V-15",
    "safaricom-ke": "APM-C2V-16",
    "telcom-ke": "APM-C2V-18",
    "wave-ci": "APM-C2V-19",
    "vodacom-tz": "APM-C2V-22",
    "vodafone-eg": "APM-C2V-23",
}

FAULTS: Final = faults(
    {
        "apm-payout-fraction-above-maximum": breaks(
            "APM-C2V-15 APM-C2V-16 APM-C2V-17 APM-C2V-18 APM-C2V-22 APM-C2V-23",
            "The fraction of an amount is cut off before it is compared with the limits.",
            _also("order_amount", "limits", _without_fraction),
        ),
        "apm-payout-further-operators-unlimited": breaks(
            "APM-C2V-15 APM-C2V-16 APM-C2V-18 APM-C2V-19 APM-C2V-22 APM-C2V-23",
            "Some operators of a country pay out any amount.",
            _also("order_amount", "limits", _by_further_operators),
        ),
        **{
            f"apm-payout-of-{slug}-without-minimum": breaks(
                requirement,
                f"{slug} pays out less than its minimum.",
                _also("order_amount", "limits", _as_little_as_wanted(slug)),
            )
            for slug, requirement in _WITHOUT_MINIMUM.items()
        },
        "apm-payout-numbers-of-one-country-checked": breaks(
            "APM-C2V-30", "Numbers are looked at in Ghana only.", _also("parameters.mobile_number", "", _elsewhere)
        ),
        "apm-payout-currency-of-one-country-checked": breaks(
            "APM-C2V-26",
            "Operators elsewhere than in Ghana pay out any currency.",
            _also("order_currency", "", _elsewhere),
        ),
    }
)
