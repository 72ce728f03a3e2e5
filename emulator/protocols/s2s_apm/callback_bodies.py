"""What callbacks of S2S APM payments say."""

from collections.abc import Mapping
from typing import Final, cast

from emulator.engine.attributes import acquirer_data
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import PAYER_ATTRIBUTES, Payment
from emulator.protocols.s2s_apm.behaviour import ApmGateway
from emulator.releases import holds

# Events whose callbacks carry the acquirer's reference number, empty while there is none.
_WITH_ARN: Final = frozenset({"SALE", "CREDITVOID"})


def date_of(gateway: ApmGateway) -> str:
    """Date and time as answers and callbacks write them."""
    return gateway.clock.now().strftime("%Y-%m-%d %H:%M:%S")


def notify(gateway: ApmGateway, payment: Payment, event: str, result: str, fields: Mapping[str, Value]) -> None:
    """Notify the merchant what happened to a payment; fields without a value are left out."""
    members: Fields = {
        "action": event,
        "result": result,
        "status": payment.status,
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
        **{name: value for name, value in fields.items() if value},
    }
    custom = payment.request.get("custom_data")
    if custom and event == payment.action:
        members["custom_data"] = cast("Value", custom)
    gateway.callbacks.notify(Notice(payment, event, members | _options(gateway, payment, event, result)))


def _options(gateway: ApmGateway, payment: Payment, event: str, result: str) -> Fields:
    account, release = payment.account, gateway.release
    latest = holds(release, "6.7.0", None)
    added: Fields = {}
    if account.extended_data and result == "SUCCESS":
        added |= acquirer_data(payment)
    if account.arn and latest and event in _WITH_ARN:
        added["ARN"] = ""
    if account.payer_fields and latest:
        added |= {name: payment.payer[name] for name in PAYER_ATTRIBUTES if payment.payer.get(name)}
    return added
