"""The OpenAPI documents as Schemathesis gets them: signatures left to the hook, test data put in, links added."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, Final

from contract.fields import load_document
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile.loading import load_profile

Json = Any

BY_HOOK: Final = ("hash", "merchant_key", "client_key", "action")
"""What the hook sends; generated, it would only show that it is wrong."""
GIVEN: Final = {"trans_id": "$response.body#/trans_id"}
BY_ORDER: Final = {"order_id": "$request.body#/order/number"}
LINKS: Final[Mapping[str, Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]]]] = {
    "s2s_card": {
        "sale": (("capture", "void", "creditVoid", "getTransStatus", "getTransDetails"), GIVEN),
        "debit": (("void", "creditVoid", "getTransStatus", "getTransDetails"), GIVEN),
    },
    "s2s_apm": {"sale": (("capture", "creditVoid", "void", "getTransStatus"), GIVEN)},
    "checkout": {"createSession": (("lookUpOrder",), BY_ORDER)},
}
"""What can be asked of a payment, by the operation that makes it; the documents themselves have no links."""


PAID: Final[Mapping[str, tuple[str, ...]]] = {
    "checkout": ("Order",),
    "s2s_card": ("SaleRequest", "DebitRequest"),
    "s2s_apm": ("SaleRequest",),
}
"""The schemas that the test data are put into; a payment without an amount or an identifier is one in crypto."""


def known_data(protocol: str) -> Mapping[str, str]:
    """Return values that only the target knows, by the names of fields."""
    profile = load_profile(DEFAULT_TARGET)
    data = profile.test_data
    currency = str(data.currencies.exponent_2)
    values = {"order_currency": currency, "currency": currency, "payer_email": data.payer.email}
    if protocol == "s2s_card" and data.cards.success:
        card = data.cards.success
        month, year = card.expiry.split("/")
        number, code = card.number.reveal(), card.security_code.reveal()
        return {**values, "card_number": number, "card_exp_month": month, "card_exp_year": year, "card_cvv2": code}
    if protocol == "s2s_apm" and data.apm.success:
        return {**values, "brand": data.apm.success.brand, "identifier": data.apm.success.identifier or ""}
    return values


def prepared(protocol: str) -> dict[str, Json]:
    """Return the document of a protocol as a tester would hand it to a generator of requests."""
    document: dict[str, Json] = copy.deepcopy(dict(load_document(protocol)))
    known = known_data(protocol)
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Request"):
            _without(schema, BY_HOOK)
        if (protocol, name) == ("s2s_apm", "SaleRequest"):
            schema["required"] += ["order_amount", "identifier"]
        for field, value in known.items():
            if field in schema.get("properties", {}) and name in PAID[protocol]:
                schema["properties"][field] = {**schema["properties"][field], "enum": [value], "example": value}
    known_ids = {operation["operationId"]: operation for operation in _operations(document)}
    for first, (following, body) in LINKS[protocol].items():
        known_ids[first]["responses"]["200"]["links"] = {
            name: {"operationId": name, "requestBody": dict(body)} for name in following if name in known_ids
        }
    return document


def _operations(document: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
    for item in document["paths"].values():
        yield item["post"]


def _without(schema: dict[str, Json], names: tuple[str, ...]) -> None:
    for name in names:
        schema.get("properties", {}).pop(name, None)
    schema["required"] = [name for name in schema.get("required", ()) if name not in names]
