"""A wrong signature is refused whatever else is wrong; which of the two the error is about, the error atlas shows."""

from __future__ import annotations

import pytest

from fixtures.cases.two_wrongs import WRONG_HASH, TwoWrongs, nobody, pairs_of
from fixtures.judging.must import must_refuse
from fixtures.protocols.form import FormMerchant
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.run.serving import must_serve
from fixtures.wire.requests import FormRequest


def each_pair_of(protocol: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("wrongs", [pytest.param(pair, id=pair.id) for pair in pairs_of(protocol)])


@requirement("GEN-ERR-26")
@each_pair_of("checkout")
def test_wrongly_signed_session_request_with_another_wrong_is_refused(wrongs: TwoWrongs, run: Run) -> None:
    must_serve(run, "checkout")
    request = run.session_requests.baseline("purchase")
    changed = request if wrongs.is_of_nobody else request.with_(wrongs.other.field, wrongs.other.value)
    signed = run.checkout.sign(changed).with_("hash", WRONG_HASH)

    reply = run.checkout.send_session(signed.with_("merchant_key", nobody()) if wrongs.is_of_nobody else signed)

    must_refuse(reply)


@requirement("GEN-ERR-27")
@each_pair_of("s2s_card")
def test_wrongly_signed_card_sale_with_another_wrong_is_refused(wrongs: TwoWrongs, run: Run) -> None:
    must_serve(run, "s2s_card")

    must_refuse_both(wrongs, run.s2s_card, run.card_accounts.main.baselines("sale"))


@requirement("GEN-ERR-28")
@each_pair_of("s2s_apm")
def test_wrongly_signed_apm_sale_with_another_wrong_is_refused(wrongs: TwoWrongs, run: Run) -> None:
    must_serve(run, "s2s_apm")

    must_refuse_both(wrongs, run.apm.merchant, run.apm.baselines("sale"))


def must_refuse_both(wrongs: TwoWrongs, merchant: FormMerchant, request: FormRequest) -> None:
    changed = request if wrongs.is_of_nobody else request.with_(wrongs.other.field, wrongs.other.value)
    signed = merchant.sign(changed).with_("hash", WRONG_HASH)

    must_refuse(merchant.send(signed.with_("client_key", nobody()) if wrongs.is_of_nobody else signed))
