"""Faults of rules that ask too much: what the contract allows is refused, or is more than the gateway can bear."""

import re
from collections.abc import Callable
from typing import Final, cast

from emulator.changes.checkout_sessions import Applies, breaking, refusing
from emulator.faults.model import breaks, faults
from emulator.wire.values import Object, child

_ADDRESSES: Final = ("billing_address", "payee_billing_address")
_PLANE_ONE: Final = re.compile("[\U00010000-\U0010ffff]")
_SHIPPING: Final = ("parameters", "card", "shipping")
_TEXTS: Final = frozenset({"address", "house_number", "zip", "city"})


def _text_at(*names: str) -> Callable[[Object], str | None]:
    def read(body: Object) -> str | None:
        value = child(body, *names)
        return value if isinstance(value, str) else None

    return read


def _fits(pattern: str, *names: str) -> Applies:
    expression, read = re.compile(pattern), _text_at(*names)

    def applies(body: Object) -> bool:
        value = read(body)
        return value is not None and expression.fullmatch(value) is not None

    return applies


def _beyond_plane_zero(body: Object) -> bool:
    text = _text_at("order", "description")(body)
    return text is not None and _PLANE_ONE.search(text) is not None


def _container(value: object) -> bool:
    return isinstance(value, dict | list)


def _nested_address(body: Object) -> bool:
    addresses = (body.get(name) for name in _ADDRESSES)
    return any(
        _container(value)
        for address in addresses
        if isinstance(address, dict)
        for name, value in cast("Object", address).items()
        if name in _TEXTS
    )


def _card_without_fields(body: Object) -> bool:
    card = child(body, "parameters", "card")
    return card is not None and not isinstance(card, dict)


def _items_of_other_types(body: Object) -> bool:
    lists = (body.get(name) for name in ("methods", "card_token"))
    return any(_container(item) for items in lists if isinstance(items, list) for item in cast("list[object]", items))


def _empty(name: str) -> Applies:
    return lambda body: _container(body.get(name)) and not body[name]


def _not_object(name: str) -> Applies:
    return lambda body: body.get(name) is not None and not isinstance(body[name], dict)


FAULTS: Final = faults(
    {
        "amount-cents-refused": breaks(
            "CHK-AMT-01",
            "Amounts of two decimals that are not zero are refused.",
            refusing("order.amount", _fits(r"[0-9]+\.(?!00)[0-9]{2}", "order", "amount")),
        ),
        "description-emoji-server-error": breaks(
            "GEN-ERR-10", "A description with an emoji is a server error.", breaking(_beyond_plane_zero)
        ),
        "zip-digits-only": breaks(
            "CHK-BIL-06",
            "A zip code with letters is refused.",
            refusing("billing_address.zip", _fits(".*[A-Za-z].*", "billing_address", "zip")),
        ),
        "shipping-digits-refused": breaks(
            "CHK-SHP-11",
            "trackingNumber of letters and digits is refused.",
            refusing("parameters.card.shipping.trackingNumber", _fits(".*[0-9].*", *_SHIPPING, "trackingNumber")),
        ),
        "address-nested-server-error": breaks(
            "CHK-SES-79", "An object where an address has a text is a server error.", breaking(_nested_address)
        ),
        "card-parameters-text-server-error": breaks(
            "CHK-SES-41", "parameters.card that is no object is a server error.", breaking(_card_without_fields)
        ),
        "list-items-server-error": breaks(
            "GEN-ERR-10", "An object in methods or card_token is a server error.", breaking(_items_of_other_types)
        ),
        "custom-data-empty-server-error": breaks(
            "GEN-ERR-10", "Empty custom_data are a server error.", breaking(_empty("custom_data"))
        ),
        "parameters-empty-server-error": breaks(
            "GEN-ERR-10", "Empty parameters are a server error.", breaking(_empty("parameters"))
        ),
        "crypto-text-server-error": breaks(
            "GEN-ERR-10", "crypto that is no object is a server error.", breaking(_not_object("crypto"))
        ),
    }
)
