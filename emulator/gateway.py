"""A running gateway: its design, its clock, and what it remembers."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from emulator.design import Design
from emulator.engine.agenda import Agenda
from emulator.engine.callbacks.sender import Callbacks
from emulator.engine.clock import Clock
from emulator.engine.duplicates import Window
from emulator.engine.payment_book import PaymentBook
from emulator.engine.schedules import ScheduleBook
from emulator.engine.vault import Vault
from emulator.protocols.checkout.behaviour import Operation
from emulator.protocols.checkout.page_payments import CheckoutPayments
from emulator.protocols.hosted_fields.sessions import HostedSessions
from emulator.protocols.hosted_page.outcomes import Payments
from emulator.protocols.hosted_page.session import KeptSession
from emulator.protocols.s2s_apm.payer_pages import PayerPages
from emulator.protocols.s2s_card.challenges import Challenges
from emulator.protocols.s2s_card.messages.action_names import ALIASES
from emulator.protocols.s2s_card.messages.action_table import PAYMENTS
from emulator.rules.compiler import Table, compiled
from emulator.settings import Settings
from emulator.wire.values import Object, child

_SESSIONS_KEPT: Final = 5_000


class Gateway:
    """The parts that a request meets, made once."""

    def __init__(self, settings: Settings, design: Design) -> None:
        """Compile the field tables of ``design`` and start with an empty memory."""
        self.settings = settings
        self.design = design
        self.release = design.release
        self.access = design.access
        self.answers = design.answers
        self.amounts = design.amounts
        self.moves = design.moves
        self.session = design.session
        self.checkout = design.checkout
        self.posts = design.posts
        self.card = design.card
        self.actions = design.actions
        self.apm = design.apm
        self.page = design.page
        self.hosted_fields = design.hosted_fields
        self.clock = Clock()
        self.agenda = Agenda(self.clock)
        self.payments = PaymentBook(design.owns)
        self.vault = Vault()
        self.callbacks = Callbacks(design.callbacks, self.agenda, settings.callback_url)
        self.session_table = compiled(design.session_rows, design.converters, null_is_absent=design.null_is_absent)
        self.schedules = ScheduleBook(self.agenda, design.schedules)
        self.challenges = Challenges()
        self.address = ""
        self.session_window = Window(design.session.window)
        self._order_windows = {name: Window(design.posts[name].window) for name in PAYMENTS}
        self.apm_tables: Mapping[str, Table] = {
            action: compiled(rows, design.converters) for action, rows in design.apm_rows.items()
        }
        self.apm_window = Window(design.apm.window)
        self.payer_pages = PayerPages()
        self.hosted_sessions = HostedSessions()
        self.hosted_token_table = compiled(design.hosted_fields.token_rows, design.converters)
        self.hosted_payment_table = compiled(design.hosted_fields.payment_rows, design.converters)
        self._checkout_windows: dict[str, Window] = {}
        self.page_payments: Payments = CheckoutPayments(self)
        self._sessions: OrderedDict[str, KeptSession] = OrderedDict()

    def checkout_table(self, operation: Operation) -> Table:
        """The field table of an address of Checkout."""
        return compiled(operation.rows, self.design.converters)

    def checkout_window(self, operation: Operation) -> Window:
        """The window in which an address of Checkout takes no order number again."""
        return self._checkout_windows.setdefault(operation.path, Window(operation.window))

    def post_table(self, action: str) -> Table:
        """The field table of an S2S CARD action, compiled when it is first asked for."""
        name = ALIASES.get(action, action)
        return compiled(self.design.posts[name].rows, self.design.converters)

    def order_window(self, action: str) -> Window:
        """The window in which order ids are not taken again, as an action sees it."""
        return self._order_windows[action]

    def take_order(self, form: Mapping[str, str]) -> None:
        """Note for all actions that the order id of a payment is used now."""
        for window in self._order_windows.values():
            window.take(form.get("client_key", ""), form.get("order_id", ""), self.clock.seconds())

    def retire(self) -> None:
        """Let nothing more happen by itself, once another gateway answers in its place."""
        self.agenda.clear()
        self.callbacks.close()

    def keep_session(self, token: str, request: Object) -> None:
        """Remember a session under the token of its page; the oldest ones are forgotten."""
        lasting = 60 * self.design.session.minutes_open(request)
        self._sessions[token] = KeptSession(request, self.clock.seconds() + lasting)
        if len(self._sessions) > _SESSIONS_KEPT:
            self._sessions.popitem(last=False)

    def sessions_of(self, key: str, number: str) -> list[str]:
        """The tokens of the sessions that a merchant opened for an order, open or expired."""
        asked = ((token, dict(kept.request)) for token, kept in self._sessions.items())
        return [
            token
            for token, request in asked
            if request.get("merchant_key") == key and child(request, "order", "number") == number
        ]

    def kept_session(self, token: str) -> KeptSession | None:
        """The session that belongs to the token of a page, open or expired."""
        return self._sessions.get(token)
