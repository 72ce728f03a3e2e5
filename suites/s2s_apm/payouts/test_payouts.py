"""CREDIT2VIRTUAL: payouts of mobile money, their signature, their answers and whom they reach."""

from __future__ import annotations

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_accept_signature,
    must_be_amount,
    must_carry,
    must_refuse,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.profile import Profile
from fixtures.protocols.at_once import must_not_end_later
from fixtures.protocols.must import must_refuse_signature, must_state
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_be_carried_out
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.protocols.words import TAKEN_ON, result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    NOT_REVERSED,
    NOT_UPPER_CASED,
    PASSWORD_LEFT_OUT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    must_show,
    other_password,
    with_value,
)
from fixtures.wire.requests import FormRequest

OTHER_PASSWORD = "0123456789abcdef0123456789abcdef"  # noqa: S105 - nobody's
PAYOUTS = ("capability:mobile_money",)
STATUS_OF_RESULT = {"SUCCESS": "SETTLED", "UNDEFINED": "PREPARE", "DECLINED": "DECLINED"}


@requirement("APM-C2V-01")
def test_payout_is_accepted(s2s_apm: S2SApmMerchant, unproven: ApmRequests) -> None:
    must_be_carried_out(s2s_apm.post(unproven.baseline("credit2virtual")))


@requirement("APM-C2V-34")
def test_answer_names_action_order_transaction_and_amount(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    payout = apm("credit2virtual")

    reply = s2s_apm.post(payout)

    must_state(reply, action="CREDIT2VIRTUAL", order_id=payout.get("order_id") or "")
    must_state(reply, currency=payout.get("order_currency") or "")
    must_carry(reply, "trans_id", "trans_date", "amount")
    must_be_amount(reply, "amount", payout.get("order_amount") or "")


@requirement("APM-C2V-35")
def test_result_and_status_of_a_payout_go_together(payments: ApmPayments) -> None:
    payout = payments.open(payments.requests.any_payout(), "a payout")
    reply = payout.answer
    wanted = STATUS_OF_RESULT.get(result_in(reply))

    if wanted is None or status_in(reply) != wanted:
        must_not_end_later(reply, "SETTLED", lambda: payments.look_up(payout), payments.polling)
        expected = "SUCCESS with SETTLED for a payout that is paid, UNDEFINED with PREPARE for one still open"
        must(Finding(expected, reply.summary, "They do not go together."), reply)


@requirement("APM-C2V-35")
def test_open_payout_is_answered_with_undefined_and_prepare(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], unproven: ApmRequests
) -> None:
    apm("credit2virtual")

    reply = s2s_apm.post(unproven.payout_that_ends("open"))

    must_accept(reply)
    if status_in(reply) != "PENDING":
        must_state(reply, result="UNDEFINED", status="PREPARE")


@requirement("APM-C2V-35")
def test_declined_payout_is_answered_with_declined(
    payments: ApmPayments, apm: Baselines[FormRequest], unproven: ApmRequests, profile: Profile
) -> None:
    if profile.test_data.payout_emails.decline is None:
        not_applicable("the profile names no payout that is declined")
    apm("credit2virtual")
    request = unproven.payout_that_ends("decline")

    reply = payments.merchant.post(request)

    if answer_of(reply) is Answer.ACCEPTED and result_in(reply) in TAKEN_ON:
        payout = ApmPayment(str(reply.object.get("trans_id") or ""), request, reply)
        must_not_end_later(reply, "DECLINED", lambda: payments.look_up(payout), payments.polling)
    must_state(reply, result="DECLINED", status="DECLINED")


@requirement("APM-C2V-36")
def test_unknown_brand_is_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.post(apm("credit2virtual").with_("brand", "no-such-method")))


@requirement("APM-C2V-28")
def test_every_operator_of_the_profile_is_known(
    s2s_apm: S2SApmMerchant, unproven: ApmRequests, profile: Profile
) -> None:
    for operator in profile.test_data.mobile_money:
        must_accept(s2s_apm.post(unproven.payout(operator)))


@requirement("APM-C2V-32")
def test_channel_of_16_characters_is_accepted(run: Run) -> None:
    must_offer(run.profile, ("test_data:channel_id_16",), "s2s_apm")
    # The channel of the profile is one of the main account, whichever account serves payouts.
    main = run.apm_accounts.main
    channel = str(run.profile.channel("s2s_apm", is_longest=True))

    must_accept(main.merchant.post(main.baselines("credit2virtual").with_("channel_id", channel)))


@requirement("APM-SIG-09")
def test_payout_signed_by_the_recipe_is_accepted(s2s_apm: S2SApmMerchant, unproven: ApmRequests) -> None:
    payout = unproven.baseline("credit2virtual")

    must_accept_signature(s2s_apm.post(payout.with_("order_id", f"{payout.get('order_id')}-MixedCase")))


@pytest.mark.parametrize(
    "deviation",
    [
        pytest.param(other_password(OTHER_PASSWORD), marks=requirement("APM-SIG-10")),
        pytest.param(PASSWORD_LEFT_OUT, marks=requirement("APM-SIG-10")),
        pytest.param(NOT_UPPER_CASED, marks=requirement("APM-SIG-12")),
        pytest.param(WRONG_ORDER, marks=requirement("APM-SIG-15")),
        pytest.param(NOT_REVERSED, marks=requirement("APM-SIG-09")),
        pytest.param(with_value("order_id", "another-order"), marks=requirement("APM-C2V-38")),
        pytest.param(with_value("order_amount", "11.11"), marks=requirement("APM-C2V-38")),
        pytest.param(with_value("order_currency", "XTS"), marks=requirement("APM-C2V-38")),
        *(
            pytest.param(with_value(name, ""), marks=requirement("APM-C2V-38"), id=f"without-{name}")
            for name in ("order_id", "order_amount", "order_currency")
        ),
    ],
    ids=lambda deviation: deviation.name,
)
def test_wrongly_made_signature_is_refused(
    deviation: Deviation, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, PAYOUTS, "s2s_apm")
    must_refuse_deviation(deviation, s2s_apm, apm("credit2virtual"))


@requirement("APM-SIG-16")
def test_signature_with_the_key_as_password_is_refused(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, PAYOUTS, "s2s_apm")
    must_refuse_deviation(key_as_password(s2s_apm.identity.key), s2s_apm, apm("credit2virtual"))


@requirement("APM-SIG-11")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_hash_is_refused(
    empty: bool, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, ("capability:mobile_money", "test_data:mobile_money"), "s2s_apm")
    signed = s2s_apm.sign(apm("credit2virtual"))

    reply = s2s_apm.send(signed.with_("hash", "") if empty else signed.without("hash"))

    readings = {"hash-not-valid": HASH_NOT_VALID, "invalid-data": REQUEST_DATA_INVALID}
    must_reject_with_one_of(reply, "APM-SIG-11", readings, field="hash")


@requirement("APM-C2V-37")
def test_signature_over_the_password_in_upper_case_is_refused(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    password = s2s_apm.identity.password.reveal()

    must_refuse_deviation(with_value("password", password.upper()), s2s_apm, apm("credit2virtual"))


def must_refuse_deviation(deviation: Deviation, s2s_apm: S2SApmMerchant, payout: FormRequest) -> None:
    recipe = s2s_apm.recipe(payout)
    if not deviation.changes(recipe):
        must_show(recipe, deviation)
        inconclusive(
            "with the password of this account the mistake does not show in the signature",
            decides="an account whose password has lower-case letters",
        )
    must_refuse_signature(s2s_apm, payout, deviation.change(recipe).sign())
