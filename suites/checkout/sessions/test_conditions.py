"""Fields that depend on others: schedules, recurring chains, and flags that belong to some operations only."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping

import pytest

from contract.errors import REQUEST_DATA_INVALID, SCHEDULE_NOT_FOUND, UUID_NOT_VALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_apply,
    must_hold,
    must_not_break,
    must_refuse,
    must_reject,
    must_reject_with_any,
)
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.protocols.other_currencies import currency_of
from fixtures.requirement import must_have_come, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

ON_DEBITS_SINCE = "6.7.0"
START_DATE = "2035-01-31"
AMOUNTS_IN: Mapping[str, tuple[str, str]] = {"exponent_0": ("1000.00", "500.00"), "exponent_3": ("10.235", "1.500")}
"""A first amount and a scheduled one, as they are written in a currency (lines 86 and 88)."""


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
def test_flag_is_refused_or_ignored_elsewhere(operation: str, flag: str, claimed: str, run: Run) -> None:
    # What is sent holds nothing, whichever flag it carries: an account that only authorizes need not take it.
    paid = run.checkout_payments_of(holds=False)

    reply = paid.merchant.create_session(paid.sessions(operation).with_(flag, True))

    must_answer_properly(reply, claimed, accepted="ignored", refused="refused")


@requirement("CHK-SES-63")
def test_schedule_is_accepted_with_recurring_init(
    checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    must_accept(checkout.create_session(unproven_session.baseline("schedule")))


@requirement("CHK-SES-64")
def test_schedule_serves_purchases_and_debits(checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]) -> None:
    must_accept(checkout.create_session(scheduled(sessions, "debit")))


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


@requirement("CHK-SES-87")
@pytest.mark.parametrize("change", [lambda amount: amount[:-1], lambda amount: f"{amount}0"], ids=["fewer", "more"])
@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_scheduled_amount_with_other_decimals_than_its_currency_is_refused(
    operation: str, change: Callable[[str], str], checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    must_offer(run.profile, ("capability:debit",) if operation == "debit" else ())
    session = scheduled(sessions, operation)
    amount = str(checkout.priced(session).get("order.amount"))
    # A gateway may schedule no other amount than the first one, and refuse each.
    must_apply(checkout.create_session(session.with_("payment_schedule_amount", amount)), "payment_schedule_amount")
    session = scheduled(sessions, operation)

    must_refuse(checkout.create_session(session.with_("payment_schedule_amount", change(amount))))


@requirement("CHK-SES-69")
@pytest.mark.parametrize("exponent", AMOUNTS_IN)
def test_scheduled_amount_has_the_decimals_of_the_currency(
    exponent: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    currency, (whole, later) = currency_of(exponent, run.profile), AMOUNTS_IN[exponent]

    def session() -> JsonRequest:
        return sessions("schedule").with_("order.currency", currency).with_("order.amount", whole)

    must_apply(checkout.create_session(session()), f"session that starts a schedule in {currency}")

    must_accept(checkout.create_session(session().with_("payment_schedule_amount", later)))


@requirement("CHK-SES-85")
@pytest.mark.parametrize("operation", ["purchase", "debit"])
@pytest.mark.parametrize("identifier", ["not-a-uuid", "12345", "zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz"])
def test_schedule_id_that_is_no_uuid_is_not_looked_for(
    identifier: str, operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    if operation == "debit":
        must_have_come("a debit that starts a schedule", ON_DEBITS_SINCE, run.release)
        must_offer(run.profile, ("capability:debit",))
        must_apply(checkout.create_session(scheduled(sessions, operation)), "debit that starts a schedule")

    reply = checkout.create_session(scheduled(sessions, operation).with_("schedule_id", identifier))

    if answer_of(reply) is Answer.ACCEPTED:
        note_reading("CHK-SES-85", "left-alone")
        return
    note_reading("CHK-SES-85", "refused")
    must_reject_with_any(reply, (REQUEST_DATA_INVALID, UUID_NOT_VALID), field="schedule_id")
    is_looked_for = carries_message(reply, SCHEDULE_NOT_FOUND.message or "")
    must_hold(not is_looked_for, "a refusal before the schedule is looked for", reply, "It is not found instead.")


@requirement("GEN-ERR-10")
@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_schedule_that_nobody_has_breaks_nothing(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = scheduled(sessions, operation)

    must_not_break(checkout.create_session(session.with_("schedule_id", str(uuid.uuid4()))))


def scheduled(sessions: Baselines[JsonRequest], operation: str) -> JsonRequest:
    """Return a session that starts a schedule; auth, which an account that only authorizes needs, is of purchases."""
    session = sessions("schedule")
    if operation != "purchase" and session.get("auth") is not None:
        session = session.without("auth")
    return session.with_("operation", operation)
