"""How a post to the S2S CARD address is answered."""

from collections.abc import Mapping

from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.shared import first_refusal
from emulator.rules.model import BreakdownError
from emulator.wire.replies import Reply, breakdown

Form = Mapping[str, str]


def perform(gateway: CardGateway, form: Form, client: str, base: str) -> Reply:
    """Answer a form post to the S2S CARD address; ``base`` is the address of the gateway."""
    behaviour, answers = gateway.actions, gateway.answers
    try:
        name = behaviour.read_name(form.get("action", ""))
        if not behaviour.known(name, gateway.release):
            return answers.refuse(behaviour.unknown if name else behaviour.missing)
        account = gateway.access.find_account(form.get("client_key"))
        attempt = CardAttempt(gateway, form, client, account, name, base)
        refusal = first_refusal(attempt.behaviour.stages, attempt)
        return attempt.behaviour.perform(attempt) if refusal is None else answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
