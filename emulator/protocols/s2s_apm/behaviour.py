"""Everything about S2S APM that is not a field rule, as one value that faults and variations change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from typing import Final, Protocol

from emulator.accounts import Account
from emulator.engine.duplicates import Window, WindowRule
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, new_id
from emulator.engine.signing import equal
from emulator.protocols.s2s_apm.payer_pages import PayerPages
from emulator.protocols.s2s_apm.qr import picture
from emulator.protocols.s2s_apm.signatures import RECIPES, Recipe, by_option
from emulator.protocols.shared import FormAttempt, SharedGateway, Stage
from emulator.releases import holds
from emulator.rules.amounts import DEFAULT
from emulator.rules.compiler import Table
from emulator.rules.model import Amounts
from emulator.rules.s2s_apm.brands import Outcome, payout_outcome, sale_outcome
from emulator.wire import multipart
from emulator.wire.bodies import form as form_of
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object


class ApmGateway(SharedGateway, Protocol):
    """What S2S APM needs of the gateway."""

    apm: "ApmBehaviour"
    apm_tables: Mapping[str, Table]
    apm_window: Window
    payer_pages: PayerPages


@dataclass(slots=True)
class ApmAttempt(FormAttempt["ApmGateway"]):
    """One post to S2S APM.

    ``body`` are the fields with bracket keys nested, ``base`` is the address that the gateway listens at, and
    ``payment`` the one that the post names, once it was found.
    """

    action: str
    body: Object
    base: str
    payment: Payment | None = None


ApmStage = Stage[ApmAttempt]
ApmHandler = Callable[[ApmAttempt, "ApmGateway"], Reply]
# The actions, with the release that brought each where one did.
ACTIONS: Final[Mapping[str, str | None]] = {
    "SALE": None,
    "CAPTURE": "6.7.0",
    "CREDITVOID": "6.7.0",
    "VOID": None,
    "GET_TRANS_STATUS": None,
    "CREDIT2VIRTUAL": None,
}
_UNKNOWN: Final = Refusal(Kind.ACTION, "Route or parameters is not supported", code=0, status=404)
_UNROUTABLE: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_UNKNOWN_BRAND: Final = Refusal(Kind.BRAND, "Payment system/brand not supported.", code=204006)
_NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_NO_VOID: Final = Refusal(Kind.STATE, "Void is not allowed.")
_NO_REFUND: Final = Refusal(Kind.STATE, "Refund is not allowed")
_CONNECTOR_ONLY: Final = Refusal(
    Kind.STATE, "Refund via API is not supported. Only from the connector admin portal.", code=210002
)
_NO_AUTHORIZATION: Final = Refusal(Kind.STATE, "Authorization is not allowed.")
_NOT_PENDING: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending status", code=208003
)
_NOT_SETTLED: Final = Refusal(
    Kind.STATE, "Not acceptable to request the refund for payment not in settled status", code=208005
)
_CAPTURE_TOO_LARGE: Final = Refusal(Kind.STATE, "Capture amount is greater than the authorized amount.", code=208004)
_REFUND_TOO_LARGE: Final = Refusal(Kind.STATE, "Refund amount is greater than the payment amount.", code=208006)
_NOT_IN_PARTS: Final = Refusal(Kind.STATE, "Partial reversal is not allowed.", code=208009)

_NOT_FOUND: Final[Mapping[str, Refusal]] = {
    "CAPTURE": _NO_TRANSACTION,
    "CREDITVOID": _NO_PAYMENT,
    "VOID": _NO_PAYMENT,
    "GET_TRANS_STATUS": _NO_TRANSACTION,
}
# One answer to every identifier that means nothing, before look-ups distinguished the entities.
BEFORE_THE_SPLIT: Final[Mapping[str, Refusal]] = {
    **_NOT_FOUND,
    "GET_TRANS_STATUS": Refusal(Kind.NOT_FOUND, "This value is not correct."),
}
_OBSTACLE_REFUSALS: Final[Mapping[tuple[str, Obstacle], Refusal]] = {
    **{("CAPTURE", obstacle): _NOT_PENDING for obstacle in Obstacle},
    ("CAPTURE", Obstacle.TOO_MUCH): _CAPTURE_TOO_LARGE,
    **{("CREDITVOID", obstacle): _NOT_SETTLED for obstacle in Obstacle},
    ("CREDITVOID", Obstacle.TOO_MUCH): _REFUND_TOO_LARGE,
    ("CREDITVOID", Obstacle.PARTIAL): _NOT_IN_PARTS,
    **{("VOID", obstacle): _NO_VOID for obstacle in Obstacle},
}
_BANK_WORDS: Final[Mapping[str, Move]] = {"ACSC": Move.APPROVE, "RJCT": Move.DECLINE}


def is_known(name: str, release: str) -> bool:
    """Whether ``release`` has the action ``name``."""
    return name in ACTIONS and holds(release, ACTIONS[name], None)


def holds_funds(auth: str, release: str, account: Account) -> bool:
    """Whether a sale is an authorization: exactly ``Y`` asks for one, as does an account that only has those."""
    return holds(release, "6.7.0", None) and (auth == "Y" or account.mode == "DMS")


def same_financial_day(payment: Payment, now: datetime) -> bool:
    """Whether the payment was settled on the day of ``now``."""
    settled = [step.date for step in payment.transactions if step.type in (Move.APPROVE.value, Move.CAPTURE.value)]
    return bool(settled) and settled[-1].date() == now.date()


def as_sent(text: str) -> str:
    """A text as it was sent: names of actions are case-sensitive, and addresses are kept."""
    return text


@dataclass(frozen=True, slots=True, repr=False)
class ApmHashTest:
    """A hash that came with a post, and what it is compared with."""

    given: str
    action: str
    form: Mapping[str, str]
    account: Account

    def is_of(self, data: bytes) -> bool:
        """Whether the hash is that of ``data``, by the digest option of the account."""
        return equal(self.given, by_option(self.account, data))

    def follows(self, recipe: Recipe) -> bool:
        """Whether the post is signed by ``recipe`` with the merchant's password."""
        return self.is_of(recipe(self.form, self.account.password))


