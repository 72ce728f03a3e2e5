"""Faults of Hosted Payment Fields."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import answering
from emulator.changes.hosted_fields import any_operation, hosted, rows
from emulator.design import Change, Design, all_of
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.instruments import by_entry
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_fields.behaviour import is_open, is_paid
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_PAYMENT: Final = Kind.HOSTED_PAYMENT


def _serving(operation: str) -> Change:
    """The address of the other operation pays sessions of ``operation`` as well."""

    def serves(session: HostedSession, wanted: str) -> bool:
        return session.request.get("operation") in {wanted, operation}

    return hosted(serves=serves)


def _not_serving(operation: str) -> Change:
    def serves(session: HostedSession, wanted: str) -> bool:
        return wanted != operation and session.request.get("operation") == wanted

    return hosted(serves=serves)


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
    return rows(any_operation)(design.in_hosted_fields(addresses=addresses))


def _open_for_debits(session: HostedSession, now: float) -> bool:
    return session.request.get("operation") == "debit" or is_open(session, now)


def _paid_unless_debit(session: HostedSession) -> bool:
    return session.request.get("operation") != "debit" and is_paid(session)


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


def _result_as(was: str, instead: str) -> Change:
    return answering(lambda body: body | {"result": instead} if body.get("result") == was else body, _PAYMENT)


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


def _challenge_answered(said: str, taken: str) -> Change:
    def answer(form: Mapping[str, str]) -> Mapping[str, str]:
        return {**form, "action": taken} if form.get("action") == said else form

    return hosted(challenge_answer=answer)


def _never_approved(design: Design) -> Design:
    return design.in_checkout(instrument=lambda *parts: replace(by_entry(*parts), approved=False, stop=None))


def _fewer_frames(design: Design) -> Design:
    return design.in_hosted_fields(frames=("card",))


FAULTS: Final = faults(
    {
        "hosted-purchase-path-moved": breaks(
            "HPF-PAY-01", "Purchases have another address.", _path_of("purchase", "/api/v1/processing/purchase")
        ),
        "hosted-purchase-refused": breaks("HPF-PAY-01", "Purchases are not paid.", _not_serving("purchase")),
        "hosted-debit-path-moved": breaks(
            "HPF-PAY-02", "Debits have another address.", _path_of("debit", "/api/v1/processing/debit"), since=_NEW
        ),
        "hosted-debit-refused": breaks(
            "HPF-PAY-02 HPF-PAY-06", "Debits are not paid.", _not_serving("debit"), since=_NEW
        ),
        "hosted-debit-before-its-release": breaks(
            "HPF-PAY-03", "There are debits before 6.7.0.", _debit_too_early, until="6.6.5"
        ),
        "hosted-debit-as-purchase": breaks(
            "HPF-PAY-04", "Sessions of debits are paid as purchases.", _serving("debit"), since=_NEW
        ),
        "hosted-purchase-as-debit": breaks(
            "HPF-PAY-05", "Sessions of purchases are paid as debits.", _serving("purchase"), since=_NEW
        ),
        "hosted-card-in-body": breaks("HPF-PAY-07", "The body has to hold the card number.", _card_in_body),
        "hosted-other-header": breaks(
            "HPF-PAY-08", "The token stands in another header.", hosted(header="x-session-token")
        ),
        "hosted-without-token-500": breaks(
            "HPF-PAY-09",
            "A payment without token is a server error.",
            hosted(no_token=Refusal(_PAYMENT, "Internal error", status=500)),
        ),
        "hosted-unknown-token-200": breaks(
            "HPF-PAY-09 HPF-PAY-10",
            "A payment with an unknown token is accepted.",
            hosted(
                wrong_token=Refusal(_PAYMENT, "", code=0, status=200),
                no_token=Refusal(_PAYMENT, "", code=0, status=200),
            ),
        ),
        "hosted-pays-without-card": breaks("HPF-PAY-12", "A payment needs no card.", _pays_without_card),
        "hosted-result-other-word": breaks("HPF-PAY-13", "The result of a payment is ok.", _result_as("success", "ok")),
        "hosted-decline-as-success": breaks(
            "HPF-PAY-15", "A decline is answered as a success.", answering(_decline_as_success, _PAYMENT)
        ),
        "hosted-challenge-as-waiting": breaks(
            "HPF-PAY-16", "A challenge is answered as waiting.", _result_as("redirect", "waiting")
        ),
        **{
            f"hosted-parameters-without-{name.replace('_', '-')}": breaks(
                "HPF-PAY-17", f"The return parameters lack {name}.", _without_parameter(name)
            )
            for name in ("payment_id", "trans_id", "order_id", "hash")
        },
        "hosted-success-declines": breaks(
            "HPF-PAY-18",
            "A payment that is answered as a success is declined.",
            all_of(_never_approved, _result_as("decline", "success")),
        ),
        "hosted-open-after-expiry": breaks(
            "HPF-PAY-19", "An expired session is paid.", hosted(is_open=lambda _session, _now: True)
        ),
        "hosted-debit-open-after-expiry": breaks(
            "HPF-PAY-19", "An expired session of a debit is paid.", hosted(is_open=_open_for_debits), since=_NEW
        ),
        "hosted-open-without-expiry": breaks(
            "HPF-PAY-19",
            "A session without session_expiry never expires.",
            hosted(is_open=lambda session, now: "session_expiry" not in session.request or is_open(session, now)),
        ),
        "hosted-challenge-passed-in-vain": breaks(
            "HPF-PAY-21", "A challenge that the payer passes counts as failed.", _challenge_answered("confirm", "fail")
        ),
        "hosted-challenge-failed-in-vain": breaks(
            "HPF-PAY-22", "A challenge that the payer fails counts as passed.", _challenge_answered("fail", "confirm")
        ),
        "hosted-paid-twice": breaks(
            "HPF-PAY-20", "A session is paid as often as a card is sent.", hosted(is_paid=lambda _session: False)
        ),
        "hosted-debit-paid-twice": breaks(
            "HPF-PAY-20", "A debit is paid as often as a card is sent.", hosted(is_paid=_paid_unless_debit), since=_NEW
        ),
        "hosted-paid-twice-after-challenge": breaks(
            "HPF-PAY-20",
            "A session that a challenge paid is paid again.",
            hosted(is_paid=lambda session: session.paid),
        ),
        "hosted-address-ignored": breaks(
            "HPF-CIP-01", "customer.ip has no effect.", hosted(payer_address=_named_address), since=_NEW
        ),
        "hosted-address-forgotten": breaks(
            "HPF-CIP-02", "Without customer.ip there is no address.", hosted(payer_address=_no_address), since=_NEW
        ),
        "hosted-script-missing": breaks("HPF-FLD-01", "There is no script.", hosted(script_path="/sdk/fields.js")),
        "hosted-one-frame-only": breaks("HPF-FLD-02", "There is only one field.", _fewer_frames),
    }
)
