"""POST /api/v1/session: the stages that a request passes, each of which may refuse it."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar, cast

from emulator.accounts import Account
from emulator.engine.duplicates import Window, WindowRule
from emulator.engine.signing import Order, SessionRecipe, as_specified, equal
from emulator.protocols.shared import (
    CHECKOUT_FORMULA,
    SharedGateway,
    Stage,
    check_environment,
    check_merchant,
    note_wrong_hash,
)
from emulator.rules.checkout.session import LANGUAGE_TEXT
from emulator.rules.compiler import Table
from emulator.rules.currencies import CRYPTO
from emulator.rules.model import BreakdownError, Context, JsonObject
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply, breakdown
from emulator.wire.values import JsonFloat, Object, child, text_of

_DEFAULT_MINUTES: Final = 60
_OPERATIONS: Final = frozenset({"purchase", "debit", "credit", "transfer"})


class SessionGateway(SharedGateway, Protocol):
    """What sessions need of the gateway."""

    session: "SessionBehaviour"
    session_table: Table
    session_window: Window

    def keep_session(self, token: str, request: Object) -> None:
        """Remember a session under the token of its page."""

    def sessions_of(self, key: str, number: str) -> Sequence[str]:
        """The tokens of the sessions that a merchant opened for an order, open or expired."""
        ...


_Gateway_co = TypeVar("_Gateway_co", bound=SessionGateway, covariant=True)


@dataclass(slots=True)
class SessionAttempt(Generic[_Gateway_co]):
    """One session request on its way through the stages."""

    gateway: _Gateway_co
    body: Object
    client: str
    account: Account | None

    @property
    def key(self) -> str:
        """The merchant key as sent, or empty."""
        return _text(self.body.get("merchant_key")) or ""

    @property
    def number(self) -> str:
        """The order number as sent, or empty."""
        return _text(child(self.body, "order", "number")) or ""


@dataclass(frozen=True, slots=True)
class HashTest:
    """A hash that came with a session request, and what it is compared with."""

    given: object
    account: Account
    order: Order
    body: JsonObject


Attempt = SessionAttempt[SessionGateway]
SessionStage = Stage[Attempt]
AcceptsHash = Callable[[HashTest], bool]


def page_address(base: str, token: str) -> str:
    """Where the payer is sent."""
    return f"{base}/pay/{token}"


def minutes_open(body: JsonObject) -> float:
    """How many minutes the page of a session takes a payment."""
    given = body.get("session_expiry")
    return given if isinstance(given, int) else _DEFAULT_MINUTES


def new_token() -> str:
    """A token for the address of a payment page, which nobody can guess."""
    return secrets.token_urlsafe(24)


def matches(test: HashTest, *recipes: SessionRecipe) -> bool:
    """Whether the given hash is the result of one of ``recipes``."""
    if not isinstance(test.given, str):
        return False
    account = test.account
    return any(equal(test.given, recipe(account.password, account.hash, test.order)) for recipe in recipes)


def accepts_hash(test: HashTest) -> bool:
    """Whether the given hash is the signature of the contract."""
    return matches(test, as_specified)


ORDER_FORMULA: Final = CHECKOUT_FORMULA.format("order.number, order.amount, order.currency, order.description")
_WINDOW: Final = WindowRule()
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "Duplicate request.", code="400")
_USED_BEFORE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_NO_SCHEDULE: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("schedule_id", "Schedule not found"),))


@dataclass(frozen=True, slots=True)
class SessionBehaviour:
    """Everything about sessions that is not a field rule."""

    stages: tuple[SessionStage, ...]
    path: str = "/api/v1/session"
    accepts_hash: AcceptsHash = accepts_hash
    page_address: Callable[[str, str], str] = page_address
    new_token: Callable[[], str] = new_token
    minutes_open: Callable[[JsonObject], float] = minutes_open
    window: WindowRule = _WINDOW
    duplicate: Refusal = _DUPLICATE
    used_before: Refusal = _USED_BEFORE
    language_in_message: bool = True
    checks_content_type: bool = True


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _as_signed(value: object) -> str | None:
    if isinstance(value, int | JsonFloat) and not isinstance(value, bool):
        return text_of(value)
    return _text(value)


def signed_order(body: JsonObject) -> Order | None:
    """The signed values, or None where one is missing: then no hash can be computed."""
    order = body.get("order")
    if not isinstance(order, dict):
        return None
    values = cast("Object", order)
    number, amount, currency, description = (
        _as_signed(values.get(name)) for name in ("number", "amount", "currency", "description")
    )
    if number is None or currency is None or description is None:
        return None
    if amount is None and currency not in CRYPTO:
        return None
    return Order(number, amount, currency, description)


def check_fields(attempt: Attempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    operation = attempt.body.get("operation")
    known = operation if isinstance(operation, str) and operation in _OPERATIONS else ""
    context = Context(attempt.body, attempt.account, gateway.amounts, gateway.release, known)
    found = tuple(gateway.session_table.violations(context))
    if not found:
        return None
    message = INVALID_DATA
    if len(found) == 1:
        text = found[0][1]
        if gateway.session.language_in_message and text == LANGUAGE_TEXT:
            message = text
    return Refusal(Kind.FIELDS, message, violations=found)


def check_signature(attempt: Attempt) -> Refusal | None:
    """Refuse a request that is not signed with the merchant's password."""
    account, order = attempt.account, signed_order(attempt.body)
    if account is None or order is None:
        return None
    test = HashTest(attempt.body.get("hash"), account, order, attempt.body)
    if attempt.gateway.session.accepts_hash(test):
        return None
    note_wrong_hash(account, "a session", ORDER_FORMULA)
    return attempt.gateway.access.wrong_hash


