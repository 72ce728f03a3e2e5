"""Variations of answers: how they are written, and what stands in them beside what has to."""

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.rules.checkout.session import LANGUAGE_TEXT
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Filter, Kind, Refusal, Reply, item_text, object_item

DEMANDED_TEXTS: Final = ("This value should be greater than 0", "Duplicate payment", LANGUAGE_TEXT)
"""How texts of items begin that the contract gives."""


def _filter(change: Filter) -> Change:
    return lambda design: design.filtering(change)


def _writer(write: Callable[[dict[str, object]], str]) -> Change:
    return lambda design: replace(design, answers=replace(design.answers, write=write))


def _item(shape: Callable[[str, str], object]) -> Change:
    return lambda design: replace(design, answers=replace(design.answers, item=shape))


def _extra(reply: Reply) -> Reply:
    more: dict[str, object] = {"request_id": secrets.token_hex(8), "version": "7", "meta": {"node": 3, "tags": []}}
    return replace(reply, body=reply.body | more)


def _reversed(reply: Reply) -> Reply:
    return replace(reply, body=dict(reversed(reply.body.items())))


def _texts(change: Callable[[str], str]) -> Filter:
    def item(value: object) -> object:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, dict):
            return {key: change(text) if key == "error_message" else text for key, text in value.items()}
        return value

    def filtered(reply: Reply) -> Reply:
        if not reply.is_error:
            return reply
        body = reply.body | {"error_message": change(str(reply.body["error_message"]))}
        errors = body.get("errors")
        return replace(
            reply, body=body | {"errors": [item(error) for error in errors]} if isinstance(errors, list) else body
        )

    return filtered


def _leaf(path: str, text: str) -> object:
    return object_item(path.rpartition(".")[2], text)


def _bracketed(path: str, text: str) -> object:
    first, *others = path.split(".")
    return object_item(first + "".join(f"[{name}]" for name in others), text)


def _other_words(path: str, text: str) -> object:
    return object_item(path, text if text.startswith(DEMANDED_TEXTS) else "nope, that does not fit here")


def _more_keys(path: str, text: str) -> object:
    return {
        "property": path,
        "error_code": 100000,
        "error_message": item_text(path, text),
        "constraint": None,
        "index": 0,
    }


def _leaf_and_reason(path: str, text: str) -> object:
    """Line 447 names the field by its last name, and a reason may mention the field that the rule depends on."""
    name = path.rpartition(".")[2].removeprefix("order_")
    is_demanded = name != "amount" or text.startswith(("This value should be greater", "This value should not be"))
    return object_item(name, text if is_demanded else "must have the decimals of order_currency")


def _codes_of_issuers(reply: Reply) -> Reply:
    """Line 363: the bodies of answers are not shown, nor is how a declined payment says why."""
    if reply.is_error or str(reply.body.get("status", "")).upper() not in ("DECLINED", "DECLINE"):
        return reply
    return replace(reply, body={**reply.body, "error_code": 51, "error_message": "Insufficient funds"})


def _no_error(reply: Reply) -> Reply:
    if reply.is_error or not reply.body.get("result"):
        return reply
    return replace(reply, body={**reply.body, "error_code": 0, "error_message": "No error"})


def _no_content(reply: Reply) -> Reply:
    """Line 431 lists 204 among the statuses used, and line 363 shows no body of S2S."""
    is_it = not reply.is_error and reply.body.get("action") in ("DELETE_SCHEDULE", "PAUSE", "UPDATE_SCHEDULE")
    return replace(reply, status=204, text="", sized=False) if is_it else reply


def _changed_without_content(reply: Reply) -> Reply:
    is_it = reply.body.get("action") in ("CAPTURE", "VOID", "CREDITVOID")
    is_done = is_it and reply.body.get("result") in ("SUCCESS", "ACCEPTED")
    return replace(reply, status=204, text="", sized=False) if is_done else reply


def _first_eight(reply: Reply) -> Reply:
    """Line 288 has the first six digits as an example; the number of an issuer has eight."""
    card = reply.body.get("card")
    if not isinstance(card, str) or not card.startswith("411111****"):
        return reply
    return replace(reply, body={**reply.body, "card": f"41111111{card[8:]}"})


def _first_only(reply: Reply) -> Reply:
    if reply.kind in (Kind.SALE_FIELDS, Kind.CARD_FIELDS):  # S2S CARD names all of them.
        return reply
    errors = reply.body.get("errors")
    return replace(reply, body=reply.body | {"errors": errors[:1]}) if isinstance(errors, list) else reply


def _errors_always(reply: Reply) -> Reply:
    if not reply.is_error or "errors" in reply.body:
        return reply
    item = {"error_code": reply.body["error_code"], "error_message": reply.body["error_message"]}
    return replace(reply, body=reply.body | {"errors": [item]})


def _content_type(value: str) -> Filter:
    return lambda reply: replace(reply, content_type=value)


def _headers(*headers: tuple[str, str]) -> Filter:
    return lambda reply: replace(reply, headers=(*reply.headers, *headers))


def _created(reply: Reply) -> Reply:
    return replace(reply, status=201) if reply.kind is Kind.SESSION else reply


def _language_code(reply: Reply) -> Reply:
    about_language = str(reply.body.get("error_message", "")).startswith(LANGUAGE_TEXT)
    return replace(reply, body=reply.body | {"error_code": 100017}) if about_language else reply


def _slashes(body: dict[str, object]) -> str:
    return json.dumps(body).replace("/", "\\/")


