"""A rule of a session field holds on every operation that has the field, and not on a purchase alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from contract.model import Release
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_reject_with_any
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.refusals import pairs_for
from fixtures.protocols.checkout.requests import SESSION_FIELDS
from fixtures.requirement import must_exist, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

EVERY = ("debit", "credit", "transfer")
OPERATIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("success_url", "cancel_url", "expiry_url", "error_url", "url_target", "session_expiry"), EVERY
        ),
        **dict.fromkeys(("order.currency", "order.description"), EVERY),
        "custom_data": ("debit", "credit"),
        "methods": ("debit", "credit"),
        "req_token": ("debit",),
        "card_token": ("debit", "credit"),
        "recurring_init": ("debit",),
    }
)
"""The operations besides the purchase that lines 42 to 60 give a field to; payees have checks of their own."""
SINCE = Release("6.7.0")
LATER = frozenset(
    {("custom_data", "debit"), ("custom_data", "credit"), ("card_token", "credit"), ("recurring_init", "debit")}
)
"""Fields that came to an operation with that release."""

RULES = {
    (case.field.name, case.requirement): case
    for field in SESSION_FIELDS
    if field.name in OPERATIONS
    for case in reversed(list(cases_of(field)))
    if not case.accepted
}
"""One refusal for each rule of a field; all of them are tried on purchases."""


@pytest.mark.parametrize(
    ("case", "operation"),
    [
        pytest.param(case, operation, id=f"{operation}-{case.id}", marks=requirement(claimed))
        for (name, claimed), case in RULES.items()
        for operation in OPERATIONS[name]
    ],
)
def test_rule_of_a_field_holds_on(
    case: FieldCase, operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    must_exist(case.field, run.release)
    if (case.field.name, operation) in LATER and run.release < SINCE:
        not_applicable(f"{case.field.name} came to a {operation} with {SINCE}; the target claims {run.release}")
    session, path = sessions(operation), case.field.path

    reply = checkout.create_session(session.without(path) if case.removed else session.with_(path, case.value))

    must_reject_with_any(reply, pairs_for(case), field=case.field.name)
