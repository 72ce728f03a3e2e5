"""Faults of servers, parsers and frameworks in front: they show on requests that are written oddly."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast
from urllib.parse import unquote_to_bytes

from emulator.changes.checkout_sessions import instead
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import session
from emulator.protocols.s2s_card import stages as sale
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.wire.front import Arrival, Front
from emulator.wire.replies import INVALID_DATA, Kind, Reply, breakdown
from emulator.wire.values import Object, child

_SESSION: Final = "/api/v1/session"
_SALE: Final = "/post"
_APM: Final = "/apm/post"
_SEVERITY: Final = ("GEN-ERR-10",)
_FORM_SEVERITY: Final = ("GEN-ERR-11",)
_TRACE: Final = (
    'Traceback (most recent call last):\n  File "/app/src/gateway/reader.py", line 41, in read\nLookupError: charset'
)
_FIRST: Final = "\x00first"
_MANY_FIELDS: Final = 600
_DEEP: Final = range(100, 2_000)

_JSON_ADDRESSES: Final = {
    "on-sessions": _SESSION,
    "on-look-ups": "/api/v1/payment/status",
    "on-charges": "/api/v1/payment/recurring",
    "on-card-credits": "/api/v1/payment/card/credit",
}

Odd = Callable[[Arrival], bool]


def _at(path: str, odd: Odd, answer: Callable[[Arrival], Arrival | Reply]) -> Change:
    def front(arrival: Arrival) -> Arrival | Reply:
        return answer(arrival) if arrival.path == path and odd(arrival) else arrival

    return lambda design: design.behind(cast("Front", front))


def _breaks_session(odd: Odd) -> Change:
    return _at(_SESSION, odd, lambda _: breakdown())


def _breaks_sale(odd: Odd) -> Change:
    return _at(_SALE, odd, lambda _: breakdown())


def _holds(pattern: bytes) -> Odd:
    expression = re.compile(pattern, re.DOTALL)
    return lambda arrival: expression.search(arrival.body) is not None


def _has_header(name: str, pattern: str) -> Odd:
    expression = re.compile(pattern)
    return lambda arrival: expression.search(arrival.header(name)) is not None


def _pays(arrival: Arrival) -> bool:
    return b"action=SALE" in arrival.body and b"&hash=" in arrival.body


def _has_many_fields(arrival: Arrival) -> bool:
    return arrival.body.count(b"&") > _MANY_FIELDS


def _pays_without_utf_8(arrival: Arrival) -> bool:
    return _pays(arrival) and _is_not_utf_8(arrival.body)


def _refusing_with(text: str) -> Callable[[Arrival], Reply]:
    body: dict[str, object] = {"result": "ERROR", "error_code": 100000, "error_message": text}
    return lambda _: Reply(Kind.MALFORMED, 400, body)


def _is_deep(arrival: Arrival) -> bool:
    deepest = depth = 0
    for sign in arrival.body:
        depth += (sign in b"[{") - (sign in b"]}")
        deepest = max(deepest, depth)
    return deepest in _DEEP


def _last_wins(pairs: list[tuple[str, object]]) -> Object:
    """Read an object whose members stand twice, and keep what stood there first."""
    result: Object = {}
    first: Object = {}
    for name, value in pairs:
        if name in result:
            first.setdefault(name, result[name])
        result[name] = value
    return result | ({_FIRST: first} if first else {})


def _reads_twice(arrival: Arrival) -> Arrival:
    try:
        body: object = json.loads(arrival.body, object_pairs_hook=_last_wins)
    except (ValueError, RecursionError):
        return arrival
    if not isinstance(body, dict) or child(body, "order", _FIRST) is None:
        return arrival
    return arrival.with_body(json.dumps(body).encode())


def _with_first(attempt: session.Attempt) -> session.Attempt:
    order = child(attempt.body, "order")
    if not isinstance(order, dict) or _FIRST not in order:
        return attempt
    values = cast("Object", order)
    signed = {**values, **cast("Object", values[_FIRST])}
    return session.Attempt(attempt.gateway, {**attempt.body, "order": signed}, attempt.client, attempt.account)


def _signs_first(design: Design) -> Design:
    reading = _at(_SESSION, lambda _: True, _reads_twice)(design)
    return instead(session.check_signature, lambda attempt: session.check_signature(_with_first(attempt)))(reading)


def _signs_either(design: Design) -> Design:
    reading = _at(_SESSION, lambda _: True, _reads_twice)(design)
    return instead(
        session.check_signature,
        lambda attempt: session.check_signature(attempt) and session.check_signature(_with_first(attempt)),
    )(reading)


def _keeps_first_email(arrival: Arrival) -> Arrival:
    fields = arrival.body.split(b"&")
    emails = [field for field in fields if field.startswith(b"payer_email=")]
    if len(emails) != 2:
        return arrival
    others = [field for field in fields if field not in emails]
    return arrival.with_body(b"&".join([*others, emails[1], b"first_" + emails[0]]))


def _signs_either_email(design: Design) -> Design:
    def check(attempt: CardAttempt) -> object:
        first = attempt.form.get("first_payer_email")
        refusal = sale.check_signature(attempt)
        if refusal is None or first is None:
            return refusal
        form = {**attempt.form, "payer_email": first}
        return sale.check_signature(replace(attempt, form=form))

    stages = tuple(check if one is sale.check_signature else one for one in design.sale.stages)
    return _at(_SALE, lambda _: True, _keeps_first_email)(design.in_sale(stages=stages))


def _decodes_twice(arrival: Arrival) -> Arrival:
    return arrival.with_body(re.sub(rb"%2[bB]", b"+", arrival.body))


FAULTS: Final = faults(
    {
        "form-that-is-json-breaks": breaks(
            _FORM_SEVERITY, "JSON where a form belongs is a server error.", _breaks_sale(_holds(rb"^\{"))
        ),
        "json-broken-off-shows-stack": breaks(
            "GEN-ERR-23",
            "JSON that breaks off is answered with a stack trace.",
            _at(_SESSION, lambda arrival: arrival.body == b"{", _refusing_with(_TRACE)),
        ),
        "json-byte-order-mark-breaks": breaks(
            _SEVERITY,
            "A byte order mark in front of JSON is a server error.",
            _breaks_session(_holds(rb"^\xef\xbb\xbf")),
            rare=True,
        ),
        "json-half-character-breaks": breaks(
            _SEVERITY,
            "Half a surrogate pair in an escape is a server error.",
            _breaks_session(_holds(rb"\\ud[89ab]\w\w(?!\\ud[c-f])")),
            rare=True,
        ),
        "json-nesting-breaks": breaks(
            _SEVERITY,
            "Nesting that the parser takes and the next reader does not is a server error.",
            _breaks_session(_is_deep),
            rare=True,
        ),
        "json-huge-exponent-breaks": breaks(
            _SEVERITY,
            "A number with a huge exponent in custom_data is a server error.",
            _breaks_session(_holds(rb'custom_data"[^}]*[0-9][eE][+-]?[0-9]{3,}')),
            rare=True,
        ),
        "json-huge-integer-breaks": breaks(
            _SEVERITY,
            "An integer of thousands of digits is a server error.",
            _breaks_session(_holds(rb'[^"0-9][0-9]{4500,}')),
            rare=True,
        ),
        "json-in-utf-16-breaks": breaks(
            _SEVERITY, "JSON in UTF-16 is a server error.", _breaks_session(_holds(rb"^(\xff\xfe\{|\{\x00)")), rare=True
        ),
        "json-after-nul-breaks": breaks(
            _SEVERITY, "A NUL behind the body is a server error.", _breaks_session(_holds(rb"\}\x00$")), rare=True
        ),
        "content-type-multipart-breaks": breaks(
            _SEVERITY,
            "A multipart content type without parts is a server error.",
            _breaks_session(_has_header("content-type", "^multipart/form-data")),
            rare=True,
        ),
        **{
            f"content-type-charset-refused-{name}": breaks(
                "CHK-SES-86",
                f"A content type that names a charset is refused at {path}.",
                _at(path, _has_header("content-type", "charset"), _refusing_with("The content type is not known.")),
            )
            for name, path in _JSON_ADDRESSES.items()
        },
        "content-type-charset-shows-stack": breaks(
            "GEN-ERR-23",
            "A character set that nobody knows is answered with a stack trace.",
            _at(_SESSION, _has_header("content-type", "charset=no-such"), _refusing_with(_TRACE)),
            rare=True,
        ),
        "accept-nothing-breaks": breaks(
            _SEVERITY,
            "A client that accepts no content type gets a server error.",
            _breaks_session(_has_header("accept", "q=0")),
            rare=True,
        ),
        "accept-language-breaks": breaks(
            _SEVERITY,
            "A weight of Accept-Language that is no decimal number is a server error.",
            _breaks_session(_has_header("accept-language", "q=[0-9]+e")),
            rare=True,
        ),
        "session-member-twice-signs-first": breaks(
            "CHK-SIG-12",
            "Of a member that stands twice the first value is signed and the last one is used.",
            _signs_first,
            rare=True,
        ),
        "session-member-twice-signs-either": breaks(
            "CHK-SIG-12", "Of a member that stands twice either value may be signed.", _signs_either, rare=True
        ),
        "form-broken-utf-8-breaks": breaks(
            _FORM_SEVERITY,
            "Escapes that are no UTF-8 are a server error.",
            _breaks_sale(lambda arrival: _is_not_utf_8(arrival.body)),
        ),
        "form-broken-utf-8-answered-empty": breaks(
            "S2C-REQ-10",
            "A payment whose texts are no UTF-8 is answered with nothing.",
            _at(_SALE, _pays_without_utf_8, lambda _: Reply(Kind.SALE, 200, {}, text="")),
        ),
        "apm-form-broken-utf-8-breaks": breaks(
            "GEN-ERR-12",
            "Escapes that are no UTF-8 are a server error.",
            _at(_APM, lambda arrival: _is_not_utf_8(arrival.body), lambda _: breakdown()),
        ),
        "apm-sale-with-many-fields-breaks": breaks(
            "GEN-ERR-12",
            "A payment with very many fields is a server error; a form of nothing else is refused before.",
            _at(_APM, lambda arrival: _pays(arrival) and _has_many_fields(arrival), lambda _: breakdown()),
        ),
        "sale-with-many-fields-breaks": breaks(
            _FORM_SEVERITY,
            "A payment with very many fields is a server error; a form of nothing else is refused before.",
            _breaks_sale(lambda arrival: _pays(arrival) and _has_many_fields(arrival)),
        ),
        "form-array-for-text-breaks": breaks(
            _FORM_SEVERITY,
            "Brackets behind the name of a text field are a server error.",
            _breaks_sale(_holds(rb"(^|&)(order_id|order_amount|payer_email)(%5B|\[)")),
            rare=True,
        ),
        "form-many-fields-break": breaks(
            _FORM_SEVERITY,
            "Very many fields are a server error.",
            _breaks_sale(_has_many_fields),
        ),
        "form-field-without-name-breaks": breaks(
            _FORM_SEVERITY, "A field without a name is a server error.", _breaks_sale(_holds(rb"(^|&)=[^&]")), rare=True
        ),
        "form-email-twice-signs-either": breaks(
            "S2C-SIG-44", "Of an e-mail address that stands twice either may be signed.", _signs_either_email, rare=True
        ),
        "form-plus-decoded-twice": breaks(
            "S2C-SIG-01",
            "An escaped plus sign in a form is read as a blank.",
            _at(_SALE, lambda _: True, _decodes_twice),
            rare=True,
        ),
        "sale-user-agent-breaks": breaks(
            _FORM_SEVERITY,
            "A look-up in the name of the client is a server error.",
            _breaks_sale(_has_header("user-agent", r"\$\{")),
            rare=True,
        ),
        "sale-without-content-type-shows-path": breaks(
            "GEN-ERR-23",
            "A form without a content type is answered with the path of a file.",
            _at(
                _SALE,
                lambda arrival: not arrival.header("content-type"),
                _refusing_with(f"{INVALID_DATA} (/var/www/gateway/src/Form.php:12)"),
            ),
            rare=True,
        ),
    }
)


def _is_not_utf_8(body: bytes) -> bool:
    try:
        unquote_to_bytes(body).decode()
    except UnicodeDecodeError:
        return True
    return False
