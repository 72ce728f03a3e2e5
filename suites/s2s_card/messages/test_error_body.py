"""The body of a refusal: what it carries for invalid data and for a wrong signature."""

from __future__ import annotations

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import error_items
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_agree, must_refuse
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest


def refused_for_its_data(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> Reply:
    reply = s2s_card.post(sales("sale").without("order_amount"))
    if answer_of(reply) is Answer.ACCEPTED:
        inconclusive(
            "a SALE without order_amount is accepted, and the contract does not show what SALE requires",
            decides="a SALE that the target refuses for its data",
        )
    return reply


def refused_for_its_signature(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> Reply:
    return s2s_card.send(s2s_card.sign(sales("sale")).with_("hash", NO_HASH))


@requirement("GEN-ERR-02")
def test_refusal_for_invalid_data_is_an_error_object(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    reply = refused_for_its_data(s2s_card, sales)

    must_refuse(reply)
    must_agree(reply, REQUEST_DATA_INVALID, "result", "error_code", "error_message")


@requirement("GEN-ERR-02")
def test_refusal_for_a_wrong_signature_is_an_error_object(
    s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    reply = refused_for_its_signature(s2s_card, sales)

    must_refuse(reply)
    must_agree(reply, HASH_NOT_VALID, "result", "error_code", "error_message")


@requirement("GEN-ERR-05")
def test_validation_error_carries_errors(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    reply = refused_for_its_data(s2s_card, sales)

    must_refuse(reply)
    if not error_items(reply):
        must(Finding("errors, an array that is not empty", reply.summary, "Merchants cannot see what is wrong."))


@requirement("GEN-ERR-08")
def test_validation_error_has_status_400(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    reply = refused_for_its_data(s2s_card, sales)

    must_refuse(reply)
    must_agree(reply, REQUEST_DATA_INVALID, "status")


@requirement("GEN-ERR-08")
def test_wrong_signature_has_status_400(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    reply = refused_for_its_signature(s2s_card, sales)

    must_refuse(reply)
    must_agree(reply, HASH_NOT_VALID, "status")
