"""Faults of Hosted Payment Fields."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.checkout.instruments import by_entry
from emulator.checkout.session import Attempt
from emulator.design import Change, Design
from emulator.faults.checkout_ways import ANY, all_of, answering, leaving_out, saying
from emulator.faults.model import Fault
from emulator.hosted_fields.sessions import HostedSession
from emulator.replies import Kind, Refusal
from emulator.rules.model import Rule
from emulator.values import Object

_NEW: Final = "6.7.0"
_ANY: Final = ("HPF-*", "CBK-*")
_PAYMENT: Final = Kind.HOSTED_PAYMENT


def _hosted(**changes: object) -> Change:
    return lambda design: design.in_hosted_fields(**changes)


def _rows(change: Callable[[Rule], Rule | None]) -> Change:
    return lambda design: design.with_token_rows(change)


def _operation_ignored(row: Rule) -> Rule | None:
    return None if row.path == "operation" and row.keyword == "enum" else row


def _serving(operation: str) -> Change:
    """The address of the other operation pays sessions of ``operation`` as well."""

    def serves(session: HostedSession, wanted: str) -> bool:
        return session.request.get("operation") in {wanted, operation}

    return _hosted(serves=serves)


def _not_serving(operation: str) -> Change:
    def serves(session: HostedSession, wanted: str) -> bool:
        return wanted != operation and session.request.get("operation") == wanted

    return _hosted(serves=serves)


def _path_of(operation: str, path: str) -> Change:
    def change(design: Design) -> Design:
        addresses = {
            (path if one == operation else known): (one, since)
            for known, (one, since) in design.hosted_fields.addresses.items()
        }
        return design.in_hosted_fields(addresses=addresses)

    return change


def _debit_too_early(design: Design) -> Design:
    addresses = {**design.hosted_fields.addresses, "/api/v1/processing/debit/card": ("debit", None)}
    return _rows(_operation_ignored)(design.in_hosted_fields(addresses=addresses))


def _card_in_body(design: Design) -> Design:
    """Card data in the body of the payment are needed."""
    row = Rule("card_number", "required")
    rows = (*design.hosted_fields.payment_rows, row)
    return design.in_hosted_fields(payment_rows=rows)


def _pays_without_card(design: Design) -> Design:
    def has_card(session: HostedSession) -> bool:
        session.typed.setdefault("card_number", "4111111111111111")
        session.typed.setdefault("expiry", "01/38")
        return True

    return design.in_hosted_fields(has_card=has_card)


def _decline_as_success(body: Object) -> Object:
    return body | {"result": "success"} if body.get("result") == "decline" else body


def _result_as(was: str, told: str) -> Change:
    return answering(lambda body: body | {"result": told} if body.get("result") == was else body, _PAYMENT)


def _without_parameter(name: str) -> Change:
    def changed(body: Object) -> Object:
        given = body.get("return_url_query_params")
        kept = {key: value for key, value in given.items() if key != name} if isinstance(given, dict) else {}
        return body | {"return_url_query_params": kept} if isinstance(given, dict) else body

    return answering(changed, _PAYMENT)


def _named_address(attempt: Attempt) -> str:
    return str(attempt.client)


def _no_address(attempt: Attempt) -> str:
    customer = attempt.body.get("customer")
    return str(customer.get("ip") or "") if isinstance(customer, dict) else ""


def _never_approved(design: Design) -> Design:
    return design.in_checkout(instrument=lambda *parts: replace(by_entry(*parts), approved=False, stop=None))


def _fewer_frames(design: Design) -> Design:
    return design.in_hosted_fields(frames=("card",))


FAULTS: Final = (
    Fault(
        "hosted-purchase-path-moved",
        ("HPF-PAY-01",),
        "Purchases have another address.",
        _path_of("purchase", "/api/v1/processing/purchase"),
        ANY,
    ),
    Fault("hosted-purchase-refused", ("HPF-PAY-01",), "Purchases are not paid.", _not_serving("purchase"), _ANY),
    Fault(
        "hosted-debit-path-moved",
        ("HPF-PAY-02",),
        "Debits have another address.",
        _path_of("debit", "/api/v1/processing/debit"),
        _ANY,
        since=_NEW,
    ),
    Fault(
        "hosted-debit-refused",
        ("HPF-PAY-02", "HPF-PAY-06"),
        "Debits are not paid.",
        _not_serving("debit"),
        _ANY,
        since=_NEW,
    ),
    Fault(
        "hosted-debit-before-its-release",
        ("HPF-PAY-03",),
        "There are debits before 6.7.0.",
        _debit_too_early,
        ("HPF-TKN-05",),
        until="6.6.5",
    ),
    Fault(
        "hosted-debit-as-purchase",
        ("HPF-PAY-04",),
        "Sessions of debits are paid as purchases.",
        _serving("debit"),
        ("HPF-PAY-05",),
        since=_NEW,
    ),
    Fault(
        "hosted-purchase-as-debit",
        ("HPF-PAY-05",),
        "Sessions of purchases are paid as debits.",
        _serving("purchase"),
        ("HPF-PAY-04",),
        since=_NEW,
    ),
    Fault("hosted-card-in-body", ("HPF-PAY-07",), "The body has to hold the card number.", _card_in_body, _ANY),
    Fault(
        "hosted-other-header",
        ("HPF-PAY-08",),
        "The token stands in another header.",
        _hosted(header="x-session-token"),
        _ANY,
    ),
    Fault(
        "hosted-without-token-500",
        ("HPF-PAY-09",),
        "A payment without token is a server error.",
        _hosted(no_token=Refusal(_PAYMENT, "Internal error", status=500)),
        ("HPF-PAY-10", "GEN-*"),
    ),
    Fault(
        "hosted-unknown-token-200",
        ("HPF-PAY-09", "HPF-PAY-10"),
        "A payment with an unknown token is accepted.",
        _hosted(
            wrong_token=Refusal(_PAYMENT, "", code=0, status=200), no_token=Refusal(_PAYMENT, "", code=0, status=200)
        ),
        ("HPF-PAY-19", "GEN-*"),
    ),
    Fault("hosted-pays-without-card", ("HPF-PAY-12",), "A payment needs no card.", _pays_without_card, ("HPF-PAY-07",)),
    Fault(
        "hosted-result-other-word", ("HPF-PAY-13",), "The result of a payment is ok.", _result_as("success", "ok"), _ANY
    ),
    Fault("hosted-without-result", ("HPF-PAY-13",), "The answer lacks result.", leaving_out("result", _PAYMENT), _ANY),
    Fault(
        "hosted-without-public-id",
        ("HPF-PAY-14",),
        "The answer lacks public_id.",
        leaving_out("public_id", _PAYMENT),
        _ANY,
    ),
    Fault(
        "hosted-other-public-id",
        ("HPF-PAY-14",),
        "public_id finds no payment.",
        saying("public_id", "11111111-0000-4000-8000-000000000001", _PAYMENT),
        _ANY,
    ),
    Fault(
        "hosted-decline-as-success",
        ("HPF-PAY-15",),
        "A decline is answered as a success.",
        answering(_decline_as_success, _PAYMENT),
        _ANY,
    ),
    Fault(
        "hosted-decline-without-message",
        ("HPF-PAY-15",),
        "A decline has no message.",
        leaving_out("decline_message", _PAYMENT),
    ),
    Fault(
        "hosted-challenge-as-waiting",
        ("HPF-PAY-16",),
        "A challenge is answered as waiting.",
        _result_as("redirect", "waiting"),
        ("CBK-*",),
    ),
    Fault(
        "hosted-challenge-without-address",
        ("HPF-PAY-16",),
        "A challenge has no address.",
        leaving_out("redirect_url", _PAYMENT),
        ("CBK-*",),
    ),
    *(
        Fault(
            f"hosted-parameters-without-{name.replace('_', '-')}",
            ("HPF-PAY-17",),
            f"The return parameters lack {name}.",
            _without_parameter(name),
            ("HPF-PAY-*",),
        )
        for name in ("payment_id", "trans_id", "order_id", "hash")
    ),
    Fault(
        "hosted-without-parameters",
        ("HPF-PAY-17",),
        "There are no return parameters.",
        leaving_out("return_url_query_params", _PAYMENT),
        ("HPF-PAY-*",),
    ),
    Fault(
        "hosted-success-declines",
        ("HPF-PAY-18",),
        "A payment that is answered as a success is declined.",
        all_of(_never_approved, _result_as("decline", "success")),
        ANY,
    ),
    Fault(
        "hosted-open-after-expiry",
        ("HPF-PAY-19",),
        "An expired session is paid.",
        _hosted(is_open=lambda _session, _now: True),
    ),
    Fault(
        "hosted-address-ignored",
        ("HPF-CIP-01",),
        "customer.ip has no effect.",
        _hosted(payer_address=_named_address),
        ("CBK-ATT-20",),
        since=_NEW,
    ),
    Fault(
        "hosted-address-forgotten",
        ("HPF-CIP-02",),
        "Without customer.ip there is no address.",
        _hosted(payer_address=_no_address),
        ("CBK-ATT-20",),
        since=_NEW,
    ),
    Fault(
        "hosted-script-missing",
        ("HPF-FLD-01",),
        "There is no script.",
        _hosted(script_path="/sdk/fields.js"),
        ("HPF-FLD-*", "HPF-PAY-*"),
    ),
    Fault("hosted-one-frame-only", ("HPF-FLD-02",), "There is only one field.", _fewer_frames, _ANY),
)
