"""Faults of answers that look like an answer and are none: empty ones, other envelopes, wrong names, secrets."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.design import Change, Design
from emulator.duplicates import WindowRule
from emulator.faults.model import Fault
from emulator.replies import Filter, ItemShape, Kind, Refusal, Reply
from emulator.s2s_card import sale

_PASSWORDS: Final = ", ".join(account.password for account in ACCOUNTS)


def _of(change: Filter, *kinds: Kind) -> Change:
    return lambda design: design.filtering(lambda reply: change(reply) if reply.kind in kinds else reply)


def _telling(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"debug": f"one of {_PASSWORDS}"})


def _with_page(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"redirect_url": "https://gateway.example/pay/1"})


def _forbidden(reply: Reply) -> Reply:
    return replace(reply, status=403, text="<h1>Forbidden</h1>", content_type="text/html")


def _success(reply: Reply) -> Reply:
    return replace(reply, status=200, body={"errors": "no"})


def _items(shape: ItemShape) -> Change:
    return lambda design: replace(design, answers=replace(design.answers, item=shape))


def _every_field(design: Design) -> Design:
    names = " ".join(sorted({row.path.rpartition(".")[2].removesuffix("[]") for row in design.session_rows}))
    return _items(lambda _path, _text: {"error_code": 100000, "error_message": f"Check these fields: {names}"})(design)


def _sale_hash_refused(refusal: Refusal) -> Change:
    def check(attempt: sale.SaleAttempt) -> Refusal | None:
        return refusal if sale.check_signature(attempt) else None

    def change(design: Design) -> Design:
        stages = design.sale.stages
        return design.in_sale(stages=tuple(check if one is sale.check_signature else one for one in stages))

    return change


def _silent(design: Design) -> Design:
    silent = Refusal(Kind.ACTION, "", status=403)
    return _of(lambda reply: _forbidden(reply) if reply.status == silent.status else reply, Kind.ACTION)(
        design.in_actions(missing=silent)
    )


_SESSIONS: Final = (
    Fault("password-in-session", ("GEN-KEY-02",), "A session tells the password.", _of(_telling, Kind.SESSION)),
    Fault(
        "password-in-validation-error",
        ("GEN-KEY-02",),
        "The refusal of a field tells the password.",
        _of(_telling, Kind.FIELDS),
    ),
    Fault(
        "refusal-with-redirect-url",
        ("CHK-RSP-03",),
        "Refusals carry a redirect_url.",
        _of(_with_page, Kind.FIELDS, Kind.SIGNATURE, Kind.DUPLICATE),
        ("CHK-*", "S2C-*"),
    ),
    Fault(
        "errors-name-every-field",
        ("CHK-RSP-08",),
        "Items of errors name every field that there is.",
        _every_field,
        ("CHK-*", "S2C-*"),
    ),
    Fault(
        "unknown-merchant-web-page",
        ("CHK-SES-11",),
        "A key of nobody is answered with a web page.",
        _of(_forbidden, Kind.MERCHANT),
        ("CHK-RSP-*", "GEN-*", "S2C-*"),
    ),
    Fault(
        "unknown-merchant-status-200",
        ("CHK-SES-11",),
        "A key of nobody is refused with HTTP 200 and no result.",
        _of(_success, Kind.MERCHANT),
        ("CHK-RSP-*", "GEN-*", "S2C-*"),
    ),
    Fault(
        "duplicate-window-13-seconds",
        ("CHK-DUP-03",),
        "The window closes after 13.3 seconds.",
        lambda design: design.in_session(window=WindowRule(seconds=13.3)),
    ),
)

_SALES: Final = (
    Fault(
        "sale-wrong-hash-other-pair",
        ("GEN-ERR-02", "GEN-ERR-08"),
        "A wrong hash of a sale is refused with another code and text.",
        _sale_hash_refused(Refusal(Kind.SIGNATURE, "Access denied.", code=7, status=403)),
        ("S2C-SIG-*",),
    ),
    Fault(
        "sale-wrong-hash-status-200",
        ("S2C-SIG-38",),
        "A wrong hash of a sale is refused with HTTP 200.",
        _sale_hash_refused(Refusal(Kind.SIGNATURE, "Hash is not valid", status=200)),
        ("S2C-SIG-*", "GEN-ERR-0?"),
    ),
    Fault(
        "sale-wrong-hash-status-404",
        ("GEN-ERR-08",),
        "A wrong hash of a sale is refused with HTTP 404.",
        _sale_hash_refused(Refusal(Kind.SIGNATURE, "Hash is not valid", status=404)),
        ("S2C-SIG-*",),
    ),
    Fault(
        "action-missing-web-page",
        ("S2C-ACT-21",),
        "A post without action is answered with a web page.",
        _silent,
        ("GEN-ERR-*",),
    ),
)

QUIET: Final = (*_SESSIONS, *_SALES)
