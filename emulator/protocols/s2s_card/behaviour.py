"""How one action of S2S CARD is served: its fields, its signature, the stages it passes, and what it does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Protocol

from emulator.accounts import Account
from emulator.engine.duplicates import Window, WindowRule
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment
from emulator.engine.schedules import Schedule
from emulator.engine.signing import FormFormula, FormValues, card_fragment, equal, formula_1
from emulator.protocols.s2s_card.challenges import Challenges
from emulator.protocols.s2s_card.messages.action_names import ALIASES, ActionNames
from emulator.protocols.s2s_card.payment_behaviour import PaymentBehaviour
from emulator.protocols.s2s_card.sandbox_cards import Outcome, expired, outcome_of
from emulator.protocols.shared import FormAttempt, SharedGateway, Stage
from emulator.rules.compiler import Table
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply


class CardGateway(SharedGateway, Protocol):
    """What S2S CARD needs of the gateway."""

    posts: "Mapping[str, ActionBehaviour]"
    card: PaymentBehaviour
    actions: ActionNames
    challenges: Challenges

    def post_table(self, action: str) -> Table:
        """The field table of an action."""
        ...

    def order_window(self, action: str) -> Window:
        """The window in which order ids are not taken again, as an action sees it."""
        ...

    def take_order(self, form: Mapping[str, str]) -> None:
        """Note for all actions that the order id of a payment is used now."""


@dataclass(slots=True)
class CardAttempt(FormAttempt["CardGateway"]):
    """One post on its way through the stages.

    ``action`` is its name as read, ``base`` the address of the gateway; ``payment`` and ``schedule`` are what it speaks
    of, once they were found.
    """

    action: str = "SALE"
    base: str = ""
    payment: Payment | None = None
    schedule: Schedule | None = None

    @property
    def behaviour(self) -> "ActionBehaviour":
        """How its action is served."""
        return self.gateway.posts[ALIASES.get(self.action, self.action)]


@dataclass(frozen=True, slots=True)
class CardHashTest:
    """A hash that came with a post, and what it is compared with."""

    given: str
    account: Account
    values: FormValues
    formula: FormFormula = formula_1


CardStage = Stage[CardAttempt]
Values = Callable[[CardAttempt], FormValues]
Perform = Callable[[CardAttempt], Reply]


def accepts_hash(test: CardHashTest) -> bool:
    """Whether the given hash is the one of the action's formula."""
    return equal(test.given, test.formula(test.account.password, test.account.hash, test.values))


_WINDOW: Final = WindowRule()
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_UNKNOWN: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")


@dataclass(frozen=True, slots=True)
class ActionBehaviour:
    """Everything about one action: what is signed, what is refused in which words, and what comes of it.

    ``unknown`` refuses what does not exist, ``refusals`` say in which words an obstacle is refused.
    """

    rows: tuple[Rule, ...]
    stages: tuple[CardStage, ...]
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
