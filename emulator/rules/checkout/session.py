"""Rows of the session request, apart from addresses and method parameters."""

import re
from typing import Final

from emulator.rules.amounts import order_amount_decimals, order_amount_positive, schedule_amount
from emulator.rules.checkout.addresses import BILLING, PAYEE
from emulator.rules.checkout.card_parameters import CARD_PARAMETERS
from emulator.rules.checkout.method_parameters import METHOD_PARAMETERS
from emulator.rules.conditions import (
    amount_entered_elsewhere,
    crypto_order,
    has_card_token,
    not_,
    on,
    true_in_body,
    validates_customer_name,
)
from emulator.rules.model import Context, JsonObject, Rule

ORDER_NUMBER: Final = r"""[A-Za-z0-9\-!"#$%&'()*+,./:;@]*"""
BASIC_LATIN: Final = r"[A-Za-z .'\-]*"
LATIN: Final = "[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f .'\\-]*"
LANGUAGES: Final = ("fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho")
LANGUAGE_TEXT: Final = "The checkout_language parameter is incorrect"

_HUGE: Final = 32_767
_TEXT: Final = "CHK-SES-79"
_PAYS: Final = frozenset({"purchase", "debit"})
_PAYS_OUT: Final = frozenset({"transfer", "credit"})


