"""Faults of S2S APM that show after a first request only: in what is left, repeated, or asked with another key."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_apm import answering, around, instead, without
from emulator.changes.s2s_apm_payments import SINCE_AUTH, accepting, refusing, standing, without_effect
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import number_of
from emulator.protocols.s2s_apm.stages import check_duplicate, find_payment
from emulator.protocols.shared import check_environment, check_merchant
from emulator.wire.replies import Kind, Refusal, Reply

_LATEST: Final = 200
_OTHER_ID: Final = "00000000-0000-4000-8000-000000000000"
_SHORT: Final = 8


def _captured(payment: Payment) -> bool:
    return any(step.type == Move.CAPTURE.value for step in payment.transactions)


def _captured_in_part(payment: Payment) -> bool:
    return payment.state is State.SETTLED and _captured(payment) and payment.captured < payment.amount


def _captured_whole(payment: Payment) -> bool:
    return payment.state is State.SETTLED and _captured(payment) and payment.captured == payment.amount


def _refunds_not_added_up(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment, asked = attempt.payment, number_of(attempt.form.get("amount", ""))
    if payment is not None and payment.state is State.SETTLED and payment.captured >= asked > payment.held:
        payment.refunded = Decimal(0)
    return handler(attempt, gateway)


def _refunds_up_to_the_order(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment, asked = attempt.payment, number_of(attempt.form.get("amount", ""))
    if payment is not None and _captured_in_part(payment) and payment.amount >= asked > payment.captured:
        payment.captured = payment.amount
    return handler(attempt, gateway)


def _parts_never_refund_all(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
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
    return all_of(without(check_merchant, action), instead(find_payment, _of_the_payment, action))


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
        gateway.apm.handlers["SALE"](attempt, gateway)
    return refusal


def _held(payment: Payment, _attempt: ApmAttempt) -> bool:
    return payment.intended is State.AUTHORIZED


def _redirected(payment: Payment, _attempt: ApmAttempt) -> bool:
    return payment.state is State.REDIRECTED


def _paid_out(payment: Payment, _attempt: ApmAttempt) -> bool:
    return payment.action == "CREDIT2VIRTUAL"


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


def _reported(applies: Callable[[Payment], bool], **members: str) -> Change:
    """Look-ups of payments that ``applies`` holds for report other members."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        applied = attempt.payment is not None and applies(attempt.payment)
        return replace(reply, body={**reply.body, **members}) if applied else reply

    return around(act, "GET_TRANS_STATUS")


def _payout(state: State) -> Callable[[Payment], bool]:
    return lambda payment: payment.action == "CREDIT2VIRTUAL" and payment.state is state


def _with_members(kind: Kind, **members: object) -> Change:
    return answering(lambda body: {**body, **members}, kind)


