"""Rows of the S2S CARD sale request. Form values are texts throughout."""

from collections.abc import Iterator
from typing import Final

from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.conditions import not_, requires_payer_address, sibling
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Context, JsonObject, Rule

_BY_CARD: Final = not_(sibling("card_token", "payment_token"))
_NO_WALLET: Final = not_(sibling("payment_token"))
_YES: Final = "Y"

# name: longest value, when it has to be there
_REQUIRED: Final = (
    ("client_key", 64, None),
    ("order_id", 255, None),
    ("order_amount", 255, None),
    ("order_currency", 6, None),
    ("order_description", 1024, None),
    ("card_number", 19, _BY_CARD),
    ("card_exp_month", 2, _BY_CARD),
    ("card_exp_year", 4, _BY_CARD),
    ("card_cvv2", 4, _NO_WALLET),
    ("payer_first_name", 32, None),
    ("payer_last_name", 32, None),
    ("payer_email", 256, None),
    ("payer_phone", 32, None),
    ("payer_ip", 45, None),
    ("payer_address", 255, requires_payer_address),
    ("payer_country", 2, requires_payer_address),
    ("payer_city", 40, requires_payer_address),
    ("payer_zip", 10, requires_payer_address),
    ("term_url_3ds", 1024, None),
    ("hash", 128, None),
)
_OPTIONAL: Final = (
    ("channel_id", 16),
    ("card_token", 64),
    ("payer_middle_name", 32),
    ("payer_address2", 255),
    ("payer_house_number", 9),
    ("payer_state", 32),
    ("payer_district", 32),
    ("term_url_target", 1024),
)


def _amount_decimals(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return well_formed(value, parent.get("order_currency"), context.amounts)


def _amount_positive(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    if is_zero(value):
        granted = bool(context.amounts.zero_when) and _YES in {parent.get("auth"), parent.get("recurring_init")}
        return granted and (context.account is None or context.account.zero_amount)
    return not value.startswith("-")


def _rows() -> Iterator[Rule]:
    for name, longest, when in _REQUIRED:
        yield Rule(name, "required", when=when)
        yield Rule(name, "notBlank", when=when)
        yield Rule(name, "maxLength", longest)
    for name, longest in _OPTIONAL:
        yield Rule(name, "maxLength", longest)


SALE: Final = (
    *_rows(),
    Rule("order_amount", "format", "decimal"),
    Rule("order_amount", "positive", _amount_positive),
    Rule("order_amount", "decimals", _amount_decimals),
    Rule("order_currency", "format", "currency"),
    Rule("card_number", "format", "card-number"),
    Rule("card_exp_month", "pattern", "0[1-9]|1[0-2]"),
    Rule("card_exp_year", "pattern", "[0-9]{4}"),
    Rule("card_cvv2", "pattern", "[0-9]{3,4}"),
    Rule("card_token", "length", (64,)),
    Rule("payer_email", "format", "email"),
    Rule("payer_ip", "format", "ip"),
    Rule("payer_country", "format", "country"),
    Rule("payer_birth_date", "format", "date"),
    Rule("term_url_3ds", "format", "url"),
    Rule("recurring_init", "enum", ("Y", "N")),
    Rule("req_token", "enum", ("Y", "N")),
    Rule("auth", "enum", ("Y", "N")),
    Rule("digital_wallet", "enum", ("googlepay", "applepay")),
    Rule("schedule_id", "format", "uuid", text="This is not a valid UUID."),
    Rule("schedule_id", "known", "schedule", text="Schedule not found"),
)
