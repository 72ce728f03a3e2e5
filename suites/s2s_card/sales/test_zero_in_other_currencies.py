"""Nothing is no amount in any currency, with however many decimals it is written."""

from __future__ import annotations

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_apply, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.other_currencies import KINDS, in_another
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale", marks=requirement("S2C-AMT-04")),
        pytest.param("debit", marks=requirement("S2C-AMT-10")),
        pytest.param("card2card", marks=requirement("S2C-AMT-11")),
        pytest.param("credit2card", marks=requirement("S2C-AMT-11")),
        pytest.param("recurring_sale", marks=requirement("S2C-AMT-12")),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_zero_is_refused_in_every_currency(
    kind: str, name: str, payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    written = in_another(kind, payments.requests.profile)
    request = card_actions(name).with_("order_currency", written.currency)
    other = request.with_("order_id", payments.requests.numbers.next())
    with where_it_comes_about(f"{name} in {written.currency}"):
        refused = payments.merchant.post(request.with_("order_amount", written.zero))
        taken = payments.merchant.post(other.with_("order_amount", written.little))

    must_refuse(refused)
    must_apply(taken, f"{name} in {written.currency}")


@requirement("S2C-SCP-15")
@pytest.mark.parametrize("kind", KINDS)
def test_scheduled_payments_of_nothing_are_refused_in_every_currency(kind: str, payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:schedules", "capability:recurring"), "s2s_card")
    written = in_another(kind, payments.requests.profile)
    with where_it_comes_about(f"a schedule in {written.currency}"):
        schedule_id = payments.schedules_in(written.currency).shared().id

    def sale(scheduled: str) -> FormRequest:
        request = payments.requests.baseline("initial_sale").with_("schedule_id", schedule_id)
        request = request.with_("order_currency", written.currency).with_("order_amount", written.little)
        return request.with_("payment_schedule_amount", scheduled)

    with where_it_comes_about(f"a first payment in {written.currency}"):
        refused, taken = (payments.merchant.post(sale(scheduled)) for scheduled in (written.zero, written.little))
    must_refuse(refused)
    must_apply(taken, f"scheduled payments in {written.currency}")
