"""What Checkout remembers of a payment besides what all protocols do."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from emulator.engine.payments import Payment
from emulator.wire.values import Object

_PLACE: Final = "checkout"


def _three_ids() -> tuple[str, str, str]:
    return str(uuid.uuid4()), str(uuid.uuid4()), str(uuid.uuid4())


@dataclass(slots=True, kw_only=True)
class CheckoutRecord:
    """The facts of one Checkout payment.

    ``event`` is its type in callbacks: sale, debit, credit, transfer or recurring. ``browser`` are the attributes of
    the payer's browser, empty where no payer was there; ``trans_status`` is the answer of 3DS, empty where none was
    asked. ``soft`` marks a decline that may be tried again, ``sent_token`` the token that the payment was made with.
    ``payee`` is whom a payout goes to; ``reported`` says that the bank spoke of an instant QR payment.
    """

    event: str
    method: str = "card"
    customer_ip: str = ""
    customer: Mapping[str, str] = field(default_factory=dict)
    payee: Mapping[str, str] = field(default_factory=dict)
    browser: Mapping[str, str] = field(default_factory=dict)
    custom_data: Object = field(default_factory=dict)
    wants_token: bool = False
    sent_token: str = ""
    recurring: bool = False
    chain_token: str = ""
    wallet: str = ""
    challenged: bool = False
    trans_status: str = ""
    three_ds_ids: tuple[str, str, str] = field(default_factory=_three_ids)
    initiator: str = ""
    source: str = ""
    sequence: str = ""
    schedule_start_date: str = ""
    schedule_amount: str = ""
    first_recurring_date: str = ""
    vat_amount: str = ""
    soft: bool = False
    reported: bool = False


def remember(payment: Payment, record: CheckoutRecord) -> None:
    """Keep the record with its payment."""
    payment.extras[_PLACE] = record


def record_of(payment: Payment) -> CheckoutRecord:
    """The record of a Checkout payment; an empty one for a payment of another protocol."""
    return cast("CheckoutRecord", payment.extras.get(_PLACE) or CheckoutRecord(event=payment.action))
