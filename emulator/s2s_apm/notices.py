"""What merchants are told of S2S APM payments."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from emulator.callbacks.notice import Fields, Notice, Value
from emulator.payments.model import PAYER_ATTRIBUTES, Payment
from emulator.releases import holds

if TYPE_CHECKING:
    from emulator.gateway import Gateway

# Events whose callbacks carry the acquirer's reference number, empty while there is none.
_WITH_ARN: Final = frozenset({"SALE", "CREDITVOID"})


def date_of(gateway: "Gateway") -> str:
    """Date and time as answers and callbacks write them."""
    return gateway.clock.now().strftime("%Y-%m-%d %H:%M:%S")


def tell(gateway: "Gateway", payment: Payment, event: str, result: str, fields: Mapping[str, Value]) -> None:
    """Tell the merchant what happened to a payment; fields without a value are left out."""
    told: Fields = {
        "action": event,
        "result": result,
        "status": payment.status,
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
        **{name: value for name, value in fields.items() if value},
    }
    custom = payment.request.get("custom_data")
    if custom and event == payment.action:
        told["custom_data"] = cast("Value", custom)
    gateway.callbacks.tell(Notice(payment, event, told | _options(gateway, payment, event, result)))


def _options(gateway: "Gateway", payment: Payment, event: str, result: str) -> Fields:
    account, release = payment.account, gateway.design.release
    latest = holds(release, "6.7.0", None)
    added: Fields = {}
    if account.extended_data and result == "SUCCESS":
        added["extended_data"] = {
            "connector_name": "emulator",
            "rrn": payment.id.replace("-", "")[:12],
            "gateway_id": payment.id,
            "merchant_name": account.name,
            "mid_name": account.name,
        }
    if account.arn and latest and event in _WITH_ARN:
        added["arn"] = ""
    if account.payer_fields and latest:
        added |= {name: payment.payer[name] for name in PAYER_ATTRIBUTES if payment.payer.get(name)}
    return added
