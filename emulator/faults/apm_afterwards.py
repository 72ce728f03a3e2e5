"""Faults of S2S APM that show after a first request only: in what is left, repeated, or asked with another key."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from emulator.design import Change, Design
from emulator.faults.apm import answering, around, instead, together, without
from emulator.faults.apm_payments import SINCE_AUTH, accepting, refusing, standing, without_effect
from emulator.faults.model import Fault
from emulator.forms.attempt import check_environment, check_merchant
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_apm.conduct import ApmAttempt, ApmHandler
from emulator.s2s_apm.outcomes import number_of
from emulator.s2s_apm.stages import check_duplicate, find_payment

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_LATEST: Final = 200
_OTHER_ID: Final = "00000000-0000-4000-8000-000000000000"
_SHORT: Final = 8


def _captured(payment: Payment) -> bool:
    return any(step.type == Move.CAPTURE.value for step in payment.transactions)


def _captured_in_part(payment: Payment) -> bool:
    return payment.state is State.SETTLED and _captured(payment) and payment.captured < payment.amount


def _captured_whole(payment: Payment) -> bool:
    return payment.state is State.SETTLED and _captured(payment) and payment.captured == payment.amount


def _refunds_not_added_up(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    payment, asked = attempt.payment, number_of(attempt.form.get("amount", ""))
    if payment is not None and payment.state is State.SETTLED and payment.captured >= asked > payment.held:
        payment.refunded = Decimal(0)
    return handler(attempt, gateway)


def _refunds_up_to_the_order(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    payment, asked = attempt.payment, number_of(attempt.form.get("amount", ""))
    if payment is not None and _captured_in_part(payment) and payment.amount >= asked > payment.captured:
        payment.captured = payment.amount
    return handler(attempt, gateway)


def _parts_never_refund_all(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    if payment is not None and payment.state is State.REFUNDED and attempt.form.get("amount"):
        payment.state = State.SETTLED
    return reply


def _of_the_payment(attempt: ApmAttempt) -> Refusal | None:
    """Where the key is nobody's, take the payment for the merchant's own."""
    if attempt.account is not None:
        return find_payment(attempt)
    wanted = attempt.form.get("trans_id", "")
    found = [one for one in attempt.gateway.payments.latest(_LATEST) if one.trans_id == wanted]
    attempt.payment = found[0] if found else None
    return None if found else find_payment(attempt)


def _key_unneeded(action: str) -> Change:
    return together(without(check_merchant, action), instead(find_payment, _of_the_payment, action))


def _live_served(attempt: ApmAttempt) -> Refusal | None:
    return None if attempt.account is not None and attempt.account.live else check_environment(attempt)


def _addresses_free(attempt: ApmAttempt) -> Refusal | None:
    return None if attempt.account is not None and attempt.account.ip_allowlist else check_environment(attempt)


def _repeated(attempt: ApmAttempt, applies: Callable[[Payment], bool]) -> bool:
    order = attempt.form.get("order_id", "")
    latest = attempt.gateway.payments.latest(_LATEST)
    return any(one.protocol is Protocol.S2S_APM and one.order_number == order and applies(one) for one in latest)


def _no_duplicate_of(applies: Callable[[Payment, ApmAttempt], bool], action: str) -> Change:
    def check(attempt: ApmAttempt) -> Refusal | None:
        free = _repeated(attempt, lambda payment: applies(payment, attempt))
        return None if free else check_duplicate(attempt)

    return instead(check_duplicate, check, action)


def _refused_and_done(attempt: ApmAttempt) -> Refusal | None:
    refusal, gateway = check_duplicate(attempt), attempt.gateway
    if refusal is not None:
        gateway.design.apm.handlers["SALE"](attempt, gateway)
    return refusal


def _held(payment: Payment, _attempt: ApmAttempt) -> bool:
    return payment.intended is State.AUTHORIZED


def _declined(payment: Payment, _attempt: ApmAttempt) -> bool:
    return payment.state is State.DECLINED


def _of_other_amount(payment: Payment, attempt: ApmAttempt) -> bool:
    return payment.amount_text != attempt.form.get("order_amount")


def _nearly(attempt: ApmAttempt) -> Refusal | None:
    """Find a payment by the beginning of its trans_id."""
    wanted, account = attempt.form.get("trans_id", ""), attempt.account
    for one in attempt.gateway.payments.latest(_LATEST):
        alike = one.trans_id[:_SHORT] == wanted[:_SHORT] and len(wanted) >= _SHORT
        if alike and one.protocol is Protocol.S2S_APM and account is not None and one.account.key == account.key:
            attempt.payment = one
            return None
    return find_payment(attempt)


def _told(applies: Callable[[Payment], bool], **members: str) -> Change:
    """Look-ups of payments that ``applies`` holds for tell other members."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
        reply = handler(attempt, gateway)
        applied = attempt.payment is not None and applies(attempt.payment)
        return replace(reply, body={**reply.body, **members}) if applied else reply

    return around(act, "GET_TRANS_STATUS")


