"""Variations of the window in which a number is not taken again, for sessions and sales alike."""

from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.protocols.checkout.session import Attempt, check_duplicate
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_duplicate as check_sale_duplicate
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal


def _windows(**changes: object) -> Change:
    def change(design: Design) -> Design:
        window = replace(design.session.window, **changes)  # type: ignore[arg-type]
        order_window = replace(design.sale.window, **changes)  # type: ignore[arg-type]
        return design.in_session(window=window).in_posts(lambda behaviour: replace(behaviour, window=order_window))

    return change


def _again(attempt: Attempt) -> Refusal | None:
    gateway = attempt.gateway
    refusal = check_duplicate(attempt)
    if refusal is not None:
        gateway.session_window.take(attempt.key, attempt.number, gateway.clock.seconds())
    return refusal


def _sale_again(attempt: CardAttempt) -> Refusal | None:
    gateway, form = attempt.gateway, attempt.form
    refusal = check_sale_duplicate(attempt)
    if refusal is not None:
        gateway.take_order(form)
    return refusal


def _sliding(design: Design) -> Design:
    stages = tuple(_again if one is check_duplicate else one for one in design.session.stages)
    sale_stages = tuple(_sale_again if one is check_sale_duplicate else one for one in design.sale.stages)
    return design.in_session(stages=stages).in_sale(stages=sale_stages)


VARIATIONS: Final = (
    Variation("number-used-once", "An order number or id is never taken again.", _windows(kept_for_good=True)),
    Variation("window-a-little-shorter", "The duplicate window closes after 14.8 seconds.", _windows(seconds=14.8)),
    Variation("window-a-little-longer", "The duplicate window closes after 15.8 seconds.", _windows(seconds=15.8)),
    Variation(
        "order-numbers-in-any-case",
        "Order numbers of sessions that differ in case alone are the same: their signature is.",
        lambda design: design.in_session(
            window=replace(design.session.window, key=lambda key, number: (key, number.casefold()))
        ),
    ),
    Variation("window-slides", "A repetition that is refused opens the window anew.", _sliding),
)
