"""How Checkout serves what follows a session, as values that faults and variations change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from emulator.accounts import Account
from emulator.checkout.charging import intended
from emulator.checkout.instruments import Instrument, by_entry
from emulator.checkout.paying import return_parameters
from emulator.checkout.record import record_of
from emulator.duplicates import WindowRule
from emulator.hosted_page.entries import Entry
from emulator.hosted_page.outcomes import Parameters
from emulator.hosted_page.session import PageSession
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply
from emulator.rules.model import Rule
from emulator.signing import equal, session_hash
from emulator.values import Object

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_STATE: Final = Kind.STATE


@dataclass(slots=True)
class PostAttempt:
    """One JSON post on its way: ``payment`` is the one that it names, once it was found."""

    gateway: "Gateway"
    operation: "Operation"
    body: Object
    client: str
    base: str
    account: Account | None
    payment: Payment | None = None


PostStage = Callable[[PostAttempt], Refusal | None]


def accepts_hash(attempt: PostAttempt, account: Account) -> bool:
    """Tell whether the post is signed over the values of its operation and the password, by the session's recipe."""
    given = attempt.body.get("hash")
    wanted = session_hash(attempt.operation.signed(attempt.body) + account.password, account.hash)
    return isinstance(given, str) and equal(given, wanted)


def same_financial_day(payment: Payment, now: datetime) -> bool:
    """Tell whether the payment was settled on the day of ``now``."""
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


def qr_seconds(account: Account) -> float:
    """How long the code of an instant QR payment is valid."""
    return account.qr_seconds


def refundable(payment: Payment) -> bool:
    """Tell whether a payment took money from a card, so that a refund may follow."""
    return payment.action.upper() in {"PURCHASE", "DEBIT", "RECURRING", "SALE", "RECURRING_SALE", "RECURRING_DEBIT"}


NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment does not exist.", code=101000)
NO_ORDER: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.", code=101000)
NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_PAYMENT_NOT_FOUND: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
# One answer to every identifier that means nothing, before look-ups told the entities apart.
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
class CheckoutConduct:
    """The addresses of Checkout by name, and how payments are decided and told."""

    operations: Mapping[str, Operation]
    order_not_found: Refusal = NO_ORDER
    duplicate: Refusal = _DUPLICATE
    wrong_chain: Refusal = _WRONG_CHAIN
    no_refunds: Refusal = _NO_REFUNDS
    connector_refunds: Refusal = _CONNECTOR_REFUNDS
    instrument: Callable[["Gateway", PageSession, Entry], Instrument] = by_entry
    intended: Callable[[PageSession], State] = intended
    return_parameters: Callable[["Gateway", Payment, str], Parameters] = return_parameters
    same_financial_day: Callable[[Payment, datetime], bool] = same_financial_day
    refundable: Callable[[Payment], bool] = refundable
    qr_seconds: Callable[[Account], float] = qr_seconds
    first_day: Callable[[Payment], date | None] = first_day
    scheduled_amount: Callable[[Payment], str] = scheduled_amount
