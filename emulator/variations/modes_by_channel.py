"""A variation of routing: one key, and channels that decide its mode, as portals have who give a merchant one key."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from emulator.design import Design, all_of
from emulator.engine.payments import State
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Reply

MODES: Final[Mapping[str, str]] = MappingProxyType({"main": "SMS", "channel-16-chars": "DMS"})
"""By channel, the mode that it decides; without one it is that of the account."""


def _with_auth(form: Mapping[str, str]) -> Mapping[str, str]:
    mode = MODES.get(form.get("channel_id", ""))
    return form if mode is None else {**form, "auth": "Y" if mode == "DMS" else "N"}


def _sessions(design: Design) -> Design:
    inner = design.checkout.intended

    def intended(session: PageSession) -> State:
        mode = MODES.get(session.given("channel_id")) if session.operation == "purchase" else None
        if mode is None:
            return inner(session)
        return State.AUTHORIZED if mode == "DMS" else State.SETTLED

    return design.in_checkout(intended=intended)


def _card_sales(design: Design) -> Design:
    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        def perform(attempt: CardAttempt) -> Reply:
            return behaviour.perform(replace(attempt, form=_with_auth(attempt.form)))

        return replace(behaviour, perform=perform)

    return design.in_posts(changed, "SALE")


def _apm_sales(design: Design) -> Design:
    inner = design.apm.handlers["SALE"]

    def sale(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        return inner(replace(attempt, form=_with_auth(attempt.form)), gateway)

    return design.in_apm(handlers={**design.apm.handlers, "SALE": sale})


VARIATIONS: Final = (
    Variation(
        "channels-decide-the-mode",
        "A channel decides whether a payment is settled at once or held, whichever account has it.",
        all_of(_sessions, _card_sales, _apm_sales),
    ),
)
