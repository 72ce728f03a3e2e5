"""Every action of S2S CARD with the way in which it is served."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.engine.signing import formula_4
from emulator.protocols.s2s_card import captures_and_refunds, charging, payouts, stages
from emulator.protocols.s2s_card import schedules as scheduling
from emulator.protocols.s2s_card.behaviour import ActionBehaviour
from emulator.protocols.s2s_card.messages import lookups, signatures
from emulator.releases import holds, order_of
from emulator.rules.s2s_card import actions, schedules
from emulator.rules.s2s_card.sale import SALE
from emulator.wire.replies import Kind, Refusal

PAYMENTS: Final = ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD")
_NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_NO_ORDER: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.", code=101000)
_NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_CHAIN: Final = Refusal(Kind.NOT_FOUND, "Incorrect transaction")
_NOT_CORRECT: Final = Refusal(Kind.NOT_FOUND, "This value is not correct.")
# Actions whose refusal of an unknown id was another one before the codes were distinguished by entity.
_ONCE_NOT_CORRECT: Final = ("CAPTURE", "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")

_SALE: Final = ActionBehaviour(SALE, stages.PAYMENT_STAGES, signatures.by_instrument, charging.pay)
_CHAIN: Final = ActionBehaviour(
    actions.RECURRING_SALE, stages.CHAIN_STAGES, signatures.by_initial, charging.charge_again, unknown=_NO_CHAIN
)
_OPERATION: Final = ActionBehaviour(
    actions.VOID,
    stages.OPERATION_STAGES,
    signatures.by_payment,
    captures_and_refunds.void,
    unknown=_NO_PAYMENT,
    refusals=captures_and_refunds.VOID_REFUSALS,
)
_LOOKUP: Final = replace(_OPERATION, perform=lookups.status, unknown=_NO_TRANSACTION, refusals={})
_SCHEDULE: Final = ActionBehaviour(
    schedules.USED_SCHEDULE, stages.SCHEDULE_STAGES, signatures.by_schedule, scheduling.info, formula=formula_4
)

POSTS: Final[Mapping[str, ActionBehaviour]] = {
    "SALE": _SALE,
    "DEBIT": replace(_SALE, rows=actions.DEBIT),
    "RECURRING_SALE": _CHAIN,
    "RECURRING_DEBIT": replace(_CHAIN, rows=actions.RECURRING_DEBIT),
    "CARD2CARD": replace(_SALE, rows=actions.CARD2CARD, values=signatures.by_payers_card, perform=charging.transfer),
    "CREDIT2CARD": ActionBehaviour(
        actions.CREDIT2CARD, stages.PAYOUT_STAGES, signatures.by_payee, payouts.pay_out, refuses_expired=False
    ),
    "CAPTURE": replace(
        _OPERATION,
        rows=actions.CAPTURE,
        perform=captures_and_refunds.capture,
        unknown=_NO_TRANSACTION,
        refusals=captures_and_refunds.CAPTURE_REFUSALS,
    ),
    "VOID": _OPERATION,
    "CREDITVOID": replace(
        _OPERATION,
        rows=actions.CREDITVOID,
        perform=captures_and_refunds.creditvoid,
        refusals=captures_and_refunds.REFUND_REFUSALS,
    ),
    "RETRY": replace(
        _OPERATION, rows=actions.RETRY, perform=captures_and_refunds.retry, refusals=captures_and_refunds.RETRY_REFUSALS
    ),
    "GET_TRANS_STATUS": replace(_LOOKUP, rows=actions.GET_TRANS_STATUS),
    "GET_TRANS_STATUS_BY_ORDER": replace(
        _LOOKUP,
        rows=actions.GET_TRANS_STATUS_BY_ORDER,
        stages=stages.ORDER_STAGES,
        values=signatures.by_order,
        unknown=_NO_ORDER,
    ),
    "GET_TRANS_DETAILS": replace(_LOOKUP, rows=actions.GET_TRANS_DETAILS, perform=lookups.details),
    "CREATE_SCHEDULE": replace(
        _SCHEDULE,
        rows=schedules.CREATE_SCHEDULE,
        stages=stages.NEW_SCHEDULE_STAGES,
        values=signatures.by_nothing,
        perform=scheduling.create,
    ),
    "UPDATE_SCHEDULE": replace(_SCHEDULE, rows=schedules.UPDATE_SCHEDULE, perform=scheduling.update),
    "DELETE_SCHEDULE": replace(_SCHEDULE, perform=scheduling.delete),
    "SCHEDULE_INFO": _SCHEDULE,
    "PAUSE": replace(_SCHEDULE, perform=scheduling.pause),
    "RUN": replace(_SCHEDULE, perform=scheduling.run),
    "DESCHEDULE": replace(_SCHEDULE, rows=schedules.DESCHEDULE, perform=scheduling.deschedule),
}


def posts_of(release: str) -> dict[str, ActionBehaviour]:
    """How the actions are served by a release."""
    early = order_of(release) < order_of("6.7.0")
    return {
        name: replace(
            behaviour,
            rows=tuple(row for row in behaviour.rows if holds(release, row.since, row.until)),
            unknown=_NOT_CORRECT if early and name in _ONCE_NOT_CORRECT else behaviour.unknown,
        )
        for name, behaviour in POSTS.items()
    }
