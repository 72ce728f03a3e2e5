"""The digest of every action but SALE: as the account's SHA256 option says, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contract.errors import ACTION_NOT_SUPPORTED_ROUTE, HASH_NOT_VALID
from contract.fields import actions_of, load_document
from contract.model import Release
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept_signature, must_reject_hash
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, inconclusive, not_applicable, note_reading
from fixtures.protocols.s2s_apm.merchant import BY_MD5, MerchantOf, S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import SPOILT
from fixtures.signing.recipe import Digest
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

SINCE = actions_of(load_document("s2s_apm"))
STATES = {"CAPTURE": "authorized", "CREDITVOID": "", "VOID": "settled", "GET_TRANS_STATUS": "settled"}
"""What each operation is tried on; CREDITVOID on what it is accepted for."""
NEEDS = {"CAPTURE": ("capability:dms",), "CREDIT2VIRTUAL": ("capability:mobile_money", "test_data:mobile_money")}
EACH_ACTION = pytest.mark.parametrize("action", [*STATES, "CREDIT2VIRTUAL"])


def valid_request(action: str, merchant: S2SApmMerchant, run: Run) -> FormRequest:
    """Return what the account may do: a payout, or an operation on a payment of its own."""
    since = SINCE[action]
    if since and run.release < Release(since):
        not_applicable(f"{action} came with {since}; the target claims release {run.release}")
    must_offer(run.profile, NEEDS.get(action, ()), "s2s_apm")
    if action == "CREDIT2VIRTUAL":
        return payout_it_takes(merchant, run)
    payments = run.apm.payments.of(merchant)
    state = STATES[action] or payments.creditvoid_state
    try:
        return operation(action, payments.fresh(state).trans_id)
    except Inconclusive as ended:
        if state == "settled":
            raise
        not_applicable(f"the account has no such payments: {ended.reason}")


def payout_it_takes(merchant: S2SApmMerchant, run: Run) -> FormRequest:
    """Return a fresh payout in the first currency, and by the first brand, of which an account takes one.

    Of an account that takes none, or whose signature is refused, it is the usual one.
    """
    payouts = run.apm_requests.payouts()
    taken = (payout for payout in payouts if answer_of(merchant.post(payout)) is Answer.ACCEPTED)
    return next(taken, payouts[0]).with_("order_id", run.apm_requests.numbers.next())


def accepted_request(action: str, merchant: S2SApmMerchant, run: Run) -> FormRequest:
    """Return a valid request; a payout once the account was seen to pay out, which not every account does."""
    request = valid_request(action, merchant, run)
    if action == "CREDIT2VIRTUAL":
        must_pay_out(merchant.post(request.with_("order_id", run.apm_requests.numbers.next())))
    return request


def must_pay_out(reply: Reply) -> None:
    """End the check where the account pays out nothing; a refused signature decides nothing here."""
    if answer_of(reply) is Answer.REFUSED and not carries_message(reply, HASH_NOT_VALID.message or ""):
        not_applicable(f"the account pays out nothing: {reply.summary}")
    if answer_of(reply) is not Answer.ACCEPTED:
        inconclusive(f"the valid payout is not accepted: {reply.summary}", decides="a target that accepts it")


def must_refuse_digest(digest: Digest, request: FormRequest, merchant: S2SApmMerchant) -> None:
    signature, signed = replace(merchant.recipe(request), digest=digest).sign(), merchant.sign(request)
    reply = merchant.send_until_found(signed.with_("hash", signature))
    is_shown = (request.get("action") in BY_MD5, digest, merchant.identity.digest) == (True, Digest.MD5, Digest.SHA256)
    if is_shown and answer_of(reply) is Answer.ACCEPTED:
        # Line 405 says of these actions that they are signed with MD5; that an option turns that off, it does not.
        note_reading("APM-SIG-24", "md5-as-well")
        return
    if carries_message(reply, ACTION_NOT_SUPPORTED_ROUTE.message or ""):
        inconclusive(f"the target does not know the action: {reply.summary}", decides="a target that carries it out")
    must_reject_hash(reply, signature, signed.get("hash"))


@requirement("APM-SIG-23")
@EACH_ACTION
def test_account_with_sha256_accepts_the_signature_of_its_digest(
    action: str, merchant_of: MerchantOf, run: Run
) -> None:
    merchant = merchant_of("sha256")

    reply = merchant.post(valid_request(action, merchant, run))

    if action == "CREDIT2VIRTUAL" and not carries_message(reply, HASH_NOT_VALID.message or ""):
        must_pay_out(reply)
    must_accept_signature(reply)


@requirement("APM-SIG-24")
@EACH_ACTION
def test_account_with_sha256_refuses_the_other_digest(action: str, merchant_of: MerchantOf, run: Run) -> None:
    merchant = merchant_of("sha256")

    must_refuse_digest(merchant.other_digest_of(action), accepted_request(action, merchant, run), merchant)


@requirement("APM-SIG-10")
@EACH_ACTION
def test_last_digit_of_a_hash_of_an_account_with_sha256_counts(action: str, merchant_of: MerchantOf, run: Run) -> None:
    with where_it_comes_about(f"a {action} of an account with SHA256"):
        must_offer(run.profile, ("account:sha256",), "s2s_apm")
        merchant = merchant_of("sha256")
        request = accepted_request(action, merchant, run)
    signed = merchant.sign(request)
    signature = SPOILT["other-end"](merchant.recipe(request).sign())

    must_reject_hash(merchant.send_until_found(signed.with_("hash", signature)), signature, signed.get("hash"))


@requirement("APM-SIG-25")
@EACH_ACTION
def test_account_without_sha256_refuses_a_sha256_signature(action: str, merchant_of: MerchantOf, run: Run) -> None:
    must_offer(run.profile, ("account:md5",), "s2s_apm")
    merchant = merchant_of("md5")

    must_refuse_digest(Digest.SHA256, accepted_request(action, merchant, run), merchant)
