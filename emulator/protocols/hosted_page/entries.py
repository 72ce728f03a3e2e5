"""What a payer entered, after validation: the only thing that the page hands to payments."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, repr=False)
class CardEntry:
    """A card that was typed in. ``year`` has four digits; ``code`` is empty where none is asked for.

    ``details`` are the other fields by their names, such as ``country`` or ``amount``.
    """

    number: str
    month: int
    year: int
    code: str = ""
    holder: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class TokenEntry:
    """A stored card that was chosen; month and year are None unless they were asked for, as on a credit."""

    token: str
    month: int | None = None
    year: int | None = None
    code: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class MethodEntry:
    """Another method than a card, with what it asked for; wallets bring the token of their button."""

    method: str
    details: Mapping[str, str] = field(default_factory=dict)
    wallet_token: str = ""


Entry = CardEntry | TokenEntry | MethodEntry


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What the payer did at a step in between: confirmed, refused, asked for the state, or typed a code."""

    said: str
    code: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether the payer agreed."""
        return self.said == "confirm"
