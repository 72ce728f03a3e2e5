"""Every action of S2S CARD with the way in which it is served."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.releases import holds, order_of
from emulator.replies import Kind, Refusal
from emulator.rules import card_posts, schedules
from emulator.rules.sale import SALE
from emulator.s2s_card import afterwards, charging, lookups, payouts, scheduling, signed, stages
from emulator.s2s_card.conduct import PostConduct
from emulator.signing import formula_4

PAYMENTS: Final = ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD")
_NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_NO_ORDER: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.", code=101000)
_NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_CHAIN: Final = Refusal(Kind.NOT_FOUND, "Incorrect transaction")
_NOT_CORRECT: Final = Refusal(Kind.NOT_FOUND, "This value is not correct.")
# Actions whose refusal of an unknown id was another one before the codes were told apart by entity.
_ONCE_NOT_CORRECT: Final = ("CAPTURE", "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")

_SALE: Final = PostConduct(SALE, stages.PAYMENT_STAGES, signed.by_instrument, charging.pay)
_CHAIN: Final = PostConduct(
    card_posts.RECURRING_SALE, stages.CHAIN_STAGES, signed.by_initial, charging.charge_again, unknown=_NO_CHAIN
)
_OPERATION: Final = PostConduct(
    card_posts.VOID,
    stages.OPERATION_STAGES,
    signed.by_payment,
    afterwards.void,
    unknown=_NO_PAYMENT,
    refusals=afterwards.VOID_REFUSALS,
)
_LOOKUP: Final = replace(_OPERATION, perform=lookups.status, unknown=_NO_TRANSACTION, refusals={})
_SCHEDULE: Final = PostConduct(
    schedules.USED_SCHEDULE, stages.SCHEDULE_STAGES, signed.by_schedule, scheduling.info, formula=formula_4
)

POSTS: Final[Mapping[str, PostConduct]] = {
    "SALE": _SALE,
    "DEBIT": replace(_SALE, rows=card_posts.DEBIT),
    "RECURRING_SALE": _CHAIN,
    "RECURRING_DEBIT": replace(_CHAIN, rows=card_posts.RECURRING_DEBIT),
    "CARD2CARD": replace(_SALE, rows=card_posts.CARD2CARD, values=signed.by_payers_card, perform=charging.transfer),
    "CREDIT2CARD": PostConduct(
        card_posts.CREDIT2CARD, stages.PAYOUT_STAGES, signed.by_payee, payouts.pay_out, refuses_expired=False
    ),
    "CAPTURE": replace(
        _OPERATION,
        rows=card_posts.CAPTURE,
        perform=afterwards.capture,
        unknown=_NO_TRANSACTION,
        refusals=afterwards.CAPTURE_REFUSALS,
    ),
    "VOID": _OPERATION,
    "CREDITVOID": replace(
        _OPERATION,
        rows=card_posts.CREDITVOID,
        perform=afterwards.creditvoid,
        refusals=afterwards.REFUND_REFUSALS,
    ),
    "RETRY": replace(_OPERATION, rows=card_posts.RETRY, perform=afterwards.retry, refusals=afterwards.RETRY_REFUSALS),
    "GET_TRANS_STATUS": replace(_LOOKUP, rows=card_posts.GET_TRANS_STATUS),
    "GET_TRANS_STATUS_BY_ORDER": replace(
        _LOOKUP,
        rows=card_posts.GET_TRANS_STATUS_BY_ORDER,
        stages=stages.ORDER_STAGES,
        values=signed.by_order,
        unknown=_NO_ORDER,
    ),
    "GET_TRANS_DETAILS": replace(_LOOKUP, rows=card_posts.GET_TRANS_DETAILS, perform=lookups.details),
    "CREATE_SCHEDULE": replace(
        _SCHEDULE,
        rows=schedules.CREATE_SCHEDULE,
        stages=stages.NEW_SCHEDULE_STAGES,
        values=signed.by_nothing,
        perform=scheduling.create,
    ),
    "UPDATE_SCHEDULE": replace(_SCHEDULE, rows=schedules.UPDATE_SCHEDULE, perform=scheduling.update),
    "DELETE_SCHEDULE": replace(_SCHEDULE, perform=scheduling.delete),
    "SCHEDULE_INFO": _SCHEDULE,
    "PAUSE": replace(_SCHEDULE, perform=scheduling.pause),
    "RUN": replace(_SCHEDULE, perform=scheduling.run),
    "DESCHEDULE": replace(_SCHEDULE, rows=schedules.DESCHEDULE, perform=scheduling.deschedule),
}


def posts_of(release: str) -> dict[str, PostConduct]:
    """How the actions are served by a release."""
    early = order_of(release) < order_of("6.7.0")
    return {
        name: replace(
            conduct,
            rows=tuple(row for row in conduct.rows if holds(release, row.since, row.until)),
            unknown=_NOT_CORRECT if early and name in _ONCE_NOT_CORRECT else conduct.unknown,
        )
        for name, conduct in POSTS.items()
    }
