"""The body of a refusal: what it carries for invalid data, for a wrong signature and for what is not found."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import error_items
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must, must_agree, must_be_object, must_refuse
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

Refused = Callable[[Run, Baselines[FormRequest]], Reply]


FIELDS = ("order_id", "brand", "order_description", "return_url")
"""Of a SALE; the first takes part in its signature, so that without it the signature may be what is wrong."""


def for_its_data(run: Run, apm: Baselines[FormRequest]) -> Reply:
    for name in FIELDS:
        reply = run.apm.merchant.post(apm("sale").without(name))
        if answer_of(reply) is not Answer.ACCEPTED and not carries_message(reply, HASH_NOT_VALID.message or ""):
            return reply
    return inconclusive(
        f"no SALE without {', '.join(FIELDS)} is refused for its data, and the contract does not show what it requires",
        decides="a SALE that the target refuses for its data",
    )


def for_its_signature(run: Run, apm: Baselines[FormRequest]) -> Reply:
    return run.apm.merchant.send(run.apm.merchant.sign(apm("sale")).with_("hash", NO_HASH))


def for_an_unknown_payment(run: Run, apm: Baselines[FormRequest]) -> Reply:
    del apm
    return run.apm.merchant.post(operation("GET_TRANS_STATUS", run.apm.payments.fresh("absent").trans_id))


ALL = pytest.mark.parametrize(
    "refused", [for_its_data, for_its_signature, for_an_unknown_payment], ids=lambda refused: refused.__name__
)


@requirement("GEN-ERR-03")
@ALL
def test_refusal_is_an_error_object(refused: Refused, run: Run, apm: Baselines[FormRequest]) -> None:
    apm("sale")
    reply = refused(run, apm)

    must_refuse(reply)
    body = reply.object
    if body.get("result") != "ERROR" or body.get("error_code") in (None, "") or not body.get("error_message"):
        expected = 'a JSON object with result "ERROR", an error_code and an error_message'
        must(Finding(expected, reply.summary, "A member is missing, or result has a different value."), reply)


@requirement("GEN-ERR-06")
def test_validation_error_carries_errors(run: Run, apm: Baselines[FormRequest]) -> None:
    reply = for_its_data(run, apm)

    must_refuse(reply)
    if not error_items(reply):
        must(Finding("errors, an array that is not empty", reply.summary, "Merchants cannot see what is wrong."))


@requirement("GEN-ERR-09")
@ALL
def test_refusal_has_status_400(refused: Refused, run: Run, apm: Baselines[FormRequest]) -> None:
    apm("sale")
    reply = refused(run, apm)

    must_refuse(reply)
    must_agree(reply, REQUEST_DATA_INVALID, "status")


@requirement("APM-SAL-36")
@pytest.mark.parametrize("refused", [for_its_data, for_its_signature], ids=lambda refused: refused.__name__)
def test_error_code_is_a_number(refused: Refused, run: Run, apm: Baselines[FormRequest]) -> None:
    reply = refused(run, apm)

    must_refuse(reply)
    code = reply.object.get("error_code")
    if isinstance(code, bool) or not isinstance(code, int):
        explanation = f"error_code is {json.dumps(code)}, which is no number in JSON."
        must(Finding(f"error_code as a number, {HASH_NOT_VALID.code}", reply.summary, explanation), reply)


@requirement("APM-REQ-09")
@ALL
def test_refusal_is_json(refused: Refused, run: Run, apm: Baselines[FormRequest]) -> None:
    apm("sale")
    must_be_object(refused(run, apm))


@requirement("APM-REQ-09")
def test_acceptance_is_json(s2s_apm: S2SApmMerchant, run: Run) -> None:
    must_be_object(s2s_apm.post(run.apm_requests.baseline("sale")))


@requirement("APM-REQ-09")
def test_look_up_is_json(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_be_object(s2s_apm.post(apm("get_trans_status")))