def check_duplicate(attempt: Attempt) -> Refusal | None:
    """Refuse a number that the merchant used within the window, or ever, where numbers are used once."""
    gateway = attempt.gateway
    behaviour = gateway.session
    if not attempt.number:  # what names no order repeats none, wherever this stage stands
        return None
    age = gateway.session_window.age(attempt.key, attempt.number, gateway.clock.seconds())
    if age is None:
        return None
    return behaviour.duplicate if age < behaviour.window.seconds else behaviour.used_before


def check_tokens(attempt: Attempt) -> Refusal | None:
    """Refuse card tokens that are not the merchant's."""
    account, access = attempt.account, attempt.gateway.access
    tokens = attempt.body.get("card_token")
    if account is None or not isinstance(tokens, list) or attempt.body.get("operation") == "transfer":
        return None
    vault = attempt.gateway.vault
    given = [str(token) for token in cast("list[object]", tokens)]
    known = (access.token_known(account, token) or vault.card(account, token) is not None for token in given)
    return None if all(known) else access.wrong_token


def check_schedule(attempt: Attempt) -> Refusal | None:
    """Refuse a schedule that the merchant does not have."""
    identifier, account = attempt.body.get("schedule_id"), attempt.account
    if account is None or not isinstance(identifier, str) or not identifier:
        return None
    found = attempt.gateway.schedules.find(account, identifier)
    return _NO_SCHEDULE if found is None else None


STAGES: Final[tuple[SessionStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    check_signature,
    check_duplicate,
    check_tokens,
    check_schedule,
)


def open_session(gateway: SessionGateway, body: Object, client: str, base: str) -> Reply:
    """Answer a session request; ``base`` is the address under which the gateway's pages are reached."""
    behaviour = gateway.session
    attempt = Attempt(gateway, body, client, gateway.access.find_account(body.get("merchant_key")))
    try:
        for stage in behaviour.stages:
            refusal = stage(attempt)
            if refusal is not None:
                return gateway.answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
    gateway.session_window.take(attempt.key, attempt.number, gateway.clock.seconds())
    token = behaviour.new_token()
    gateway.keep_session(token, body)
    return Reply(Kind.SESSION, 200, {"redirect_url": behaviour.page_address(base, token)})
