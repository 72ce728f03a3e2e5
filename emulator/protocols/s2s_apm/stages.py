"""What a post to S2S APM passes before it is carried out; each stage may refuse it."""

from collections.abc import Mapping
from typing import Final

from emulator.engine.payments import Protocol
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmHashTest, ApmStage
from emulator.protocols.s2s_apm.signatures import RECIPES
from emulator.protocols.shared import check_environment, check_merchant, note_wrong_hash
from emulator.rules.model import Context
from emulator.rules.s2s_apm.brands import PAYOUTS, SALES
from emulator.wire.replies import INVALID_DATA, Kind, Refusal


def check_fields(attempt: ApmAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    # Rules of parameters apply where no parameter was sent, too.
    body = {"parameters": {}} | attempt.body
    context = Context(body, attempt.account, gateway.apm.amounts, gateway.release)
    found = gateway.apm_tables[attempt.action].violations(context)
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=tuple(found)) if found else None


def check_signature(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a post that is not signed with the merchant's password."""
    account, gateway = attempt.account, attempt.gateway
    if account is None:
        return None
    test = ApmHashTest(attempt.form.get("hash", ""), attempt.action, attempt.form, account)
    if gateway.apm.accepts_hash(test):
        return None
    note_wrong_hash(account, attempt.action, RECIPES[attempt.action].__doc__)
    return gateway.access.wrong_hash


def check_routing(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an action that cannot be carried out for the merchant."""
    account = attempt.account
    unroutable = account is not None and attempt.action in account.unroutable
    return attempt.gateway.apm.unroutable if unroutable else None


def check_sale_brand(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a sale by a brand that the merchant does not have."""
    return None if attempt.form.get("brand") in SALES else attempt.gateway.apm.unknown_brand


def check_payout_brand(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a payout by a brand that does not pay out."""
    return None if attempt.form.get("brand") in PAYOUTS else attempt.gateway.apm.unknown_brand


def check_duplicate(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an order that the merchant posted within the window."""
    gateway, behaviour = attempt.gateway, attempt.gateway.apm
    form, now = attempt.form, gateway.clock.seconds()
    age = gateway.apm_window.age(form.get("client_key", ""), form.get("order_id", ""), now)
    if age is None:
        return None
    return behaviour.duplicate if age < behaviour.window.seconds else behaviour.used_before


def check_mode(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an authorization where the account takes single messages only."""
    account, gateway = attempt.account, attempt.gateway
    if account is None or account.mode != "SMS":
        return None
    wanted = gateway.apm.holds_funds(attempt.form.get("auth", ""), gateway.release, account)
    return gateway.apm.no_authorization if wanted else None


def find_payment(attempt: ApmAttempt) -> Refusal | None:
    """Find the merchant's payment that the post names, or refuse the post."""
    gateway = attempt.gateway
    if attempt.account is not None:
        found = gateway.payments.find(attempt.account, attempt.form.get("trans_id", ""))
        attempt.payment = found if found is not None and found.protocol is Protocol.S2S_APM else None
    return gateway.apm.not_found[attempt.action] if attempt.payment is None else None


_FIRST: Final[tuple[ApmStage, ...]] = (check_environment, check_fields, check_merchant, check_signature, check_routing)
_OF_TRANSACTION: Final = (*_FIRST, find_payment)

STAGES: Final[Mapping[str, tuple[ApmStage, ...]]] = {
    "SALE": (*_FIRST, check_sale_brand, check_mode, check_duplicate),
    "CAPTURE": _OF_TRANSACTION,
    "CREDITVOID": _OF_TRANSACTION,
    "VOID": _OF_TRANSACTION,
    "GET_TRANS_STATUS": _OF_TRANSACTION,
    "CREDIT2VIRTUAL": (*_FIRST, check_payout_brand, check_duplicate),
}
