"""POST /api/v1/session: the stages that a request passes, each of which may refuse it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from emulator.accounts import BY_KEY, Account
from emulator.currencies import CRYPTO
from emulator.duplicates import WindowRule
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply, breakdown
from emulator.rules.model import BreakdownError, Context, JsonObject
from emulator.rules.session import LANGUAGE_TEXT
from emulator.signing import Order, SessionRecipe, as_specified, equal
from emulator.values import JsonFloat, Object, child, text_of

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_DEFAULT_MINUTES: Final = 60
_OPERATIONS: Final = frozenset({"purchase", "debit", "credit", "transfer"})


@dataclass(slots=True)
class Attempt:
    """One session request on its way through the stages."""

    gateway: "Gateway"
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


Stage = Callable[[Attempt], Refusal | None]
AcceptsHash = Callable[[HashTest], bool]


def find_account(key: object) -> Account | None:
    """The account that a merchant key belongs to."""
    return BY_KEY.get(key) if isinstance(key, str) else None


def address_allowed(account: Account, client: str) -> bool:
    """Tell whether the account takes requests from the address ``client``."""
    return not account.ip_allowlist or client in account.ip_allowlist


def is_live(account: Account) -> bool:
    """Tell whether the key belongs to production."""
    return account.live


def token_known(account: Account, token: str) -> bool:
    """Tell whether the card token belongs to the account."""
    return token in account.card_tokens


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
    """Tell whether the given hash is the result of one of ``recipes``."""
    if not isinstance(test.given, str):
        return False
    account = test.account
    return any(equal(test.given, recipe(account.password, account.hash, test.order)) for recipe in recipes)


def accepts_hash(test: HashTest) -> bool:
    """Tell whether the given hash is the signature of the contract."""
    return matches(test, as_specified)


_WINDOW: Final = WindowRule()
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "Duplicate request.", code="400")
_USED_BEFORE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")
_UNKNOWN_MERCHANT: Final = Refusal(Kind.MERCHANT, "The merchant key is not known.")
_WRONG_HASH: Final = Refusal(Kind.SIGNATURE, "Hash is not valid")
_WRONG_ENVIRONMENT: Final = Refusal(Kind.LIVE_KEY, "Use merchant test key.", code=220002)
_WRONG_ADDRESS: Final = Refusal(Kind.ADDRESS, "Request from this ip is not allowed.")
_NO_SCHEDULE: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("schedule_id", "Schedule not found"),))
_WRONG_TOKEN: Final = Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.", code=205005)


@dataclass(frozen=True, slots=True)
class SessionConduct:
    """Everything about sessions that is not a field rule."""

    stages: tuple[Stage, ...]
    path: str = "/api/v1/session"
    accepts_hash: AcceptsHash = accepts_hash
    find_account: Callable[[object], Account | None] = find_account
    address_allowed: Callable[[Account, str], bool] = address_allowed
    is_live: Callable[[Account], bool] = is_live
    token_known: Callable[[Account, str], bool] = token_known
    page_address: Callable[[str, str], str] = page_address
    new_token: Callable[[], str] = new_token
    minutes_open: Callable[[JsonObject], float] = minutes_open
    window: WindowRule = _WINDOW
    duplicate: Refusal = _DUPLICATE
    used_before: Refusal = _USED_BEFORE
    unknown_merchant: Refusal = _UNKNOWN_MERCHANT
    wrong_hash: Refusal = _WRONG_HASH
    wrong_environment: Refusal = _WRONG_ENVIRONMENT
    wrong_address: Refusal = _WRONG_ADDRESS
    wrong_token: Refusal = _WRONG_TOKEN
    language_in_message: bool = True
    zero_in_message: bool = False
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


def check_environment(attempt: Attempt) -> Refusal | None:
    """Refuse keys of production, and addresses that the account does not allow."""
    account, conduct = attempt.account, attempt.gateway.design.session
    if account is None:
        return None
    if conduct.is_live(account):
        return conduct.wrong_environment
    if not conduct.address_allowed(account, attempt.client):
        return conduct.wrong_address
    return None


def check_fields(attempt: Attempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    design = gateway.design
    operation = attempt.body.get("operation")
    known = operation if isinstance(operation, str) and operation in _OPERATIONS else ""
    context = Context(attempt.body, attempt.account, design.amounts, design.release, known)
    found = tuple(gateway.session_table.violations(context))
    if not found:
        return None
    message = INVALID_DATA
    if len(found) == 1:
        path, text = found[0]
        if design.session.language_in_message and text == LANGUAGE_TEXT:
            message = text
        elif (
            design.session.zero_in_message
            and path == "order.amount"
            and text.startswith("This value should be greater")
        ):
            message = f"amount: {text}"
    return Refusal(Kind.FIELDS, message, violations=found)


def check_merchant(attempt: Attempt) -> Refusal | None:
    """Refuse a key that belongs to no merchant."""
    return attempt.gateway.design.session.unknown_merchant if attempt.account is None else None


def check_signature(attempt: Attempt) -> Refusal | None:
    """Refuse a request that is not signed with the merchant's password."""
    account, order = attempt.account, signed_order(attempt.body)
    if account is None or order is None:
        return None
    conduct = attempt.gateway.design.session
    test = HashTest(attempt.body.get("hash"), account, order, attempt.body)
    return None if conduct.accepts_hash(test) else conduct.wrong_hash


def check_duplicate(attempt: Attempt) -> Refusal | None:
    """Refuse a number that the merchant used within the window, or ever, where numbers are used once."""
    gateway = attempt.gateway
    conduct = gateway.design.session
    age = gateway.session_window.age(attempt.key, attempt.number, gateway.clock.seconds())
    if age is None:
        return None
    return conduct.duplicate if age < conduct.window.seconds else conduct.used_before


def check_tokens(attempt: Attempt) -> Refusal | None:
    """Refuse card tokens that are not the merchant's."""
    account, conduct = attempt.account, attempt.gateway.design.session
    tokens = attempt.body.get("card_token")
    if account is None or not isinstance(tokens, list) or attempt.body.get("operation") == "transfer":
        return None
    vault = attempt.gateway.vault
    given = [str(token) for token in cast("list[object]", tokens)]
    known = (conduct.token_known(account, token) or vault.card(account, token) is not None for token in given)
    return None if all(known) else conduct.wrong_token


def check_schedule(attempt: Attempt) -> Refusal | None:
    """Refuse a schedule that the merchant does not have."""
    identifier, account = attempt.body.get("schedule_id"), attempt.account
    if account is None or not isinstance(identifier, str) or not identifier:
        return None
    found = attempt.gateway.schedules.find(account, identifier)
    return _NO_SCHEDULE if found is None else None


STAGES: Final[tuple[Stage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    check_signature,
    check_duplicate,
    check_tokens,
    check_schedule,
)


def open_session(gateway: "Gateway", body: Object, client: str, base: str) -> Reply:
    """Answer a session request; ``base`` is the address under which the gateway's pages are reached."""
    conduct = gateway.design.session
    attempt = Attempt(gateway, body, client, conduct.find_account(body.get("merchant_key")))
    try:
        for stage in conduct.stages:
            refusal = stage(attempt)
            if refusal is not None:
                return gateway.design.answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
    gateway.session_window.take(attempt.key, attempt.number, gateway.clock.seconds())
    token = conduct.new_token()
    gateway.keep_session(token, body)
    return Reply(Kind.SESSION, 200, {"redirect_url": conduct.page_address(base, token)})
