"""Which S2S APM actions there are, and who answers them."""

from collections.abc import Mapping
from typing import Final

from emulator.protocols.s2s_apm.behaviour import FORM, ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.payout import payout
from emulator.protocols.s2s_apm.sale import sale
from emulator.protocols.s2s_apm.transactions import capture, credit_void, look_up, void
from emulator.protocols.shared import first_refusal
from emulator.rules.model import BreakdownError
from emulator.wire.bodies import wrong_media_type
from emulator.wire.nested_forms import nested
from emulator.wire.replies import Reply, breakdown

HANDLERS: Final[Mapping[str, ApmHandler]] = {
    "SALE": sale,
    "CAPTURE": capture,
    "CREDITVOID": credit_void,
    "VOID": void,
    "GET_TRANS_STATUS": look_up,
    "CREDIT2VIRTUAL": payout,
}


def perform(gateway: ApmGateway, content_type: str, body: bytes, client: str, base: str) -> Reply:
    """Answer a post to the S2S APM address; ``base`` is the address that the gateway listens at.

    Raises RefusedError for a body that cannot be read.
    """
    behaviour, answers = gateway.apm, gateway.answers
    try:
        reader = behaviour.readers.get(content_type.partition(";")[0].strip().lower())
        if reader is None:
            raise wrong_media_type(FORM)
        form = reader(body, content_type)
        name = behaviour.read_name(form.get("action", ""))
        if not behaviour.known(name, gateway.release):
            return answers.refuse(behaviour.unknown if name else behaviour.missing)
        account = gateway.access.find_account(form.get("client_key"))
        attempt = ApmAttempt(gateway, form, client, account, name, nested(form), base)
        refusal = first_refusal(behaviour.stages[name], attempt)
        return behaviour.handlers[name](attempt, gateway) if refusal is None else answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
