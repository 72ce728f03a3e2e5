"""Faults of S2S APM: what was refused bars what is right for the same payment."""

from typing import Final

from emulator.changes.s2s_apm import around, instead, last
from emulator.design import Change, Design
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import find_payment
from emulator.wire.replies import Kind, Refusal, Reply

_NOT_NOW: Final = Refusal(Kind.STATE, "This is not possible now.")


def _unfound_bars(action: str) -> Change:
    """An action that is refused because the payment is not of who asks is refused ever after."""

    def change(design: Design) -> Design:
        barred: set[str] = set()

        def noting(attempt: ApmAttempt) -> Refusal | None:
            refusal = find_payment(attempt)
            if refusal is not None:
                barred.add(attempt.form.get("trans_id", ""))
            return refusal

        def refusing(attempt: ApmAttempt) -> Refusal | None:
            return _NOT_NOW if attempt.form.get("trans_id") in barred else None

        return last(refusing, action)(instead(find_payment, noting, action)(design))

    return change


def _refusal_bars(refused: str, state: State, *barred: str) -> Change:
    """An action that is refused of a payment in a state bars others."""

    def change(design: Design) -> Design:
        known: set[str] = set()

        def noting(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
            reply, payment = handler(attempt, gateway), attempt.payment
            if reply.is_error and payment is not None and payment.state is state:
                known.add(payment.id)
            return reply

        def refusing(attempt: ApmAttempt) -> Refusal | None:
            return _NOT_NOW if attempt.payment is not None and attempt.payment.id in known else None

        return last(refusing, *barred)(around(noting, refused)(design))

    return change


FAULTS: Final = faults(
    {
        **{
            f"{action.lower()}-bars-the-release": breaks(
                "APM-AUT-06",
                f"After a {action} was refused the authorization is not released.",
                _refusal_bars(action, State.AUTHORIZED, "CREDITVOID"),
                since="6.7.0",
            )
            for action in ("CAPTURE", "VOID")
        },
        "capture-bars-all-else": breaks(
            "APM-VOI-01 APM-CVD-06",
            "After the capture of a settled payment was refused it is not taken back.",
            _refusal_bars("CAPTURE", State.SETTLED, "VOID", "CREDITVOID"),
            since="6.7.0",
        ),
        **{
            f"{action.lower()}-of-another-merchant-bars-it": breaks(
                requirement,
                f"After a {action} by another merchant the payment takes no {action}.",
                _unfound_bars(action),
                since="6.7.0",
            )
            for action, requirement in (("CAPTURE", "APM-CAP-13"), ("VOID", "APM-VOI-15"), ("CREDITVOID", "APM-CVD-13"))
        },
    },
    prefix="apm-refused-",
)
