"""What is reported of a payment beside its money in every protocol: payer, card on file, 3DS and acquirer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Protocol

from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import Payment

UNKNOWN_BROWSER: Final[Mapping[str, str]] = {
    "browser_color_depth": "24",
    "browser_screen_height": "1080",
    "browser_screen_width": "1920",
    "browser_java_enabled": "false",
    "browser_javascript_enabled": "false",
    "browser_language": "en",
    "browser_timezone_offset": "0",
    "browser_user_agent": "unknown",
    "browser_accept_headers": "*/*",
    "browser_platform": "unknown",
}
"""What is reported of a browser that said nothing of itself."""


class Remembered(Protocol):
    """What a protocol remembers of a payment.

    ``trans_status`` and ``three_ds_ids`` (3DS server, directory server, access control server) are of 3DS;
    ``challenged`` says that the payer was sent to the issuer; the others are of a card on file.
    """

    initiator: str
    source: str
    sequence: str
    trans_status: str
    challenged: bool
    three_ds_ids: tuple[str, str, str]


class Released(Protocol):
    """Has a release of the interface."""

    release: str


def is_new(gateway: Released) -> bool:
    """Whether the release has what came with 6.7.0."""
    return gateway.release >= "6.7.0"


def reference_number(payment: Payment, now: datetime) -> str:
    """The acquirer's reference number (ARN) of a payment that cleared; empty until its financial day is over."""
    is_over = payment.created.date() != now.date()
    return f"74{payment.id.replace('-', '')[:8]}0000000000001" if is_over else ""


def brand_member(gateway: Released, payment: Payment) -> Fields:
    """The brand of the card."""
    return {"brand": payment.brand} if is_new(gateway) and payment.account.brand and payment.brand else {}


def payer_members(gateway: Released, payment: Payment) -> Fields:
    """The payer's attributes, as far as they are known."""
    return dict(payment.payer) if is_new(gateway) and payment.account.payer_fields else {}


def cof_members(gateway: Released, payment: Payment, record: Remembered) -> Fields:
    """Who initiated a payment by a card on file, from where, and whether it is the first one."""
    if not (is_new(gateway) and payment.account.cof_fields and record.initiator):
        return {}
    return {"initiator": record.initiator, "source": record.source, "sequence": record.sequence}


def three_ds_members(gateway: Released, payment: Payment, record: Remembered) -> Fields:
    """What 3DS said of the payer; nothing for payments that it was not asked about."""
    if not (is_new(gateway) and payment.account.three_ds_data and record.trans_status):
        return {}
    server, directory, access = record.three_ds_ids
    failed = record.trans_status == "N"
    fields: Fields = {
        "threeDSServerTransID": server,
        "dsTransID": directory,
        "acsTransID": access,
        "transStatus": record.trans_status,
        "eci": "07" if failed else "05",
        "protocolVersion": "2.2.0",
        "authenticationFlow": "Challenge" if record.challenged else "Frictionless",
    }
    return fields | ({"transStatusReason": "01"} if failed else {})


def acquirer_data(payment: Payment) -> dict[str, str]:
    """The acquirer's data of a payment that it saw, for ``extended_data``."""
    digits = "".join(sign for sign in payment.id if sign.isdecimal()).ljust(12, "0")
    return {
        "connector_name": "emulator",
        "rrn": digits[:12],
        "approval_code": digits[:6],
        "gateway_id": payment.id,
        "extra_gateway_id": payment.trans_id,
        "merchant_name": payment.account.name,
        "mid_name": payment.account.name,
        "issuer_country": "US",
        "issuer_bank": "Emulated bank",
    }
