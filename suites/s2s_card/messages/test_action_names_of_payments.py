"""Names that are no action are refused as well where there is a payment or a schedule of which they may be meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.errors import ACTION_NOT_SUPPORTED_ROUTE
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

OF_PAYMENTS: dict[str, tuple[str, Callable[[Payment], FormRequest], tuple[tuple[str, str], ...]]] = {
    "release": ("authorized", Payment.creditvoid, (("REVERSAL", "S2C-ACT-06"), ("REVERSE", "S2C-ACT-07"))),
    "refund": (
        "settled",
        Payment.creditvoid,
        (
            ("REFUND", "S2C-ACT-04"),
            ("CREDIT", "S2C-ACT-05"),
            ("REVERSAL", "S2C-ACT-06"),
            ("REVERSE", "S2C-ACT-07"),
            ("CHARGEBACK", "S2C-ACT-08"),
        ),
    ),
    "CAPTURE": ("authorized", Payment.capture, (("capture", "S2C-ACT-02"), ("Capture", "S2C-ACT-03"))),
    "VOID": ("settled", Payment.void, (("void", "S2C-ACT-02"), ("Void", "S2C-ACT-03"))),
    "CREDITVOID": ("authorized", Payment.creditvoid, (("creditvoid", "S2C-ACT-02"), ("CreditVoid", "S2C-ACT-03"))),
}
"""What may be meant of a payment: its state, the request that does it, and names that are no action for it."""


def of_the_schedule(action: str) -> Callable[[Payments], FormRequest]:
    return lambda payments: payments.schedules.spare().about(action)


def off_the_schedule(payments: Payments) -> FormRequest:
    token = payments.spare("with_schedule").recurring_token
    return payments.schedules.shared().deschedule(token)


def charged_again(payments: Payments) -> FormRequest:
    requests = payments.requests
    return payments.shared("initial_sale").again("RECURRING_SALE", requests.numbers.next(), requests.usual)


OTHERS: dict[str, tuple[str, Callable[[Payments], FormRequest]]] = {
    "CANCEL_SCHEDULE": ("S2C-ACT-09", of_the_schedule("DELETE_SCHEDULE")),
    "STOP_SCHEDULE": ("S2C-ACT-10", of_the_schedule("DELETE_SCHEDULE")),
    "SCHEDULE_CANCEL": ("S2C-ACT-11", of_the_schedule("DELETE_SCHEDULE")),
    "CANCEL_RECURRING": ("S2C-ACT-12", off_the_schedule),
    "GET_SCHEDULE": ("S2C-ACT-13", of_the_schedule("SCHEDULE_INFO")),
    "GET_SCHEDULE_STATUS": ("S2C-ACT-14", of_the_schedule("SCHEDULE_INFO")),
    "RECURRING_PAYMENT": ("S2C-ACT-15", charged_again),
    "REC_SALE": ("S2C-ACT-16", charged_again),
    "REC_PAYMENT": ("S2C-ACT-17", charged_again),
    "RECURRING_SALE_INIT": ("S2C-ACT-18", lambda payments: payments.requests.baseline("initial_sale")),
}
"""Names that line 363 refuses, and the request that may be meant."""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        pytest.param(name, meant, marks=requirement(claimed), id=f"{name}-{meant}")
        for meant, (_, _, names) in OF_PAYMENTS.items()
        for name, claimed in names
    ],
)
def test_name_that_is_no_action_is_refused_of_a_payment(name: str, meant: str, payments: Payments) -> None:
    state, request_for, _ = OF_PAYMENTS[meant]
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.unchanged(state)
        signed = payments.merchant.sign(request_for(payment))

    reply = payments.merchant.send(signed.with_("action", name))

    if answer_of(reply) is not Answer.REFUSED:
        payments.drop(payment)
    must_reject(reply, ACTION_NOT_SUPPORTED_ROUTE)


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(of)) for name, (of, _) in OTHERS.items()])
def test_name_that_is_no_action_is_refused_with_all_that_may_be_meant(name: str, payments: Payments) -> None:
    with where_it_comes_about(f"the request that {name} may mean"):
        signed = payments.merchant.sign(OTHERS[name][1](payments))

    must_reject(payments.merchant.send(signed.with_("action", name)), ACTION_NOT_SUPPORTED_ROUTE)
