"""How Hosted Payment Fields behave, as one value that faults and variations change."""

import base64
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.checkout.session import Attempt, HashTest, SessionAttempt, accepts_hash
from emulator.protocols.hosted_fields.sessions import HostedSession, HostedSessions
from emulator.protocols.hosted_page.behaviour import PageGateway
from emulator.protocols.hosted_page.forms.rules import PAGE_RULES, PageRule
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.shared import Stage
from emulator.rules.checkout.hosted_fields import PAYMENT, TOKEN
from emulator.rules.compiler import Table
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object, child

# What is paid at which address, with the release that brought it.
ADDRESSES: Final[Mapping[str, tuple[str, str | None]]] = {
    "/api/v1/processing/purchase/card": ("purchase", None),
    "/api/v1/processing/debit/card": ("debit", "6.7.0"),
}


def new_token() -> str:
    """A session token, which nobody can guess."""
    return base64.b64encode(secrets.token_bytes(48)).decode("ascii")


def payer_address(attempt: Attempt) -> str:
    """The address of the payer: the one that the merchant names, else the one that asks for the token."""
    named = child(attempt.body, "customer", "ip") if attempt.gateway.release >= "6.7.0" else None
    return named if isinstance(named, str) and named else attempt.client


def is_open(session: HostedSession, now: float) -> bool:
    """Whether a session still takes a payment."""
    return now < session.closes


def serves(session: HostedSession, operation: str) -> bool:
    """Whether the address of ``operation`` pays the session."""
    return session.request.get("operation") == operation


def is_paid(session: HostedSession) -> bool:
    """Whether the session was paid, at once or after a challenge."""
    return session.paid or session.visit.ended == "paid"


def as_given(form: Mapping[str, str]) -> Mapping[str, str]:
    """What the payer answered at a challenge."""
    return form


def has_card(session: HostedSession) -> bool:
    """Whether the fields handed a card over, or a card on file is used."""
    return bool(session.request.get("card_token")) or {"card_number", "expiry"} <= session.typed.keys()


def by_json(reply: Reply) -> Reply:
    """What the fields posted is answered for a script."""
    return reply


def transaction_parameters(parameters: Parameters) -> Parameters:
    """What the answer carries of the return parameters."""
    return {name: parameters[name] for name in ("payment_id", "trans_id", "order_id", "hash") if name in parameters}


@dataclass(frozen=True, slots=True)
class PaymentRead:
    """What a payment says: the token of its session, what its rules look at, and the card that came with it."""

    token: str
    body: Object
    typed: Mapping[str, str] = field(default_factory=dict, repr=False)


def as_platform(token: str, body: Object) -> PaymentRead:
    """A header names the session, and the card came before."""
    return PaymentRead(token, body)


_WRONG_TOKEN: Final = Refusal(Kind.HOSTED_PAYMENT, "Session token is invalid or expired.", status=401)
_WRONG_ADDRESS: Final = Refusal(Kind.HOSTED_PAYMENT, "The endpoint does not match the operation of the session.")
_PAID: Final = Refusal(Kind.HOSTED_PAYMENT, "The session is paid already.")
_NO_CARD: Final = Refusal(Kind.HOSTED_PAYMENT, "Card data is missing.")
_WRONG_HASH: Final = Refusal(Kind.SIGNATURE, "Hash is not valid")


class HostedGateway(CheckoutGateway, PageGateway, Protocol):
    """What Hosted Payment Fields need of the gateway."""

    hosted_fields: "HostedFieldsBehaviour"
    hosted_sessions: HostedSessions
    hosted_token_table: Table
    hosted_payment_table: Table


HostedAttempt = SessionAttempt[HostedGateway]
HostedStage = Stage[HostedAttempt]


@dataclass(frozen=True, slots=True)
class HostedFieldsBehaviour:
    """Field rules, stages of a token request, and how payments are let through and answered.

    ``mute_fields``: nothing in a frame says what its field takes.
    ``plain_fields``: the fields stand in the merchant's page itself, without frames.
    ``constructed``: the script gives a class, whose instances are the fields, and no function ``init``.
    ``sent_when_left``: each field sends itself as soon as the payer leaves it, and no call of the page does.
    ``fields_hand_over``: there is an address that takes what was typed, before the payment; ``card_answer`` is how.
    """

    stages: tuple[HostedStage, ...]
    session_path: str = "/api/v1/session/token"
    script_path: str = "/sdk/hosted-fields.js"
    header: str = "token"
    frames: tuple[str, ...] = ("card", "expiry", "cvv")
    addresses: Mapping[str, tuple[str, str | None]] = field(default_factory=lambda: ADDRESSES)
    token_rows: tuple[Rule, ...] = TOKEN
    payment_rows: tuple[Rule, ...] = PAYMENT
    rules: tuple[PageRule, ...] = PAGE_RULES
    accepts_hash: Callable[[HashTest], bool] = accepts_hash
    new_token: Callable[[], str] = new_token
    payer_address: Callable[[Attempt], str] = payer_address
    is_open: Callable[[HostedSession, float], bool] = is_open
    serves: Callable[[HostedSession, str], bool] = serves
    is_paid: Callable[[HostedSession], bool] = is_paid
    has_card: Callable[[HostedSession], bool] = has_card
    read_payment: Callable[[str, Object], PaymentRead] = as_platform
    fields_hand_over: bool = True
    mute_fields: bool = False
    plain_fields: bool = False
    constructed: bool = False
    sent_when_left: bool = False
    card_answer: Callable[[Reply], Reply] = by_json
    challenge_answer: Callable[[Mapping[str, str]], Mapping[str, str]] = as_given
    return_parameters: Callable[[Parameters], Parameters] = transaction_parameters
    wrong_hash: Refusal = _WRONG_HASH
    no_token: Refusal = _WRONG_TOKEN
    wrong_token: Refusal = _WRONG_TOKEN
    wrong_address: Refusal = _WRONG_ADDRESS
    paid: Refusal = _PAID
    no_card: Refusal = _NO_CARD
