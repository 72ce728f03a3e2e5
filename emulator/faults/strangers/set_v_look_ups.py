"""Look-ups of S2S that change something, as a stranger's look-ups of Checkout did (set V)."""

from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.design import Change, Design
from emulator.engine.schedules import Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.wire.replies import Reply


def _renewed(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    order_id = reply.body.get("order_id")
    if isinstance(order_id, str):
        attempt.gateway.take_order({**attempt.form, "order_id": order_id})
    return reply


def _apm_renewed(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    order_id = reply.body.get("order_id")
    if isinstance(order_id, str):
        gateway.apm_window.take(attempt.form.get("client_key", ""), order_id, gateway.clock.seconds())
    return reply


def _still_once_seen(action: str) -> Change:
    """A schedule whose payers were looked up by an action charges nobody any more."""

    def change(design: Design) -> Design:
        seen, inner = set[str](), design.schedules.may_charge

        def look_up(perform: Perform, attempt: CardAttempt) -> Reply:
            seen.update(attempt.form.get(name, "") for name in ("schedule_id", "trans_id"))
            return perform(attempt)

        def may_charge(subscription: Subscription) -> bool:
            is_seen = not seen.isdisjoint((subscription.schedule.id, subscription.initial.trans_id))
            return inner(subscription) and not (is_seen and subscription.made)

        return s2s_card.around(look_up, action)(design.in_schedules(may_charge=may_charge))

    return change


FAULTS: Final = faults(
    {
        "v-card-look-up-renews-the-window-of-duplicates": breaks(
            "S2C-STA-11",
            "In S2S CARD an order id is a duplicate for 15 seconds after each look-up (lines 344 and 472).",
            s2s_card.around(_renewed, "GET_TRANS_STATUS"),
        ),
        "v-card-look-up-by-order-renews-the-window-of-duplicates": breaks(
            "S2C-STA-11",
            "In S2S CARD an order id is a duplicate for 15 seconds after each look-up by it (lines 344 and 472).",
            s2s_card.around(_renewed, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "v-apm-look-up-renews-the-window-of-duplicates": breaks(
            "APM-STA-08",
            "In S2S APM an order id is a duplicate for 15 seconds after each look-up (lines 344 and 472).",
            s2s_apm.around(_apm_renewed, "GET_TRANS_STATUS"),
        ),
        "v-schedule-that-was-looked-at-stands-still": breaks(
            "S2C-SCP-05",
            "A schedule that charged once charges no more after SCHEDULE_INFO (line 361).",
            _still_once_seen("SCHEDULE_INFO"),
        ),
    }
)
