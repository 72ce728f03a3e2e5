"""Variations of S2S APM: what answers and callbacks report, and when."""

import base64
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.notices import without_fields
from emulator.changes.s2s_apm import NOTICES, around, payouts_open_first
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_ANSWERED: Final = frozenset(
    {Kind.APM_SALE, Kind.APM_CAPTURE, Kind.APM_CREDITVOID, Kind.APM_VOID, Kind.APM_STATUS, Kind.APM_PAYOUT}
)
_SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h1v1H0zM1 1h1v1H1z"/></svg>'
POOR: Final = "apm-members-of-the-contract-only"
_UNPROMISED: Final = (
    "amount",
    "currency",
    "trans_date",
    "creditvoid_date",
    "capture_date",
    "decline_reason",
    "descriptor",
    "payer_name",
    "payer_email",
    "payer_phone",
    "redirect_method",
)
Body = dict[str, object]
NoticesChange = Callable[[Notice], list[Notice]]


def _answers(change: Callable[[Body], Body], *kinds: Kind) -> Change:
    """Answers of ``kinds``, or of all actions, have another body."""

    def changed(reply: Reply) -> Reply:
        return replace(reply, body=change(reply.body)) if reply.kind in (kinds or _ANSWERED) else reply

    return lambda design: design.filtering(changed)


def _more_members(body: Body) -> Body:
    return {"gateway_version": "7", "links": [], **body, "custom": {"a": None}}


def _backwards(body: Body) -> Body:
    return dict(reversed(body.items()))


def _params_array(body: Body) -> Body:
    return body | {"redirect_params": []} if body.get("redirect_params") == {} else body


def _by_post(body: Body) -> Body:
    if body.get("redirect_params") != {}:
        return body
    return body | {"redirect_method": "POST", "redirect_params": {"reference": "1", "lang": "en"}}


def _amount_as_number(body: Body) -> Body:
    amount = body.get("amount")
    return body | {"amount": float(amount)} if isinstance(amount, str) and amount else body


def _poor(body: Body) -> Body:
    return {name: value for name, value in body.items() if name not in _UNPROMISED}


def _poor_design(design: Design) -> Design:
    return NOTICES.fields(without_fields(*_UNPROMISED))(_answers(_poor)(design))


def _other_reason(body: Body) -> Body:
    return body | {"decline_reason": "51: Not sufficient funds"} if "decline_reason" in body else body


def _svg(_text: str) -> str:
    return base64.b64encode(_SVG.encode()).decode("ascii")


def _declined_late(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or gateway.apm.same_financial_day(payment, gateway.clock.now()):
        return handler(attempt, gateway)
    body: Body = {
        "action": "VOID",
        "result": "DECLINED",
        "status": payment.status,
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
        "decline_reason": "The day is over",
    }
    return Reply(Kind.APM_VOID, 200, body)


def _refused_by_callback(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    too_much = gateway.apm.obstacle_refusals["CREDITVOID", Obstacle.TOO_MUCH]
    if payment is None or reply.body.get("error_code") != too_much.code:
        return reply
    _notify_declined(gateway, payment)
    body: Body = {
        "action": "CREDITVOID",
        "result": "ACCEPTED",
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
    }
    return Reply(Kind.APM_CREDITVOID, 200, body)


def _notify_declined(gateway: ApmGateway, payment: Payment) -> None:
    fields = {"result": "DECLINED", "status": payment.status, "decline_reason": "More than there is"}
    named = {"action": "CREDITVOID", "order_id": payment.order_number, "trans_id": payment.trans_id}
    gateway.callbacks.notify(Notice(payment, "CREDITVOID", {**named, **fields}))


def _general_rule(notice: Notice) -> str:
    return signatures.s2s_apm(replace(notice, event="SALE"))


def _flat_rule(notice: Notice) -> str:
    """Nested values are signed in the order of their whole names."""
    if notice.event == "CREDIT2VIRTUAL":
        return signatures.s2s_apm(notice)
    leaves = sorted(_leaves({name: value for name, value in notice.fields.items() if name != "hash"}))
    signed = b"".join(signatures.backwards(text) for _, text in leaves)
    return signatures.digest(notice, (signed + notice.payment.account.password.encode()).upper())


def _leaves(values: Mapping[str, object], prefix: str = "") -> Iterator[tuple[bytes, str]]:
    for name, value in values.items():
        whole = f"{prefix}[{name}]" if prefix else name
        if isinstance(value, Mapping):
            yield from _leaves(value, whole)
        elif isinstance(value, (list, tuple)):
            yield from _leaves({str(index): item for index, item in enumerate(value)}, whole)
        else:
            yield whole.encode(), str(value)


def _id_of_digits() -> str:
    return f"{secrets.randbelow(10**8):08}-0000-4000-8000-{secrets.randbelow(10**12):012}"


VARIATIONS: Final = (
    Variation(POOR, "Answers and callbacks of S2S APM carry only what the contract shows.", _poor_design),
    Variation("apm-answers-with-more-members", "Answers of S2S APM have further members.", _answers(_more_members)),
    Variation("apm-answers-in-other-order", "Members of S2S APM answers stand in another order.", _answers(_backwards)),
    Variation(
        "apm-trans-id-of-digits",
        "A trans_id has no letters, so that its signature has no case.",
        lambda design: design.in_apm(new_id=_id_of_digits),
    ),
    Variation("apm-redirect-params-array", "redirect_params without a member is [].", _answers(_params_array)),
    Variation("apm-redirect-by-post", "The payer is sent on by POST.", _answers(_by_post)),
    Variation(
        "apm-sale-amount-number", "The amount of a sale is a number.", _answers(_amount_as_number, Kind.APM_SALE)
    ),
    Variation("apm-other-decline-reason", "Payments are declined for another reason.", _answers(_other_reason)),
    Variation("apm-qr-svg", "The picture of a QR code is an SVG.", lambda design: design.in_apm(qr_code=_svg)),
    Variation(
        "apm-void-late-declined",
        "A void that comes too late is answered as declined.",
        around(_declined_late, "VOID"),
    ),
    Variation(
        "apm-void-on-any-day",
        "A settled payment can be voided on any day.",
        lambda design: design.in_apm(same_financial_day=lambda _payment, _now: True),
    ),
    Variation(
        "apm-refund-too-large-declined-later",
        "A refund of too much is accepted, and declined by callback.",
        around(_refused_by_callback, "CREDITVOID"),
    ),
    Variation("apm-payouts-open-first", "Payouts are open for a second before they are paid.", payouts_open_first),
    Variation(
        "apm-payout-callback-general-rule",
        "Callbacks of payouts are signed by the general rule.",
        lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: _general_rule}),
    ),
    Variation(
        "apm-callback-nested-values-flat",
        "Nested values of callbacks are signed in the order of their whole names.",
        lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: _flat_rule}),
    ),
    Variation(
        "apm-callbacks-with-more-fields",
        "Callbacks of S2S APM have further fields, nested ones included.",
        NOTICES.changed(
            lambda notice: [
                replace(notice, fields={**notice.fields, "exchange_rate": "1.05", "extra": {"b": "2", "a": ["x", "y"]}})
            ]
        ),
    ),
    Variation(
        "apm-callbacks-in-other-order",
        "Fields of S2S APM callbacks stand in another order.",
        NOTICES.changed_when_signed(lambda notice: [replace(notice, fields=dict(reversed(notice.fields.items())))]),
    ),
)
