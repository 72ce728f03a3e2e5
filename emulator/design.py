"""What a gateway is made of: rules and ways of doing things, as one value that faults and variations change.

Nothing in here asks whether a fault is on: a fault is a function from one design to another.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.sender import CallbackSettings
from emulator.engine.moves import MoveRules
from emulator.engine.payment_book import Owns, same_merchant
from emulator.engine.payments import Protocol
from emulator.engine.schedules import ScheduleRules
from emulator.protocols.checkout.behaviour import NOT_CORRECT, CheckoutBehaviour, Operation
from emulator.protocols.checkout.charging import intended
from emulator.protocols.checkout.instruments import by_entry
from emulator.protocols.checkout.operations import OPERATIONS, operations_of
from emulator.protocols.checkout.page_payments import return_parameters
from emulator.protocols.checkout.session import STAGES, SessionBehaviour
from emulator.protocols.hosted_fields.behaviour import HostedFieldsBehaviour
from emulator.protocols.hosted_fields.session_tokens import STAGES as HOSTED_STAGES
from emulator.protocols.hosted_page.behaviour import STANDARD_PAGE, PageBehaviour
from emulator.protocols.s2s_apm.actions import HANDLERS
from emulator.protocols.s2s_apm.behaviour import BEFORE_THE_SPLIT, ApmBehaviour
from emulator.protocols.s2s_apm.stages import STAGES as APM_STAGES
from emulator.protocols.s2s_card.behaviour import ActionBehaviour
from emulator.protocols.s2s_card.messages.action_names import ActionNames
from emulator.protocols.s2s_card.messages.action_table import POSTS, posts_of
from emulator.protocols.s2s_card.payment_behaviour import PaymentBehaviour
from emulator.protocols.shared import Access
from emulator.releases import LATEST, holds, order_of
from emulator.rules.amounts import BEFORE_ZERO_AMOUNTS, DEFAULT
from emulator.rules.checkout.session import SESSION
from emulator.rules.model import Amounts, Rule
from emulator.rules.s2s_apm import methods, payout, sale, transactions
from emulator.wire.front import Front
from emulator.wire.replies import Answers, Filter
from emulator.wire.values import STRICT, Converter

_ACCESS: Final = Access()
_SESSION: Final = SessionBehaviour(STAGES)
_CHECKOUT: Final = CheckoutBehaviour(OPERATIONS, by_entry, intended, return_parameters)
_HOSTED_FIELDS: Final = HostedFieldsBehaviour(HOSTED_STAGES)
_CARD: Final = PaymentBehaviour()
_SCHEDULES: Final = ScheduleRules()
_ACTIONS: Final = ActionNames()
_APM: Final = ApmBehaviour(APM_STAGES, HANDLERS)
APM_ROWS: Final[Mapping[str, tuple[Rule, ...]]] = {
    "SALE": (*sale.ROWS, *methods.ROWS),
    "CREDIT2VIRTUAL": payout.ROWS,
    **transactions.ROWS,
}
_ANSWERS: Final = Answers()
_MOVES: Final = MoveRules()
_CALLBACKS: Final = CallbackSettings(
    signs={
        Protocol.CHECKOUT: signatures.checkout,
        Protocol.S2S_CARD: signatures.s2s_card,
        Protocol.S2S_APM: signatures.s2s_apm,
    }
)


@dataclass(frozen=True, slots=True)
class Design:
    """One way to build the gateway."""

    release: str = LATEST
    session_rows: tuple[Rule, ...] = SESSION
    apm_rows: Mapping[str, tuple[Rule, ...]] = field(default_factory=lambda: APM_ROWS)
    amounts: Amounts = DEFAULT
    converters: Mapping[str, Converter] = field(default_factory=lambda: STRICT)
    null_is_absent: bool = True
    access: Access = _ACCESS
    session: SessionBehaviour = _SESSION
    posts: Mapping[str, ActionBehaviour] = field(default_factory=lambda: POSTS)
    card: PaymentBehaviour = _CARD
    schedules: ScheduleRules = _SCHEDULES
    actions: ActionNames = _ACTIONS
    apm: ApmBehaviour = _APM
    answers: Answers = _ANSWERS
    fronts: tuple[Front, ...] = ()
    moves: MoveRules = _MOVES
    owns: Owns = same_merchant
    callbacks: CallbackSettings = _CALLBACKS
    page: PageBehaviour = STANDARD_PAGE
    checkout: CheckoutBehaviour = _CHECKOUT
    hosted_fields: HostedFieldsBehaviour = _HOSTED_FIELDS

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

    @property
    def sale(self) -> ActionBehaviour:
        """How a SALE is served."""
        return self.posts["SALE"]

    def in_posts(self, change: Callable[[ActionBehaviour], ActionBehaviour], *actions: str) -> "Design":
        """The same with another behaviour of some S2S CARD actions, of all where none is named."""
        changed = {name: change(self.posts[name]) for name in actions or self.posts}
        return replace(self, posts={**self.posts, **changed})

    def with_post_rows(self, change: Callable[[Rule], Rule | None], *actions: str) -> "Design":
        """The same with every row of the named requests changed, or dropped where ``change`` returns None."""

        def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
            rows = (change(row) for row in behaviour.rows)
            return replace(behaviour, rows=tuple(row for row in rows if row is not None))

        return self.in_posts(changed, *actions)

    def with_sale_rows(self, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of the sale request changed, or dropped where ``change`` returns None."""
        return self.with_post_rows(change, "SALE")

    def with_apm_rows(self, action: str, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of an S2S APM action changed, or dropped where ``change`` returns None."""
        changed = tuple(row for row in map(change, self.apm_rows[action]) if row is not None)
        return replace(self, apm_rows={**self.apm_rows, action: changed})

    def in_apm(self, **changes: object) -> "Design":
        """The same with another behaviour of S2S APM."""
        return replace(self, apm=replace(self.apm, **changes))  # type: ignore[arg-type]

    def in_actions(self, **changes: object) -> "Design":
        """The same with another behaviour of S2S CARD actions."""
        return replace(self, actions=replace(self.actions, **changes))  # type: ignore[arg-type]

    def behind(self, *fronts: Front) -> "Design":
        """The same behind further fronts."""
        return replace(self, fronts=(*self.fronts, *fronts))

    def in_access(self, **changes: object) -> "Design":
        """The same with other merchants let in, or others refused otherwise."""
        return replace(self, access=replace(self.access, **changes))  # type: ignore[arg-type]

    def in_session(self, **changes: object) -> "Design":
        """The same with another behaviour of sessions."""
        return replace(self, session=replace(self.session, **changes))  # type: ignore[arg-type]

    def in_checkout(self, **changes: object) -> "Design":
        """The same with another behaviour of Checkout payments."""
        return replace(self, checkout=replace(self.checkout, **changes))  # type: ignore[arg-type]

    def in_operations(self, change: Callable[[Operation], Operation], *names: str) -> "Design":
        """The same with some addresses of Checkout changed, all where none is named; those it lacks are left out."""
        known = self.checkout.operations
        changed = {name: change(known[name]) for name in names or known if name in known}
        return self.in_checkout(operations={**known, **changed})

    def with_checkout_rows(self, name: str, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of an address of Checkout changed, or dropped where ``change`` returns None."""

        def changed(operation: Operation) -> Operation:
            rows = (change(row) for row in operation.rows)
            return replace(operation, rows=tuple(row for row in rows if row is not None))

        return self.in_operations(changed, name)

    def in_hosted_fields(self, **changes: object) -> "Design":
        """The same with another behaviour of hosted fields."""
        return replace(self, hosted_fields=replace(self.hosted_fields, **changes))  # type: ignore[arg-type]

    def with_token_rows(self, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of the request for a session token changed, or dropped."""
        changed = (change(row) for row in self.hosted_fields.token_rows)
        return self.in_hosted_fields(token_rows=tuple(row for row in changed if row is not None))

    def with_hosted_payment_rows(self, change: Callable[[Rule], Rule | None]) -> "Design":
        """The same with every row of the payment by hosted fields changed, or dropped."""
        changed = (change(row) for row in self.hosted_fields.payment_rows)
        return self.in_hosted_fields(payment_rows=tuple(row for row in changed if row is not None))

    def in_page(self, **changes: object) -> "Design":
        """The same with another behaviour of the hosted page."""
        return replace(self, page=replace(self.page, **changes))  # type: ignore[arg-type]

    def in_sale(self, **changes: object) -> "Design":
        """The same with another behaviour of sales."""
        return self.in_posts(lambda behaviour: replace(behaviour, **changes), "SALE")  # type: ignore[arg-type]

    def in_card(self, **changes: object) -> "Design":
        """The same with other ways of S2S CARD payments."""
        return replace(self, card=replace(self.card, **changes))  # type: ignore[arg-type]

    def in_schedules(self, **changes: object) -> "Design":
        """The same with another behaviour of schedules."""
        return replace(self, schedules=replace(self.schedules, **changes))  # type: ignore[arg-type]

    def in_callbacks(self, **changes: object) -> "Design":
        """The same with another behaviour of callbacks."""
        return replace(self, callbacks=replace(self.callbacks, **changes))  # type: ignore[arg-type]


Change = Callable[[Design], Design]


def all_of(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(design: Design) -> Design:
        for one in changes:
            design = one(design)
        return design

    return change


def _checkout_of(release: str) -> CheckoutBehaviour:
    order_not_found = _CHECKOUT.order_not_found if order_of(release) >= order_of("6.7.0") else NOT_CORRECT
    return replace(_CHECKOUT, operations=operations_of(release), order_not_found=order_not_found)


def _hosted_fields_of(release: str) -> HostedFieldsBehaviour:
    return replace(
        _HOSTED_FIELDS,
        token_rows=tuple(row for row in _HOSTED_FIELDS.token_rows if holds(release, row.since, row.until)),
        addresses={path: one for path, one in _HOSTED_FIELDS.addresses.items() if holds(release, one[1], None)},
    )


@cache
def standard(release: str) -> Design:
    """The design that keeps the contract of ``release``; one value for all gateways, which change copies of it."""
    before_zero_amounts = order_of(release) < order_of("6.7.0")
    return Design(
        release=release,
        session_rows=tuple(row for row in SESSION if holds(release, row.since, row.until)),
        posts=posts_of(release),
        amounts=BEFORE_ZERO_AMOUNTS if before_zero_amounts else DEFAULT,
        checkout=_checkout_of(release),
        hosted_fields=_hosted_fields_of(release),
        apm=_APM if not before_zero_amounts else replace(_APM, not_found=BEFORE_THE_SPLIT),
    )
