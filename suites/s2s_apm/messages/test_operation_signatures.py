"""The signatures of everything but SALE: which parts, in which order, reversed or not, and the case of the password."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from contract.fields import actions_of, load_document
from contract.model import Release
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import carries_message
from fixtures.judging.must import (
    must,
    must_accept_signature,
    must_have_accepted,
    must_refuse,
    must_reject_hash,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    NOT_REVERSED,
    NOT_UPPER_CASED,
    OUTER_SHA1,
    PASSWORD_LEFT_OUT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    must_show,
    other_password,
    with_value,
)
from fixtures.signing.protocols import s2s_apm as recipes
from fixtures.signing.recipe import Recipe
from fixtures.wire.requests import FormRequest

OTHER_PASSWORD = "0123456789abcdef0123456789abcdef"  # noqa: S105 - nobody's
NOBODYS = "f3e1a0de-0000-11ef-8a36-0242ac120013"
SINCE = actions_of(load_document("s2s_apm"))
DMS = ("capability:dms",)
OF_LINE_405 = "APM-SIG-13"
"""That trans_id is reversed, which the contract says of the actions whose formula it shows."""


@dataclass(frozen=True)
class Signed:
    """An action and the payment that it is signed for; without a state, in that which CREDITVOID is accepted for."""

    action: str
    state: str
    needs: tuple[str, ...]
    own: str

    @property
    def is_shown(self) -> bool:
        """Whether line 405 shows how it is signed."""
        return self.action in ("CAPTURE", "VOID", "GET_TRANS_STATUS")

    def state_for(self, run: Run) -> str:
        """Return the state of the payment."""
        return self.state or run.apm.payments.creditvoid_state


ACTIONS = (
    Signed("CAPTURE", "authorized", DMS, "APM-SIG-01"),
    Signed("VOID", "settled", (), "APM-SIG-02"),
    Signed("GET_TRANS_STATUS", "settled", (), "APM-SIG-03"),
    Signed("CREDITVOID", "", (), "APM-SIG-08"),
)


def each(*deviations: tuple[Deviation, str], actions: tuple[Signed, ...] = ACTIONS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("signed", "deviation"),
        [
            pytest.param(
                signed,
                deviation,
                id=f"{signed.action}-{deviation.name}",
                marks=requirement(signed.own if claim == OF_LINE_405 and not signed.is_shown else claim or signed.own),
            )
            for deviation, claim in deviations
            for signed in actions
        ],
    )


def must_offer_action(signed: Signed, run: Run) -> None:
    """End the check unless the target has the action, by its release and its capabilities."""
    since = SINCE[signed.action]
    if since and run.release < Release(since):
        not_applicable(f"{signed.action} came with {since}; the target claims release {run.release}")
    must_offer(run.profile, signed.needs, "s2s_apm")


def of_shared_payment(signed: Signed, run: Run) -> FormRequest:
    must_offer_action(signed, run)
    run.apm.baselines.accepted(signed.action.lower())
    return operation(signed.action, run.apm.payments.shared(signed.state_for(run)).trans_id)


def must_refuse_signature(signed: Signed, request: FormRequest, wrong: Recipe, run: Run) -> None:
    merchant: S2SApmMerchant = run.apm.merchant
    if wrong.sign() == merchant.recipe(request).sign():
        must_show(merchant.recipe(request))
        trans_id = request.get("trans_id") or ""
        if trans_id == trans_id.upper():
            not_applicable("the trans_ids of this target have no small letters, so that upper-casing changes nothing")
        inconclusive(
            "with the password of this account the mistake does not show in the signature",
            decides="an account whose password has lower-case letters",
        )

    reply = merchant.send_until_found(merchant.sign(request).with_("hash", wrong.sign()))

    run.apm.payments.drop_unless_refused(run.apm.payments.shared(signed.state_for(run)), reply)
    must_reject_hash(reply, wrong.sign(), merchant.recipe(request).sign())


@pytest.mark.parametrize(
    "signed", [pytest.param(each, id=each.action, marks=requirement(each.own)) for each in ACTIONS]
)
def test_signature_by_the_recipe_is_accepted(signed: Signed, run: Run) -> None:
    must_offer_action(signed, run)
    request = operation(signed.action, run.apm.payments.fresh(signed.state_for(run)).trans_id)

    reply = run.apm.merchant.post(request)

    if signed.action == "CREDITVOID" and carries_message(reply, HASH_NOT_VALID.message or ""):
        must_not_be_signed_like_a_capture(request, run)
    must_accept_signature(reply)


def must_not_be_signed_like_a_capture(request: FormRequest, run: Run) -> None:
    """Say what the profile has to name where the target takes the formula of line 405 for CREDITVOID as well."""
    merchant = replace(run.apm.merchant, formulas={**run.apm.merchant.formulas, "CREDITVOID": "CAPTURE"})
    reply = merchant.post(request)
    if not carries_message(reply, HASH_NOT_VALID.message or ""):
        explanation = (
            'It is signed as a CAPTURE is: name it in the profile, [dialect.apm_formulas] CREDITVOID = "CAPTURE".'
        )
        must(Finding("CREDITVOID is taken signed by its own formula", reply.summary, explanation), reply)


@each(
    (other_password(OTHER_PASSWORD), "APM-SIG-10"),
    (PASSWORD_LEFT_OUT, "APM-SIG-10"),
    (NOT_UPPER_CASED, "APM-SIG-12"),
    (NOT_REVERSED, OF_LINE_405),
    (with_value("trans_id", NOBODYS), "APM-SIG-14"),
    (WRONG_ORDER, "APM-SIG-15"),
    (OUTER_SHA1, ""),
)
def test_wrongly_made_signature_is_refused(signed: Signed, deviation: Deviation, run: Run) -> None:
    request = of_shared_payment(signed, run)

    must_refuse_signature(signed, request, deviation.change(run.apm.merchant.recipe(request)), run)


@requirement("APM-SIG-14")
def test_hash_of_an_answered_look_up_is_refused_for_another_payment(run: Run) -> None:
    payments = run.apm.payments
    known, other = (operation("GET_TRANS_STATUS", payments.shared(state).trans_id) for state in ("settled", "declined"))
    look_up = payments.merchant.sign(known)
    must_have_accepted(payments.merchant.send_until_found(look_up))

    signed, signature = payments.merchant.sign(other), str(look_up.get("hash"))
    reply = payments.merchant.send_until_found(signed.with_("hash", signature))
    must_reject_hash(reply, signature, signed.get("hash"))


@pytest.mark.parametrize(
    "signed",
    [pytest.param(each, id=each.action, marks=requirement("APM-SIG-16")) for each in ACTIONS],
)
def test_signature_with_the_key_as_password_is_refused(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run)
    wrong = key_as_password(run.apm.merchant.identity.key).change(run.apm.merchant.recipe(request))

    must_refuse_signature(signed, request, wrong, run)


@pytest.mark.parametrize(
    "signed",
    [pytest.param(each, id=each.action, marks=requirement("APM-SIG-04")) for each in ACTIONS if each.is_shown],
)
def test_signature_over_the_password_in_upper_case_is_refused(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run)
    password = run.apm.merchant.identity.password.reveal()
    wrong = with_value("password", password.upper()).change(run.apm.merchant.recipe(request))

    must_refuse_signature(signed, request, wrong, run)


@pytest.mark.parametrize(
    "signed", [pytest.param(each, id=each.action, marks=requirement(each.own)) for each in ACTIONS if each.is_shown]
)
def test_signature_by_the_formula_of_creditvoid_is_refused(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run)
    merchant = run.apm.merchant
    wrong = merchant.recipe_of_another(request, "CREDITVOID")
    if signed.action in merchant.formulas and wrong.sign() == merchant.recipe(request).sign():
        not_applicable(f"{signed.action} of this target is signed so: {signed.action} in [dialect.apm_formulas]")

    must_refuse_signature(signed, request, wrong, run)


@requirement("APM-SIG-08")
@pytest.mark.holds("creditvoid")
def test_creditvoid_signed_like_a_look_up_is_refused(run: Run) -> None:
    signed = ACTIONS[-1]
    request = of_shared_payment(signed, run)
    identity = run.apm.merchant.identity
    wrong = recipes.transaction(
        trans_id=request.get("trans_id") or "",
        password=identity.password.reveal(),
        digest=run.apm.merchant.digest_of(signed.action),
    )
    if signed.action in run.apm.merchant.formulas and wrong.sign() == run.apm.merchant.recipe(request).sign():
        not_applicable("CREDITVOID of this target is signed like a look-up: CREDITVOID in [dialect.apm_formulas]")

    must_refuse_signature(signed, request, wrong, run)


@pytest.mark.parametrize(
    "signed", [pytest.param(each, id=each.action, marks=requirement("APM-SIG-11")) for each in ACTIONS]
)
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_hash_is_refused(empty: bool, signed: Signed, run: Run) -> None:
    request = run.apm.merchant.sign(of_shared_payment(signed, run))

    reply = run.apm.merchant.send_until_found(request.with_("hash", "") if empty else request.without("hash"))

    run.apm.payments.drop_unless_refused(run.apm.payments.shared(signed.state_for(run)), reply)
    readings = {"hash-not-valid": HASH_NOT_VALID, "invalid-data": REQUEST_DATA_INVALID}
    must_reject_with_one_of(reply, "APM-SIG-11", readings, field="hash")


@pytest.mark.parametrize("signed", [pytest.param(ACTIONS[0], id="CAPTURE"), pytest.param(ACTIONS[3], id="CREDITVOID")])
@requirement("APM-SIG-10")
def test_amount_does_not_replace_a_signature(signed: Signed, run: Run) -> None:
    request = of_shared_payment(signed, run).with_("amount", run.apm.payments.amount_for("a part of the amount") or "")
    wrong = other_password(OTHER_PASSWORD).change(run.apm.merchant.recipe(request))

    reply = run.apm.merchant.send_until_found(run.apm.merchant.sign(request).with_("hash", wrong.sign()))

    # Neither action has an amount in the contract: it may be refused for that before the signature is looked at.
    run.apm.payments.drop_unless_refused(run.apm.payments.shared(signed.state_for(run)), reply)
    must_refuse(reply)
