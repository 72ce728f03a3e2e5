"""Rows of the S2S CARD requests other than the sale: payments, payouts and operations on payments."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.conditions import not_, sibling
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Condition, Context, JsonObject, Rule
from emulator.rules.s2s_card.sale import PAYER_LIMITS, SALE

_YES: Final = "Y"
_BY_NUMBER: Final = not_(sibling("card_token"))
_PAYER: Final = ("payer_first_name", "payer_last_name", "payer_email", "payer_phone")
_ADDRESS: Final = ("payer_address", "payer_country", "payer_city", "payer_zip")
_PARTIES: Final = ("payer_", "payee_")


def required(requirement: str, *names: str, when: Condition | None = None) -> Iterator[Rule]:
    """Rows of fields that have to be there, and not empty."""
    for name in names:
        yield Rule(name, "required", when=when, requirement=requirement)
        yield Rule(name, "notBlank", when=when)


def _positive(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    if is_zero(value):
        granted = bool(context.amounts.zero_when) and parent.get("auth") == _YES
        return granted and (context.account is None or context.account.zero_amount)
    return not value.startswith("-")


def _more_than_nothing(value: object, _parent: JsonObject, _context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return not is_zero(value) and not value.startswith("-")


def _decimals(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return well_formed(value, parent.get("order_currency"), context.amounts)


_DEBIT_REQUIRED: Final = {
    **dict.fromkeys(
        ("order_id", "order_amount", "order_currency", "order_description", "payer_ip", "term_url_3ds"), "S2C-DEB-02"
    ),
    **dict.fromkeys(("card_number", "card_exp_month", "card_exp_year", "card_cvv2"), "S2C-DEB-03"),
}
_LAX: Final = ("ignored", "one-laxer")
# Fields of which a valid value as long as the limit is not known of every gateway.
_UNSURE_LIMITS: Final = ("channel_id", "payer_city", "payer_email", "payer_state")


def _of_debit(rows: Iterable[Rule]) -> Iterator[Rule]:
    """The rows of the sale, without those that make a payer's attribute required."""
    for row in rows:
        if row.path in (*_PAYER, *_ADDRESS) and row.keyword in {"required", "notBlank", "optional"}:
            continue
        if row.keyword in {"required", "notBlank"}:
            requirement = _DEBIT_REQUIRED.get(row.path, "") if row.keyword == "required" else ""
        elif row.keyword in {"maxLength", "format", "pattern"} and row.requirement.startswith("S2C-SAL-"):
            requirement = "S2C-DEB-09"
        else:
            requirement = ""
        faults = _LAX if row.path in _UNSURE_LIMITS and row.keyword == "maxLength" else row.faults
        yield replace(row, requirement=requirement, accepts="", faults=faults)


DEBIT: Final = (
    *_of_debit(SALE),
    *(Rule(name, "optional", requirement="S2C-DEB-04") for name in _PAYER),
    Rule("payer_present", "accepted", requirement="S2C-COF-02", since="6.7.0"),
)


def _order_rows(ids: str = "", texts: str = "", forms: str = "") -> Iterator[Rule]:
    yield Rule("order_id", "maxLength", 255, requirement=ids)
    yield Rule("order_description", "maxLength", 1024, requirement=texts)
    yield Rule("order_amount", "format", "decimal", requirement=forms)
    yield Rule("order_currency", "format", "currency", requirement=forms)


def _chain_rows(ids: dict[str, str], limits: str, zero: str) -> Iterator[Rule]:
    yield from required("", "client_key")
    for name, requirement in ids.items():
        yield from required(requirement, name)
    yield from _order_rows(limits, limits)
    yield Rule("order_amount", "positive", _positive, requirement=zero)
    yield Rule("order_amount", "decimals", _decimals)
    yield Rule("auth", "enum", ("Y", "N"))


RECURRING_SALE: Final = (
    *_chain_rows(
        {
            "order_id": "S2C-REC-06",
            "order_amount": "S2C-REC-07",
            "order_description": "S2C-REC-08",
            "recurring_first_trans_id": "S2C-REC-09",
            "recurring_token": "S2C-REC-10",
        },
        "S2C-REC-17",
        "S2C-AMT-12",
    ),
    Rule("order_currency", "optional", requirement="S2C-REC-11"),
    Rule("order_currency", "accepted", requirement="S2C-REC-12"),
)
RECURRING_DEBIT: Final = tuple(
    _chain_rows(
        dict.fromkeys(
            ("order_id", "order_amount", "order_description", "recurring_first_trans_id", "recurring_token"),
            "S2C-REC-21",
        ),
        "",
        "",
    )
)


