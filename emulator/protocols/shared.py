"""What every protocol needs of the gateway, and what it asks of who posts."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from emulator.accounts import BY_KEY, Account
from emulator.engine.agenda import Agenda
from emulator.engine.callbacks.sender import Callbacks
from emulator.engine.clock import Clock
from emulator.engine.moves import MoveRules
from emulator.engine.payment_book import PaymentBook
from emulator.engine.schedules import ScheduleBook
from emulator.engine.vault import Vault
from emulator.rules.model import Amounts
from emulator.wire.replies import Answers, Kind, Refusal


def find_account(key: object) -> Account | None:
    """The account that a merchant key belongs to."""
    return BY_KEY.get(key) if isinstance(key, str) else None


def address_allowed(account: Account, client: str) -> bool:
    """Whether the account takes requests from the address ``client``."""
    return not account.ip_allowlist or client in account.ip_allowlist


def is_live(account: Account) -> bool:
    """Whether the key belongs to production."""
    return account.live


def token_known(account: Account, token: str) -> bool:
    """Whether the card token belongs to the account."""
    return token in account.card_tokens


_LOG = logging.getLogger(__name__)
_UNKNOWN_MERCHANT = Refusal(Kind.MERCHANT, "The merchant key is not known.")
_WRONG_HASH = Refusal(Kind.SIGNATURE, "Hash is not valid")
_WRONG_ENVIRONMENT = Refusal(Kind.LIVE_KEY, "Use merchant test key.", code=220002)
_WRONG_ADDRESS = Refusal(Kind.ADDRESS, "Request from this ip is not allowed.")
_WRONG_TOKEN = Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.", code=205005)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask in every protocol: merchants, environments, addresses and card tokens; and how others are refused."""

    find_account: Callable[[object], Account | None] = find_account
    address_allowed: Callable[[Account, str], bool] = address_allowed
    is_live: Callable[[Account], bool] = is_live
    token_known: Callable[[Account, str], bool] = token_known
    unknown_merchant: Refusal = _UNKNOWN_MERCHANT
    wrong_hash: Refusal = _WRONG_HASH
    wrong_environment: Refusal = _WRONG_ENVIRONMENT
    wrong_address: Refusal = _WRONG_ADDRESS
    wrong_token: Refusal = _WRONG_TOKEN


def note_wrong_hash(account: Account, action: str, formula: str | None) -> None:
    """Log for integrators what had to be signed; never the password nor a hash."""
    wanted = (formula or "the formula of the action").strip().partition("\n")[0]
    _LOG.info("wrong hash: %s of account %s; %s of: %s", action, account.name, account.hash.upper(), wanted)


CHECKOUT_FORMULA = "{}, and the password, in upper case; then SHA1 of that digest in hex"
"""How Checkout signs, over the values that are named."""


class SharedGateway(Protocol):
    """The parts of a running gateway that all protocols work with; each protocol adds its own."""

    release: str
    access: Access
    answers: Answers
    amounts: Amounts
    moves: MoveRules
    clock: Clock
    agenda: Agenda
    payments: PaymentBook
    vault: Vault
    schedules: ScheduleBook
    callbacks: Callbacks
    address: str


_Gateway_co = TypeVar("_Gateway_co", bound=SharedGateway, covariant=True)


class _Attempted(Protocol):
    """What the stages below need to know of a request."""

    client: str
    account: Account | None

    @property
    def gateway(self) -> SharedGateway:
        """The gateway that answers it."""
        ...


@dataclass(slots=True)
class FormAttempt(Generic[_Gateway_co]):
    """A form post on its way through the stages.

    ``form`` are its fields as sent, ``client`` the address that it came from, ``account`` the one of its key.
    """

    gateway: _Gateway_co
    form: Mapping[str, str]
    client: str
    account: Account | None


_Attempt = TypeVar("_Attempt")
Stage = Callable[[_Attempt], Refusal | None]
"""What a request passes before it is carried out; it may refuse the request."""


def check_environment(attempt: _Attempted) -> Refusal | None:
    """Refuse keys of production, and addresses that the account does not allow."""
    account, access = attempt.account, attempt.gateway.access
    if account is None:
        return None
    if access.is_live(account):
        return access.wrong_environment
    return None if access.address_allowed(account, attempt.client) else access.wrong_address


def check_merchant(attempt: _Attempted) -> Refusal | None:
    """Refuse a key that belongs to no merchant."""
    return attempt.gateway.access.unknown_merchant if attempt.account is None else None


def first_refusal(stages: Iterable[Stage[_Attempt]], attempt: _Attempt) -> Refusal | None:
    """What the first stage that refuses the attempt says."""
    return next((refusal for stage in stages if (refusal := stage(attempt)) is not None), None)