def _app_scheme(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and "://" in value and not value.lower().startswith("http")


def _equal(expected: object) -> object:
    return lambda value, _parent, _context: value == expected


def _query(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and "?" in value


def _contains(character: str) -> object:
    return lambda value, _parent, _context: isinstance(value, str) and character in value


def _any_true(value: object, _parent: JsonObject, _context: Context) -> bool:
    return value is True


def _any_false(value: object, _parent: JsonObject, _context: Context) -> bool:
    return value is False


def _several(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, list) and len(value) > 1


def _not_two_decimals_zero(value: object, parent: JsonObject, _context: Context) -> bool:
    return (
        parent.get("currency") in ("JPY", "KRW", "CLP", "UGX")
        and isinstance(value, str)
        and re.fullmatch(r"[0-9]+\.[0-9][1-9]|[0-9]+\.[1-9][0-9]", value) is not None
    )


def _nested(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, dict) and any(isinstance(item, dict | list) for item in value.values())


def _is_number(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _leap_day(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and value.endswith("-02-29")


def _huge(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and len(value) > _HUGE


def _urls() -> tuple[Rule, ...]:
    fields: tuple[tuple[str, str, str], ...] = (
        ("success_url", "CHK-SES-13", "CHK-SES-14"),
        ("cancel_url", "CHK-SES-16", "CHK-SES-17"),
        ("expiry_url", "CHK-SES-18", "CHK-SES-19"),
        ("error_url", "CHK-SES-20", "CHK-SES-21"),
    )
    rows: list[Rule] = []
    for name, malformed, limit in fields:
        rows += [
            Rule(name, "type", "string", requirement=_TEXT),
            Rule(name, "maxLength", 1024, requirement=limit),
            Rule(name, "format", "url", requirement=malformed),
            Rule(name, "handled", _app_scheme, requirement="CHK-SES-22", tag="app-scheme"),
        ]
    return tuple(rows)


REQUEST: Final = (
    Rule("merchant_key", "handled", _is_number, requirement="CHK-SES-80", tag="number"),
    Rule("merchant_key", "required", faults=()),
    Rule("merchant_key", "type", "string"),
    Rule("merchant_key", "notBlank", faults=()),
    Rule("operation", "required", requirement="CHK-SES-05"),
    Rule("operation", "type", "string", requirement=_TEXT),
    Rule(
        "operation",
        "enum",
        ("purchase", "debit", "credit", "transfer"),
        requirement="CHK-SES-04",
        faults=("ignored",),
        since="6.6.4",
    ),
    Rule(
        "operation",
        "enum",
        ("purchase", "debit", "transfer"),
        requirement="CHK-SES-06",
        faults=("ignored",),
        tag="before-credit",
        until="6.6.3",
    ),
    Rule("operation", "accepted", _equal("debit"), requirement="CHK-SES-08", tag="debit"),
    Rule("operation", "accepted", _equal("transfer"), requirement="CHK-SES-09", tag="transfer"),
    Rule("operation", "accepted", _equal("credit"), requirement="CHK-SES-07", tag="credit", since="6.6.4"),
    Rule("operation", "accepted", _equal("purchase"), requirement="CHK-SES-01", tag="purchase"),
    Rule("success_url", "required", requirement="CHK-SES-12"),
    *_urls(),
    Rule("success_url", "accepted", _query, requirement="CHK-SES-15", tag="query"),
    Rule("url_target", "type", "string", requirement=_TEXT),
    Rule("url_target", "enum", ("_self", "_parent", "_blank", "_top"), requirement="CHK-SES-24", accepts="CHK-SES-23"),
    Rule("url_target", "handled", _equal("_blank"), requirement="CHK-SES-25", tag="blank"),
    Rule("session_expiry", "type", "integer", requirement="CHK-SES-27"),
    Rule("session_expiry", "minimum", 1, requirement="CHK-SES-26"),
    Rule("session_expiry", "maximum", 720, requirement="CHK-SES-26"),
    Rule("checkout_language", "type", "string"),
    Rule("checkout_language", "enum", LANGUAGES, requirement="CHK-SES-29", accepts="CHK-SES-28", text=LANGUAGE_TEXT),
    Rule("channel_id", "type", "string", requirement=_TEXT),
    Rule(
        "channel_id", "maxLength", 16, requirement="CHK-SES-30", accepts="CHK-SES-31", hidden_by=("channel_id.known",)
    ),
    Rule("channel_id", "known", "channel"),
    Rule("channel_id", "accepted", requirement="CHK-SES-32"),
    Rule("hash", "required", faults=()),
    Rule("hash", "type", "string"),
    Rule("hash", "notBlank", faults=()),
)

ORDER: Final = (
    Rule("order", "required", requirement="CHK-SES-35"),
    Rule("order", "type", "object", requirement="CHK-SES-36"),
    Rule("order.number", "required", requirement="CHK-ORD-01"),
    Rule("order.number", "type", "string", requirement=_TEXT),
    Rule("order.number", "notBlank", requirement="CHK-ORD-01"),
    Rule("order.number", "maxLength", 255, requirement="CHK-ORD-02"),
    Rule("order.number", "pattern", ORDER_NUMBER, requirement="CHK-ORD-04"),
    Rule("order.number", "accepted", _contains("@"), requirement="CHK-ORD-03", tag="at-sign"),
    Rule("order.number", "accepted", _contains('"'), requirement="CHK-ORD-03", tag="quote"),
    Rule("order.number", "accepted", _contains(";"), requirement="CHK-ORD-03", tag="semicolon"),
    Rule("order.amount", "required", requirement="CHK-ORD-07", when=not_(amount_entered_elsewhere)),
    Rule("order.amount", "optional", requirement="CHK-ORD-12", when=amount_entered_elsewhere),
    Rule("order.amount", "handled", _is_number, requirement="CHK-SES-80", tag="number"),
    Rule("order.amount", "type", "string", requirement="CHK-ORD-08"),
    Rule("order.amount", "handled", _not_two_decimals_zero, requirement="CHK-AMT-04", tag="whole-units"),
    Rule("order.amount", "format", "decimal", requirement="CHK-ORD-08"),
    Rule("order.amount", "positive", order_amount_positive, faults=()),
    Rule("order.amount", "decimals", order_amount_decimals, faults=()),
    Rule("order.amount", "accepted", _equal("-1"), requirement="CHK-ORD-10", when=on("transfer"), tag="empty-field"),
    Rule("order.currency", "required", requirement="CHK-ORD-13"),
    Rule("order.currency", "type", "string", requirement=_TEXT),
    Rule("order.currency", "minLength", 3, faults=()),
    Rule("order.currency", "maxLength", 6, faults=()),
    Rule("order.currency", "format", "currency", faults=()),
    Rule("order.currency", "accepted", requirement="CHK-ORD-16", when=crypto_order, tag="crypto"),
    Rule("order.description", "required", requirement="CHK-ORD-17"),
    Rule("order.description", "type", "string", requirement=_TEXT),
    Rule("order.description", "handled", _huge, requirement="GEN-ERR-10", tag="huge"),
    Rule("order.description", "minLength", 2, requirement="CHK-ORD-18"),
    Rule("order.description", "maxLength", 1024, requirement="CHK-ORD-18"),
)

CUSTOMER: Final = (
    Rule("customer", "type", "object", requirement="CHK-SES-37"),
    Rule("customer", "handledWithout", requirement="CHK-SES-38"),
    Rule("customer.name", "handledWithout", requirement="CHK-CUS-08"),
    Rule("customer.name", "type", "string", requirement=_TEXT),
    Rule("customer.name", "minLength", 2, requirement="CHK-CUS-02", accepts="CHK-CUS-01", when=validates_customer_name),
    Rule(
        "customer.name", "maxLength", 200, requirement="CHK-CUS-02", accepts="CHK-CUS-01", when=validates_customer_name
    ),
    Rule("customer.name", "pattern", BASIC_LATIN, requirement="CHK-CUS-03", when=validates_customer_name),
    Rule("customer.email", "type", "string", requirement=_TEXT),
    Rule("customer.email", "format", "email", requirement="CHK-CUS-04"),
    Rule("customer.email", "accepted", requirement="CHK-CUS-07"),
    Rule("customer.email", "accepted", _contains("@mail."), requirement="CHK-CUS-07", tag="subdomain"),
    Rule("customer.birth_date", "type", "string", requirement=_TEXT),
    Rule("customer.birth_date", "format", "date", requirement="CHK-CUS-06"),
    Rule("customer.birth_date", "accepted", requirement="CHK-CUS-05"),
    Rule("customer.birth_date", "accepted", _leap_day, requirement="CHK-CUS-05", tag="leap-day"),
)

OPTIONS: Final = (
    Rule("parameters", "type", "object", requirement="CHK-SES-41"),
    Rule("custom_data", "refusedOutside", frozenset({"purchase", "transfer"}), until="6.6.5"),
    Rule("custom_data", "type", "object", requirement="CHK-SES-43"),
    Rule("custom_data", "accepted", _nested, requirement="CHK-SES-42", tag="nested"),
    Rule("custom_data", "accepted", when=on("debit"), requirement="CHK-SES-44", tag="debit", since="6.7.0"),
    Rule("custom_data", "accepted", when=on("credit"), requirement="CHK-SES-44", tag="credit", since="6.7.0"),
    Rule("methods", "ignoredOutside", frozenset({"purchase", "debit", "credit"})),
    Rule("methods", "handled", _several, requirement="CHK-SES-47", tag="several"),
    Rule("methods", "type", "array", requirement="CHK-SES-46"),
    Rule("methods", "accepted", requirement="CHK-SES-45"),
    Rule(
        "methods",
        "accepted",
        when=lambda context, _parent: "channel_id" in context.body,
        requirement="CHK-SES-33",
        tag="channel",
    ),
    Rule("methods[]", "type", "string"),
    Rule("methods[]", "known", "method"),
    Rule("req_token", "ignoredOutside", _PAYS),
    Rule("req_token", "handled", _equal("true"), requirement="CHK-SES-80", tag="text"),
    Rule("req_token", "type", "boolean", requirement="CHK-SES-49"),
    Rule("req_token", "accepted", _any_true, requirement="CHK-SES-48", tag="true"),
    Rule("req_token", "accepted", requirement="CHK-SES-48", tag="sent"),
    Rule("req_token", "accepted", _any_false, requirement="CHK-SES-82", tag="false"),
    Rule("req_token", "accepted", when=has_card_token, requirement="CHK-SES-50", tag="card-token"),
    Rule("card_token", "refusedOutside", frozenset({"purchase", "debit"}), until="6.6.5"),
    Rule("card_token", "ignoredOutside", frozenset({"purchase", "debit", "credit"})),
    Rule("card_token", "type", "array", requirement="CHK-SES-53"),
    Rule(
        "card_token",
        "accepted",
        when=on("purchase"),
        requirement="CHK-SES-51",
        tag="purchase",
    ),
    Rule(
        "card_token",
        "accepted",
        when=on("credit"),
        requirement="CHK-SES-55",
        tag="credit",
        since="6.7.0",
    ),
    Rule("card_token[]", "type", "string", requirement="CHK-SES-53"),
    Rule("card_token[]", "length", (64,), faults=()),
    Rule("auth", "type", "boolean", requirement="CHK-SES-57", since="6.7.0"),
    Rule("auth", "refusedOutside", frozenset({"purchase"}), since="6.7.0"),
    Rule(
        "auth",
        "accepted",
        _any_true,
        when=on("purchase"),
        requirement="CHK-SES-56",
        tag="purchase",
        since="6.7.0",
    ),
    Rule("auth", "accepted", _any_false, requirement="CHK-SES-82", tag="false", since="6.7.0"),
    Rule("auth", "handled", _any_true, when=on("debit"), requirement="CHK-SES-58", tag="debit", since="6.7.0"),
    Rule("recurring_init", "type", "boolean", requirement="CHK-SES-61"),
    Rule("recurring_init", "refusedOutside", frozenset({"purchase"}), until="6.6.5"),
    Rule("recurring_init", "ignoredOutside", _PAYS, since="6.7.0"),
    Rule(
        "recurring_init",
        "accepted",
        _any_true,
        when=on("purchase"),
        requirement="CHK-SES-59",
        tag="purchase",
    ),
    Rule(
        "recurring_init",
        "accepted",
        _any_true,
        when=on("debit"),
        requirement="CHK-SES-60",
        tag="debit",
        since="6.7.0",
    ),
    Rule("recurring_init", "accepted", _any_false, requirement="CHK-SES-82", tag="false"),
    Rule("recurring_init", "handled", _any_true, when=on("transfer"), requirement="CHK-SES-62", tag="transfer"),
    Rule("schedule_id", "handled", when=not_(true_in_body("recurring_init")), requirement="CHK-SES-65", tag="alone"),
    Rule("schedule_id", "type", "string", requirement=_TEXT),
    Rule(
        "schedule_id",
        "combination",
        lambda _value, _parent, context: context.body.get("recurring_init") is True,
        text="This field needs recurring_init to be true.",
        faults=(),
    ),
    Rule("schedule_id", "format", "uuid", text="This is not a valid UUID."),
    Rule(
        "schedule_id",
        "accepted",
        when=on("purchase"),
        requirement="CHK-SES-63",
        tag="purchase",
    ),
    Rule("schedule_id", "accepted", when=on("debit"), requirement="CHK-SES-64", tag="debit", since="6.7.0"),
    Rule("schedule_start_date", "type", "string", requirement="CHK-SES-67", since="6.7.0"),
    Rule("schedule_start_date", "format", "date", requirement="CHK-SES-67", since="6.7.0"),
    Rule(
        "schedule_start_date",
        "combination",
        lambda _value, _parent, context: context.body.get("schedule_id") is not None,
        text="This field needs schedule_id.",
        requirement="CHK-SES-68",
        since="6.7.0",
    ),
    Rule("schedule_start_date", "accepted", requirement="CHK-SES-66", since="6.7.0"),
    Rule("payment_schedule_amount", "type", "string", requirement="CHK-SES-70", since="6.7.0"),
    Rule("payment_schedule_amount", "decimals", schedule_amount, requirement="CHK-SES-70", since="6.7.0"),
    Rule(
        "payment_schedule_amount",
        "combination",
        lambda _value, _parent, context: context.body.get("schedule_id") is not None,
        text="This field needs schedule_id.",
        requirement="CHK-SES-71",
        since="6.7.0",
    ),
    Rule("payment_schedule_amount", "accepted", requirement="CHK-SES-69", since="6.7.0"),
    Rule("vat_calc", "type", "boolean", requirement="CHK-SES-73"),
    Rule("vat_calc", "refusedOutside", frozenset({"purchase"})),
    Rule("vat_calc", "accepted", _any_true, when=on("purchase"), requirement="CHK-SES-72", tag="purchase"),
    Rule("vat_calc", "accepted", _any_false, requirement="CHK-SES-82", tag="false"),
    Rule("vat_calc", "handled", _any_true, when=on("debit"), requirement="CHK-SES-74", tag="debit"),
    Rule("crypto", "type", "object"),
    Rule("crypto.network", "type", "string", requirement=_TEXT),
    Rule("crypto.network", "maxLength", 50, requirement="CHK-SES-77"),
    Rule("form_id", "type", "string", requirement=_TEXT),
    Rule("form_id", "format", "uuid", requirement="CHK-SES-76", hidden_by=("form_id.known",)),
    Rule("form_id", "known", "form"),
    Rule("form_id", "accepted", requirement="CHK-SES-75"),
)


PAYEES: Final = (
    Rule("payee", "ignoredOutside", _PAYS_OUT),
    Rule("payee", "handledWithout", when=on("transfer"), requirement="CHK-PAY-06"),
    Rule("payee", "type", "object", requirement="CHK-PAY-07"),
    Rule(
        "payee",
        "accepted",
        when=on("credit"),
        requirement="CHK-PAY-05",
        tag="credit",
        since="6.6.4",
    ),
    Rule("payee.name", "required", requirement="CHK-PAY-02"),
    Rule("payee.name", "type", "string", requirement=_TEXT),
    Rule("payee.name", "minLength", 2, requirement="CHK-PAY-01"),
    Rule("payee.name", "maxLength", 32, requirement="CHK-PAY-01"),
    Rule("payee.name", "pattern", LATIN, requirement="CHK-PAY-03"),
    Rule("payee.email", "type", "string", requirement=_TEXT),
    Rule("payee.email", "format", "email", requirement="CHK-PAY-04"),
    *PAYEE,
    Rule("payee_first_name", "ignoredOutside", frozenset({"credit"})),
    Rule("payee_first_name", "type", "string", requirement=_TEXT, since="6.7.0"),
    Rule("payee_first_name", "accepted", when=on("credit"), requirement="CHK-SES-78"),
    Rule("payee_last_name", "ignoredOutside", frozenset({"credit"})),
    Rule("payee_last_name", "type", "string", requirement=_TEXT, since="6.7.0"),
    Rule("payee_last_name", "accepted", when=on("credit"), requirement="CHK-SES-78"),
)

SESSION: Final = (*REQUEST, *ORDER, *CUSTOMER, *BILLING, *CARD_PARAMETERS, *METHOD_PARAMETERS, *OPTIONS, *PAYEES)
