"""POST /api/v1/session/token: a session whose card fields stand in the merchant's page."""

from typing import Final, cast

from emulator.accounts import Account
from emulator.protocols.checkout.session import (
    ORDER_FORMULA,
    HashTest,
    check_duplicate,
    check_schedule,
    check_tokens,
    minutes_open,
    signed_order,
)
from emulator.protocols.hosted_fields.behaviour import HostedAttempt, HostedGateway, HostedStage
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.shared import check_environment, check_merchant, first_refusal, note_wrong_hash
from emulator.rules.model import BreakdownError, Context
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply, breakdown
from emulator.wire.values import Object


def check_fields(attempt: HostedAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    operation = attempt.body.get("operation")
    known = operation if isinstance(operation, str) and operation in {"purchase", "debit"} else ""
    context = Context(attempt.body, attempt.account, gateway.amounts, gateway.release, known)
    found = tuple(gateway.hosted_token_table.violations(context))
    return Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=found) if found else None


def check_signature(attempt: HostedAttempt) -> Refusal | None:
    """Refuse a request that is not signed with the merchant's password."""
    account, order = attempt.account, signed_order(attempt.body)
    if account is None or order is None:
        return None
    behaviour = attempt.gateway.hosted_fields
    test = HashTest(attempt.body.get("hash"), account, order, attempt.body)
    if behaviour.accepts_hash(test):
        return None
    note_wrong_hash(account, "a session token", ORDER_FORMULA)
    return behaviour.wrong_hash


STAGES: Final[tuple[HostedStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    check_signature,
    check_duplicate,
    check_tokens,
    check_schedule,
)


def open_hosted(gateway: HostedGateway, body: Object, client: str) -> Reply:
    """Answer a request for a session token."""
    attempt = HostedAttempt(gateway, body, client, gateway.access.find_account(body.get("merchant_key")))
    try:
        refusal = first_refusal(gateway.hosted_fields.stages, attempt)
    except BreakdownError:
        return breakdown()
    if refusal is not None:
        return gateway.answers.refuse(refusal)
    now = gateway.clock.seconds()
    gateway.session_window.take(attempt.key, attempt.number, now)
    closes = now + 60 * minutes_open(body)
    token = gateway.hosted_fields.new_token()
    account = cast("Account", attempt.account)
    address = gateway.hosted_fields.payer_address(attempt)
    gateway.hosted_sessions.add(HostedSession(token, body, account, address, closes))
    return Reply(Kind.HOSTED_SESSION, 200, {"token": token})