def _declined_as_paid(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    declined = reply.body.get("status") == "DECLINED"
    return replace(reply, body={**reply.body, "result": "SUCCESS", "status": "SETTLED"}) if declined else reply


def _too_much_captures(design: Design) -> Design:
    return accepting("CAPTURE", _captured_in_part)(design)


_AFTER_PARTS: Final = faults(
    {
        "apm-capture-after-a-part": breaks(
            "APM-CAP-04", "After a part was captured, CAPTURE is accepted again.", _too_much_captures, since=SINCE_AUTH
        ),
        "apm-refunds-not-added-up": breaks(
            "APM-CVD-08",
            "Each refund is compared with the whole amount, whatever was given back before.",
            around(_refunds_not_added_up, "CREDITVOID"),
            since=SINCE_AUTH,
        ),
        "apm-refund-above-captured": breaks(
            "APM-CVD-08",
            "More than was captured is given back.",
            around(_refunds_up_to_the_order, "CREDITVOID"),
            since=SINCE_AUTH,
        ),
        "apm-parts-never-refund-all": breaks(
            "APM-CVD-06",
            "A payment that was given back in parts stays SETTLED.",
            around(_parts_never_refund_all, "CREDITVOID"),
            since=SINCE_AUTH,
        ),
        "apm-void-of-captured-without-effect": breaks(
            "APM-VOI-02",
            "VOID of a captured payment changes nothing.",
            without_effect("VOID", _captured),
            since=SINCE_AUTH,
        ),
        "apm-creditvoid-of-captured-refused": breaks(
            "APM-CVD-06",
            "CREDITVOID of a captured payment is refused.",
            refusing("CREDITVOID", _captured_whole),
            since=SINCE_AUTH,
        ),
        "apm-creditvoid-of-captured-without-effect": breaks(
            "APM-CVD-06",
            "CREDITVOID of a captured payment changes nothing.",
            without_effect("CREDITVOID", _captured),
            since=SINCE_AUTH,
        ),
        "apm-capture-of-redirected": breaks(
            "APM-CAP-14",
            "CAPTURE settles a payment whose payer has not come back.",
            accepting("CAPTURE", standing(State.REDIRECTED), State.SETTLED),
            since=SINCE_AUTH,
        ),
        "apm-capture-of-qr-payment": breaks(
            "APM-QRC-04",
            "CAPTURE settles an instant QR payment that the bank has not decided.",
            accepting("CAPTURE", standing(State.AWAITING_BANK), State.SETTLED),
            since=SINCE_AUTH,
        ),
        "apm-void-of-qr-payment": breaks(
            "APM-VOI-16",
            "VOID of an instant QR payment that the bank has not decided is accepted.",
            accepting("VOID", standing(State.AWAITING_BANK)),
        ),
    }
)
_KEYS: Final = faults(
    {
        **{
            f"apm-{action.lower().replace('_', '-')}-key-unneeded": breaks(
                "APM-REQ-04", f"{action} by an unknown key is carried out.", _key_unneeded(action)
            )
            for action in ("GET_TRANS_STATUS", "VOID")
        },
        "apm-live-key-looks-up": breaks(
            "APM-REQ-10",
            "A key of production can look payments up.",
            instead(check_environment, _live_served, "GET_TRANS_STATUS"),
        ),
        "apm-allowlist-guards-no-payouts": breaks(
            "APM-REQ-15",
            "Payouts are served to every address.",
            instead(check_environment, _addresses_free, "CREDIT2VIRTUAL"),
        ),
        "apm-allowlist-guards-no-voids": breaks(
            "APM-REQ-15", "VOID is served to every address.", instead(check_environment, _addresses_free, "VOID")
        ),
        **{
            f"apm-allowlist-guards-no-{action.lower()}s": breaks(
                "APM-REQ-15",
                f"{action} is served to every address.",
                instead(check_environment, _addresses_free, action),
                since=SINCE_AUTH,
            )
            for action in ("CAPTURE", "CREDITVOID")
        },
    }
)
_REPETITIONS: Final = faults(
    {
        "apm-authorization-repeated": breaks(
            "APM-REQ-11",
            "The order id of an authorization can be used at once again.",
            _no_duplicate_of(_held, "SALE"),
            since=SINCE_AUTH,
        ),
        "apm-declined-sale-repeated": breaks(
            "APM-REQ-11",
            "The order id of a declined SALE can be used at once again.",
            _no_duplicate_of(_declined, "SALE"),
        ),
        "apm-redirected-sale-repeated": breaks(
            "APM-REQ-11",
            "The order id of a SALE whose payer was sent elsewhere can be used at once again.",
            _no_duplicate_of(_redirected, "SALE"),
        ),
        "apm-sale-after-payout": breaks(
            "APM-REQ-11", "The order id of a payout can be used by a SALE.", _no_duplicate_of(_paid_out, "SALE")
        ),
        "apm-payout-of-other-amount-repeated": breaks(
            "APM-REQ-12",
            "The order id of a payout can be used at once again with another amount.",
            _no_duplicate_of(_of_other_amount, "CREDIT2VIRTUAL"),
        ),
        "apm-repeated-sale-refused-and-done": breaks(
            "APM-REQ-11",
            "A repeated SALE is refused and carried out.",
            instead(check_duplicate, _refused_and_done, "SALE"),
        ),
    }
)
_CONTRADICTIONS: Final = faults(
    {
        "apm-status-by-beginning": breaks(
            "APM-STA-10",
            "A payment is found by the beginning of its trans_id.",
            instead(find_payment, _nearly, "GET_TRANS_STATUS"),
        ),
        "apm-status-reason-of-voided": breaks(
            "APM-STA-07",
            "Look-ups of voided payments have a decline_reason.",
            _reported(standing(State.VOIDED), decline_reason="Voided"),
        ),
        "apm-status-paid-payout-pending": breaks(
            "APM-STA-13", "A paid payout is reported as PENDING.", _reported(_payout(State.SETTLED), status="PENDING")
        ),
        "apm-status-declined-payout-settled": breaks(
            "APM-STA-13",
            "A declined payout is reported as SETTLED.",
            _reported(_payout(State.DECLINED), status="SETTLED"),
        ),
        "apm-payout-declined-answered-as-paid": breaks(
            "APM-C2V-35", "A declined payout is answered like a paid one.", around(_declined_as_paid, "CREDIT2VIRTUAL")
        ),
        **{
            f"apm-{name}-names-other-payment": breaks(
                claimed,
                f"The answer to {name.upper()} names another payment.",
                _with_members(kind, trans_id=_OTHER_ID),
                since=SINCE_AUTH,
            )
            for name, claimed, kind in (
                ("capture", "APM-CAP-03", Kind.APM_CAPTURE),
                ("creditvoid", "APM-CVD-04", Kind.APM_CREDITVOID),
            )
        },
        "apm-void-names-other-payment": breaks(
            "APM-VOI-03", "The answer to VOID names another payment.", _with_members(Kind.APM_VOID, trans_id=_OTHER_ID)
        ),
        "apm-payout-trans-id-of-digits": breaks(
            "APM-ANS-09", "The trans_id of a payout is a number.", _with_members(Kind.APM_PAYOUT, trans_id="12345")
        ),
        **{
            f"apm-{name}-trans-date-iso": breaks(
                "APM-ANS-10",
                f"trans_date in the answer to a {name} is written as in ISO 8601.",
                _with_members(kind, trans_date="2026-01-02T03:04:05Z"),
                since=since,
            )
            for name, kind, since in (
                ("capture", Kind.APM_CAPTURE, SINCE_AUTH),
                ("void", Kind.APM_VOID, None),
                ("payout", Kind.APM_PAYOUT, None),
            )
        },
    }
)
FAULTS: Final = (*_AFTER_PARTS, *_KEYS, *_REPETITIONS, *_CONTRADICTIONS)