def _page(shape: Callable[[str, str], str]) -> Change:
    return lambda design: design.in_session(page_address=shape)


def _unknown_merchant(**changes: object) -> Change:
    refusal = replace(Refusal(Kind.MERCHANT, "Protocol mapping not found."), **changes)  # type: ignore[arg-type]
    return lambda design: design.in_access(unknown_merchant=refusal)


def _unknown_merchant_as_field(design: Design) -> Design:
    refusal = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("merchant_key", "This value is not valid."),))
    return design.in_access(unknown_merchant=refusal)


VARIATIONS: Final = (
    Variation("extra-response-fields", "Answers have further fields.", _filter(_extra)),
    Variation("reversed-field-order", "The fields of answers stand in reverse order.", _filter(_reversed)),
    Variation(
        "pretty-printed",
        "Answers are indented and end with a line feed.",
        _writer(lambda body: json.dumps(body, indent=4) + "\n"),
    ),
    Variation("ascii-escapes", "Slashes and characters outside ASCII are escaped.", _writer(_slashes)),
    Variation(
        "content-type-charset",
        "The content type names the character set.",
        _filter(_content_type("application/json; charset=utf-8")),
    ),
    Variation(
        "content-type-upper-case",
        "The content type is written in upper case.",
        _filter(_content_type("APPLICATION/JSON;CHARSET=UTF-8")),
    ),
    Variation(
        "extra-headers",
        "Answers carry further headers, in mixed case.",
        _filter(_headers(("X-Request-ID", "8f2c"), ("Set-Cookie", "PHPSESSID=0; HttpOnly"), ("SERVER", "nginx"))),
    ),
    Variation(
        "connection-close", "The connection is closed after every answer.", _filter(_headers(("connection", "close")))
    ),
    Variation(
        "chunked", "Answers come in chunks, without their length.", _filter(lambda reply: replace(reply, sized=False))
    ),
    Variation("slow", "Every answer takes 50 ms longer.", _filter(lambda reply: replace(reply, delay=0.05))),
    Variation("session-created", "A session is opened with HTTP 201.", _filter(_created)),
    Variation("errors-as-text", "Items of errors are texts.", _item(item_text)),
    Variation("errors-leaf-names", "Items of errors name the last part of the path only.", _item(_leaf)),
    Variation(
        "errors-leaf-names-and-reasons",
        "Items of errors name the last part of the path, and the currency in the reason.",
        _item(_leaf_and_reason),
    ),
    Variation("declined-with-codes-of-issuers", "Declined payments say why in a code.", _filter(_codes_of_issuers)),
    Variation("answers-say-no-error", "What is no error says so in words.", _filter(_no_error)),
    Variation("masks-of-eight-digits", "Masked cards of answers begin with eight digits.", _filter(_first_eight)),
    Variation(
        "payments-changed-without-content",
        "What S2S carries out with a payment is answered with HTTP 204.",
        _filter(_changed_without_content),
    ),
    Variation(
        "schedules-changed-without-content",
        "What changes, ends or pauses a schedule is answered with HTTP 204.",
        _filter(_no_content),
    ),
    Variation("errors-bracket-paths", "Items of errors write paths with brackets.", _item(_bracketed)),
    Variation(
        "errors-other-words", "Items of errors are worded otherwise where no text is given.", _item(_other_words)
    ),
    Variation("errors-more-keys", "Items of errors have further keys.", _item(_more_keys)),
    Variation(
        "errors-first-only", "Only the first invalid field is reported, except by S2S CARD.", _filter(_first_only)
    ),
    Variation("errors-always", "Every refusal carries errors.", _filter(_errors_always)),
    Variation(
        "full-stops-dropped", "Messages have no full stop at the end.", _filter(_texts(lambda text: text.rstrip(".")))
    ),
    Variation(
        "full-stops-added", "Every message ends in a full stop.", _filter(_texts(lambda text: text.rstrip(".") + "."))
    ),
    Variation(
        "language-in-errors",
        "An unsupported language is reported in errors only.",
        lambda design: design.in_session(language_in_message=False),
    ),
    Variation("language-other-code", "An unsupported language has a code of its own.", _filter(_language_code)),
    Variation(
        "zero-amount-in-errors",
        "The text of an amount of nothing stands in errors only.",
        lambda design: replace(design, answers=replace(design.answers, zero_in_message=False)),
    ),
    Variation(
        "unknown-merchant-401",
        "An unknown key is refused with HTTP 401 and another code.",
        _unknown_merchant(status=401, code=401),
    ),
    Variation(
        "unknown-merchant-403",
        "An unknown key is refused with HTTP 403 and another code.",
        _unknown_merchant(status=403, code=204002),
    ),
    Variation("unknown-merchant-as-field", "An unknown key is refused as invalid data.", _unknown_merchant_as_field),
    Variation(
        "page-address-query",
        "The token of the page stands in the query.",
        _page(lambda base, token: f"{base}/pay/?lang=en&session={token}#start"),
    ),
    Variation(
        "page-address-long",
        "The address of the page is long and deep.",
        _page(lambda base, token: f"{base}/pay/{token}.{'e' * 900}/auth/%3D%3D"),
    ),
    Variation(
        "page-token-like-ip",
        "The token of the page looks like an IPv6 address.",
        lambda design: design.in_session(new_token=lambda: ":".join(secrets.token_hex(2) for _ in range(8))),
    ),
)
