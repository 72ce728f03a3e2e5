"""A payment as the gateway remembers it."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Final

from emulator.accounts import Account


class State(Enum):
    """Where a payment stands."""

    PREPARED = "prepared"
    CHALLENGED = "challenged"
    REDIRECTED = "redirected"
    AWAITING_BANK = "awaiting bank"
    AUTHORIZED = "authorized"
    SETTLED = "settled"
    DECLINED = "declined"
    VOIDED = "voided"
    RELEASED = "released"
    REFUNDED = "refunded"
    CHARGED_BACK = "charged back"


class Protocol(Enum):
    """Where a payment was asked for."""

    CHECKOUT = "checkout"
    S2S_CARD = "s2s_card"
    S2S_APM = "s2s_apm"


# The word of a state in look-ups and callbacks of the form protocols.
STATUS: Final[Mapping[State, str]] = {
    State.PREPARED: "PREPARE",
    State.CHALLENGED: "3DS",
    State.REDIRECTED: "REDIRECT",
    State.AWAITING_BANK: "PENDING",
    State.AUTHORIZED: "PENDING",
    State.SETTLED: "SETTLED",
    State.DECLINED: "DECLINED",
    State.VOIDED: "VOID",
    State.RELEASED: "REVERSAL",
    State.REFUNDED: "REFUND",
    State.CHARGED_BACK: "CHARGEBACK",
}


# The optional attributes of the payer, as look-ups and callbacks name them.
PAYER_ATTRIBUTES: Final = (
    "payer_first_name",
    "payer_last_name",
    "payer_birth_date",
    "payer_address",
    "payer_address2",
    "payer_house_number",
    "payer_phone_country_code",
    "payer_country",
    "payer_state",
    "payer_city",
    "payer_district",
    "payer_zip",
    "payer_email",
    "payer_phone",
    "payer_ip",
)


@dataclass(frozen=True, slots=True)
class Card:
    """What is kept of a card: never the number itself. ``month`` and ``year`` are digits; ``holder`` may be empty."""

    first_six: str
    last_four: str
    month: str
    year: str
    holder: str = ""
    brand: str = ""

    @property
    def masked(self) -> str:
        """First six digits, six stars, last four digits."""
        return f"{self.first_six}******{self.last_four}"

    @property
    def expiry(self) -> str:
        """Month and year of expiry as MM/YYYY."""
        return f"{self.month}/{self.year}"

    @property
    def fragment(self) -> str:
        """The ten digits that take part in signatures."""
        return self.first_six + self.last_four


@dataclass(frozen=True, slots=True)
class Transaction:
    """One step of a payment, as GET_TRANS_DETAILS reports it. ``status`` is success, fail, waiting or undefined."""

    type: str
    status: str
    date: datetime
    amount: Decimal


def new_id() -> str:
    """An identifier that looks like those of the platform."""
    return str(uuid.uuid1())


@dataclass(slots=True, kw_only=True)
class Payment:
    """A payment; amounts are decimal numbers of its currency.

    ``action`` is what asked for it, in the words of the protocol (SALE, DEBIT, purchase ...). ``intended`` is where
    approval leads: SETTLED, or AUTHORIZED for a payment that is to be captured. ``approves`` says what the issuer will
    answer once a challenge or redirect is over. ``request`` is what the merchant sent, without card number and code.
    ``chain`` is the id of the payment that initialized the recurring chain that it belongs to.
    """

    protocol: Protocol
    account: Account
    action: str
    order_number: str
    amount: Decimal
    amount_text: str
    currency: str
    description: str
    created: datetime
    state: State
    intended: State = State.SETTLED
    approves: bool = True
    captures: bool = True
    card: Card | None = None
    email: str = ""
    payer: Mapping[str, str] = field(default_factory=dict)
    request: Mapping[str, object] = field(default_factory=dict)
    decline_reason: str = ""
    captured: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)
    recurring_token: str = ""
    card_token: str = ""
    schedule_id: str = ""
    chain: str = ""
    brand: str = ""
    transactions: list[Transaction] = field(default_factory=list)
    extras: dict[str, object] = field(default_factory=dict)
    id: str = field(default_factory=new_id)
    trans_id: str = ""

    def __post_init__(self) -> None:
        """Let the payment and its first transaction share their id unless another is given."""
        self.trans_id = self.trans_id or self.id

    @property
    def status(self) -> str:
        """The word of its state in the form protocols, in capitals."""
        return STATUS[self.state]

    @property
    def held(self) -> Decimal:
        """What can be given back: what was captured or settled, less what was given back already."""
        return self.captured - self.refunded

    def note(self, kind: str, status: str, when: datetime, amount: Decimal) -> None:
        """Add a step to its history."""
        self.transactions.append(Transaction(kind, status, when, amount))
