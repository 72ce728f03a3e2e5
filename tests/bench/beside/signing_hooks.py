"""Hooks for Schemathesis' command line: each generated request gets the merchant's key, its action and a signature.

``BESIDE_PROTOCOL`` names the document. What is signed comes from the same recipes as in the suite; what a later action
signs of the first payment, its email address and card, is that of the test data.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final, cast

import schemathesis

from fixtures.generated.drafting import value_at
from fixtures.generated.operations import OPERATIONS, Operation
from fixtures.generated.sending import request_recipe
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile.loading import load_profile
from fixtures.protocols.checkout.merchant import signed_text
from fixtures.protocols.form import FormMerchant
from fixtures.protocols.identity import Identity
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.signing.recipe import Digest, Term
from fixtures.wire.requests import FormRequest, parts_of

Json = Any

PROTOCOL: Final = os.environ["BESIDE_PROTOCOL"]
PROFILE: Final = load_profile(DEFAULT_TARGET)
ACCOUNT: Final = getattr(PROFILE.credentials, PROTOCOL)
LONGEST: Final = 60
SENT: Final[set[str]] = set()
"""Order numbers that were sent; a second payment of the same order is rightly refused."""
UNSENT: Final = {
    "payer_email": PROFILE.test_data.payer.email,
    **({"card_number": PROFILE.test_data.cards.success.number.reveal()} if PROFILE.test_data.cards.success else {}),
}


def _merchant() -> FormMerchant:
    identity = Identity(ACCOUNT.key, ACCOUNT.password)
    nothing = cast("Any", None)
    kind = S2SCardMerchant if PROTOCOL == "s2s_card" else S2SApmMerchant
    return kind(identity, nothing, "", nothing)


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:  # noqa: ANN401 - classes of Schemathesis
    """Sign what is about to be sent, unless it is no object."""
    operation = OPERATIONS.get(f"{PROTOCOL} {case.operation.path}")
    if operation is None or not isinstance(case.body, dict):
        return
    if "trans_id" not in operation.request["properties"] and "payment_id" not in operation.request["properties"]:
        _number(case.body)
    case.body = _signed_json(operation, case.body) if PROTOCOL == "checkout" else _signed_form(operation, case.body)


def _number(body: dict[str, Json]) -> None:
    """Give an order that was sent before another number of the same length, or of eight characters."""
    order = body.get("order")
    holder, name = (order, "number") if isinstance(order, dict) else (body, "order_id")
    value = holder.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        return
    if value in SENT:
        holder[name] = f"{len(SENT):08d}{value[8:]}"
    SENT.add(holder[name])


def _signed_json(operation: Operation, body: Mapping[str, Json]) -> Json:
    if not operation.signed:
        return {**body, "merchant_key": ACCOUNT.key} if "merchant_key" in operation.request["properties"] else body
    values = [(name, value_at(body, parts_of(name))) for name in operation.signed]
    terms = [Term(name, signed_text(value)) for name, value in values if value is not None]
    return {
        **body,
        "merchant_key": ACCOUNT.key,
        "hash": request_recipe(terms, ACCOUNT.password.reveal(), Digest.MD5).sign(),
    }


def _signed_form(operation: Operation, body: Mapping[str, Json]) -> Json:
    texts = {name: value for name, value in body.items() if isinstance(value, str)}
    about_another = "trans_id" in operation.request["properties"] or operation.action == "GET_TRANS_STATUS_BY_ORDER"
    request = FormRequest({**texts, "action": operation.action}, UNSENT if about_another else {})
    signature = _merchant().recipe(request).sign()
    return {**body, "action": operation.action, "client_key": ACCOUNT.key, "hash": signature}
