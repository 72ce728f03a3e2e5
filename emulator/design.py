"""What a gateway is made of: rules and ways of doing things, as one value that faults and variations change.

Nothing in here asks whether a fault is on: a fault is a function from one design to another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from emulator.checkout.session import STAGES, SessionConduct
from emulator.front import Front
from emulator.releases import LATEST, holds, order_of
from emulator.replies import Answers, Filter
from emulator.rules.amounts import BEFORE_ZERO_AMOUNTS, DEFAULT
from emulator.rules.model import Amounts, Rule
from emulator.rules.sale import SALE
from emulator.rules.session import SESSION
from emulator.s2s_card.actions import ActionConduct
from emulator.s2s_card.sale import SALE_STAGES, SaleConduct
from emulator.values import STRICT, Converter

_SESSION: Final = SessionConduct(STAGES)
_SALE: Final = SaleConduct(SALE_STAGES)
_ACTIONS: Final = ActionConduct()
_ANSWERS: Final = Answers()


@dataclass(frozen=True, slots=True)
class Design:
    """One way to build the gateway."""

    release: str = LATEST
    session_rows: tuple[Rule, ...] = SESSION
    sale_rows: tuple[Rule, ...] = SALE
    amounts: Amounts = DEFAULT
    converters: Mapping[str, Converter] = field(default_factory=lambda: STRICT)
    null_is_absent: bool = True
    session: SessionConduct = _SESSION
    sale: SaleConduct = _SALE
    actions: ActionConduct = _ACTIONS
    answers: Answers = _ANSWERS
    fronts: tuple[Front, ...] = ()

    def with_rows(self, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of the session request changed, or dropped where ``change`` returns None."""
        changed = (change(row) for row in self.session_rows)
        return replace(self, session_rows=tuple(row for row in changed if row is not None))

    def adding_rows(self, *rows: Rule) -> "Design":
        """The same with further rows of the session request."""
        return replace(self, session_rows=(*self.session_rows, *rows))

    def filtering(self, *filters: Filter) -> "Design":
        """The same with further filters that every answer passes."""
        return replace(self, answers=self.answers.adding(*filters))

    def with_sale_rows(self, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of the sale request changed, or dropped where ``change`` returns None."""
        changed = (change(row) for row in self.sale_rows)
        return replace(self, sale_rows=tuple(row for row in changed if row is not None))

    def in_actions(self, **changes: object) -> "Design":
        """The same with another conduct of S2S CARD actions."""
        return replace(self, actions=replace(self.actions, **changes))  # type: ignore[arg-type]

    def behind(self, *fronts: Front) -> "Design":
        """The same behind further fronts."""
        return replace(self, fronts=(*self.fronts, *fronts))

    def in_session(self, **changes: object) -> "Design":
        """The same with another conduct of sessions."""
        return replace(self, session=replace(self.session, **changes))  # type: ignore[arg-type]

    def in_sale(self, **changes: object) -> "Design":
        """The same with another conduct of sales."""
        return replace(self, sale=replace(self.sale, **changes))  # type: ignore[arg-type]


Change = Callable[[Design], Design]


def standard(release: str) -> Design:
    """The design that keeps the contract of ``release``."""
    before_zero_amounts = order_of(release) < order_of("6.7.0")
    return Design(
        release=release,
        session_rows=tuple(row for row in SESSION if holds(release, row.since, row.until)),
        sale_rows=tuple(row for row in SALE if holds(release, row.since, row.until)),
        amounts=BEFORE_ZERO_AMOUNTS if before_zero_amounts else DEFAULT,
    )
