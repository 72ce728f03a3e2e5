"""Variations of what surrounds an answer: compression, content types, pages of servers in front, empty members."""

from dataclasses import replace
from typing import Final

from emulator.changes.answers import of_kinds
from emulator.design import Design
from emulator.variations.answers import DEMANDED_TEXTS
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply, object_item

_NOWHERE_PAGE: Final = "<html>\r\n<head><title>Not Found</title></head>\r\n<body>Not Found</body>\r\n</html>\r\n"


def _compressed(design: Design) -> Design:
    return replace(design, answers=replace(design.answers, compressed=True))


def _json_suffix(reply: Reply) -> Reply:
    return replace(reply, content_type="application/vnd.gateway+json; version=1")


def _page_of_server(reply: Reply) -> Reply:
    return replace(reply, text=_NOWHERE_PAGE, content_type="text/html")


def _not_found(reply: Reply) -> Reply:
    return replace(reply, status=404)


def _empty_members(reply: Reply) -> Reply:
    more: dict[str, object] = {"result": "SUCCESS", "error_code": None, "error_message": "", "errors": []}
    return replace(reply, body=more | reply.body)


def _null_members(reply: Reply) -> Reply:
    more: dict[str, object] = {"redirect_url": None, "status": None, "trans_id": None}
    return replace(reply, body=more | reply.body) if reply.is_error else reply


def _every_item_twice(reply: Reply) -> Reply:
    errors = reply.body.get("errors")
    if not isinstance(errors, list):
        return reply
    return replace(reply, body=reply.body | {"errors": [item for item in errors for _ in range(2)]})


def _not_readable(reply: Reply) -> Reply:
    body: dict[str, object] = {"result": "ERROR", "error_code": 0, "error_message": "Syntax error"}
    return replace(reply, body=body)


def _without_errors_of_what_is_no_form(reply: Reply) -> Reply:
    if "not a form that can be read" not in str(reply.body.get("errors")):
        return reply
    return replace(reply, body={name: value for name, value in reply.body.items() if name != "errors"})


def _another_host(base: str, token: str) -> str:
    return f"{base.replace('127.0.0.1', 'localhost')}/pay/{token}"


def _in_another_language(path: str, text: str) -> object:
    return object_item(
        path, text if text.startswith(DEMANDED_TEXTS) else "Cette valeur est incorrecte : « 値 » <b>&amp;</b>"
    )


VARIATIONS: Final = (
    Variation("compressed", "Answers are compressed for clients that accept it.", _compressed),
    Variation(
        "content-type-json-suffix",
        "The content type is a JSON type of the gateway's own.",
        lambda design: design.filtering(_json_suffix),
    ),
    Variation(
        "unknown-path-web-page",
        "A path that does not exist is answered with the page of a web server.",
        of_kinds(Kind.NOWHERE, Kind.METHOD)(_page_of_server),
    ),
    Variation(
        "other-method-not-found",
        "Another HTTP method is answered like a path that does not exist.",
        of_kinds(Kind.METHOD)(_not_found),
    ),
    Variation(
        "success-with-empty-errors",
        "A session that is opened carries the members of errors, empty.",
        of_kinds(Kind.SESSION)(_empty_members),
    ),
    Variation(
        "refusal-with-null-members",
        "A refusal carries the members of a success, null.",
        lambda design: design.filtering(_null_members),
    ),
    Variation("errors-repeated", "Items of errors come twice.", lambda design: design.filtering(_every_item_twice)),
    Variation(
        "errors-other-language",
        "Items of errors are in another language where no text is given.",
        lambda design: replace(design, answers=replace(design.answers, item=_in_another_language)),
    ),
    Variation(
        "malformed-other-pair",
        "A body that cannot be read is refused with another pair.",
        of_kinds(Kind.MALFORMED)(_not_readable),
    ),
    Variation(
        "form-that-cannot-be-decoded-without-errors",
        "A form with broken escapes, or bytes that are no UTF-8, is refused as invalid data without errors.",
        of_kinds(Kind.MALFORMED)(_without_errors_of_what_is_no_form),
    ),
    Variation(
        "page-address-other-host",
        "The page of a payment is at another host than the API.",
        lambda design: design.in_session(page_address=_another_host),
    ),
)