def _payout(state: State) -> Callable[[Payment], bool]:
    return lambda payment: payment.action == "CREDIT2VIRTUAL" and payment.state is state


def _naming(kind: Kind, **members: object) -> Change:
    return answering(lambda body: {**body, **members}, kind)


def _declined_as_paid(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    reply = handler(attempt, gateway)
    declined = reply.body.get("status") == "DECLINED"
    return replace(reply, body={**reply.body, "result": "SUCCESS", "status": "SETTLED"}) if declined else reply


def _too_much_captures(design: Design) -> Design:
    return accepting("CAPTURE", _captured_in_part)(design)


_AFTER_PARTS: Final = (
    Fault(
        "apm-capture-after-a-part",
        ("APM-CAP-04",),
        "After a part was captured, CAPTURE is accepted again.",
        _too_much_captures,
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-refunds-not-added-up",
        ("APM-CVD-08",),
        "Each refund is compared with the whole amount, whatever was given back before.",
        around(_refunds_not_added_up, "CREDITVOID"),
        ("APM-CVD-06",),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-refund-above-captured",
        ("APM-CVD-08",),
        "More than was captured is given back.",
        around(_refunds_up_to_the_order, "CREDITVOID"),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-parts-never-refund-all",
        ("APM-CVD-06",),
        "A payment that was given back in parts stays SETTLED.",
        around(_parts_never_refund_all, "CREDITVOID"),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-void-of-captured-without-effect",
        ("APM-VOI-02",),
        "VOID of a captured payment changes nothing.",
        without_effect("VOID", _captured),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-creditvoid-of-captured-refused",
        ("APM-CVD-06",),
        "CREDITVOID of a captured payment is refused.",
        refusing("CREDITVOID", _captured_whole),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-creditvoid-of-captured-without-effect",
        ("APM-CVD-06",),
        "CREDITVOID of a captured payment changes nothing.",
        without_effect("CREDITVOID", _captured),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-capture-of-redirected",
        ("APM-CAP-14",),
        "CAPTURE settles a payment whose payer has not come back.",
        accepting("CAPTURE", standing(State.REDIRECTED), State.SETTLED),
        ("APM-VOI-10",),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-capture-of-qr-payment",
        ("APM-QRC-04",),
        "CAPTURE settles an instant QR payment that the bank has not decided.",
        accepting("CAPTURE", standing(State.AWAITING_BANK), State.SETTLED),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-void-of-qr-payment",
        ("APM-VOI-16",),
        "VOID of an instant QR payment that the bank has not decided is accepted.",
        accepting("VOID", standing(State.AWAITING_BANK)),
    ),
)
_KEYS: Final = (
    *(
        Fault(
            f"apm-{action.lower().replace('_', '-')}-key-unneeded",
            ("APM-REQ-04",),
            f"{action} by an unknown key is carried out.",
            _key_unneeded(action),
        )
        for action in ("GET_TRANS_STATUS", "VOID")
    ),
    Fault(
        "apm-live-key-looks-up",
        ("APM-REQ-10",),
        "A key of production can look payments up.",
        instead(check_environment, _live_served, "GET_TRANS_STATUS"),
    ),
    Fault(
        "apm-allowlist-guards-no-payouts",
        ("APM-REQ-15",),
        "Payouts are served to every address.",
        instead(check_environment, _addresses_free, "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-allowlist-guards-no-voids",
        ("APM-REQ-15",),
        "VOID is served to every address.",
        instead(check_environment, _addresses_free, "VOID"),
    ),
)
_REPETITIONS: Final = (
    Fault(
        "apm-authorization-repeated",
        ("APM-REQ-11",),
        "The order id of an authorization can be used at once again.",
        _no_duplicate_of(_held, "SALE"),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-declined-sale-repeated",
        ("APM-REQ-11",),
        "The order id of a declined SALE can be used at once again.",
        _no_duplicate_of(_declined, "SALE"),
    ),
    Fault(
        "apm-payout-of-other-amount-repeated",
        ("APM-REQ-12",),
        "The order id of a payout can be used at once again with another amount.",
        _no_duplicate_of(_of_other_amount, "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-repeated-sale-refused-and-done",
        ("APM-REQ-11",),
        "A repeated SALE is refused and carried out.",
        instead(check_duplicate, _refused_and_done, "SALE"),
    ),
)
_TOLD: Final = (
    Fault(
        "apm-status-by-beginning",
        ("APM-STA-10",),
        "A payment is found by the beginning of its trans_id.",
        instead(find_payment, _nearly, "GET_TRANS_STATUS"),
        ("APM-STA-*", "APM-CAP-09"),
    ),
    Fault(
        "apm-status-reason-of-voided",
        ("APM-STA-07",),
        "Look-ups of voided payments have a decline_reason.",
        _told(standing(State.VOIDED), decline_reason="Voided"),
    ),
    Fault(
        "apm-status-paid-payout-pending",
        ("APM-STA-13",),
        "A paid payout is told as PENDING.",
        _told(_payout(State.SETTLED), status="PENDING"),
    ),
    Fault(
        "apm-status-declined-payout-settled",
        ("APM-STA-13",),
        "A declined payout is told as SETTLED.",
        _told(_payout(State.DECLINED), status="SETTLED"),
    ),
    Fault(
        "apm-payout-declined-answered-as-paid",
        ("APM-C2V-35",),
        "A declined payout is answered like a paid one.",
        around(_declined_as_paid, "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-void-names-other-payment",
        ("APM-VOI-03",),
        "The answer to VOID names another payment.",
        _naming(Kind.APM_VOID, trans_id=_OTHER_ID),
    ),
    Fault(
        "apm-payout-trans-id-of-digits",
        ("APM-ANS-09",),
        "The trans_id of a payout is a number.",
        _naming(Kind.APM_PAYOUT, trans_id="12345"),
        ("APM-STA-13", "CBK-*", "APM-C2V-*"),
    ),
    *(
        Fault(
            f"apm-{name}-trans-date-iso",
            ("APM-ANS-10",),
            f"trans_date in the answer to a {name} is written as in ISO 8601.",
            _naming(kind, trans_date="2026-01-02T03:04:05Z"),
            since=since,
        )
        for name, kind, since in (
            ("capture", Kind.APM_CAPTURE, SINCE_AUTH),
            ("void", Kind.APM_VOID, None),
            ("payout", Kind.APM_PAYOUT, None),
        )
    ),
)
FAULTS: Final = (*_AFTER_PARTS, *_KEYS, *_REPETITIONS, *_TOLD)
