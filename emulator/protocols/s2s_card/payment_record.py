"""What the gateway remembers of an S2S CARD payment beside what every payment has."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from emulator.engine.payments import Payment

_KEY: Final = "s2s_card"


def _id() -> str:
    return str(uuid.uuid4())


@dataclass(slots=True, kw_only=True)
class CardRecord:
    """Further facts of a payment.

    ``wants_token`` says that req_token asked for a card token, ``recurring`` that approval starts a recurring chain;
    ``challenged`` that the payer was sent to the issuer; ``flow`` and ``trans_status`` are those of 3DS; ``browser``
    is what the payer's browser said. ``soft`` marks a decline that a RETRY may turn.
    """

    term_url: str = ""
    link_target: str = "_top"
    wants_token: bool = False
    by_token: bool = False
    recurring: bool = False
    challenged: bool = False
    challenge: str = ""
    trans_status: str = ""
    wallet: str = ""
    payer_present: str = ""
    initiator: str = ""
    source: str = ""
    sequence: str = ""
    soft: bool = False
    first_recurring_date: str = ""
    schedule_start_date: str = ""
    schedule_amount: str = ""
    custom_data: Mapping[str, object] = field(default_factory=dict)
    browser: Mapping[str, str] = field(default_factory=dict)
    three_ds_ids: tuple[str, str, str] = field(default_factory=lambda: (_id(), _id(), _id()))


def remember(payment: Payment, record: CardRecord) -> None:
    """Keep the record with its payment."""
    payment.extras[_KEY] = record


def record_of(payment: Payment) -> CardRecord:
    """The record of a payment; an empty one for a payment of another protocol."""
    return cast("CardRecord", payment.extras.setdefault(_KEY, CardRecord()))
