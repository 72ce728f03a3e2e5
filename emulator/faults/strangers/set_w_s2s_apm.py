"""Faults of another author that the suite did not notice at first (set W), and others of their classes: S2S APM."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import around, payment_made
from emulator.design import Change, Design
from emulator.engine.clock import Clock
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import decline
from emulator.rules.s2s_apm.brands import BANK_REPORTS
from emulator.wire.replies import Reply

_EXPIRED: Final = "The QR code expired"
_NEVER: Final = 10.0**9
_CAPACITY: Final = 250


def _no_code_for(is_too_much: Callable[[Mapping[str, str]], bool]) -> Change:
    """SALE by instant QR answers an empty code to some requests."""

    def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        if "qr_code" not in str(reply.body.get("redirect_params", "")) or not is_too_much(attempt.form):
            return reply
        return replace(reply, body=reply.body | {"redirect_params": {"qr_code": ""}})

    return around(selling, "SALE")


def _longer(name: str) -> Callable[[Mapping[str, str]], bool]:
    return lambda form: len(form.get(name, "")) > _CAPACITY


def _open_once_opened(seconds: float) -> Change:
    """A code that somebody opens in time can be paid for some seconds from then on, whoever opens it anew."""

    def change(design: Design) -> Design:
        valid, asks = design.apm.qr_seconds, design.apm.bank_asks
        clocks: dict[str, Clock] = {}
        ends: dict[str, float] = {}

        def asking(token: str, posted: Mapping[str, str]) -> str:
            if token in clocks:
                ends[token] = clocks[token].seconds() + seconds
            return asks(token, posted)

        def expire(payment: Payment, token: str, gateway: ApmGateway) -> None:
            left = ends.pop(token, 0.0) - gateway.clock.seconds()
            if left > 0:
                gateway.agenda.after(left, lambda: expire(payment, token, gateway))
            elif payment.state is State.REDIRECTED:
                decline(gateway, payment, _EXPIRED)

        def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
            reply = handler(attempt, gateway)
            payment = payment_made(attempt, gateway, reply)
            waits = attempt.form.get("identifier", "") not in BANK_REPORTS
            if payment is None or payment.brand != "instant-qr" or not waits:
                return reply
            token = str(reply.body.get("redirect_url", "")).rpartition("/")[2]
            clocks[token] = gateway.clock
            gateway.agenda.after(valid, lambda: expire(payment, token, gateway))
            return reply

        return around(selling, "SALE")(design.in_apm(qr_seconds=_NEVER, bank_asks=asking))

    return change


FAULTS: Final = faults(
    {
        **{
            f"w-apm-no-code-for-a-long-{name.replace('_', '-')}": breaks(
                "APM-QRC-01",
                f"A SALE by instant QR with a {name} of more than {_CAPACITY} characters has no code (line 376).",
                _no_code_for(_longer(name)),
            )
            for name in ("order_description", "order_id")
        },
        "w-apm-no-code-for-texts-outside-ascii": breaks(
            "APM-QRC-01",
            "A SALE by instant QR whose description is not of ASCII has no code (line 376).",
            _no_code_for(lambda form: not form.get("order_description", "").isascii()),
        ),
        "w-apm-minute-of-a-code-begins-anew-when-it-is-opened": breaks(
            "APM-QRC-11",
            "A code that is opened can be opened and paid for another minute (line 485).",
            _open_once_opened(60.0),
        ),
        "w-apm-code-that-was-opened-never-ends": breaks(
            "APM-QRC-11",
            "A code that is opened in time can be opened and paid for good (line 485).",
            _open_once_opened(_NEVER),
        ),
    }
)
