"""What a post to S2S APM passes before it is carried out; each stage may refuse it."""

from collections.abc import Mapping
from typing import Final

from emulator.forms.attempt import check_environment, check_merchant
from emulator.payments.model import Protocol
from emulator.replies import INVALID_DATA, Kind, Refusal
from emulator.rules.model import Context
from emulator.s2s_apm.brands import PAYOUTS, SALES
from emulator.s2s_apm.conduct import ApmAttempt, ApmHashTest, ApmStage


def check_fields(attempt: ApmAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway = attempt.gateway
    design = gateway.design
    # Rules of parameters apply where no parameter was sent, too.
    body = {"parameters": {}} | attempt.body
    context = Context(body, attempt.account, design.apm.amounts, design.release)
    found = gateway.apm_tables[attempt.action].violations(context)
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=tuple(found)) if found else None


def check_signature(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a post that is not signed with the merchant's password."""
    account, design = attempt.account, attempt.gateway.design
    if account is None:
        return None
    test = ApmHashTest(attempt.form.get("hash", ""), attempt.action, attempt.form, account)
    return None if design.apm.accepts_hash(test) else design.session.wrong_hash


def check_routing(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an action that cannot be carried out for the merchant."""
    account = attempt.account
    unroutable = account is not None and attempt.action in account.unroutable
    return attempt.gateway.design.apm.unroutable if unroutable else None


def check_sale_brand(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a sale by a brand that the merchant does not have."""
    return None if attempt.form.get("brand") in SALES else attempt.gateway.design.apm.unknown_brand


def check_payout_brand(attempt: ApmAttempt) -> Refusal | None:
    """Refuse a payout by a brand that does not pay out."""
    return None if attempt.form.get("brand") in PAYOUTS else attempt.gateway.design.apm.unknown_brand


def check_duplicate(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an order that the merchant posted within the window."""
    gateway, conduct = attempt.gateway, attempt.gateway.design.apm
    form, now = attempt.form, gateway.clock.seconds()
    age = gateway.apm_window.age(form.get("client_key", ""), form.get("order_id", ""), now)
    if age is None:
        return None
    return conduct.duplicate if age < conduct.window.seconds else conduct.used_before


def check_mode(attempt: ApmAttempt) -> Refusal | None:
    """Refuse an authorization where the account takes single messages only."""
    account, design = attempt.account, attempt.gateway.design
    if account is None or account.mode != "SMS":
        return None
    wanted = design.apm.holds_funds(attempt.form.get("auth", ""), design.release, account)
    return design.apm.no_authorization if wanted else None


def find_payment(attempt: ApmAttempt) -> Refusal | None:
    """Find the merchant's payment that the post names, or refuse the post."""
    gateway = attempt.gateway
    if attempt.account is not None:
        found = gateway.payments.find(attempt.account, attempt.form.get("trans_id", ""))
        attempt.payment = found if found is not None and found.protocol is Protocol.S2S_APM else None
    return gateway.design.apm.not_found[attempt.action] if attempt.payment is None else None


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
