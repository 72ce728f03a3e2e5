"""Variations of the payment with hosted fields, of which lines 334 and 335 show no field: it has token and card."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import answering
from emulator.changes.hosted_fields import hosted
from emulator.design import Change, Design, all_of
from emulator.protocols.hosted_fields.behaviour import PaymentRead
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object, child

Read = Callable[[PaymentRead], PaymentRead]
_TOKEN: Final = "session_token"  # noqa: S105 - a name
_BLANK: Final = "This value should not be blank."
_NO_TOKEN: Final = Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=((_TOKEN, _BLANK),))


def _reading(change: Read) -> Change:
    """A payment is read otherwise, whatever is read otherwise besides."""

    def changed(design: Design) -> Design:
        before = design.hosted_fields.read_payment
        return design.in_hosted_fields(read_payment=lambda token, body: change(before(token, body)))

    return changed


def _token_from_body(read: PaymentRead) -> PaymentRead:
    return replace(read, token=str(read.body.get(_TOKEN) or ""))


def _text(body: Object, path: str) -> str:
    value = child(body, *path.split("."))
    return value if isinstance(value, str) else ""


def _with_card(paths: Mapping[str, str], expiry: Callable[[Object], str]) -> Change:
    """The card stands at these paths of the payment, all of which are required; no other address takes one."""

    def read(payment: PaymentRead) -> PaymentRead:
        body = payment.body
        typed = {"card_number": _text(body, paths["number"]), "expiry": expiry(body), "cvv": _text(body, paths["code"])}
        given = {name: text for name, text in typed.items() if text}
        return replace(payment, body={**body, "name": _text(body, paths["holder"])}, typed=given)

    rows = [Rule(path, keyword, bound) for path in paths.values() for keyword, bound in _REQUIRED.items()]
    return all_of(_reading(read), hosted(payment_rows=tuple(rows), fields_hand_over=False))


_REQUIRED: Final[Mapping[str, object]] = {"required": None, "type": "string", "notBlank": None}
_NESTED: Final = {
    "number": "card.number",
    "expiry": "card.expiry_date",
    "code": "card.security_code",
    "holder": "card.holder",
}
_FLAT: Final = {
    "number": "card_number",
    "month": "expiry_month",
    "year": "expiry_year",
    "code": "cvv",
    "holder": "card_holder",
}


def _with_a_slash(body: Object) -> str:
    month, _, year = _text(body, _NESTED["expiry"]).partition("/")
    return f"{month}-{year[2:]}" if len(year) == len("2038") else "written otherwise"


def _month_and_year(body: Object) -> str:
    return f"{_text(body, _FLAT['month'])}-{_text(body, _FLAT['year'])}"


VARIATIONS: Final = (
    Variation(
        "hosted-token-in-the-payment",
        "A session token is answered in session_token, and a payment names its session in that member.",
        all_of(
            answering(lambda body: {_TOKEN: body["token"]}, Kind.HOSTED_SESSION),
            hosted(no_token=_NO_TOKEN),
            _reading(_token_from_body),
        ),
    ),
    Variation(
        "hosted-card-in-the-payment",
        "The card comes with the payment, in an object card with the expiry date as mm/yyyy.",
        _with_card(_NESTED, _with_a_slash),
    ),
    Variation(
        "hosted-card-in-members-of-the-payment",
        "The card comes with the payment, in members of their own, with the month and the year in two.",
        _with_card(_FLAT, _month_and_year),
    ),
)
