"""What payments make of an entry. ``parameters`` are those of the return address, ready to be appended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from emulator.protocols.hosted_page.entries import Answer, Entry
from emulator.protocols.hosted_page.session import PageSession

Parameters = Mapping[str, str]
Stop = Literal["challenge", "provider", "app", "otp", "processing"]


@dataclass(frozen=True, slots=True)
class Approved:
    """The payment is made, or the amount is held."""

    parameters: Parameters = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declined:
    """The payment is refused; ``message`` is shown to the payer, the page's own words are used where it is empty."""

    parameters: Parameters = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The payer has to do something in between: at the bank of the card, at a provider, in an app, with a code."""

    reference: str
    kind: Stop = "challenge"


@dataclass(frozen=True, slots=True)
class ShowQr:
    """The payer scans ``content`` before ``closes``."""

    reference: str
    content: str
    closes: datetime


@dataclass(frozen=True, slots=True)
class ShowDetails:
    """The payer pays elsewhere with these details, pairs of name and value."""

    reference: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The payer goes on at another address."""

    address: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A technical error: nobody knows whether the payment was made."""

    parameters: Parameters = field(default_factory=dict)


Pending = Challenge | ShowQr | ShowDetails
Outcome = Approved | Declined | Pending | Elsewhere | Broken


class Payments(Protocol):
    """What the page needs of payments."""

    def pay(self, session: PageSession, entry: Entry) -> Outcome:
        """Try a payment."""

    def proceed(self, session: PageSession, pending: Pending, answer: Answer) -> Outcome:
        """Go on with what is pending, after the payer answered or asked for the state."""

    def stored_card(self, session: PageSession, token: str) -> str:
        """The masked number of a stored card."""
