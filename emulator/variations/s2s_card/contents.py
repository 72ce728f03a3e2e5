"""Variations of S2S CARD: answers with less or more than the platform's, other ids, other bodies of requests."""

import itertools
from collections import Counter
from typing import Final

from emulator.changes.s2s_card import NOTICES, answering, first
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.payment_behaviour import read_form
from emulator.variations.model import Variation
from emulator.wire import bodies
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object, read_json, text_of

POOR: Final = "card-members-of-the-contract-only"
_KINDS: Final = (Kind.SALE, Kind.CARD_ACTION, Kind.SCHEDULE)
_NO_NUMBER: Final = Refusal(
    Kind.CARD_FIELDS, INVALID_DATA, violations=(("trans_id", "This value should be a number."),)
)
_LOOKS_UNTIL_SETTLED: Final = 3
_UNPROMISED: Final = (
    "trans_date",
    "descriptor",
    "amount",
    "currency",
    "decline_reason",
    "digital_wallet",
    "pan_type",
    "name",
    "mail",
    "ip",
    "transactions",
    "paused",
    "creditvoid_date",
    "redirect_method",
)
_LOOK_UPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_NAMED_BY: Final = ("order_id", "trans_id")
"""Line 363 shows no answer of a look-up, and who asks knows by what it asked."""
_FURTHER: Final[Object] = {
    "@release": "6.7.0",
    "_links": {"self": {"href": "/here", "templated": False}},
    "warnings": [],
    "retired": None,
    "took_ms": 4.25,
    "is_test": True,
    "cvv_result": "M",
    "is_cvv_checked": True,
    **{f"further_{number}": str(number) for number in range(40)},
}


def _poor_body(body: Object) -> Object:
    kept = ("name",) if "interval_unit" in body else ()
    dropped = (*_UNPROMISED, *_NAMED_BY) if body.get("action") in _LOOK_UPS else _UNPROMISED
    return {name: value for name, value in body.items() if name not in dropped or name in kept}


def _poor(design: Design) -> Design:
    def poor(fields: Fields) -> Fields:
        return {name: value for name, value in fields.items() if name not in _UNPROMISED}

    return NOTICES.fields(poor)(answering(_poor_body)(design))


def _rich(design: Design) -> Design:
    further: Fields = {f"further_{number}": str(number) for number in range(40)}
    richer = answering(lambda body: {**_FURTHER, **body})
    return NOTICES.fields(lambda fields: {**further, **fields})(richer(design))


def _settled_later(design: Design) -> Design:
    """Payments that start a schedule are PENDING in their answer and in the next look-ups, whichever these are."""
    shown: Counter[str] = Counter()

    def pending(body: Object) -> Object:
        if not body.get("first_recurring_date") or body.get("status") != "SETTLED":
            return body
        trans_id = text_of(body.get("trans_id"))
        shown[trans_id] += 1
        if shown[trans_id] > _LOOKS_UNTIL_SETTLED:
            return body
        return {name: value for name, value in body.items() if name != "first_recurring_date"} | {"status": "PENDING"}

    return answering(pending)(design)


def _counted(design: Design) -> Design:
    numbers = itertools.count(88_140_001)
    reading = first(_must_be_a_number, "GET_TRANS_STATUS", "GET_TRANS_DETAILS", "CAPTURE", "VOID", "CREDITVOID")
    return reading(design).in_card(new_id=lambda: str(next(numbers)))


def _must_be_a_number(attempt: CardAttempt) -> Refusal | None:
    trans_id = attempt.form.get("trans_id", "")
    return _NO_NUMBER if trans_id and not trans_id.isdecimal() else None


def _long(design: Design) -> Design:
    numbers = itertools.count(1)
    return design.in_card(new_id=lambda: f"T{next(numbers):063d}")


def _asked_nothing(design: Design) -> Design:
    """The issuer's own page sends the payer on, as it does where the card is known to be good (line 288)."""

    def concluded(body: Object) -> Object:
        parameters = body.get("redirect_params")
        return body | {"redirect_url": parameters["TermUrl"]} if isinstance(parameters, dict) and parameters else body

    asking = design.in_card(passes=lambda payment, choice: payment.approves and choice != "fail")
    return answering(concluded)(asking)


def _any_body(body: bytes, content_type: str) -> dict[str, str]:
    if content_type.startswith("application/json"):
        value = read_json(body)
        return {name: text_of(item) for name, item in value.items()} if isinstance(value, dict) else {}
    return bodies.form(body) if content_type.startswith("text/plain") else read_form(body, content_type)


VARIATIONS: Final = (
    Variation(
        "card-schedule-starts-once-settled",
        "A payment that starts a schedule settles a little later, and only then its first charge has a date.",
        _settled_later,
    ),
    Variation(POOR, "Answers and callbacks of S2S CARD carry only what the contract shows.", _poor),
    Variation("card-forty-further-members", "Answers and callbacks of S2S CARD have forty further members.", _rich),
    Variation(
        "card-issuer-asks-nothing",
        "The issuer asks the payer nothing, and sends them on to the merchant at once.",
        _asked_nothing,
    ),
    Variation(
        "card-trans-id-number",
        "trans_id is a number, written as text, and what is no number is invalid data (line 436).",
        _counted,
    ),
    Variation("card-trans-id-of-64", "trans_id has 64 characters.", _long),
    Variation(
        "card-json-read",
        "Bodies of JSON and of plain text are served like forms.",
        lambda design: design.in_card(read_body=_any_body),
    ),
)
