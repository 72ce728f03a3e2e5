"""Rows of CREDIT2VIRTUAL, the mobile-money payout."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from emulator.rules.amounts import well_formed
from emulator.rules.currencies import EXPONENTS
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Context, JsonObject, Rule
from emulator.rules.s2s_apm.operators import CURRENCIES, OPERATORS, Operator
from emulator.rules.s2s_apm.sale import LONGEST_AMOUNT, amount_positive
from emulator.wire.values import child

_OPERATOR: Final = "parameters.mobile_money_operator"
_NUMBER: Final = "parameters.mobile_number"
_EMAIL: Final = "parameters.customer_email"
_REQUIRED: Final = (
    ("client_key", ""),
    ("brand", "APM-C2V-02"),
    ("order_id", "APM-C2V-03"),
    ("order_amount", "APM-C2V-04"),
    ("order_currency", "APM-C2V-05"),
    (_OPERATOR, "APM-C2V-06"),
    (_NUMBER, "APM-C2V-07"),
    (_EMAIL, "APM-C2V-08"),
    ("payee_first_name", "APM-C2V-09"),
    ("payee_last_name", "APM-C2V-10"),
    ("payee_email", "APM-C2V-11"),
)
_LONGEST: Final = (("brand", 36), ("order_id", 255), ("order_description", 1024), ("channel_id", 16))

# An unknown brand is refused anyway, and so may a channel be.
_FAULTS_OF_LIMIT: Final = {"brand": (), "channel_id": ("ignored", "one-laxer")}


def operator_of(body: JsonObject) -> Operator | None:
    """The operator that the payout names, where there is such a one."""
    slug = child(body, "parameters", "mobile_money_operator")
    return OPERATORS.get(slug) if isinstance(slug, str) else None


def _decimals(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    currency = parent.get("order_currency")
    if isinstance(currency, str) and EXPONENTS.get(currency) == 0:
        return "." not in value
    return well_formed(value, currency, context.amounts)


def _currency_of_operator(value: object, _parent: JsonObject, context: Context) -> bool:
    operator = operator_of(context.body)
    return operator is None or value == operator.currency


def _number_of_country(value: object, _parent: JsonObject, context: Context) -> bool:
    operator = operator_of(context.body)
    return operator is None or not isinstance(value, str) or re.fullmatch(operator.number, value, re.ASCII) is not None


def within_limits(value: object, _parent: JsonObject, context: Context) -> bool:
    """The amount lies between the least and the most that the operator pays out."""
    operator = operator_of(context.body)
    if operator is None or not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return operator.least <= Decimal(value) <= operator.most


def _rows() -> Iterator[Rule]:
    for path, requirement in _REQUIRED:
        yield Rule(path, "required", requirement=requirement)
        yield Rule(path, "type", "string")
        yield Rule(path, "notBlank")
    for path, longest in _LONGEST:
        kinds = _FAULTS_OF_LIMIT.get(path)
        yield Rule(path, "type", "string")
        yield Rule(path, "maxLength", longest, requirement="APM-C2V-32", faults=kinds)


ROWS: Final = (
    Rule("parameters", "type", "object"),
    *_rows(),
    Rule("order_description", "optional", requirement="APM-C2V-12"),
    Rule("parameters.customer_name", "type", "string"),
    Rule("parameters.customer_name", "optional", requirement="APM-C2V-13"),
    Rule("hash", "type", "string"),
    Rule(
        "order_currency",
        "enum",
        CURRENCIES,
        requirement="APM-C2V-14",
        faults=("ignored",),
        hidden_by=("order_currency.combination",),
    ),
    Rule("order_currency", "combination", _currency_of_operator, requirement="APM-C2V-26"),
    Rule(_OPERATOR, "enum", tuple(OPERATORS), requirement="APM-C2V-27", accepts="APM-C2V-28"),
    Rule(_NUMBER, "combination", _number_of_country, requirement="APM-C2V-30"),
    Rule(_EMAIL, "format", "email", requirement="APM-C2V-31"),
    Rule("payee_email", "format", "email", requirement="APM-C2V-31"),
    Rule("order_amount", "maxLength", LONGEST_AMOUNT),
    Rule("order_amount", "format", "decimal", requirement="APM-C2V-33"),
    Rule("order_amount", "positive", amount_positive),
    Rule("order_amount", "decimals", _decimals, requirement="APM-C2V-24"),
    Rule("order_amount", "combination", within_limits, tag="limits"),
)
