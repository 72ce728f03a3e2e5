"""When a row of a field table applies."""

from typing import cast

from emulator.rules.countries import STATE_COUNTRIES
from emulator.rules.currencies import CRYPTO
from emulator.rules.model import Condition, Context, JsonObject
from emulator.wire.values import child


def on(*operations: str) -> Condition:
    """The session is of one of ``operations``."""
    return lambda context, _parent: context.operation in operations


def sibling(*names: str) -> Condition:
    """At least one of the fields ``names`` stands beside the field."""
    return lambda _context, parent: any(parent.get(name) is not None for name in names)


def true_in_body(name: str) -> Condition:
    """The boolean ``name`` of the request is true."""
    return lambda context, _parent: context.body.get(name) is True


def both(first: Condition, second: Condition) -> Condition:
    """Both conditions hold."""
    return lambda context, parent: first(context, parent) and second(context, parent)


def not_(condition: Condition) -> Condition:
    """The condition does not hold."""
    return lambda context, parent: not condition(context, parent)


def collects_state(_context: Context, parent: JsonObject) -> bool:
    """The country of the address is one that a state is collected for."""
    country = parent.get("country")
    return isinstance(country, str) and country in STATE_COUNTRIES


def validates_customer_name(context: Context, _parent: JsonObject) -> bool:
    """The protocol mapping of the account validates the customer's name."""
    return context.account is None or context.account.customer_name_validation


def requires_payer_address(context: Context, _parent: JsonObject) -> bool:
    """The protocol mapping of the account requires the payer's address, or the release does."""
    return context.release < "6.7.0" or (context.account is not None and context.account.payer_address_required)


def crypto_order(context: Context, _parent: JsonObject) -> bool:
    """The currency of the order is a crypto currency."""
    currency = child(context.body, "order", "currency")
    return isinstance(currency, str) and currency in CRYPTO


def amount_entered_elsewhere(context: Context, _parent: JsonObject) -> bool:
    """The payer enters the amount in a third-party interface: a crypto purchase."""
    return context.operation == "purchase" and crypto_order(context, _parent)


def only_method(family: str, methods: dict[str, str]) -> Condition:
    """The session is restricted to one method, and that method is of ``family``."""

    def holds(context: Context, _parent: JsonObject) -> bool:
        chosen = context.body.get("methods")
        return (
            isinstance(chosen, list)
            and len(chosen) == 1
            and methods.get(str(cast("list[object]", chosen)[0])) == family
        )

    return holds


def has_card_token(context: Context, _parent: JsonObject) -> bool:
    """A card token takes the place of card data."""
    return bool(context.body.get("card_token"))
