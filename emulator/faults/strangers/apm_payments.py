"""Faults of S2S APM sales and of what follows them: after another post, on another day, for one brand or spelling.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.interleaving import IN_FLIGHT_SECONDS, mark, marked
from emulator.changes.s2s_apm import around, instead, unless
from emulator.changes.s2s_apm_payments import HELD
from emulator.design import Change, all_of
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import check_duplicate, check_signature
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_UNPUNCTUATED: Final = Refusal(Kind.STATE, "Void is not allowed")


# --- order ids and signatures ---


def _in_flight(attempt: ApmAttempt) -> Refusal | None:
    form, now = attempt.form, attempt.gateway.clock.seconds()
    age = attempt.gateway.apm_window.age(form.get("client_key", ""), form.get("order_id", ""), now)
    return None if age is not None and age < IN_FLIGHT_SECONDS * 0.9 else check_duplicate(attempt)


def _slowly(reply: Reply) -> Reply:
    return replace(reply, delay=IN_FLIGHT_SECONDS) if reply.kind is Kind.APM_PAYOUT and not reply.is_error else reply


def _names_channel(attempt: ApmAttempt) -> bool:
    return bool(attempt.form.get("channel_id"))


# --- authorizations ---


def _apple_wallet_settles(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    if attempt.form.get("brand") != "applepay":
        return handler(attempt, gateway)
    return handler(replace(attempt, form={**attempt.form, "auth": "N"}), gateway)


def _lapses_at_midnight(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and HELD(payment) and payment.created.date() != gateway.clock.now().date():
        return gateway.answers.refuse(gateway.apm.obstacle_refusals["CAPTURE", Obstacle.WRONG_STATE])
    return handler(attempt, gateway)


def _part_of_released(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.RELEASED and attempt.form.get("amount"):
        payment.state = State.AUTHORIZED
        reply = handler(attempt, gateway)
        payment.state = State.RELEASED if reply.is_error else payment.state
        return reply
    return handler(attempt, gateway)


def _others_of_payer(payment: Payment, gateway: ApmGateway) -> list[Payment]:
    return [
        one
        for one in gateway.payments.latest(500)
        if one.protocol is Protocol.S2S_APM
        and one.account is payment.account
        and one.email == payment.email
        and one.state is State.AUTHORIZED
    ]


def _all_of_payer_released(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    is_release = payment is not None and payment.state is State.AUTHORIZED and bool(payment.email)
    reply = handler(attempt, gateway)
    for other in (
        _others_of_payer(payment, gateway) if payment is not None and is_release and not reply.is_error else ()
    ):
        other.state = State.RELEASED
    return reply


def _payers_latest(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or not payment.email or payment.state is not State.AUTHORIZED:
        return handler(attempt, gateway)
    return handler(replace(attempt, payment=_others_of_payer(payment, gateway)[0]), gateway)


# --- voids ---


def _unpunctuated(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    held = attempt.payment is not None and HELD(attempt.payment)
    return gateway.answers.refuse(_UNPUNCTUATED) if held else handler(attempt, gateway)


def _barred_once_refused(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and marked(payment):
        return gateway.answers.refuse(gateway.apm.obstacle_refusals["VOID", Obstacle.WRONG_STATE])
    if payment is not None and HELD(payment):
        mark(payment)
    return handler(attempt, gateway)


# --- instant QR ---


def _picture(make: Callable[[Callable[[str], str]], Callable[[str], str]]) -> Change:
    """The codes of instant QR payments are made by what ``make`` makes of the usual way."""
    return lambda design: design.in_apm(qr_code=make(design.apm.qr_code))


def _url_safe(inner: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: inner(text).replace("+", "-").replace("/", "_")


# --- look-ups ---


def _newest_of_order(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """A payment is reported as its order stands: a newer payment of the order decides."""
    payment = attempt.payment
    newest = gateway.payments.of_order(payment.account, payment.order_number)[0] if payment is not None else None
    if payment is None or newest is None or newest is payment:
        return handler(attempt, gateway)
    reply = handler(attempt, gateway)
    return replace(reply, body=reply.body | {"status": newest.status})


FAULTS: Final = faults(
    {
        "apm-qr-code-in-url-safe-letters": breaks(
            "APM-QRC-02", "redirect_params.qr_code has - and _ for + and / of Base64 (line 235).", _picture(_url_safe)
        ),
        "apm-sale-unsigned-with-channel": breaks(
            "APM-SIG-10",
            "Hashes of SALE are not looked at where channel_id is sent (line 407).",
            unless(check_signature, _names_channel, "SALE"),
        ),
        "apm-part-of-released-captured": breaks(
            "APM-CAP-07",
            "CAPTURE with an amount settles an authorization that was released (line 455).",
            around(_part_of_released, "CAPTURE"),
            since=_NEW,
        ),
        "apm-creditvoid-releases-all-of-payer": breaks(
            "APM-AUT-06",
            "CREDITVOID of an authorization releases all others of the payer, too (line 317).",
            around(_all_of_payer_released, "CREDITVOID"),
            since=_NEW,
        ),
        "apm-capture-of-payers-latest": breaks(
            "APM-CAP-02",
            "CAPTURE settles the newest authorization of the payer, not the one of trans_id (line 370).",
            around(_payers_latest, "CAPTURE"),
            since=_NEW,
        ),
        "apm-refused-void-bars-later-void": breaks(
            "APM-VOI-02",
            "A payment whose VOID was refused before its capture cannot be voided after it (line 318).",
            around(_barred_once_refused, "VOID"),
            since=_NEW,
        ),
        "apm-payouts-at-once-both-made": breaks(
            "APM-REQ-12",
            "Of two payouts with one order id that are posted at the same time both are made (line 437).",
            all_of(instead(check_duplicate, _in_flight, "CREDIT2VIRTUAL"), lambda design: design.filtering(_slowly)),
        ),
        "apm-authorization-by-apple-wallet-settles": breaks(
            "APM-AUT-01",
            "auth=Y has no effect on a SALE by the brand applepay (line 369).",
            around(_apple_wallet_settles, "SALE"),
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "apm-authorization-lapses-at-midnight": breaks(
            "APM-CAP-01",
            "From the next day in UTC on an authorization cannot be captured (line 316).",
            around(_lapses_at_midnight, "CAPTURE"),
            since=_NEW,
        ),
        "apm-void-of-authorization-without-full-stop": breaks(
            "APM-VOI-04",
            "VOID of an authorization is refused without the full stop at the end of the message (line 446).",
            around(_unpunctuated, "VOID"),
            since=_NEW,
        ),
        "apm-look-up-by-newest-of-order": breaks(
            "APM-STA-02",
            "GET_TRANS_STATUS reports the status of the newest payment of the order (line 373).",
            around(_newest_of_order, "GET_TRANS_STATUS"),
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
