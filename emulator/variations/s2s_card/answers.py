"""Variations of S2S CARD: what its answers and callbacks look like, and how posts are read."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import NOTICES, answering
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Payment
from emulator.protocols.s2s_card.payment_behaviour import read_form
from emulator.variations.model import Variation
from emulator.wire import bodies
from emulator.wire.multipart import is_multipart
from emulator.wire.replies import Kind
from emulator.wire.values import Object

_KINDS: Final = (Kind.SALE, Kind.CARD_ACTION, Kind.SCHEDULE)
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")


def _small_status(body: Object) -> Object:
    if body.get("action") not in _LOOKUPS or "status" not in body:
        return body
    return body | {"status": str(body["status"]).lower()}


def _decline_word(body: Object) -> Object:
    return body | {"status": "DECLINE"} if body.get("action") in _LOOKUPS and body.get("status") == "DECLINED" else body


def _further(body: Object) -> Object:
    return {"api_version": "v2", **body, "processing": {"attempts": "1", "route": ["first", "second"]}}


def _backwards(body: Object) -> Object:
    return dict(reversed(body.items()))


def _object_for_none(body: Object) -> Object:
    return body | {"redirect_params": {}} if body.get("redirect_params") == [] else body


def _none_left_out(body: Object) -> Object:
    return {name: value for name, value in body.items() if (name, value) != ("redirect_params", [])}


def _by_get(body: Object) -> Object:
    if body.get("redirect_method") != "POST":
        return body
    return body | {"redirect_method": "GET", "redirect_params": []}


def _dotted(text: object) -> str:
    return str(text).replace("*", "\u2022")


def _other_mask(body: Object) -> Object:
    return body | {"card": _dotted(body["card"])} if "card" in body else body


def _reason(body: Object) -> Object:
    return body | {"decline_reason": "Do not honour (05)"} if "decline_reason" in body else body


def _twice(notice: Notice) -> Iterator[Notice]:
    yield notice
    yield notice


_EXTENDED: Final = ("connector_name", "rrn", "approval_code", "gateway_id", "merchant_name", "mid_name")


def _nested(fields: Fields) -> Fields:
    extended: Fields = {name: fields[name] for name in _EXTENDED if name in fields}
    kept = {name: value for name, value in fields.items() if name not in _EXTENDED}
    return {**kept, "extended_data": extended} if extended else kept


def _more(fields: Fields) -> Fields:
    return {**fields, "exchange_rate": "1", "exchange_currency": "EUR", "exchange_amount": "9.00"}


def _reversed(fields: Fields) -> Fields:
    return dict(reversed(fields.items()))


def _of_content(fields: Fields) -> Fields:
    data = fields.get("custom_data")
    if not isinstance(data, dict):
        return fields
    return {**fields, "custom_data": {name: value for name, value in data.items() if value != ""}}


_MARKS_OF_CHAINS: Final = ("schedule_id", "recurring_token")


def _charged_by_order_alone(design: Design) -> Design:
    counts: dict[str, int] = {}

    def numbered(initial: Payment) -> str:
        counts[initial.id] = counts.get(initial.id, 0) + 1
        return f"{initial.order_number}-auto-{counts[initial.id]}"

    def unmarked(notice: Notice) -> Iterator[Notice]:
        fields = notice.fields
        if "-auto-" in notice.payment.order_number:
            fields = {name: value for name, value in fields.items() if name not in _MARKS_OF_CHAINS}
        yield replace(notice, fields=fields)

    return NOTICES.changed(unmarked)(design.in_card(scheduled_order=numbered))


def _forms_only(body: bytes, content_type: str) -> dict[str, str]:
    if is_multipart(content_type):
        raise bodies.wrong_media_type("application/x-www-form-urlencoded")
    return read_form(body, content_type)


def _random_ids(design: Design) -> Design:
    return design.in_card(new_id=lambda: str(uuid.uuid4()))


VARIATIONS: Final = (
    Variation("card-status-small", "Look-ups report the status in small letters.", answering(_small_status)),
    Variation("card-status-decline", "Look-ups report a declined payment as DECLINE.", answering(_decline_word)),
    Variation("card-answers-with-more", "Answers of S2S CARD have further members.", answering(_further)),
    Variation("card-answers-reversed", "Members of S2S CARD answers stand in another order.", answering(_backwards)),
    Variation("card-redirect-object", "No redirect_params is an empty object.", answering(_object_for_none)),
    Variation("card-redirect-left-out", "No redirect_params is left out.", answering(_none_left_out)),
    Variation("card-challenge-by-get", "Payers are sent to the challenge by GET.", answering(_by_get)),
    Variation("card-mask-of-dots", "Answers mask cards with dots.", answering(_other_mask)),
    Variation("card-callbacks-mask-of-dots", "Callbacks mask cards with dots.", NOTICES.mapped("card", _dotted)),
    Variation("card-decline-reason", "Payments are declined for another reason.", answering(_reason)),
    Variation("card-trans-id-random", "trans_id is a random UUID.", _random_ids),
    Variation(
        "card-multipart-refused",
        "Multipart bodies are refused.",
        lambda design: design.in_card(read_body=_forms_only),
    ),
    Variation(
        "retry-reported-as-retry",
        "The callback of a RETRY names RETRY.",
        lambda design: design.in_card(retried_action="RETRY"),
    ),
    Variation(
        "scheduled-orders-numbered",
        "Payments of a schedule have order ids of their own.",
        lambda design: design.in_card(scheduled_order=lambda initial: f"{initial.order_number}-{uuid.uuid4().hex[:6]}"),
    ),
    Variation(
        "card-callbacks-without-empty-custom-data",
        "What has no content is left out of the custom_data of callbacks.",
        NOTICES.fields(_of_content),
    ),
    Variation(
        "card-scheduled-charges-by-order-alone",
        "Callbacks of scheduled charges name their chain by an order id derived from the first alone.",
        _charged_by_order_alone,
    ),
    Variation("card-callbacks-twice", "Every S2S CARD callback comes twice.", NOTICES.changed(_twice)),
    Variation("card-callbacks-with-more", "S2S CARD callbacks have further fields.", NOTICES.fields(_more)),
    Variation(
        "card-callbacks-reversed", "Fields of S2S CARD callbacks stand in another order.", NOTICES.fields(_reversed)
    ),
    Variation("card-callbacks-extended-nested", "The acquirer's data stand in extended_data.", NOTICES.fields(_nested)),
)
