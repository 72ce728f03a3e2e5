"""What a post to an address of Checkout passes before it is carried out, and how it is answered."""

from typing import Final, cast

from emulator.engine.payments import Payment, Protocol
from emulator.protocols.checkout.behaviour import CheckoutGateway, Operation, PostAttempt, PostStage
from emulator.protocols.shared import (
    CHECKOUT_FORMULA,
    check_environment,
    check_merchant,
    first_refusal,
    note_wrong_hash,
)
from emulator.rules.checkout.payments import SIZE_TEXT
from emulator.rules.model import BreakdownError, Context
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply, breakdown
from emulator.wire.values import Object

_REFUNDED_HERE: Final = (Protocol.CHECKOUT, Protocol.S2S_CARD)


def check_fields(attempt: PostAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    context = Context(attempt.body, attempt.account, gateway.amounts, gateway.release)
    found = tuple(gateway.checkout_table(attempt.operation).violations(context))
    if not found:
        return None
    message = SIZE_TEXT if len(found) == 1 and found[0][1] == SIZE_TEXT else INVALID_DATA
    return Refusal(Kind.CHECKOUT_FIELDS, message, violations=found)


def check_signature(attempt: PostAttempt) -> Refusal | None:
    """Refuse a post that is not signed with the merchant's password."""
    account = attempt.account
    if account is None or attempt.operation.accepts_hash(attempt, account):
        return None
    signed = attempt.operation.signed.__doc__
    note_wrong_hash(account, attempt.operation.path, CHECKOUT_FORMULA.format((signed or "its values").rstrip(".")))
    return attempt.operation.wrong_hash


def find_payment(attempt: PostAttempt) -> Refusal | None:
    """Find the merchant's payment that the post names, or refuse the post."""
    return _find(attempt, (Protocol.CHECKOUT,))


def find_refundable(attempt: PostAttempt) -> Refusal | None:
    """Find the merchant's payment that is to be refunded; payments of S2S CARD are refunded here, too."""
    return _find(attempt, _REFUNDED_HERE)


def _find(attempt: PostAttempt, protocols: tuple[Protocol, ...]) -> Refusal | None:
    found = None
    if attempt.account is not None:
        found = attempt.gateway.payments.find(attempt.account, str(attempt.body.get("payment_id")))
    attempt.payment = found if found is not None and found.protocol in protocols else None
    return attempt.operation.not_found if attempt.payment is None else None


def named_payment(attempt: PostAttempt) -> Payment:
    """The payment that the stages found."""
    return cast("Payment", attempt.payment)


FIRST: Final[tuple[PostStage, ...]] = (check_environment, check_fields, check_merchant, check_signature)


def perform(gateway: CheckoutGateway, operation: Operation, body: Object, client: str, base: str) -> Reply:
    """Answer a post to the address of ``operation``; ``base`` is the address that the gateway listens at."""
    account = gateway.access.find_account(body.get("merchant_key"))
    attempt = PostAttempt(gateway, operation, body, client, base, account)
    try:
        refusal = first_refusal(operation.stages, attempt)
        return operation.handler(attempt) if refusal is None else gateway.answers.refuse(refusal)
    except BreakdownError:
        return breakdown()
