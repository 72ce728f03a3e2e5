"""A running gateway: its design, its clock, and what it remembers."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from emulator.agenda import Agenda
from emulator.callbacks.sender import Callbacks
from emulator.checkout.conduct import Operation
from emulator.clock import Clock
from emulator.design import Design
from emulator.duplicates import Window
from emulator.hosted_fields.sessions import HostedSessions
from emulator.payments.book import PaymentBook
from emulator.payments.schedules import ScheduleBook
from emulator.payments.vault import Vault
from emulator.rules.compiler import Table, compiled
from emulator.s2s_apm.pages import PayerPages
from emulator.s2s_card.challenges import Challenges
from emulator.s2s_card.conduct import ALIASES
from emulator.s2s_card.posts import PAYMENTS
from emulator.settings import Settings
from emulator.values import Object

_SESSIONS_KEPT: Final = 5_000


@dataclass(frozen=True, slots=True)
class Session:
    """A session that was opened: what was asked for, and when its page closes, in seconds of the clock."""

    request: Object
    closes: float


class Gateway:
    """The parts that a request meets, made once."""

    def __init__(self, settings: Settings, design: Design) -> None:
        """Compile the field tables of ``design`` and start with an empty memory."""
        self.settings = settings
        self.design = design
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
        self.apm_tables = {action: compiled(rows, design.converters) for action, rows in design.apm_rows.items()}
        self.apm_window = Window(design.apm.window)
        self.payer_pages = PayerPages()
        self.hosted_sessions = HostedSessions()
        self.hosted_token_table = compiled(design.hosted_fields.token_rows, design.converters)
        self.hosted_payment_table = compiled(design.hosted_fields.payment_rows, design.converters)
        self._checkout_windows: dict[str, Window] = {}
        self._sessions: OrderedDict[str, Session] = OrderedDict()

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
        self._sessions[token] = Session(request, self.clock.seconds() + lasting)
        if len(self._sessions) > _SESSIONS_KEPT:
            self._sessions.popitem(last=False)

    def kept_session(self, token: str) -> Session | None:
        """The session that belongs to the token of a page, open or expired."""
        return self._sessions.get(token)
