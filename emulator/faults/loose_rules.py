"""Faults of rules that ask too little: values that the contract refuses are let through, one shape at a time."""

import re
from typing import Final

from emulator.design import Change
from emulator.faults.model import Fault
from emulator.faults.stages import Applies, put, rules_see
from emulator.values import Object, child

_SIGNED: Final = ("merchant_key", "operation", "hash", "order")
_AN_ADDRESS: Final = "https://merchant.example/"


def _taking(pattern: str, stand_in: str, *names: str) -> Change:
    """Texts at ``names`` that fit ``pattern`` are taken: the rules see ``stand_in`` where they stand."""
    expression = re.compile(pattern, re.DOTALL)

    def see(body: Object) -> Object:
        value = child(body, *names)
        return put(body, stand_in, *names) if isinstance(value, str) and expression.fullmatch(value) else body

    return rules_see(see)


def _amount_where(applies: Applies, pattern: str, stand_in: str = "1.00") -> Change:
    expression = re.compile(pattern)

    def see(body: Object) -> Object:
        amount = child(body, "order", "amount")
        if not isinstance(amount, str) or expression.fullmatch(amount) is None or not applies(body):
            return body
        return put(body, stand_in, "order", "amount")

    return rules_see(see)


def _on(*operations: str) -> Applies:
    return lambda body: body.get("operation") in operations


def _only_signed(applies: Applies) -> Change:
    """Of requests that ``applies`` holds for, the rules look at the signed part only."""

    def see(body: Object) -> Object:
        if not applies(body):
            return body
        return {name: body[name] for name in _SIGNED if name in body} | {"success_url": _AN_ADDRESS}

    return rules_see(see)


LOOSE: Final = (
    Fault(
        "rules-not-on-debit",
        ("CHK-SES-83",),
        "Of a debit only the signed part is looked at.",
        _only_signed(_on("debit")),
        ("CHK-SES-79",),
    ),
    Fault(
        "negative-amount-on-transfer-accepted",
        ("CHK-ORD-26",),
        "Any amount below nothing is accepted on a transfer.",
        _amount_where(_on("transfer"), r"-[0-9]+(\.[0-9]+)?", "-1"),
    ),
    Fault(
        "phone-other-signs-accepted",
        ("CHK-BIL-08",),
        "Anything but letters is accepted in phone numbers.",
        _taking(r"[^A-Za-z]{1,32}", "1", "billing_address", "phone"),
    ),
)
