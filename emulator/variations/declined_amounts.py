"""A variation of what decides that a payment is declined: its amount, as of limits and of test systems."""

from dataclasses import replace
from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.design import all_of
from emulator.engine.payments import State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import answer, decline, new_payment
from emulator.protocols.s2s_card import charging
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.sandbox_cards import DECLINED
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_ENDINGS: Final = (".98", ".99")


def _of_cards(sale: Perform, attempt: CardAttempt) -> Reply:
    if attempt.account is None or not attempt.form.get("order_amount", "").endswith(_ENDINGS):
        return sale(attempt)
    instrument = replace(charging.instrument_of(attempt, attempt.account), outcome=DECLINED)
    return charging.charge(attempt, charging.new_payment(attempt, attempt.account, instrument), DECLINED)


def _of_methods(sale: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    if not attempt.form.get("order_amount", "").endswith(_ENDINGS):
        return sale(attempt, gateway)
    payment = new_payment(attempt, State.SETTLED)
    decline(gateway, payment, "Declined by amount")
    return Reply(Kind.APM_SALE, 200, answer(gateway, payment, "DECLINED"))


VARIATIONS: Final = (
    Variation(
        "s2s-declined-by-amount",
        "A SALE of S2S CARD or S2S APM is declined where its amount ends in 98 or 99 cents.",
        all_of(s2s_card.around(_of_cards, "SALE"), s2s_apm.around(_of_methods, "SALE")),
    ),
)
