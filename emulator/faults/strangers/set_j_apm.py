"""Faults of S2S APM by another author that the suite did not notice at first (set J)."""

from typing import Final

from emulator.changes.s2s_apm import around, instead
from emulator.design import Change
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import check_duplicate
from emulator.wire.replies import Kind, Refusal, Reply

_NO_VOID: Final = Refusal(Kind.STATE, "Void is not allowed.")


def _released_like_refunds(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.AUTHORIZED and not payment.account.refunds:
        return gateway.answers.refuse(_NO_VOID)
    return handler(attempt, gateway)


def _repeatable_while(state: State) -> Change:
    """The order id of a payout is free within the window while the payout has a state."""

    def check(attempt: ApmAttempt) -> Refusal | None:
        account, order_id = attempt.account, attempt.form.get("order_id", "")
        found = attempt.gateway.payments.of_order(account, order_id) if account is not None else ()
        is_free = any(one.action == "CREDIT2VIRTUAL" and one.state is state for one in found)
        return None if is_free else check_duplicate(attempt)

    return instead(check_duplicate, check, "CREDIT2VIRTUAL")


FAULTS: Final = faults(
    {
        "j-apm-release-needs-refunds": breaks(
            "APM-CVD-01",
            "An account that allows no refunds refuses to release an authorization as a void (lines 317, 371).",
            around(_released_like_refunds, "CREDITVOID"),
            since="6.7.0",
        ),
        **{
            f"j-apm-{word}-payout-can-be-repeated": breaks(
                "APM-REQ-12",
                f"A CREDIT2VIRTUAL that {became} can be posted again with its order_id at once (lines 437 and 472).",
                _repeatable_while(state),
            )
            for word, became, state in (
                ("open", "nobody knows the end of yet", State.PREPARED),
                ("declined", "was declined", State.DECLINED),
            )
        },
    }
)
