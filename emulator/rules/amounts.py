"""What an amount has to look like: decimals by currency, zero, and less than nothing."""

from typing import Final

from emulator.rules.currencies import CRYPTO, EXPONENTS
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Amounts, Context, JsonObject
from emulator.wire.values import child

DEFAULT: Final = Amounts(decimals={"0": (2,), "2": (2,), "3": (3,), "4": (4,)})
BEFORE_ZERO_AMOUNTS: Final = Amounts(decimals=DEFAULT.decimals, zero_when=())

EMPTY_FIELD: Final = "-1"


def allowed_decimals(currency: object, amounts: Amounts) -> tuple[int, ...] | None:
    """How many decimals an amount of ``currency`` may have; None for a currency that is not known."""
    if not isinstance(currency, str):
        return None
    if currency in CRYPTO:
        return tuple(CRYPTO[currency] + slack for slack in amounts.crypto_slack)
    exponent_class = EXPONENTS.get(currency)
    return None if exponent_class is None else amounts.decimals[str(exponent_class)]


def well_formed(amount: str, currency: object, amounts: Amounts) -> bool:
    """Whether ``amount`` has the decimals of ``currency``; an unknown currency allows any."""
    allowed = allowed_decimals(currency, amounts)
    if allowed is None:
        return True
    decimals = amount.partition(".")[2]
    if len(decimals) not in allowed:
        return False
    whole = amounts.whole_units and isinstance(currency, str) and EXPONENTS.get(currency) == 0
    return not whole or not decimals.strip("0")


def is_zero(amount: str) -> bool:
    """Whether the decimal text ``amount`` is nothing."""
    return not amount.strip("-0.")


def _empty_amount_field(context: Context, value: str) -> bool:
    return context.operation == "transfer" and value == EMPTY_FIELD


def order_amount_decimals(value: object, parent: JsonObject, context: Context) -> bool:
    """The amount of a session's order has the decimals of its currency."""
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None or _empty_amount_field(context, value):
        return True
    return well_formed(value, parent.get("currency"), context.amounts)


def zero_is_allowed(context: Context) -> bool:
    """Whether the session may be for nothing: authorization only, or start of a chain, and a provider for it."""
    amounts = context.amounts
    granted = [name for name in amounts.zero_when if context.body.get(name) is True]
    if context.operation not in {"purchase", "debit"}:
        return False
    has_provider = context.account is None or context.account.zero_amount
    return any(has_provider or name not in amounts.zero_needs_provider for name in granted)


def order_amount_positive(value: object, _parent: JsonObject, context: Context) -> bool:
    """The amount of a session's order is greater than nothing, or nothing where that is allowed."""
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None or _empty_amount_field(context, value):
        return True
    if is_zero(value):
        return zero_is_allowed(context)
    return not value.startswith("-")


def schedule_amount(value: object, _parent: JsonObject, context: Context) -> bool:
    """The amount of later scheduled payments is an amount in the currency of the order."""
    if not isinstance(value, str):
        return True
    if DECIMAL.fullmatch(value) is None or value.startswith("-") or is_zero(value):
        return False
    return well_formed(value, child(context.body, "order", "currency"), context.amounts)
