"""Mobile-money operators: slugs, currencies, limits in whole units, and how numbers of a country look."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator; ``number`` is the pattern of its customers' numbers, country code first."""

    slug: str
    currency: str
    least: int
    most: int
    number: str


_NUMBERS: Final = {
    "gh": "233[1-9][0-9]{8}",
    "ke": "254[17][0-9]{8}",
    "ci": "225[0-9]{10}",
    "cm": "237[1-9][0-9]{8}",
    "tz": "255[1-9][0-9]{8}",
    "eg": "20[1-9][0-9]{9}",
}
_CURRENCIES: Final = {"gh": "GHS", "ke": "KES", "ci": "XOF", "cm": "XAF", "tz": "TZS", "eg": "EGP"}
# country, operators, least and most amount
_CORRIDORS: Final = (
    ("gh", "airtel mtn tigo vodafone", 1, 50_000),
    ("ke", "airtel safaricom", 10, 150_000),
    ("ke", "equitel", 10, 100_000),
    ("ke", "t-kash telcom", 50, 200_000),
    ("ci", "moov mtn orange wave", 2, 2_000_000),
    ("cm", "mtn", 2, 1_000_000),
    ("cm", "orange", 2, 500_000),
    ("tz", "airtel halopesa tigo vodacom", 1_000, 30_000),
    ("eg", "aman etisalat orange vodafone", 1, 30_000),
)


def _operators() -> Iterator[Operator]:
    for country, names, least, most in _CORRIDORS:
        for name in names.split():
            yield Operator(f"{name}-{country}", _CURRENCIES[country], least, most, _NUMBERS[country])


OPERATORS: Final[Mapping[str, Operator]] = {operator.slug: operator for operator in _operators()}
CURRENCIES: Final = tuple(dict.fromkeys(operator.currency for operator in OPERATORS.values()))