def _party_rows(prefix: str) -> Iterator[Rule]:
    for name, longest in PAYER_LIMITS.items():
        most = 32 if name == "city" else longest
        faults = _LAX if name in ("email", "state") else None
        yield Rule(f"{prefix}{name}", "maxLength", most, requirement="S2C-PAY-03", faults=faults)
    yield Rule(f"{prefix}email", "format", "email", requirement="S2C-PAY-03")
    yield Rule(f"{prefix}country", "format", "country", requirement="S2C-PAY-03")
    yield Rule(f"{prefix}birth_date", "format", "date", requirement="S2C-PAY-03")


def _card_rows(prefix: str) -> Iterator[Rule]:
    number = f"{prefix}card_number"
    yield Rule(number, "pattern", "[0-9]*", tag="digits")
    yield Rule(number, "minLength", 12)
    yield Rule(number, "maxLength", 19)
    yield Rule(number, "format", "card-number")


CARD2CARD: Final = (
    *required("", "client_key"),
    *required(
        "S2C-PAY-02",
        "order_id",
        "order_amount",
        "order_currency",
        "order_description",
        "payer_card_number",
        "payer_card_exp_month",
        "payer_card_exp_year",
        "payer_card_cvv2",
        "payee_card_number",
        "payer_ip",
        "term_url_3ds",
    ),
    *_order_rows("S2C-SAL-09", "S2C-SAL-10", "S2C-PAY-14"),
    Rule("order_amount", "positive", _more_than_nothing, requirement="S2C-AMT-11"),
    Rule("order_amount", "decimals", _decimals),
    *_card_rows("payer_"),
    *_card_rows("payee_"),
    Rule("payer_card_exp_month", "pattern", "0[1-9]|1[0-2]"),
    Rule("payer_card_exp_year", "pattern", "[0-9]{4}"),
    Rule("payer_card_cvv2", "pattern", "[0-9]{3,4}"),
    Rule("payer_ip", "format", "ip"),
    Rule("term_url_3ds", "maxLength", 1024, requirement="S2C-SAL-36"),
    Rule("term_url_3ds", "format", "url"),
    Rule("channel_id", "maxLength", 16),
    *(row for prefix in _PARTIES for row in _party_rows(prefix)),
)
CREDIT2CARD: Final = (
    *required("", "client_key"),
    *required("S2C-PAY-07", "order_id", "order_amount", "order_currency", "order_description"),
    *required("S2C-PAY-07", "card_number", when=_BY_NUMBER),
    *_order_rows("S2C-SAL-09", "S2C-SAL-10", "S2C-PAY-15"),
    Rule("order_amount", "positive", _more_than_nothing, requirement="S2C-AMT-11"),
    Rule("order_amount", "decimals", _decimals),
    *_card_rows(""),
    Rule("payer_ip", "format", "ip"),
    Rule("channel_id", "maxLength", 16),
    *(Rule(name, "optional", requirement="S2C-PAY-08") for name in ("card_exp_month", "card_cvv2", "payer_email")),
    *(row for prefix in _PARTIES for row in _party_rows(prefix)),
)


def operation(identifier: str, requirement: str, amounts: str | None = None) -> tuple[Rule, ...]:
    """Rows of an operation on the payment of ``identifier``; ``amounts`` is the requirement of its amount."""
    rows = [*required("", "client_key"), *required(requirement, identifier)]
    if amounts is not None:
        rows += [
            Rule("amount", "format", "decimal", requirement=amounts, faults=()),
            Rule("amount", "positive", _more_than_nothing, requirement=amounts, faults=()),
        ]
    return tuple(rows)


CAPTURE: Final = operation("trans_id", "S2C-CAP-17", "S2C-CAP-07")
VOID: Final = operation("trans_id", "S2C-VOI-13")
CREDITVOID: Final = operation("trans_id", "S2C-CVD-15", "S2C-CVD-16")
RETRY: Final = operation("trans_id", "S2C-REC-25")
GET_TRANS_STATUS: Final = operation("trans_id", "S2C-STA-18")
GET_TRANS_STATUS_BY_ORDER: Final = operation("order_id", "S2C-STA-23")
GET_TRANS_DETAILS: Final = operation("trans_id", "S2C-STA-31")
