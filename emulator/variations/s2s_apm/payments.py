"""Variations of S2S APM: what becomes of payments by themselves, and when."""

from collections.abc import Callable
from itertools import count
from typing import Final

from emulator.changes.s2s_apm import around
from emulator.design import Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler, same_financial_day
from emulator.protocols.s2s_apm.outcomes import decline, number_of
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_PART_SECONDS: Final = 0.8
_MINUTES: Final = 180.0
_WHOLE_SECONDS: Final = 0.2
_STEPS: Final = count(88_140_000)
Act = Callable[[ApmHandler, ApmAttempt, ApmGateway], Reply]


def _counted() -> str:
    return f"00000000-0000-4000-8000-{next(_STEPS):012}"


def _not_by_qr(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or payment.brand != "instant-qr" or payment.state is not State.SETTLED:
        return handler(attempt, gateway)
    refund = attempt.action == "CREDITVOID"
    return gateway.answers.refuse(gateway.apm.connector_refunds if refund else gateway.apm.unroutable)


def _given_back_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.SETTLED or payment.action != "SALE" or not payment.account.refunds:
        return handler(attempt, gateway)
    sent = attempt.form.get("amount", "")
    is_part = bool(sent) and number_of(sent) < payment.held
    # A part that takes longer is overtaken by what comes after it.
    gateway.agenda.after(
        _PART_SECONDS if is_part else _WHOLE_SECONDS, lambda: _carry_out(handler, attempt, gateway, payment)
    )
    named: dict[str, object] = {"order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_CREDITVOID, 200, {"action": "CREDITVOID", "result": "ACCEPTED", **named})


def _carry_out(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway, payment: Payment) -> None:
    if "error_code" not in handler(attempt, gateway).body:
        return
    named = {"action": "CREDITVOID", "order_id": payment.order_number, "trans_id": payment.trans_id}
    received = {"result": "DECLINED", "status": payment.status, "decline_reason": "More than there is"}
    gateway.callbacks.notify(Notice(payment, "CREDITVOID", {**named, **received}))


def _voided_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.SETTLED or same_financial_day(payment, gateway.clock.now()):
        return handler(attempt, gateway)

    def carry_out() -> None:
        handler(attempt, gateway)

    gateway.agenda.after(_WHOLE_SECONDS, carry_out)
    named: dict[str, object] = {"order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_VOID, 200, {"action": "VOID", "result": "ACCEPTED", **named})


def _captured_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED or attempt.form.get("amount"):
        return handler(attempt, gateway)

    def carry_out() -> None:
        handler(attempt, gateway)

    gateway.agenda.after(_MINUTES, carry_out)
    named: dict[str, object] = {"order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_CAPTURE, 200, {"action": "CAPTURE", "result": "ACCEPTED", "status": "PENDING", **named})


def _late_voids(design: Design) -> Design:
    changed = design.in_apm(same_financial_day=lambda _payment, _now: True)
    return around(_voided_later, "VOID")(changed)


def _ending(*states: State) -> Act:
    """A sale in one of the states is declined once a minute has passed."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        account, trans_id = attempt.account, str(reply.body.get("trans_id", ""))
        payment = gateway.payments.find(account, trans_id) if account is not None and trans_id else None
        if payment is not None and payment.state in states:
            gateway.agenda.after(gateway.apm.qr_seconds, lambda: _end(gateway, payment, states))
        return reply

    return act


def _end(gateway: ApmGateway, payment: Payment, states: tuple[State, ...]) -> None:
    if payment.state in states:
        decline(gateway, payment, "Nobody paid in time")


VARIATIONS: Final = (
    Variation(
        "apm-trans-ids-consecutive",
        "The trans_ids of payments follow each other.",
        lambda design: design.in_apm(new_id=_counted),
    ),
    Variation(
        "apm-qr-payments-are-final",
        "What was paid by instant QR is taken back by nothing that this interface has.",
        all_of(around(_not_by_qr, "CREDITVOID"), around(_not_by_qr, "VOID")),
    ),
    Variation(
        "apm-refunds-carried-out-later",
        "A CREDITVOID of a settled payment is accepted and carried out a little later; a whole one overtakes a part.",
        around(_given_back_later, "CREDITVOID"),
    ),
    Variation(
        "apm-captures-carried-out-after-minutes",
        "A CAPTURE is accepted and carried out minutes later.",
        around(_captured_later, "CAPTURE"),
    ),
    Variation(
        "apm-late-voids-carried-out-later",
        "A VOID on a later day is accepted and carried out a little later.",
        _late_voids,
    ),
    Variation(
        "apm-waiting-payments-end",
        "Redirected and QR payments that nobody pays are declined after a minute.",
        around(_ending(State.REDIRECTED, State.AWAITING_BANK), "SALE"),
    ),
)
