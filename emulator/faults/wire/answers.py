"""Faults of answers: what they lack, and what they say wrongly."""

from dataclasses import replace
from typing import Final

from emulator.changes.answers import of_kinds
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.wire.replies import Filter, Kind, Reply

_INVALID: Final = (Kind.FIELDS, Kind.SALE_FIELDS, Kind.MALFORMED)


def _without(name: str) -> Filter:
    return lambda reply: replace(reply, body={key: value for key, value in reply.body.items() if key != name})


def _with(name: str, value: object) -> Filter:
    return lambda reply: replace(reply, body={key: value if key == name else old for key, old in reply.body.items()})


def _status(status: int) -> Filter:
    return lambda reply: replace(reply, status=status)


def _server_error(reply: Reply) -> Reply:
    return replace(reply, status=500, text="Internal Server Error", content_type="text/plain")


def _success(reply: Reply) -> Reply:
    return replace(reply, status=200, body={"status": "ok"})


def _web_page(reply: Reply) -> Reply:
    return replace(reply, text="<html><body>Bad Request</body></html>", content_type="text/html")


def _code_as_text(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"error_code": str(reply.body["error_code"])})


def _errors_item(text: str) -> Change:
    def change(design: Design) -> Design:
        return replace(design, answers=replace(design.answers, item=lambda _path, _text: text))

    return change


def _relative(design: Design) -> Design:
    return design.in_session(page_address=lambda _base, token: f"/pay/{token}")


def _one_address(design: Design) -> Design:
    return design.in_session(new_token=lambda: "the-one-and-only-token")


def _every_error(change: Filter) -> Change:
    def filtered(reply: Reply) -> Reply:
        return change(reply) if reply.is_error else reply

    return lambda design: design.filtering(filtered)


FAULTS: Final = faults(
    {
        "redirect-url-missing": breaks(
            "CHK-RSP-01", "A session has no redirect_url.", of_kinds(Kind.SESSION)(_without("redirect_url"))
        ),
        "redirect-url-empty": breaks(
            "CHK-RSP-01", "redirect_url is null.", of_kinds(Kind.SESSION)(_with("redirect_url", None))
        ),
        "redirect-url-relative": breaks("CHK-RSP-02", "redirect_url is a path.", _relative),
        "redirect-url-shared": breaks("CHK-RSP-09", "All sessions share one redirect_url.", _one_address),
        "session-html-content-type": breaks(
            "CHK-RSP-10",
            "A session is announced as HTML.",
            of_kinds(Kind.SESSION)(lambda reply: replace(reply, content_type="text/html")),
        ),
        "session-error-status": breaks(
            "CHK-RSP-10", "A session is opened with HTTP 400.", of_kinds(Kind.SESSION)(_status(400))
        ),
        "invalid-data-status-200": breaks(
            "CHK-RSP-03 GEN-ERR-08", "Invalid data are refused with HTTP 200.", of_kinds(*_INVALID)(_status(200))
        ),
        "invalid-data-status-422": breaks(
            "CHK-RSP-03 GEN-ERR-08", "Invalid data are refused with HTTP 422.", of_kinds(*_INVALID)(_status(422))
        ),
        "errors-missing": breaks(
            "CHK-RSP-04 GEN-ERR-05", "Invalid data are refused without errors.", of_kinds(*_INVALID)(_without("errors"))
        ),
        "errors-empty": breaks(
            "CHK-RSP-04 GEN-ERR-05",
            "Invalid data are refused with empty errors.",
            of_kinds(*_INVALID)(_with("errors", [])),
        ),
        "errors-name-nothing": breaks(
            "CHK-RSP-08", "Items of errors name no field.", _errors_item("This value is not valid.")
        ),
        "result-missing": breaks(
            "CHK-RSP-05 GEN-ERR-02", "Error bodies have no result.", _every_error(_without("result"))
        ),
        "result-lower-case": breaks(
            "CHK-RSP-05 GEN-ERR-02", "The result of an error is written error.", _every_error(_with("result", "error"))
        ),
        "invalid-data-code-text": breaks(
            "CHK-RSP-06 GEN-ERR-02", "The code of invalid data is a text.", of_kinds(*_INVALID)(_code_as_text)
        ),
        "invalid-data-code-other": breaks(
            "CHK-RSP-06 GEN-ERR-02", "The code of invalid data is 0.", of_kinds(*_INVALID)(_with("error_code", 0))
        ),
        "invalid-data-other-text": breaks(
            "CHK-RSP-06 GEN-ERR-02",
            "Invalid data are refused in other words.",
            of_kinds(*_INVALID)(_with("error_message", "Validation failed.")),
        ),
        "wrong-hash-status-401": breaks(
            "CHK-RSP-07 GEN-ERR-08", "A wrong hash is refused with HTTP 401.", of_kinds(Kind.SIGNATURE)(_status(401))
        ),
        "wrong-hash-code-text": breaks(
            "CHK-RSP-07 GEN-ERR-02", "The code of a wrong hash is a text.", of_kinds(Kind.SIGNATURE)(_code_as_text)
        ),
        "wrong-hash-other-text": breaks(
            "CHK-RSP-07 GEN-ERR-02",
            "A wrong hash is refused in other words.",
            of_kinds(Kind.SIGNATURE)(_with("error_message", "Signature mismatch")),
        ),
        "malformed-server-error": breaks(
            "CHK-SES-02 GEN-ERR-10",
            "A body that cannot be read is a server error.",
            of_kinds(Kind.MALFORMED)(_server_error),
        ),
        "malformed-web-page": breaks(
            "CHK-SES-02", "A body that cannot be read is answered with a web page.", of_kinds(Kind.MALFORMED)(_web_page)
        ),
        "unknown-path-served": breaks(
            "GEN-ERR-19", "A path that does not exist is answered with a success.", of_kinds(Kind.NOWHERE)(_success)
        ),
        "other-method-served": breaks(
            "GEN-ERR-20", "Another HTTP method is answered with a success.", of_kinds(Kind.METHOD)(_success)
        ),
        "other-method-server-error": breaks(
            "GEN-ERR-20", "Another HTTP method is a server error.", of_kinds(Kind.METHOD)(_server_error)
        ),
    }
)
