"""Rows of the Checkout requests that concern payments: look-ups, captures, refunds, secondary charges, card credits."""

from collections.abc import Mapping
from typing import Final

from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.checkout.session import ORDER_NUMBER
from emulator.rules.conditions import not_, sibling
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Context, JsonObject, Rule

SIZE_TEXT: Final = "size should be within 1..100"
_LONGEST_SIZE: Final = 9
_LARGEST: Final = 100
_TOKEN_LENGTH: Final = 64
_NO_ORDER: Final = not_(sibling("order_id"))
_NO_PAYMENT: Final = not_(sibling("payment_id"))


def size_of(value: object) -> int | None:
    """The size that was asked for, also as the text of a number; None for what is no whole number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    is_text = isinstance(value, str) and value.isascii() and value.removeprefix("-").isdigit()
    return int(value) if is_text and isinstance(value, str) and len(value) <= _LONGEST_SIZE else None


def _whole(value: object, _parent: JsonObject, _context: Context) -> bool:
    return size_of(value) is not None


def _at_least_one(value: object, _parent: JsonObject, _context: Context) -> bool:
    return (size_of(value) or 0) >= 1


def _at_most_hundred(value: object, _parent: JsonObject, _context: Context) -> bool:
    return (size_of(value) or 0) <= _LARGEST


def _positive(value: object, _parent: JsonObject, _context: Context) -> bool:
    return not isinstance(value, str) or DECIMAL.fullmatch(value) is None or not (value[:1] == "-" or is_zero(value))


def _credit_decimals(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return well_formed(value, parent.get("order_currency"), context.amounts)


_IDENTITY: Final = (
    Rule("merchant_key", "required"),
    Rule("merchant_key", "type", "string"),
    Rule("merchant_key", "notBlank"),
    Rule("hash", "required"),
    Rule("hash", "type", "string"),
)
_AMOUNT: Final = (
    Rule("amount", "type", "numeric"),
    Rule("amount", "format", "decimal"),
    Rule("amount", "positive", _positive),
)


def _payment_id(requirement: str = "", since: str | None = None) -> tuple[Rule, ...]:
    return (
        Rule("payment_id", "required", requirement=requirement, since=since),
        Rule("payment_id", "type", "string"),
        Rule("payment_id", "notBlank"),
        Rule("payment_id", "maxLength", 255),
    )


STATUS: Final = (
    *_IDENTITY,
    Rule("payment_id", "required", when=_NO_ORDER),
    Rule("payment_id", "type", "string"),
    Rule("payment_id", "notBlank"),
    Rule("payment_id", "maxLength", 255),
    Rule("order_id", "required", when=_NO_PAYMENT, faults=()),
    Rule("order_id", "type", "string"),
    Rule("order_id", "notBlank"),
    Rule("order_id", "maxLength", 255),
    Rule(
        "size",
        "combination",
        _whole,
        text="This value should be of type integer.",
        tag="whole",
        since="6.7.0",
    ),
    Rule(
        "size",
        "combination",
        _at_least_one,
        text=SIZE_TEXT,
        tag="one",
        requirement="CHK-STA-11",
        since="6.7.0",
    ),
    Rule("size", "combination", _at_most_hundred, text=SIZE_TEXT, tag="100", requirement="CHK-STA-10", since="6.7.0"),
)
CAPTURE: Final = (*_IDENTITY, *_payment_id("CHK-CAP-11", since="6.6.3"), *_AMOUNT)
VOID: Final = (*_IDENTITY, *_payment_id())
RETRY: Final = VOID
REFUND: Final = (*_IDENTITY, *_payment_id(), *_AMOUNT)
# Without that rule half a pair is refused all the same, as one that does not match.
RECURRING: Final = (
    *_IDENTITY,
    Rule("recurring_init_trans_id", "required", requirement="CHK-REC-10", faults=()),
    Rule("recurring_init_trans_id", "type", "string"),
    Rule("recurring_init_trans_id", "notBlank"),
    Rule("recurring_token", "required", requirement="CHK-REC-09", faults=()),
    Rule("recurring_token", "type", "string"),
    Rule("recurring_token", "notBlank"),
    Rule("schedule_id", "type", "string"),
    Rule("schedule_id", "format", "uuid", text="This is not a valid UUID."),
    Rule("order", "required"),
    Rule("order", "type", "object"),
    Rule("order.number", "required"),
    Rule("order.number", "type", "string"),
    Rule("order.number", "notBlank"),
    Rule("order.number", "maxLength", 255),
    Rule("order.number", "pattern", ORDER_NUMBER),
    Rule("order.amount", "required"),
    Rule("order.amount", "type", "numeric"),
    Rule("order.amount", "format", "decimal"),
    Rule("order.amount", "positive", _positive, requirement="CHK-REC-14"),
    Rule("order.description", "required"),
    Rule("order.description", "type", "string"),
    Rule("order.description", "minLength", 2),
    Rule("order.description", "maxLength", 1024),
    Rule("custom_data", "type", "object", since="6.7.0"),
    Rule("custom_data", "accepted", requirement="CHK-REC-04", since="6.7.0"),
)
CARD_CREDIT: Final = (
    Rule("merchant_key", "required", requirement="CHK-CRD-03"),
    Rule("merchant_key", "type", "string"),
    Rule("merchant_key", "notBlank"),
    Rule("order_id", "required", requirement="CHK-CRD-04"),
    Rule("order_id", "type", "string"),
    Rule("order_id", "notBlank"),
    Rule("order_id", "maxLength", 255),
    Rule("order_id", "pattern", ORDER_NUMBER),
    Rule("order_amount", "required", requirement="CHK-CRD-05"),
    Rule("order_amount", "type", "string"),
    Rule("order_amount", "format", "decimal"),
    Rule("order_amount", "positive", _positive),
    Rule("order_amount", "decimals", _credit_decimals),
    Rule("order_currency", "required", requirement="CHK-CRD-06"),
    Rule("order_currency", "type", "string"),
    Rule("order_currency", "format", "currency"),
    Rule("order_description", "required", requirement="CHK-CRD-07"),
    Rule("order_description", "type", "string"),
    Rule("order_description", "minLength", 2),
    Rule("order_description", "maxLength", 1024),
    Rule("order", "refused", requirement="CHK-CRD-10", text="This field was not expected."),
    Rule("card_token", "required", requirement="CHK-CRD-08"),
    Rule("card_token", "type", "string", requirement="CHK-CRD-11"),
    Rule("card_token", "length", (_TOKEN_LENGTH,)),
    Rule("payee_first_name", "type", "string"),
    Rule("payee_first_name", "accepted", requirement="CHK-CRD-14"),
    Rule("payee_last_name", "type", "string"),
    Rule("payee_last_name", "accepted", requirement="CHK-CRD-14"),
    Rule("hash", "required"),
    Rule("hash", "type", "string"),
)

ROWS: Final[Mapping[str, tuple[Rule, ...]]] = {
    "status": STATUS,
    "capture": CAPTURE,
    "void": VOID,
    "refund": REFUND,
    "retry": RETRY,
    "recurring": RECURRING,
    "card_credit": CARD_CREDIT,
}
