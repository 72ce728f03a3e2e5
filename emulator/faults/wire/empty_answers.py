"""Faults of answers that look like an answer and are none: empty ones, other envelopes, wrong names, secrets."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout_sessions import Applies, instead, last
from emulator.changes.s2s_card import refused_as
from emulator.design import Change, Design
from emulator.engine.duplicates import WindowRule
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, check_duplicate
from emulator.protocols.s2s_card import stages
from emulator.wire.replies import Filter, ItemShape, Kind, Refusal, Reply, object_item
from emulator.wire.values import Object, child

_LATE: Final = ("RECURRING_DEBIT", "UPDATE_SCHEDULE")
_CAMEL: Final = {"creditVoid": "CREDITVOID", "CreditVoid": "CREDITVOID", "getTransStatus": "GET_TRANS_STATUS"}
_PASSWORDS: Final = ", ".join(account.password for account in ACCOUNTS)


def _session_of(applies: Applies, body: Object) -> Change:
    """Sessions that ``applies`` holds for do not open: they are answered with ``body`` and HTTP 200."""

    def stage(attempt: Attempt) -> Refusal | None:
        return Refusal(Kind.SESSION, "not opened", status=200) if applies(attempt.body) else None

    def said(reply: Reply) -> Reply:
        return replace(reply, body=body) if reply.kind is Kind.SESSION and reply.is_error else reply

    return lambda design: last(stage)(design.filtering(said))


def _on(operation: str) -> Applies:
    return lambda body: body.get("operation") == operation


def _of(change: Filter, *kinds: Kind) -> Change:
    return lambda design: design.filtering(lambda reply: change(reply) if reply.kind in kinds else reply)


def _with_passwords(reply: Reply) -> Reply:
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


def _payer_for_payee(path: str, text: str) -> object:
    return object_item(path.replace("payee_billing_address", "billing_address"), text)


def _city_for_address(path: str, text: str) -> object:
    return object_item(path.replace("billing_address.address", "billing_address.city"), text)


def _same_amount(design: Design) -> Design:
    amounts: dict[tuple[str, str], object] = {}

    def stage(attempt: Attempt) -> Refusal | None:
        amount = child(attempt.body, "order", "amount")
        first = amounts.setdefault((attempt.key, attempt.number), amount)
        return check_duplicate(attempt) if first == amount else None

    return instead(check_duplicate, stage)(design)


def _named(read: Callable[[str], str]) -> Change:
    return lambda design: design.in_actions(read_name=read)


def _late_in_any_case(name: str) -> str:
    return name.upper() if name.upper() in _LATE else name


def _silent(design: Design) -> Design:
    silent = Refusal(Kind.ACTION, "", status=403)
    return _of(lambda reply: _forbidden(reply) if reply.status == silent.status else reply, Kind.ACTION)(
        design.in_actions(missing=silent)
    )


_SESSIONS: Final = faults(
    {
        "debit-answers-nothing": breaks(
            "CHK-SES-08", "A debit is answered with an empty object.", _session_of(_on("debit"), {})
        ),
        "debit-other-failure-status-200": breaks(
            "CHK-SES-08",
            "A debit fails with HTTP 200 and a body of another shape.",
            _session_of(_on("debit"), {"status": "error", "code": 501, "message": "operation is not available"}),
        ),
        "password-in-session": breaks(
            "GEN-KEY-02", "A session reports the password.", _of(_with_passwords, Kind.SESSION)
        ),
        "password-in-validation-error": breaks(
            "GEN-KEY-02", "The refusal of a field reports the password.", _of(_with_passwords, Kind.FIELDS)
        ),
        "refusal-with-redirect-url": breaks(
            "CHK-RSP-03", "Refusals carry a redirect_url.", _of(_with_page, Kind.FIELDS, Kind.SIGNATURE, Kind.DUPLICATE)
        ),
        "errors-name-every-field": breaks(
            "CHK-RSP-08", "Items of errors name every field that there is.", _every_field
        ),
        "errors-name-other-address": breaks(
            tuple(f"CHK-PAY-{number:02}" for number in range(9, 17)),
            "Errors of the payee's address name the payer's.",
            _items(_payer_for_payee),
        ),
        "errors-name-other-field": breaks(
            "CHK-BIL-04", "Errors of billing_address.address name the city.", _items(_city_for_address)
        ),
        "unknown-merchant-web-page": breaks(
            "CHK-SES-11", "A key of nobody is answered with a web page.", _of(_forbidden, Kind.MERCHANT)
        ),
        "unknown-merchant-status-200": breaks(
            "CHK-SES-11", "A key of nobody is refused with HTTP 200 and no result.", _of(_success, Kind.MERCHANT)
        ),
        "duplicate-window-13-seconds": breaks(
            "CHK-DUP-03",
            "The window closes after 13.3 seconds.",
            lambda design: design.in_session(window=WindowRule(seconds=13.3)),
        ),
        "duplicate-per-amount": breaks(
            "CHK-DUP-01", "A number is a repetition for the same amount only.", _same_amount
        ),
    }
)

_SALES: Final = faults(
    {
        "sale-wrong-hash-other-pair": breaks(
            "GEN-ERR-02 GEN-ERR-08",
            "A wrong hash of a sale is refused with another code and text.",
            refused_as(Refusal(Kind.SIGNATURE, "Access denied.", code=7, status=403), stages.check_signature, "SALE"),
        ),
        "sale-wrong-hash-status-200": breaks(
            "S2C-SIG-38",
            "A wrong hash of a sale is refused with HTTP 200.",
            refused_as(Refusal(Kind.SIGNATURE, "Hash is not valid", status=200), stages.check_signature, "SALE"),
        ),
        "sale-wrong-hash-status-404": breaks(
            "GEN-ERR-08",
            "A wrong hash of a sale is refused with HTTP 404.",
            refused_as(Refusal(Kind.SIGNATURE, "Hash is not valid", status=404), stages.check_signature, "SALE"),
        ),
        "action-late-names-in-any-case": breaks(
            "S2C-ACT-02 S2C-ACT-03",
            "RECURRING_DEBIT and UPDATE_SCHEDULE are read in any case.",
            _named(_late_in_any_case),
            since="6.7.0",
        ),
        "action-camel-case-accepted": breaks(
            "S2C-ACT-03", "Names are read in camel case.", _named(lambda name: _CAMEL.get(name, name))
        ),
        "action-missing-web-page": breaks("S2C-ACT-21", "A post without action is answered with a web page.", _silent),
    }
)

FAULTS: Final = (*_SESSIONS, *_SALES)
