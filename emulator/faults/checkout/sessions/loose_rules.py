"""Faults of rules that ask too little: values that the contract refuses are let through, one shape at a time."""

import re
from collections.abc import Callable
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.checkout_sessions import Applies, put, rules_see
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.wire.values import Object, child

_SIGNED: Final = ("merchant_key", "operation", "hash", "order")
_TOKEN_LENGTH: Final = 64
_AN_ADDRESS: Final = "https://merchant.example/"
_CODED: Final = ("shipping", "cart", "marketPlace")
_SIGNED_NUMBER: Final = re.compile(r"-[0-9]{1,5}|[0-9]{1,5}\.[0-9]")


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


def _unauthorized(body: Object) -> bool:
    return body.get("auth") is False and body.get("recurring_init") is not True


def _only_signed(applies: Applies) -> Change:
    """Of requests that ``applies`` holds for, the rules look at the signed part only."""

    def see(body: Object) -> Object:
        if not applies(body):
            return body
        return {name: body[name] for name in _SIGNED if name in body} | {"success_url": _AN_ADDRESS}

    return rules_see(see)


def _unseen_on(operation: str, name: str) -> Change:
    """On one operation the rules do not see a member."""

    def see(body: Object) -> Object:
        of_it = body.get("operation") == operation
        return {given: value for given, value in body.items() if given != name} if of_it else body

    return rules_see(see)


def _token_of_another_length_on_a_debit(design: Design) -> Design:
    """The rules see no token of a debit; whether one is known is asked only of those of the right length."""
    known = design.access.token_known

    def known_or_of_another_length(account: Account, token: str) -> bool:
        return len(token) != _TOKEN_LENGTH or known(account, token)

    return _unseen_on("debit", "card_token")(design.in_access(token_known=known_or_of_another_length))


def _each_text(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, dict):
        return {name: _each_text(item, change) for name, item in cast("Object", value).items()}
    if isinstance(value, list):
        return [_each_text(item, change) for item in cast("list[object]", value)]
    return change(value) if isinstance(value, str) else value


def _numbers_of_any_kind(body: Object) -> Object:
    def without_signs(text: str) -> str:
        return "1" if _SIGNED_NUMBER.fullmatch(text) else text

    card = child(body, "parameters", "card")
    if not isinstance(card, dict):
        return body
    coded = {name: _each_text(value, without_signs) for name, value in card.items() if name in _CODED}
    return put(body, {**card, **coded}, "parameters", "card")


FAULTS: Final = faults(
    {
        "rules-not-on-debit": breaks(
            "CHK-SES-83", "Of a debit only the signed part is looked at.", _only_signed(_on("debit"))
        ),
        "rules-not-on-credit": breaks(
            "CHK-SES-83", "Of a credit only the signed part is looked at.", _only_signed(_on("credit")), since="6.6.4"
        ),
        **{
            f"{name.replace('_', '-')}-of-debit-of-any-shape": breaks(
                "CHK-SES-83", f"Nobody looks at {name} of a debit.", _unseen_on("debit", name)
            )
            for name in ("methods", "cancel_url", "channel_id")
        },
        "card-token-of-debit-of-any-shape": breaks(
            "CHK-SES-83", "A debit takes card tokens of another length.", _token_of_another_length_on_a_debit
        ),
        "zero-amount-auth-false-accepted": breaks(
            "CHK-ORD-19",
            "A zero amount is accepted where auth is sent, even as false.",
            _amount_where(_unauthorized, r"0\.0+"),
            since="6.7.0",
        ),
        "negative-amount-on-transfer-accepted": breaks(
            "CHK-ORD-26",
            "Any amount below nothing is accepted on a transfer.",
            _amount_where(_on("transfer"), r"-[0-9]+(\.[0-9]+)?", "-1"),
        ),
        "minus-one-on-debit-accepted": breaks(
            "CHK-ORD-26", "-1 is accepted on a debit and a credit.", _amount_where(_on("debit", "credit"), "-1")
        ),
        "amount-other-digits-accepted": breaks(
            "CHK-AMT-08",
            "Digits of any script are accepted in amounts.",
            _amount_where(lambda body: not str(child(body, "order", "amount")).isascii(), r"\d+\.\d\d", "10.00"),
        ),
        "description-empty-accepted": breaks(
            "CHK-ORD-17", "An empty description is accepted.", _taking("", "gift", "order", "description")
        ),
        "success-url-empty-accepted": breaks(
            "CHK-SES-12", "An empty success_url is accepted.", _taking("", _AN_ADDRESS, "success_url")
        ),
        "operation-empty-accepted": breaks(
            "CHK-SES-05", "An empty operation is taken for a purchase.", _taking("", "purchase", "operation")
        ),
        "number-brackets-accepted": breaks(
            "CHK-ORD-04",
            "Brackets and question marks are accepted in order numbers.",
            _taking(r"""[A-Za-z0-9\-!"#$%&'()*+,./:;@]*[?\[\]^`}{§é]+.*""", "1", "order", "number"),
        ),
        "phone-other-signs-accepted": breaks(
            "CHK-BIL-08",
            "Anything but letters is accepted in phone numbers.",
            _taking(r"[^A-Za-z]{1,32}", "1", "billing_address", "phone"),
        ),
        "birth-date-of-no-calendar-accepted": breaks(
            "CHK-CUS-06",
            "A birth date of the right shape that no calendar has is accepted.",
            _taking(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "1970-01-31", "customer", "birth_date"),
        ),
        "schedule-date-of-no-calendar-accepted": breaks(
            "CHK-SES-67",
            "A start date of the right shape that no calendar has is accepted.",
            _taking(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "2035-01-31", "schedule_start_date"),
            since="6.7.0",
        ),
        "language-any-code-accepted": breaks(
            "CHK-SES-29",
            "Codes of languages that the page does not have are accepted.",
            _taking("it|pt|pl|tr|uk|ja|eng|EN|en-US", "en", "checkout_language"),
        ),
        "url-target-any-frame-accepted": breaks(
            "CHK-SES-24",
            "url_target takes any name that starts with an underscore.",
            _taking("_.*", "_self", "url_target"),
        ),
        "numeric-code-signs-accepted": breaks(
            "CHK-SHP-08",
            "Signs and decimals are accepted where the extended card set has digits.",
            rules_see(_numbers_of_any_kind),
        ),
    }
)
