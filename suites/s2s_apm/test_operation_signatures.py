"""The signatures of everything but SALE: which parts, in which order, reversed or not, and the case of the password."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from contract.errors import HASH_NOT_VALID
from fixtures.judging import must_reject
from fixtures.merchants.s2s_apm import S2SApmMerchant
from fixtures.requests import FormRequest
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.s2s_apm_judging import must_accept_signature
from fixtures.s2s_apm_requests import operation
from fixtures.signing import s2s_apm as recipes
from fixtures.signing.deviations import (
    NOT_REVERSED,
    NOT_UPPER_CASED,
    OUTER_SHA1,
    PASSWORD_LEFT_OUT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    other_password,
    with_value,
)
from fixtures.signing.recipe import Recipe
from fixtures.verdicts import inconclusive
from suites.s2s_apm.test_sale_signature import OTHER_PASSWORD

DMS = ("capability:dms",)


@dataclass(frozen=True)
class Signed:
    """An action and the payment that it is signed for."""

    action: str
    state: str
    needs: tuple[str, ...]
    own: str


ACTIONS = (
    Signed("CAPTURE", "authorized", DMS, "APM-SIG-01"),
    Signed("VOID", "settled", (), "APM-SIG-02"),
    Signed("GET_TRANS_STATUS", "settled", (), "APM-SIG-03"),
    Signed("CREDITVOID", "settled", (), "APM-SIG-08"),
)
LOWER_CASE_PASSWORD = ("CAPTURE", "VOID", "GET_TRANS_STATUS")


def each(*deviations: tuple[Deviation, str], actions: tuple[Signed, ...] = ACTIONS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("signed", "deviation"),
        [
            pytest.param(
                signed, deviation, id=f"{signed.action}-{deviation.name}", marks=requirement(*claimed_for(signed, claim))
            )
            for deviation, claim in deviations
            for signed in actions
        ],
    )


def claimed_for(signed: Signed, claim: str) -> tuple[str, ...]:
    """CAPTURE came with 6.7.0: what is claimed of it holds since then."""
    return (claim, signed.own) if signed.action == "CAPTURE" else (claim,)


def of_shared_payment(signed: Signed, run: Run) -> FormRequest:
    must_offer(run.profile, signed.needs)
    return operation(signed.action, run.apm_payments.shared(signed.state).trans_id)


def must_refuse_signature(signed: Signed, request: FormRequest, wrong: Recipe, run: Run) -> None:
    merchant: S2SApmMerchant = run.s2s_apm
    if wrong.sign() == merchant.recipe(request).sign():
        inconclusive(
            "with the password of this account the mistake does not show in the signature",
            decides="an account whose password has lower-case letters",
        )

    reply = merchant.send(merchant.sign(request).with_("hash", wrong.sign()))

    run.apm_payments.drop_if_accepted(run.apm_payments.shared(signed.state), reply)
    must_reject(reply, HASH_NOT_VALID)


@pytest.mark.parametrize(
    "signed", [pytest.param(each, id=each.action, marks=requirement(each.own)) for each in ACTIONS]
)
def test_signature_by_the_recipe_is_accepted(signed: Signed, run: Run) -> None:
    must_offer(run.profile, signed.needs)
    payment = run.apm_payments.fresh(signed.state)

    must_accept_signature(run.s2s_apm.post(operation(signed.action, payment.trans_id)))


@each(
    (other_password(OTHER_PASSWORD), "APM-SIG-10"),
    (PASSWORD_LEFT_OUT, "APM-SIG-10"),
    (NOT_UPPER_CASED, "APM-SIG-12"),
    (NOT_REVERSED, "APM-SIG-13"),
    (with_value("trans_id", "f3e1a0de-0000-11ef-8a36-0242ac120013"), "APM-SIG-14"),
    (WRONG_ORDER, "APM-SIG-15"),
    (OUTER_SHA1, "APM-SIG-15"),
)
def test_wrongly_made_signature_is_refused(signed: Signed, deviation: Deviation, run: Run) -> None:
    request = of_shared_payment(signed, run)

    must_refuse_signature(signed, request, deviation.change(run.s2s_apm.recipe(request)), run)


@pytest.mark.parametrize(
    "signed",
    [
        pytest.param(each, id=each.action, marks=requirement(*claimed_for(each, "APM-SIG-16"), "GEN-KEY-05"))
        for each in ACTIONS
    ],
)
def test_signature_with_the_key_as_password_is_refused(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run)
    wrong = key_as_password(run.s2s_apm.identity.key).change(run.s2s_apm.recipe(request))

    must_refuse_signature(signed, request, wrong, run)


@pytest.mark.parametrize(
    "signed",
    [
        pytest.param(each, id=each.action, marks=requirement(*claimed_for(each, "APM-SIG-04")))
        for each in ACTIONS
        if each.action in LOWER_CASE_PASSWORD
    ],
)
def test_signature_over_the_password_in_upper_case_is_refused(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run)
    password = run.s2s_apm.identity.password.reveal()
    wrong = with_value("password", password.upper()).change(run.s2s_apm.recipe(request))

    must_refuse_signature(signed, request, wrong, run)


@requirement("APM-SIG-08")
def test_creditvoid_signed_like_a_look_up_is_refused(run: Run) -> None:
    signed = ACTIONS[-1]
    request = of_shared_payment(signed, run)
    identity = run.s2s_apm.identity
    wrong = recipes.transaction(
        trans_id=request.get("trans_id") or "", password=identity.password.reveal(), digest=identity.digest
    )

    must_refuse_signature(signed, request, wrong, run)


@requirement("APM-SIG-02")
def test_void_signed_like_a_creditvoid_is_refused(run: Run) -> None:
    # The formula of VOID is the contract's; public test collections sign it like CREDITVOID.
    signed = ACTIONS[1]
    request = of_shared_payment(signed, run)
    identity = run.s2s_apm.identity
    wrong = recipes.creditvoid(
        trans_id=request.get("trans_id") or "", password=identity.password.reveal(), digest=identity.digest
    )

    must_refuse_signature(signed, request, wrong, run)
