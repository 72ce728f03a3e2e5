"""How one action of S2S CARD is served: its fields, its signature, the stages it passes, and what it does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from emulator.accounts import Account
from emulator.duplicates import WindowRule
from emulator.forms.attempt import FormAttempt
from emulator.payments.model import Payment
from emulator.payments.moves import Obstacle
from emulator.payments.schedules import Schedule
from emulator.replies import Kind, Refusal, Reply
from emulator.rules.model import Rule
from emulator.s2s_card.cards import Outcome, expired, outcome_of
from emulator.signing import FormFormula, FormValues, card_fragment, equal, formula_1

# Names of the platform for actions that the contract gives a shorter name.
ALIASES: Final[Mapping[str, str]] = {"PAUSE_SCHEDULE": "PAUSE", "RUN_SCHEDULE": "RUN"}


@dataclass(slots=True)
class CardAttempt(FormAttempt):
    """One post on its way through the stages.

    ``action`` is its name as read, ``base`` the address of the gateway; ``payment`` and ``schedule`` are what it speaks
    of, once they were found.
    """

    action: str = "SALE"
    base: str = ""
    payment: Payment | None = None
    schedule: Schedule | None = None

    @property
    def conduct(self) -> "PostConduct":
        """How its action is served."""
        return self.gateway.design.posts[ALIASES.get(self.action, self.action)]


@dataclass(frozen=True, slots=True)
class CardHashTest:
    """A hash that came with a post, and what it is compared with."""

    given: str
    account: Account
    values: FormValues
    formula: FormFormula = formula_1


Stage = Callable[[CardAttempt], Refusal | None]
Values = Callable[[CardAttempt], FormValues]
Perform = Callable[[CardAttempt], Reply]


def accepts_hash(test: CardHashTest) -> bool:
    """Tell whether the given hash is the one of the action's formula."""
    return equal(test.given, test.formula(test.account.password, test.account.hash, test.values))


_WINDOW: Final = WindowRule()
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_UNKNOWN: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")


@dataclass(frozen=True, slots=True)
class PostConduct:
    """Everything about one action: what is signed, what is refused in which words, and what comes of it.

    ``unknown`` refuses what does not exist, ``refusals`` say in which words an obstacle is told.
    """

    rows: tuple[Rule, ...]
    stages: tuple[Stage, ...]
    values: Values
    perform: Perform
    formula: FormFormula = formula_1
    accepts_hash: Callable[[CardHashTest], bool] = accepts_hash
    fragment: Callable[[str], str] = card_fragment
    refuses_expired: bool = True
    expired: Callable[[str, str, date], bool] = expired
    outcome: Callable[[str, str, str], Outcome] = outcome_of
    window: WindowRule = _WINDOW
    duplicate: Refusal = _DUPLICATE
    used_before: Refusal = _DUPLICATE
    unknown: Refusal = _UNKNOWN
    refusals: Mapping[Obstacle, Refusal] = field(default_factory=dict)