def accepts_hash(test: ApmHashTest) -> bool:
    """Whether the post is signed by the recipe of its action."""
    return test.follows(RECIPES[test.action])


def by_redirect(_address: str) -> str:
    """No page leads the payer back to the merchant."""
    return ""


def asks_nothing(_token: str, _posted: Mapping[str, str]) -> str:
    """Nothing: whoever opens the page decides."""
    return ""


def approves(said: str) -> bool:
    """Whether what a payer says at the bank pays."""
    return said == "pass"


def _read_form(body: bytes, _content_type: str) -> Mapping[str, str]:
    return form_of(body)


Reader = Callable[[bytes, str], Mapping[str, str]]
FORM: Final = "application/x-www-form-urlencoded"
_READERS: Final[Mapping[str, Reader]] = {FORM: _read_form, multipart.TYPE: multipart.read_parts}


@dataclass(frozen=True, slots=True)
class ApmBehaviour:
    """How S2S APM reads actions, checks posts, decides outcomes, and what it says to what it refuses.

    ``readers`` read bodies by media type, from the body and the whole content type. ``stages`` are what a post of
    each action passes, ``handlers`` what answers it then. ``new_id`` makes trans_ids. ``obstacle_refusals`` words the
    reasons for which a move is refused. ``way_back`` is where the payer is sent after the page, ``written`` how a text
    of the merchant stands on it. ``bank_words`` says what the words of the bank mean for an instant QR payment; one
    that is not among them leaves it open. ``qr_seconds`` is how long a code is valid, ``settling`` after how many
    seconds an undetermined payment is paid, ``bank_seconds`` how long the bank takes. ``bank_asks`` gives the form that
    the bank's page asks of a payer before they may decide, by the token of the page and what was posted to it.
    ``bank_reports_after`` is how many seconds of real time the bank takes to report what they decided. ``page_back`` is
    the document that leads the payer on to ``way_back``; empty: a redirect does.
    """

    stages: Mapping[str, tuple[ApmStage, ...]]
    handlers: Mapping[str, ApmHandler]
    read_name: Callable[[str], str] = as_sent
    known: Callable[[str, str], bool] = is_known
    unknown: Refusal = _UNKNOWN
    missing: Refusal = _UNKNOWN
    unroutable: Refusal = _UNROUTABLE
    readers: Mapping[str, Reader] = field(default_factory=lambda: _READERS)
    accepts_hash: Callable[[ApmHashTest], bool] = accepts_hash
    new_id: Callable[[], str] = new_id
    window: WindowRule = field(default_factory=WindowRule)
    duplicate: Refusal = _DUPLICATE
    used_before: Refusal = _DUPLICATE
    unknown_brand: Refusal = _UNKNOWN_BRAND
    not_found: Mapping[str, Refusal] = field(default_factory=lambda: _NOT_FOUND)
    obstacle_refusals: Mapping[tuple[str, Obstacle], Refusal] = field(default_factory=lambda: _OBSTACLE_REFUSALS)
    no_refunds: Refusal = _NO_REFUND
    connector_refunds: Refusal = _CONNECTOR_ONLY
    no_authorization: Refusal = _NO_AUTHORIZATION
    amounts: Amounts = DEFAULT
    holds_funds: Callable[[str, str, Account], bool] = holds_funds
    same_financial_day: Callable[[Payment, datetime], bool] = same_financial_day
    sale_outcome: Callable[[str, str], Outcome] = sale_outcome
    payout_outcome: Callable[[str], Outcome] = payout_outcome
    bank_words: Mapping[str, Move] = field(default_factory=lambda: _BANK_WORDS)
    way_back: Callable[[str], str] = as_sent
    page_back: Callable[[str], str] = by_redirect
    written: Callable[[str], str] = escape
    qr_code: Callable[[str], str] = picture
    qr_seconds: float = 60.0
    bank_seconds: float = 0.0
    settling: float = 30.0
    bank_asks: Callable[[str, Mapping[str, str]], str] = asks_nothing
    approves: Callable[[str], bool] = approves
    bank_reports_after: float = 0.0
