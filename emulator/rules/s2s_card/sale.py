"""Rows of the S2S CARD sale request. Form values are texts throughout."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.conditions import both, not_, requires_payer_address, sibling
from emulator.rules.countries import STATE_COUNTRIES
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Condition, Context, JsonObject, Rule

_BY_CARD: Final = not_(sibling("card_token", "payment_token"))
_NO_WALLET: Final = not_(sibling("payment_token"))
_NO_TOKEN_OR_WALLET: Final = both(_NO_WALLET, not_(sibling("card_token")))
_STARTS: Final = sibling("schedule_start_date", "payment_schedule_amount")
_YES: Final = "Y"
# The most characters of the attributes of a payer, and of a payee.
PAYER_LIMITS: Final = {
    "first_name": 32,
    "last_name": 32,
    "middle_name": 32,
    "address": 255,
    "address2": 255,
    "state": 32,
    "city": 40,
    "zip": 10,
    "email": 256,
    "phone": 32,
}

# name: when it has to be there, requirement that says so
_REQUIRED: Final[tuple[tuple[str, Condition | None, str], ...]] = (
    ("client_key", None, ""),
    ("order_id", None, "S2C-SAL-02"),
    ("order_amount", None, "S2C-SAL-02"),
    ("order_currency", None, "S2C-SAL-02"),
    ("order_description", None, "S2C-SAL-02"),
    ("card_number", _BY_CARD, "S2C-SAL-03"),
    ("card_exp_month", _BY_CARD, "S2C-SAL-03"),
    ("card_exp_year", _BY_CARD, "S2C-SAL-03"),
    ("card_cvv2", _NO_TOKEN_OR_WALLET, "S2C-SAL-03"),
    ("payer_first_name", None, "S2C-SAL-04"),
    ("payer_last_name", None, "S2C-SAL-04"),
    ("payer_email", None, "S2C-SAL-04"),
    ("payer_phone", None, "S2C-SAL-04"),
    ("payer_ip", None, "S2C-SAL-05"),
    ("term_url_3ds", None, "S2C-SAL-06"),
)
# Required where an account asks for them, and of everybody before they became optional.
_ADDRESS: Final = ("payer_address", "payer_country", "payer_city", "payer_zip")
_LAX: Final = ("ignored", "one-laxer")
_REFUSED_EMPTY: Final = frozenset(
    {
        "order_amount",
        "order_currency",
        "card_number",
        "card_exp_month",
        "card_exp_year",
        "card_cvv2",
        "payer_email",
        "payer_ip",
        "term_url_3ds",
    }
)
_LONGEST: Final = (
    ("order_id", 255, "S2C-SAL-09"),
    ("order_description", 1024, "S2C-SAL-10"),
    ("channel_id", 16, "S2C-SAL-17"),
    ("payer_first_name", 32, "S2C-SAL-24"),
    ("payer_last_name", 32, "S2C-SAL-24"),
    ("payer_middle_name", 32, "S2C-SAL-24"),
    ("payer_address", 255, "S2C-SAL-26"),
    ("payer_address2", 255, "S2C-SAL-26"),
    ("payer_house_number", 9, "S2C-SAL-27"),
    ("payer_city", 40, "S2C-SAL-29"),
    ("payer_district", 32, "S2C-SAL-30"),
    ("payer_zip", 10, "S2C-SAL-31"),
    ("payer_email", 256, "S2C-SAL-32"),
    ("payer_phone", 32, "S2C-SAL-34"),
    ("term_url_3ds", 1024, "S2C-SAL-36"),
    ("term_url_target", 1024, "S2C-SAL-39"),
)


def _state_counts(_context: Context, parent: JsonObject) -> bool:
    country = parent.get("payer_country")
    return isinstance(country, str) and country in STATE_COUNTRIES


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


def _scheduled_amount(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str):
        return True
    if DECIMAL.fullmatch(value) is None or is_zero(value) or value.startswith("-"):
        return False
    return well_formed(value, parent.get("order_currency"), context.amounts)


def _ipv6(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and ":" in value


def _rows() -> Iterator[Rule]:
    for name, when, requirement in _REQUIRED:
        empty = "S2C-SAL-07" if requirement else ""
        yield Rule(name, "required", when=when, requirement=requirement)
        # Another rule refuses an empty value of these as well.
        seen = name not in _REFUSED_EMPTY
        yield Rule(name, "notBlank", when=when, requirement=empty if seen else "")
    for name in _ADDRESS:
        yield Rule(name, "required", when=requires_payer_address, requirement="S2C-SAL-41", since="6.7.0")
        yield Rule(name, "required", requirement="S2C-SAL-42", tag="of-everybody", until="6.6.5")
        yield Rule(name, "notBlank", when=requires_payer_address)
        yield Rule(name, "optional", requirement="S2C-SAL-40", since="6.7.0")
    for name, longest, requirement in _LONGEST:
        faults = _LAX if name == "payer_email" else None
        yield Rule(name, "maxLength", longest, requirement=requirement, faults=faults)
    # A gateway may know the states of a country and take nothing longer, so only the other side of 32 is known.
    state = Rule("payer_state", "maxLength", 32, requirement="S2C-SAL-30", faults=_LAX)
    yield replace(state, when=_state_counts, since="6.7.0")
    yield replace(state, until="6.6.5")


SALE: Final = (
    *_rows(),
    Rule("order_amount", "format", "decimal", requirement="S2C-SAL-11"),
    Rule("order_amount", "positive", _amount_positive),
    Rule("order_amount", "decimals", _amount_decimals, requirement="S2C-SAL-12"),
    Rule("order_currency", "format", "currency", requirement="S2C-SAL-16"),
    Rule("card_number", "pattern", "[0-9]*", tag="digits"),
    Rule(
        "card_number",
        "minLength",
        12,
        requirement="S2C-SAL-19",
        faults=_LAX,
        hidden_by=("card_number.format",),
    ),
    Rule("card_number", "maxLength", 19, requirement="S2C-SAL-19", faults=_LAX),
    Rule("card_number", "format", "card-number", requirement="S2C-SAL-18"),
    Rule("card_exp_month", "pattern", "0[1-9]|1[0-2]", requirement="S2C-SAL-20"),
    Rule("card_exp_year", "pattern", "[0-9]{4}", requirement="S2C-SAL-21"),
    Rule("card_cvv2", "pattern", "[0-9]{3,4}", requirement="S2C-SAL-23"),
    Rule("card_token", "length", (64,)),
    Rule("payer_email", "format", "email", requirement="S2C-SAL-33"),
    Rule("payer_ip", "format", "ip", requirement="S2C-SAL-35"),
    Rule("payer_ip", "accepted", _ipv6, requirement="S2C-SAL-35", tag="v6"),
    Rule("payer_country", "format", "country", requirement="S2C-SAL-28"),
    Rule("payer_birth_date", "format", "date", requirement="S2C-SAL-25"),
    Rule("term_url_3ds", "format", "url", requirement="S2C-SAL-37"),
    Rule("term_url_target", "accepted", lambda value, _parent, _context: value == "_self", requirement="S2C-SAL-38"),
    Rule("recurring_init", "enum", ("Y", "N")),
    Rule("req_token", "enum", ("Y", "N")),
    Rule("auth", "enum", ("Y", "N")),
    *(
        Rule(f"parameters[{name}]", "pattern", "[0-9]{2}", requirement="S2C-PRM-01")
        for name in ("bnrg_installm_def", "bnrg_installm_months", "bnrg_installm_plan")
    ),
    Rule("parameters[descriptor]", "maxLength", 20, requirement="S2C-PRM-03"),
    Rule("payment_token", "required", when=sibling("digital_wallet")),
    Rule("payment_token", "notBlank"),
    Rule("digital_wallet", "required", when=sibling("payment_token")),
    Rule("digital_wallet", "enum", ("googlepay", "applepay"), requirement="S2C-WAL-03", accepts="S2C-WAL-03"),
    Rule("payer_present", "accepted", requirement="S2C-COF-01", since="6.7.0"),
    Rule("schedule_id", "required", when=_STARTS, requirement="S2C-SCP-12", since="6.7.0"),
    Rule("schedule_start_date", "format", "date", requirement="S2C-SCP-09", since="6.7.0"),
    Rule("schedule_start_date", "accepted", requirement="S2C-SCP-08", since="6.7.0"),
    Rule("payment_schedule_amount", "decimals", _scheduled_amount, requirement="S2C-SCP-15", since="6.7.0"),
    Rule("payment_schedule_amount", "accepted", requirement="S2C-SCP-13", since="6.7.0"),
)
