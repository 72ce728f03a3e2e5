"""Action names: upper-case, and no others than the contract's; what came with 6.7.0 is absent before."""

from __future__ import annotations

import pytest

from contract.errors import ACTION_NOT_SUPPORTED_ROUTE, REQUEST_DATA_INVALID
from contract.fields import actions_of, load_document
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import deviations_from
from fixtures.judging.must import must_answer_properly, must_refuse
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

ALL = tuple(actions_of(load_document("s2s_apm")))
"""Those of later releases as well: no spelling of them but this one was ever an action."""


def reply_to(name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> Reply:
    return s2s_apm.send(s2s_apm.sign(apm("sale")).with_("action", name))


def note_pair(claimed: str, reply: Reply) -> None:
    if not deviations_from(reply, ACTION_NOT_SUPPORTED_ROUTE):
        note_reading(claimed, "route")
    elif not deviations_from(reply, REQUEST_DATA_INVALID):
        note_reading(claimed, "invalid-data")
    else:
        note_reading(claimed, "other")


@requirement("APM-ACT-01")
@pytest.mark.parametrize("name", ["NO_SUCH_ACTION", "SALES", "SALE VOID", "RETRY"])
def test_unknown_action_is_refused(name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = reply_to(name, s2s_apm, apm)

    must_refuse(reply)
    note_pair("APM-ACT-01", reply)


@requirement("APM-ACT-01")
def test_unknown_action_is_no_look_up(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    look_up = s2s_apm.sign(apm("get_trans_status"))

    must_refuse(s2s_apm.send(look_up.with_("action", "GET_STATUS")))


@requirement("APM-ACT-02")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_post_without_action_is_refused(empty: bool, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    signed = s2s_apm.sign(apm("sale"))

    reply = s2s_apm.send(signed.with_("action", "") if empty else signed.without("action"))

    must_refuse(reply)
    note_pair("APM-ACT-02", reply)


@requirement("APM-ACT-03")
@pytest.mark.parametrize("name", ["sale", "Sale", "SaLE"])
def test_sale_in_another_case_is_refused(name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(reply_to(name, s2s_apm, apm))


@requirement("APM-ACT-03")
@pytest.mark.parametrize("name", ["get_trans_status", "Get_Trans_Status"])
def test_look_up_in_another_case_is_refused(name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.send(s2s_apm.sign(apm("get_trans_status")).with_("action", name)))


@requirement("APM-ACT-03")
@pytest.mark.parametrize("name", ["void", "Creditvoid", "capture"])
def test_operation_in_another_case_is_refused_and_changes_nothing(
    name: str, s2s_apm: S2SApmMerchant, payments: ApmPayments
) -> None:
    payment = payments.shared("settled")

    reply = s2s_apm.send(s2s_apm.sign(operation(name.upper(), payment.trans_id)).with_("action", name))

    payments.drop_unless_refused(payment, reply)
    must_refuse(reply)


@requirement("APM-ACT-04")
def test_capture_is_refused_before_it_exists(s2s_apm: S2SApmMerchant, payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    must_refuse(s2s_apm.post(operation("CAPTURE", payment.trans_id)))
    must_have_status(payments, payment, "SETTLED")


@requirement("APM-ACT-05")
def test_creditvoid_refunds_or_is_refused_before_there_are_authorizations(
    s2s_apm: S2SApmMerchant, payments: ApmPayments
) -> None:
    reply = s2s_apm.post(operation("CREDITVOID", payments.fresh("settled").trans_id))

    must_answer_properly(reply, "APM-ACT-05", accepted="refund", refused="refused")
