"""Ways of doing things that all S2S CARD payments share; faults and variations replace them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from emulator.accounts import Account
from emulator.engine.payments import Payment, State, new_id
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire import bodies
from emulator.wire.multipart import is_multipart, read_parts
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import MalformedError, read_json

_FORM: Final = "application/x-www-form-urlencoded"
_DEBITS: Final = ("DEBIT", "RECURRING_DEBIT")
NO_REFUNDS: Final = Refusal(Kind.STATE, "Refund is not allowed")
PORTAL_ONLY: Final = Refusal(
    Kind.STATE, "Refund via API is not supported. Only from the connector admin portal.", code=210002
)


def way_back(payment: Payment) -> str:
    """Where the payer is sent once the challenge is over."""
    return record_of(payment).term_url


def by_redirect(_address: str) -> str:
    """No page leads the payer back to the merchant."""
    return ""


def declines_charge(initial: Payment, _amount: str) -> bool:
    """Whether a later charge of a chain, of some amount, is declined."""
    return initial.account.declines_recurring


def is_wallet_token(_account: Account, text: str) -> bool:
    """Whether a text can be the token of a wallet: a JSON object."""
    try:
        return isinstance(read_json(text.encode("utf-8", "surrogatepass")), dict)
    except MalformedError:
        return False


def intended(account: Account, auth: str) -> State:
    """Where approval leads: to a settled payment or to one that is to be captured, as the mode of the account says."""
    if account.mode == "SMS":
        return State.SETTLED
    return State.AUTHORIZED if auth == "Y" or account.mode == "DMS" else State.SETTLED


def link_target(account: Account, wanted: str, release: str) -> str:
    """In which frame the payer comes back: what the account forces, else what was asked for."""
    forced = account.override_link_target if release >= "6.7.0" else None
    return forced or wanted or "_top"


def read_form(body: bytes, content_type: str) -> dict[str, str]:
    """The fields of a form, urlencoded or of several parts; raises RefusedError for another content type."""
    if is_multipart(content_type):
        return read_parts(body, content_type)
    if content_type.partition(";")[0].strip().lower() != _FORM:
        raise bodies.wrong_media_type(_FORM)
    return bodies.form(body)


def day_is_over(payment: Payment, now: datetime) -> bool:
    """Whether the financial day of a payment, that of its date in UTC, has passed."""
    return now.date() > payment.created.date()


def refund_refusal(payment: Payment) -> Refusal | None:
    """Why the money of a settled payment is not given back by this interface; None where it is."""
    if payment.state is not State.SETTLED:
        return None
    if not payment.account.refunds:
        return NO_REFUNDS
    return PORTAL_ONLY if payment.account.connector_refunds_only else None


def after_refund(payment: Payment) -> None:
    """A debit that was wholly given back counts as reversed."""
    if payment.action in _DEBITS and payment.state is State.REFUNDED:
        payment.state = State.RELEASED


def issuer_address(base: str, token: str) -> str:
    """Where the payer is sent to be challenged."""
    return f"{base}/issuer/{token}"


def scheduled_order(initial: Payment) -> str:
    """The order id of a payment that a schedule made: that of the payment that started it."""
    return initial.order_number


def scheduled_amount(initial: Payment) -> str:
    """The amount of payments that a schedule makes: the one that was asked for, else that of the first payment."""
    return record_of(initial).schedule_amount or initial.amount_text


def is_away(payment: Payment) -> bool:
    """Whether the payer of a payment is at the issuer, whose page decides it."""
    return payment.state in (State.CHALLENGED, State.REDIRECTED)


def passes(payment: Payment, choice: str) -> bool:
    """What the issuer says once the payer made a choice: the card decides, unless the payer chose to fail."""
    return payment.approves and choice == "pass"


def asks_nothing(_token: str, _posted: Mapping[str, str]) -> str:
    """The issuer asks for nothing more than the payer's choice."""
    return ""


@dataclass(frozen=True, slots=True)
class PaymentBehaviour:
    """How S2S CARD payments are treated.

    ``outcome_after`` are the seconds after which an operation that was accepted is carried out; ``retried_action`` is
    the action that the callback of a RETRY names. ``issuer_asks`` gives the form that the page of the issuer shows
    before the choice of its payer counts, by the token and by what was posted; empty: none. ``issuer_choices`` are its
    buttons, each with its label. ``page_back`` is the document that leads the payer on to where they are sent; empty:
    a redirect does.
    """

    day_is_over: Callable[[Payment, datetime], bool] = day_is_over
    refund_refusal: Callable[[Payment], Refusal | None] = refund_refusal
    after_refund: Callable[[Payment], None] = after_refund
    outcome_after: float = 0.0
    retried_action: str = "RECURRING_SALE"
    issuer_address: Callable[[str, str], str] = issuer_address
    scheduled_order: Callable[[Payment], str] = scheduled_order
    new_id: Callable[[], str] = new_id
    scheduled_amount: Callable[[Payment], str] = scheduled_amount
    passes: Callable[[Payment, str], bool] = passes
    issuer_asks: Callable[[str, Mapping[str, str]], str] = asks_nothing
    issuer_choices: tuple[tuple[str, str], ...] = (("pass", "Confirm"), ("fail", "Fail"))
    is_away: Callable[[Payment], bool] = is_away
    way_back: Callable[[Payment], str] = way_back
    page_back: Callable[[str], str] = by_redirect
    intended: Callable[[Account, str], State] = intended
    link_target: Callable[[Account, str, str], str] = link_target
    is_wallet_token: Callable[[Account, str], bool] = is_wallet_token
    declines_charge: Callable[[Payment, str], bool] = declines_charge
    methods: tuple[str, ...] = ("POST",)
    read_body: Callable[[bytes, str], dict[str, str]] = read_form
