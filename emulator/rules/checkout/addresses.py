"""Rows of the two addresses of a session request: the payer's and the payee's."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from emulator.rules.conditions import collects_state
from emulator.rules.model import Rule

_LAX: Final = ("ignored", "one-laxer")
_PHONE: Final = r"[0-9+()\-]*"

# field: least and most characters
_LENGTHS: Final = {
    "city": (2, 40),
    "address": (2, 32),
    "house_number": (1, 9),
    "zip": (2, 10),
    "phone": (1, 32),
    "district": (2, 32),
}


def address_rows(prefix: str, ids: Mapping[str, str], *, charset: str) -> Iterator[Rule]:
    """Rows of the address ``prefix``.

    ``ids`` names the requirement of each field, ``charset`` that of phone signs.
    """
    for name in ("country", "state", *_LENGTHS, "phone_country_code", "language"):
        yield Rule(f"{prefix}.{name}", "type", "string")
    yield Rule(f"{prefix}.country", "format", "country", requirement=ids["country"])
    state = f"{prefix}.state"
    # A gateway may know the states of a country and take nothing longer, so only the other side of 32 is known.
    for keyword, bound, faults in (("minLength", 2, None), ("maxLength", 32, _LAX)):
        common = Rule(state, keyword, bound, requirement=ids["state"], faults=faults)
        yield replace(common, when=collects_state, since="6.7.0")
        yield replace(common, until="6.6.5")
    for name, (least, most) in _LENGTHS.items():
        path = f"{prefix}.{name}"
        yield Rule(
            path,
            "minLength",
            least,
            requirement=ids[name],
            faults=None if least > 1 else ("one-tighter",),
        )
        yield Rule(path, "maxLength", most, requirement=ids[name])
    yield Rule(f"{prefix}.phone", "pattern", _PHONE, requirement=charset)


def _upper_case(value: object, _parent: Mapping[str, object], _context: object) -> bool:
    return isinstance(value, str) and value != value.lower()


BILLING: Final = (
    Rule("billing_address", "type", "object", requirement="CHK-SES-39"),
    Rule("billing_address", "handledWithout", requirement="CHK-SES-40"),
    *address_rows(
        "billing_address",
        {
            "country": "CHK-BIL-01",
            "state": "CHK-BIL-02",
            "city": "CHK-BIL-03",
            "address": "CHK-BIL-04",
            "house_number": "CHK-BIL-05",
            "zip": "CHK-BIL-06",
            "phone": "CHK-BIL-07",
            "district": "CHK-BIL-09",
        },
        charset="CHK-BIL-08",
    ),
    Rule("billing_address.state", "optional", requirement="CHK-BIL-11", when=collects_state),
    Rule("billing_address.phone_country_code", "accepted", requirement="CHK-BIL-12"),
    Rule("billing_address.language", "accepted", _upper_case, requirement="CHK-BIL-13", tag="upper-case"),
    Rule("billing_address.district", "accepted", requirement="CHK-BIL-14"),
)

PAYEE: Final = (
    Rule("payee_billing_address", "ignoredOutside", frozenset({"transfer", "credit"})),
    Rule("payee_billing_address", "type", "object"),
    Rule("payee_billing_address", "accepted", requirement="CHK-PAY-08"),
    *address_rows(
        "payee_billing_address",
        {
            "country": "CHK-PAY-09",
            "state": "CHK-PAY-10",
            "city": "CHK-PAY-11",
            "address": "CHK-PAY-12",
            "house_number": "CHK-PAY-13",
            "zip": "CHK-PAY-14",
            "phone": "CHK-PAY-15",
            "district": "CHK-PAY-16",
        },
        charset="CHK-PAY-15",
    ),
)
