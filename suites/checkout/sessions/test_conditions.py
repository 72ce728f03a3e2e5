"""Fields that depend on others: schedules, recurring chains, and flags that belong to some operations only."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_accept, must_answer_properly, must_reject
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import JsonRequest

START_DATE = "2035-01-31"


@pytest.mark.parametrize(
    ("operation", "flag"),
    [
        pytest.param("purchase", "auth", marks=requirement("CHK-SES-56")),
        pytest.param("purchase", "recurring_init", marks=requirement("CHK-SES-59")),
        pytest.param("debit", "recurring_init", marks=requirement("CHK-SES-60")),
        pytest.param("purchase", "vat_calc", marks=requirement("CHK-SES-72")),
    ],
)
def test_flag_is_accepted_where_it_belongs(
    operation: str, flag: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_accept(checkout.create_session(sessions(operation).with_(flag, True)))


@pytest.mark.parametrize(
    ("operation", "flag", "claimed"),
    [
        pytest.param("debit", "auth", "CHK-SES-58", marks=requirement("CHK-SES-58")),
        pytest.param("transfer", "recurring_init", "CHK-SES-62", marks=requirement("CHK-SES-62")),
        pytest.param("debit", "vat_calc", "CHK-SES-74", marks=requirement("CHK-SES-74")),
    ],
)
def test_flag_is_refused_or_ignored_elsewhere(
    operation: str, flag: str, claimed: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions(operation).with_(flag, True))

    must_answer_properly(reply, claimed, accepted="ignored", refused="refused")


@requirement("CHK-SES-63")
def test_schedule_is_accepted_with_recurring_init(
    checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    must_accept(checkout.create_session(unproven_session.baseline("schedule")))


@requirement("CHK-SES-64")
def test_schedule_serves_purchases_and_debits(checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]) -> None:
    must_accept(checkout.create_session(sessions("schedule").with_("operation", "debit")))


@requirement("CHK-SES-65")
def test_schedule_without_recurring_init_is_refused_or_ignored(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions("schedule").without("recurring_init"))

    must_answer_properly(reply, "CHK-SES-65", accepted="ignored", refused="refused")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("schedule_start_date", START_DATE, marks=requirement("CHK-SES-66")),
        pytest.param("payment_schedule_amount", "5.00", marks=requirement("CHK-SES-69")),
    ],
)
def test_schedule_detail_is_accepted_with_a_schedule(
    field: str, value: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_accept(checkout.create_session(sessions("schedule").with_(field, value)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("schedule_start_date", START_DATE, marks=requirement("CHK-SES-68")),
        pytest.param("payment_schedule_amount", "5.00", marks=requirement("CHK-SES-71")),
    ],
)
def test_schedule_detail_without_a_schedule_is_refused(
    field: str, value: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("schedule").with_(field, value)

    reply = checkout.create_session(session.without("schedule_id"))

    must_reject(reply, REQUEST_DATA_INVALID, field=("schedule_id", field))
