"""What holds for further operations than the one that a rule is checked on first: payees, amounts, redirect_url."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.cases.currencies import exponent_of, format_amount
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import speaks_of
from fixtures.judging.expectations import Finding, proper_answer
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.payer.addresses import parts_of
from fixtures.profile import Profile
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SESSION_FIELDS
from fixtures.protocols.other_currencies import CRYPTO, KINDS, currency_of
from fixtures.protocols.payments import unreached
from fixtures.requirement import requirement
from fixtures.wire.requests import JsonRequest

PAYEE_RULES = {
    case.requirement: case
    for field in SESSION_FIELDS
    if field.path[0] in ("payee", "payee_billing_address")
    for case in cases_of(field)
    if not case.accepted and case.requirement.startswith("CHK-PAY-")
}
"""One refusal for each requirement on payees; all of them are tried on transfers."""

ON_CREDIT = {
    "transfer": "credit",
    "transfer_address": "credit_address",
    "transfer_address_in_us": "credit_address_in_us",
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.id, marks=requirement(claimed)) for claimed, case in PAYEE_RULES.items()],
)
def test_rules_of_payees_hold_on_a_credit(
    case: FieldCase, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions(ON_CREDIT[case.field.baseline])
    path = case.field.path

    reply = checkout.create_session(session.without(path) if case.removed else session.with_(path, case.value))

    must_reject(reply, REQUEST_DATA_INVALID, field=case.field.name)


@requirement("CHK-SES-45")
@pytest.mark.parametrize("operation", ["debit", "credit"])
def test_methods_are_accepted_on(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], profile: Profile
) -> None:
    method = profile.test_data.method

    reply = checkout.create_session(sessions(operation).with_("methods", [method]))

    must(proper_answer(reply), reply)
    if answer_of(reply) is Answer.REFUSED:
        inconclusive(
            f"a {operation} by {method} is refused, and the profile does not say which operations the method serves",
            decides=f"a method in [test_data] of the profile that serves {operation}",
        )


@requirement("CHK-RSP-01", "CHK-RSP-02")
@pytest.mark.parametrize("operation", ["debit", "credit", "transfer"])
def test_redirect_url_is_absolute_on(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions(operation))

    must_accept(reply)
    address = reply.object.get("redirect_url")
    parts = parts_of(address) if isinstance(address, str) else parts_of("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        with speaks_of("CHK-RSP-02" if address else "CHK-RSP-01"):
            must(Finding("an absolute http or https address in redirect_url", repr(address), "No payer gets there."))


@requirement("CHK-ORD-10")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != CRYPTO])
def test_minus_one_is_accepted_on_a_transfer_in_every_currency(
    kind: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], profile: Profile
) -> None:
    currency = currency_of(kind, profile)
    given = format_amount(profile.test_data.amounts.usual, exponent_of(currency))
    with where_it_comes_about(f"a transfer in {currency}"):
        transfer = sessions("transfer").with_("order.currency", currency).with_("order.amount", given)
        if answer_of(found := checkout.create_session(transfer)) is not Answer.ACCEPTED:
            unreached(f"a transfer of {given} {currency} is not taken: {found.summary}")
    left_open = sessions("transfer").with_("order.currency", currency).with_("order.amount", "-1")

    must_accept(checkout.create_session(left_open))
