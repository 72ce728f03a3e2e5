"""Which S2S APM actions there are, and who answers them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from emulator.bodies import wrong_media_type
from emulator.forms.attempt import first_refusal
from emulator.forms.nesting import nested
from emulator.replies import Reply, breakdown
from emulator.rules.model import BreakdownError
from emulator.s2s_apm.conduct import FORM, ApmAttempt, ApmHandler
from emulator.s2s_apm.payout import payout
from emulator.s2s_apm.sale import sale
from emulator.s2s_apm.transactions import capture, credit_void, look_up, void

if TYPE_CHECKING:
    from emulator.gateway import Gateway

HANDLERS: Final[Mapping[str, ApmHandler]] = {
    "SALE": sale,
    "CAPTURE": capture,
    "CREDITVOID": credit_void,
    "VOID": void,
    "GET_TRANS_STATUS": look_up,
    "CREDIT2VIRTUAL": payout,
}


def perform(gateway: "Gateway", content_type: str, body: bytes, client: str, base: str) -> Reply:
    """Answer a post to the S2S APM address; ``base`` is the address that the gateway listens at.

    Raises RefusedError for a body that cannot be read.
    """
    design = gateway.design
    conduct, answers = design.apm, design.answers
    try:
        reader = conduct.readers.get(content_type.partition(";")[0].strip().lower())
        if reader is None:
            raise wrong_media_type(FORM)
        form = reader(body, content_type)
        name = conduct.read_name(form.get("action", ""))
        if not conduct.known(name, design.release):
            return answers.refuse(conduct.unknown if name else conduct.missing)
        account = design.session.find_account(form.get("client_key"))
        attempt = ApmAttempt(gateway, form, client, account, name, nested(form), base)
        refusal = first_refusal(conduct.stages[name], attempt)
        return conduct.handlers[name](attempt, gateway) if refusal is None else answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
