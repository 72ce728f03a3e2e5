"""Rows of the S2S APM sale, parameters of methods aside."""

from collections.abc import Iterator
from typing import Final

from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.conditions import not_
from emulator.rules.currencies import EXPONENTS
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.rules.s2s_apm.brands import CRYPTO, SALES

_TWO_DECIMALS_OF_NOTHING: Final = frozenset({"JPY", "KRW", "CLP", "UGX"})
# Far beyond any amount of money, and still a number that can be worked with.
LONGEST_AMOUNT: Final = 64
_REQUIRED: Final = (
    ("client_key", "", ()),
    ("brand", "APM-SAL-02", ()),
    ("order_id", "APM-SAL-02", ()),
    ("order_currency", "APM-SAL-02", ()),
    ("order_description", "APM-SAL-02", ()),
    ("payer_ip", "APM-SAL-04", ("payer_ip.format",)),
    ("return_url", "APM-SAL-05", ("return_url.format",)),
)
# What a refusal of an empty field would be hidden by: a rule that refuses it anyway.
_SHOWS_EMPTINESS: Final = frozenset({"order_id", "order_description", "payer_ip", "return_url"})
_LONGEST: Final = (
    ("brand", 36, "APM-SAL-09"),
    ("order_id", 255, "APM-SAL-10"),
    ("order_description", 1024, "APM-SAL-11"),
    ("identifier", 255, "APM-SAL-12"),
    ("channel_id", 16, "APM-SAL-13"),
    ("crypto_network", 50, "APM-SAL-22"),
    ("payer_first_name", 32, "APM-SAL-23"),
    ("payer_last_name", 32, "APM-SAL-23"),
    ("payer_address", 255, "APM-SAL-25"),
    ("payer_house_number", 9, "APM-SAL-26"),
    ("payer_state", 32, "APM-SAL-28"),
    ("payer_district", 32, "APM-SAL-28"),
    ("payer_zip", 32, "APM-SAL-28"),
    ("payer_phone", 32, "APM-SAL-28"),
    ("payer_city", 40, "APM-SAL-29"),
    ("payer_email", 256, "APM-SAL-30"),
    ("return_url", 1024, "APM-SAL-32"),
    ("return_url_target", 1024, ""),
)
# Limits of which one side is known: unknown brands, outcomes by identifier, formats of addresses, names of states.
_FAULTS_OF_LIMIT: Final = {
    "brand": (),
    "identifier": ("ignored", "one-laxer"),
    "payer_email": ("ignored", "one-laxer"),
    "payer_state": ("ignored", "one-laxer"),
}
_OPTIONAL_PAYER: Final = (
    "payer_first_name",
    "payer_last_name",
    "payer_birth_date",
    "payer_address",
    "payer_house_number",
    "payer_country",
    "payer_state",
    "payer_district",
    "payer_city",
    "payer_zip",
    "payer_phone",
    "payer_email",
)
_FORMATS: Final = (
    ("payer_birth_date", "date", "APM-SAL-24"),
    ("payer_country", "country", "APM-SAL-27"),
    ("payer_email", "email", "APM-SAL-30"),
    ("payer_ip", "ip", "APM-SAL-31"),
    ("return_url", "url", "APM-SAL-33"),
)


def of_crypto(_context: Context, parent: JsonObject) -> bool:
    """The brand stands for coins."""
    return SALES.get(str(parent.get("brand"))) in CRYPTO


def amount_decimals(value: object, parent: JsonObject, context: Context) -> bool:
    """The amount is written with the decimals of its currency; whole units where there is no minor unit."""
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    currency = parent.get("order_currency")
    whole = isinstance(currency, str) and EXPONENTS.get(currency) == 0 and currency not in _TWO_DECIMALS_OF_NOTHING
    return (whole and "." not in value) or well_formed(value, currency, context.amounts)


def amount_positive(value: object, _parent: JsonObject, _context: Context) -> bool:
    """The amount is greater than nothing."""
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return not value.startswith("-") and not is_zero(value)


def _is(text: str) -> Check:
    return lambda value, _parent, _context: value == text


def _names_frame(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and not value.startswith("_")


def _rows() -> Iterator[Rule]:
    for name, requirement, hidden_by in _REQUIRED:
        yield Rule(name, "required", requirement=requirement)
        yield Rule(name, "type", "string")
        empty = "APM-SAL-07" if name in _SHOWS_EMPTINESS else ""
        yield Rule(name, "notBlank", requirement=empty, hidden_by=hidden_by)
    yield Rule("order_amount", "required", requirement="APM-SAL-02", when=not_(of_crypto))
    yield Rule("order_amount", "type", "string")
    yield Rule("order_amount", "optional", requirement="APM-SAL-21", tag="coins")
    for name, longest, requirement in _LONGEST:
        if name not in {name for name, _, _ in _REQUIRED}:
            yield Rule(name, "type", "string")
        kinds = _FAULTS_OF_LIMIT.get(name)
        yield Rule(name, "maxLength", longest, requirement=requirement, faults=kinds)
    for name, kind, requirement in _FORMATS:
        yield Rule(name, "type", "string")
        yield Rule(name, "format", kind, requirement=requirement)
    for name in _OPTIONAL_PAYER:
        yield Rule(name, "optional", requirement="APM-SAL-06")


ROWS: Final = (
    *_rows(),
    Rule("hash", "type", "string"),
    Rule("identifier", "handledWithout", requirement="APM-SAL-03", faults=("server-error",)),
    Rule("order_amount", "maxLength", LONGEST_AMOUNT),
    Rule("order_amount", "format", "decimal", requirement="APM-SAL-14"),
    Rule("order_amount", "positive", amount_positive),
    Rule("order_amount", "decimals", amount_decimals, requirement="APM-SAL-16"),
    Rule("order_currency", "format", "currency", requirement="APM-SAL-19", when=not_(of_crypto)),
    Rule("order_currency", "pattern", "[A-Z0-9]{3,6}", requirement="APM-SAL-20", when=of_crypto, tag="coins"),
    Rule("payer_ip", "accepted", requirement="APM-SAL-31"),
    *(
        Rule("return_url_target", "accepted", _is(target), requirement="APM-SAL-34", tag=target.strip("_"))
        for target in ("_blank", "_self", "_parent", "_top")
    ),
    Rule("return_url_target", "accepted", _names_frame, requirement="APM-SAL-34", tag="frame"),
    Rule("custom_data", "accepted", requirement="APM-SAL-35"),
    Rule("parameters", "type", "object"),
)
