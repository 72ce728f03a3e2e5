"""What a payment asked for is still done once its payer is back from the challenge."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail, must_have, must_return_custom_data
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_apply, must_carry, must_not_be
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import HttpPayer, Payer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY, has_both_answers
from fixtures.protocols.fragments import must_keep_the_fragment
from fixtures.protocols.s2s_card.callbacks import must_verify, of_final, outcome_of
from fixtures.protocols.s2s_card.must import must_have_status
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

THREE_DS = ("capability:three_ds", "test_data:cards.three_ds_success")
QUERY = "order=7&shop=two"
FRAGMENT = "#/orders/7"
LONGEST_ADDRESS = 1024
"""Characters of an address of the merchant: as many as those of Checkout may have (lines 42 and 474)."""
CUSTOM_DATA = {"reference": {"ticket": "7"}, "note": "Größe"}


def challenged_sale(payments: Payments, field: str, value: str, *, name: str = "sale") -> Payment:
    """Open a SALE, or another payment, whose payer is challenged, with one field more or another."""
    must_offer(payments.requests.profile, THREE_DS)
    requests = payments.requests
    sale = requests.paid_with(requests.baseline(name), "three_ds_success")
    return payments.open(sale.with_(field, value))


@requirement("S2C-REC-01")
def test_challenged_sale_starts_its_chain(payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged_initial_sale")
    round_trip(payer, payment)
    must_have_status(payments, payment, "SETTLED")

    must_carry(payments.look_up(payment), "recurring_token")


@requirement("CBK-S2C-09")
def test_settled_callback_of_a_challenged_sale_carries_the_token_of_its_chain(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    payment = payments.fresh("challenged_initial_sale")
    round_trip(payer, payment)
    must_have_status(payments, payment, "SETTLED")

    must_have(
        callbacks.expect(of_final(payment), "the callback that reports the SALE as settled"), ("recurring_token",)
    )


@requirement("CBK-S2C-10")
def test_challenged_sale_yields_its_card_token(callbacks: CallbackWatch, payments: Payments, payer: HttpPayer) -> None:
    must_offer(payments.requests.profile, ("capability:tokens",))
    payment = challenged_sale(payments, "req_token", "Y")
    round_trip(payer, payment)

    must_have(outcome_of(payment, callbacks), ("card_token",))


@requirement("CBK-S2C-13")
def test_custom_data_of_a_challenged_sale_come_back(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    must_offer(payments.requests.profile, THREE_DS)
    requests = payments.requests
    sale = requests.paid_with(requests.baseline("sale"), "three_ds_success")
    payment = payments.open(sale.with_nested("custom_data", CUSTOM_DATA))
    round_trip(payer, payment)

    must_return_custom_data(outcome_of(payment, callbacks, having=("custom_data",)), CUSTOM_DATA)


@requirement("CBK-S2C-11")
def test_outcome_of_a_challenged_debit_carries_a_card_token(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    payment = payments.fresh("challenged_debit")
    round_trip(payer, payment)

    must_have(outcome_of(payment, callbacks), ("card_token",))


@requirement("CBK-SIG-08")
def test_outcome_of_a_challenge_returns_the_digits_that_it_is_signed_with(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    payment = payments.fresh("challenged")
    round_trip(payer, payment)

    must_have(outcome_of(payment, callbacks, having=("card",)), ("card",))


@requirement("S2C-TDS-14")
def test_debit_is_declined_once_the_payer_fails(payments: Payments, payer: Payer) -> None:
    must_offer(payments.requests.profile, ("capability:three_ds", "test_data:cards.three_ds_decline"))
    requests = payments.requests
    payment = payments.open(requests.paid_with(requests.baseline("debit"), "three_ds_decline"))

    round_trip(payer, payment, passes=False, data=payments.requests.profile.test_data)

    must_have_status(payments, payment, "DECLINED")


@requirement("S2C-TDS-16")
def test_challenge_that_was_failed_cannot_be_passed_afterwards(payments: Payments, run: Run) -> None:
    must_offer(payments.requests.profile, THREE_DS)
    payment, payer = payments.fresh("challenged"), run.payers.form
    visit = payer.follow(payment.reply.object)
    if visit.page is None or not has_both_answers(visit.page, payer.selectors):
        inconclusive(
            "the page of the challenge cannot be both passed and failed, as far as can be seen",
            decides=DECIDED_BY,
        )
    answered(payer, visit, passes=False)
    payments.confirmed(payment, "DECLINED")

    answered(payer, visit)

    reply = payments.look_up(payment)
    must_not_be(reply, "status", status_in(reply), "SETTLED")


@requirement("S2C-TDS-05")
@pytest.mark.parametrize("name", ["sale", "debit"])
@pytest.mark.parametrize("passes", [True, False])
def test_query_of_term_url_3ds_comes_back(passes: bool, name: str, payments: Payments, payer: Payer) -> None:
    must_offer(payments.requests.profile, ("capability:debit",) if name == "debit" else ())
    address = payments.requests.profile.test_data.return_urls.term_url_3ds
    payment = challenged_sale(payments, "term_url_3ds", f"{address}?{QUERY}", name=name)

    visit = round_trip(payer, payment, passes=passes)

    came_back = visit.end.pairs if visit.end else ()
    if any(pair not in came_back for pair in parse_qsl(QUERY)):
        must(Finding(f"the query of term_url_3ds on the way back: {QUERY}", visit.summary, "A part of it is lost."))


@requirement("S2C-TDS-17")
@pytest.mark.parametrize("query", ["", "?lang=en"], ids=["alone", "behind a query"])
@pytest.mark.parametrize("name", ["sale", "debit"])
def test_fragment_of_term_url_3ds_comes_back(name: str, query: str, payments: Payments, payer: Payer) -> None:
    must_offer(payments.requests.profile, (*THREE_DS, *(("capability:debit",) if name == "debit" else ())))
    requests = payments.requests
    address = f"{requests.profile.test_data.return_urls.term_url_3ds}{query}{FRAGMENT}"
    asked = requests.paid_with(requests.baseline(name), "three_ds_success").with_("term_url_3ds", address)
    reply = payments.merchant.post(asked)
    must_apply(reply, "term_url_3ds with a fragment")

    must_keep_the_fragment(round_trip(payer, payments.opened_by(asked, reply)).end, FRAGMENT, payer)


@requirement("S2C-TDS-05")
def test_encoded_part_of_term_url_3ds_stays_encoded(payments: Payments, payer: Payer) -> None:
    address = payments.requests.profile.test_data.return_urls.term_url_3ds
    payment = challenged_sale(payments, "term_url_3ds", f"{address}?next=%2Fcart%26x%3D1")

    visit = round_trip(payer, payment)

    if ("next", "/cart&x=1") not in (visit.end.pairs if visit.end else ()):
        must(Finding("next=/cart&x=1 in the query of the way back", visit.summary, "It was decoded, or is lost."))


@requirement("S2C-TDS-05")
@pytest.mark.parametrize("name", ["sale", "debit"])
def test_long_term_url_3ds_comes_back_whole(name: str, payments: Payments, payer: Payer) -> None:
    must_offer(payments.requests.profile, (*THREE_DS, *(("capability:debit",) if name == "debit" else ())))
    requests = payments.requests
    begin = f"{requests.profile.test_data.return_urls.term_url_3ds}?state="
    state = "s" * (LONGEST_ADDRESS - len(begin))
    asked = requests.paid_with(requests.baseline(name), "three_ds_success").with_("term_url_3ds", f"{begin}{state}")
    reply = payments.merchant.post(asked)
    # No line says how long it may be (line 363): only one that is taken leads the payer back.
    if answer_of(reply) is not Answer.ACCEPTED:
        not_applicable(f"a term_url_3ds of {LONGEST_ADDRESS} characters is not taken: {reply.summary}")

    with where_it_comes_about("a challenge with a long term_url_3ds"):
        landing = round_trip(payer, payments.opened_by(asked, reply)).end
    if landing is None:
        not_applicable("the payer does not come back to the merchant, which other checks ask for")

    if ("state", state) not in landing.pairs:
        expected = f"state of {len(state)} characters in the query of the way back, as in term_url_3ds"
        must(Finding(expected, f"the payer was sent to {landing.url}", "It is cut, or lost."))


@requirement("S2C-TDS-05")
def test_each_of_two_challenges_of_a_payer_leads_back_to_its_own_address(payments: Payments, payer: Payer) -> None:
    address = payments.requests.profile.test_data.return_urls.term_url_3ds
    opened = [challenged_sale(payments, "term_url_3ds", f"{address}?order={turn}") for turn in (1, 2)]

    visit = round_trip(payer, opened[0])

    came_back = visit.end.url if visit.end else ""
    if "order=2" in came_back:
        must(Finding("the term_url_3ds of the payment that was challenged", visit.summary, "It is that of another."))


@requirement("CBK-S2C-17")
def test_browser_of_a_challenge_is_that_of_its_payer(
    callbacks: CallbackWatch, payments_of: Callable[[str], Payments], run: Run
) -> None:
    payments = payments_of("browser_data")
    agents = ("First/1.0", "Second/2.0")
    # A payer of nobody else's: a target that remembers payers has seen no browser of this one.
    email = f"{payments.requests.baseline('sale').get('order_id')}@example.com"
    opened = [challenged_sale(payments, "payer_email", email) for _ in agents]
    for payment, agent in zip(opened, agents, strict=True):
        round_trip(run.payers.with_agent(agent), payment)

    shown = [outcome_of(payment, callbacks).get("browser_user_agent") for payment in opened]

    if agents[0] not in shown and agents[1] not in shown:
        not_applicable(
            f"the callbacks show {shown[1] or 'no user agent'}, and neither browser of the two challenges; "
            "the contract does not say where the browser attributes of S2S CARD come from"
        )
    if shown[1] == agents[0]:
        fail(f"browser_user_agent {agents[1]}", outcome_of(opened[1], callbacks), "It is that of the challenge before.")


@pytest.mark.parametrize("turn", ["first", "second"])
@requirement("CBK-SIG-09")
def test_callbacks_of_different_payers_are_signed_each_for_its_own(
    turn: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    requests = payments.requests
    emails = ("ada@example.com", "grace.hopper@example.com")
    opened = [payments.open(requests.baseline("sale").with_("payer_email", email)) for email in emails]

    payment = opened[0] if turn == "first" else opened[1]

    must_verify(outcome_of(payment, callbacks), payment)
