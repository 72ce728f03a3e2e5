"""Whatever is asked for, the whole hash counts, and only that of the account: every action by every wrong hash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from contract.catalogue import load_catalogue
from fixtures.judging.must import must_reject_hash
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import NOBODYS_PASSWORD, SPOILT, other_password, without, wrong_signature
from fixtures.signing.recipe import Recipe
from fixtures.wire.requests import FormRequest

DMS = ("capability:dms",)
ACTIONS: Mapping[str, tuple[str, ...]] = {
    "CAPTURE": DMS,
    "VOID": (),
    "GET_TRANS_STATUS": (),
    "CREDITVOID": (),
    "CREDIT2VIRTUAL": ("capability:mobile_money", "test_data:mobile_money"),
}
"""Every action but SALE, and what a target must have for it."""
STATED_BY = {"CAPTURE": "APM-SIG-01", "CREDITVOID": "APM-CVD-11"}
"""What later releases say of an action."""


def of_another_merchant(recipe: Recipe, run: Run) -> str:
    must_offer(run.profile, ("account:second_merchant",), "s2s_apm")
    password = run.s2s_apm_merchant("second_merchant").identity.password.reveal()
    return wrong_signature(recipe, other_password(password))


def without_trans_id(recipe: Recipe, run: Run) -> str:
    del run
    return wrong_signature(recipe, without("trans_id"))


def spoilt(how: str) -> Callable[[Recipe, Run], str]:
    return lambda recipe, _: SPOILT[how](recipe.sign())


WAYS: Mapping[str, tuple[str, Callable[[Recipe, Run], str]]] = {
    "another-merchants-password": ("APM-SIG-10", of_another_merchant),
    **{how: ("APM-SIG-10", spoilt(how)) for how in SPOILT},
    "without-trans_id": ("APM-SIG-14", without_trans_id),
}
"""Ways to sign wrongly, with the requirement that such a hash is refused."""


def each_action_by_each_way() -> list[object]:
    return [
        pytest.param(action, make, id=f"{action}-{way}", marks=requirement(claimed))
        for action in ACTIONS
        for way, (claimed, make) in WAYS.items()
        if way != "without-trans_id" or action != "CREDIT2VIRTUAL"
    ]


@dataclass(frozen=True)
class Asked:
    """A request that would be carried out if it were signed rightly, and the payment that it is about, if any."""

    request: FormRequest
    payment: ApmPayment | None = None


def asked(action: str, run: Run) -> Asked:
    stated = [load_catalogue()[STATED_BY[action]]] if action in STATED_BY else []
    must_concern(stated, run.profile, run.release)
    must_offer(run.profile, ACTIONS[action], "s2s_apm")
    name = action.lower()
    if action == "CREDIT2VIRTUAL":
        return Asked(run.apm.baselines(name))
    run.apm.baselines.accepted(name)
    states = {"CAPTURE": "authorized", "CREDITVOID": run.apm.payments.creditvoid_state}
    payment = run.apm.payments.shared(states.get(action, "settled"))
    return Asked(operation(action, payment.trans_id), payment)


def must_refuse_hash(asked: Asked, signature: str, run: Run) -> None:
    merchant, payments = run.apm.merchant, run.apm.payments
    signed = merchant.sign(asked.request)
    reply = merchant.send_until_found(signed.with_("hash", signature))
    if asked.payment is not None:
        payments.drop_unless_refused(asked.payment, reply)
    must_reject_hash(reply, signature, signed.get("hash"))


@pytest.mark.parametrize(("action", "make"), each_action_by_each_way())
def test_wrong_hash_is_refused_whatever_is_asked_for(action: str, make: Callable[[Recipe, Run], str], run: Run) -> None:
    one = asked(action, run)

    must_refuse_hash(one, make(run.apm.merchant.recipe(one.request), run), run)


STATES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "declined": (("test_data:apm.decline",), ""),
    "redirected": (("test_data:apm.redirect",), ""),
    "voided": ((), ""),
    "authorized": (DMS, "APM-CAP-01"),
    "captured": (DMS, "APM-CAP-01"),
    "released": (DMS, "APM-CVD-01"),
    "refunded": (("capability:creditvoid_refunds",), "APM-CVD-06"),
    "paid_out": (("capability:mobile_money", "test_data:mobile_money"), ""),
}
"""States besides settled, with what a target must have to bring payments there and the release that they came with."""


@requirement("APM-SIG-10")
@pytest.mark.parametrize("state", STATES)
def test_wrongly_signed_look_up_is_refused_whatever_became_of_the_payment(state: str, run: Run) -> None:
    needs, stated = STATES[state]
    must_offer(run.profile, needs, "s2s_apm")
    must_concern([load_catalogue()[stated]] if stated else [], run.profile, run.release)
    payment = run.apm.payments.shared(state)
    request = operation("GET_TRANS_STATUS", payment.trans_id)
    signature = wrong_signature(run.apm.merchant.recipe(request), NOBODYS_PASSWORD)

    must_refuse_hash(Asked(request, payment), signature, run)
