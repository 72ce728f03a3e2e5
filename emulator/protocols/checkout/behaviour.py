"""How Checkout serves what follows a session, as values that faults and variations change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Protocol

from emulator.accounts import Account
from emulator.engine.duplicates import Window, WindowRule
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Card, Payment, State
from emulator.engine.signing import equal, session_hash
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import SessionGateway
from emulator.protocols.hosted_page.entries import Entry
from emulator.protocols.hosted_page.outcomes import Parameters, Stop
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_card.behaviour import CardGateway
from emulator.protocols.shared import Stage
from emulator.rules.compiler import Table
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_STATE: Final = Kind.STATE
DECLINED: Final = "Declined by processing"


class CheckoutGateway(SessionGateway, CardGateway, Protocol):
    """What Checkout needs of the gateway; payments of S2S CARD are refunded here, too."""

    checkout: "CheckoutBehaviour"

    def checkout_table(self, operation: "Operation") -> Table:
        """The field table of an address of Checkout."""
        ...

    def checkout_window(self, operation: "Operation") -> Window:
        """The window in which an address of Checkout takes no order number again."""
        ...


@dataclass(frozen=True, slots=True)
class Instrument:
    """What a payment is made with, and what the issuer says of it.

    ``stop`` is where the payer has to go first, if anywhere; ``reason`` says why the payment is declined, and
    ``message`` what the payer reads then where it is not the page's own text. ``token`` is the card token that was
    used, ``wallet`` the wallet.
    """

    method: str = "card"
    approved: bool = True
    card: Card | None = None
    token: str = ""
    wallet: str = ""
    stop: Stop | None = None
    reason: str = DECLINED
    message: str = ""


@dataclass(slots=True)
class PostAttempt:
    """One JSON post on its way: ``payment`` is the one that it names, once it was found."""

    gateway: CheckoutGateway
    operation: "Operation"
    body: Object
    client: str
    base: str
    account: Account | None
    payment: Payment | None = None


PostStage = Stage[PostAttempt]


def accepts_hash(attempt: PostAttempt, account: Account) -> bool:
    """Whether the post is signed over the values of its operation and the password, by the session's recipe."""
    given = attempt.body.get("hash")
    wanted = session_hash(attempt.operation.signed(attempt.body) + account.password, account.hash)
    return isinstance(given, str) and equal(given, wanted)


def same_financial_day(payment: Payment, now: datetime) -> bool:
    """Whether the payment was settled on the day of ``now``."""
    settling = {move.value for move in (Move.APPROVE, Move.CAPTURE, Move.RETRY)}
    settled = [step.date for step in payment.transactions if step.type in settling]
    return bool(settled) and settled[-1].date() == now.date()


def first_day(payment: Payment) -> date | None:
    """The day of the first scheduled charge, where the merchant named one."""
    named = record_of(payment).schedule_start_date
    return date.fromisoformat(named) if named else None


def scheduled_amount(payment: Payment) -> str:
    """The amount of scheduled charges."""
    return record_of(payment).schedule_amount or payment.amount_text


def declines_charge(initial: Payment, _amount: str) -> bool:
    """Whether a later charge of a chain, of some amount, is declined."""
    return initial.account.declines_recurring


def qr_seconds(account: Account) -> float:
    """How long the code of an instant QR payment is valid."""
    return account.qr_seconds


def is_decided(payment: Payment) -> bool:
    """The payer has nothing to decide any more: it is paid, held or declined."""
    return payment.state in {State.SETTLED, State.AUTHORIZED, State.DECLINED}


def refundable(payment: Payment) -> bool:
    """Whether a payment took money from a card, so that a refund may follow."""
    return payment.action.upper() in {"PURCHASE", "DEBIT", "RECURRING", "SALE", "RECURRING_SALE", "RECURRING_DEBIT"}


NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment does not exist.", code=101000)
NO_ORDER: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.", code=101000)
NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_PAYMENT_NOT_FOUND: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
# One answer to every identifier that means nothing, before look-ups distinguished the entities.
NOT_CORRECT: Final = Refusal(Kind.NOT_FOUND, "This value is not correct.")
_WRONG_HASH: Final = Refusal(Kind.SIGNATURE, "Hash is not valid")
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_WRONG_CHAIN: Final = Refusal(Kind.NOT_FOUND, "Incorrect transaction")
_NO_REFUNDS: Final = Refusal(_STATE, "Refund is not allowed")
_CONNECTOR_REFUNDS: Final = Refusal(
    _STATE, "Refund via API is not supported. Only from the connector admin portal.", code=210002
)
CAPTURE_REFUSALS: Final = {
    Obstacle.WRONG_STATE: Refusal(
        _STATE, "Not acceptable to request the capture for payment not in pending status", code=208003
    ),
    Obstacle.TOO_MUCH: Refusal(
        _STATE, "Not acceptable to request the capture for amount bigger than auth amount.", code=208004
    ),
}
VOID_REFUSALS: Final = {Obstacle.WRONG_STATE: Refusal(_STATE, "Void is not allowed.")}
REFUND_REFUSALS: Final = {
    Obstacle.WRONG_STATE: Refusal(
        _STATE, "Not acceptable to request the refund for payment not in settled status.", code=208005
    ),
    Obstacle.TOO_MUCH: Refusal(
        _STATE, "Not acceptable to request the refund for amount bigger than payment amount.", code=208006
    ),
}
RETRY_REFUSALS: Final = {Obstacle.WRONG_STATE: Refusal(_STATE, "Retry is not allowed.")}


@dataclass(frozen=True, slots=True)
class Operation:
    """One address of Checkout, and everything about it that is not the payment itself.

    ``signed`` are the values that its hash covers, joined; ``refusals`` words the reasons for which a move is refused;
    ``since`` is the release that brought the address.
    """

    path: str
    rows: tuple[Rule, ...]
    stages: tuple[PostStage, ...]
    handler: Callable[[PostAttempt], Reply]
    signed: Callable[[Object], str]
    kind: Kind
    since: str | None = None
    accepts_hash: Callable[[PostAttempt, Account], bool] = accepts_hash
    wrong_hash: Refusal = _WRONG_HASH
    not_found: Refusal = _PAYMENT_NOT_FOUND
    refusals: Mapping[Obstacle, Refusal] = field(default_factory=dict)
    window: WindowRule = field(default_factory=WindowRule)


@dataclass(frozen=True, slots=True)
class CheckoutBehaviour:
    """The addresses of Checkout by name, and how payments are decided and reported."""

    operations: Mapping[str, Operation]
    instrument: Callable[[CheckoutGateway, PageSession, Entry], Instrument]
    intended: Callable[[PageSession], State]
    return_parameters: Callable[[CheckoutGateway, Payment, str], Parameters]
    order_not_found: Refusal = NO_ORDER
    duplicate: Refusal = _DUPLICATE
    wrong_chain: Refusal = _WRONG_CHAIN
    no_refunds: Refusal = _NO_REFUNDS
    connector_refunds: Refusal = _CONNECTOR_REFUNDS
    same_financial_day: Callable[[Payment, datetime], bool] = same_financial_day
    refundable: Callable[[Payment], bool] = refundable
    is_decided: Callable[[Payment], bool] = is_decided
    qr_seconds: Callable[[Account], float] = qr_seconds
    first_day: Callable[[Payment], date | None] = first_day
    scheduled_amount: Callable[[Payment], str] = scheduled_amount
    declines_charge: Callable[[Payment, str], bool] = declines_charge
