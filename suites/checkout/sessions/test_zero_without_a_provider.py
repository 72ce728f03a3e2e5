"""A provider without zero-value transactions takes nothing of nothing, whatever the session asks for besides."""

from __future__ import annotations

import pytest

from fixtures.judging.must import must_apply, must_have_accepted, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.protocols.in_turn import first_that_takes
from fixtures.requirement import requirement
from fixtures.wire.requests import JsonRequest

NOTHING = "0.00"


@pytest.mark.parametrize(
    "flag",
    [
        pytest.param("auth", id="auth", marks=requirement("CHK-ORD-22")),
        pytest.param("recurring_init", id="recurring_init", marks=requirement("CHK-ORD-23")),
    ],
)
def test_zero_amount_is_refused_where_the_provider_does_not_support_it_with(
    flag: str, checkout_merchant: OfAccounts[CheckoutMerchant], unproven_session: SessionRequests
) -> None:
    merchant, accepted = first_that_takes(
        checkout_merchant.every("no_zero_amount", holds=flag == "auth"),
        lambda one: one.create_session(session_with(unproven_session, "purchase", (flag,))),
    )
    must_have_accepted(accepted, decides=f"an account with zero_amount = false that takes {flag} in Checkout")

    request = session_with(unproven_session, "purchase", (flag,))
    must_refuse(merchant.create_session(request.with_("order.amount", NOTHING)))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        pytest.param("purchase", ("auth", "req_token"), id="auth-req_token", marks=requirement("CHK-ORD-22")),
        pytest.param("purchase", ("auth", "vat_calc"), id="auth-vat_calc", marks=requirement("CHK-ORD-22")),
        pytest.param(
            "purchase",
            ("auth", "recurring_init"),
            id="auth-recurring_init",
            marks=requirement("CHK-ORD-22", "CHK-ORD-23"),
        ),
        pytest.param(
            "purchase",
            ("recurring_init", "req_token"),
            id="recurring_init-req_token",
            marks=requirement("CHK-ORD-23"),
        ),
        pytest.param("debit", ("recurring_init",), id="debit-recurring_init", marks=requirement("CHK-ORD-23")),
        pytest.param("schedule", (), id="schedule", marks=requirement("CHK-ORD-23")),
    ],
)
def test_zero_amount_is_refused_without_a_provider_whatever_else_is_asked(
    name: str,
    asked: tuple[str, ...],
    checkout_merchant: OfAccounts[CheckoutMerchant],
    unproven_session: SessionRequests,
) -> None:
    what = f"{name} with {', '.join(asked) or 'a schedule'}"
    with where_it_comes_about(what):
        merchant, accepted = first_that_takes(
            checkout_merchant.every("no_zero_amount", holds="auth" in asked),
            lambda one: one.create_session(session_with(unproven_session, name, asked)),
        )
    must_apply(accepted, what)

    request = session_with(unproven_session, name, asked)
    must_refuse(merchant.create_session(request.with_("order.amount", NOTHING)))


def session_with(sessions: SessionRequests, name: str, flags: tuple[str, ...]) -> JsonRequest:
    """Return a new valid session of that name with flags that are on."""
    request = sessions.baseline(name)
    for flag in flags:
        request = request.with_(flag, value=True)
    return request
