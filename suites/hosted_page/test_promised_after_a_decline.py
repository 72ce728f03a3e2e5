"""What the callback of a payment is promised to carry comes as well where its payer was declined before."""

from __future__ import annotations

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.judging.must import must_accept, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import which_came, with_status
from fixtures.protocols.checkout.callbacks import about_order, carrying
from fixtures.protocols.checkout.must import must_know_the_token
from fixtures.protocols.checkout.operations import Chain
from fixtures.protocols.hosted_page.attempts import after_declines, next_attempt, with_several_tries
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement


def paid_after_a_decline(pages: HostedPages, asked: str) -> Entered:
    """Return where the payer of a session with a flag landed, who was declined once and then paid."""
    session = pages.session().with_(asked, value=True)
    if session.get("auth"):
        not_applicable("the account only holds, and what was asked for comes with the capture; other checks look at it")
    entered = next_attempt(pages, after_declines(pages, session), pages.entry())
    if entered.end is None or not is_at(entered.end, str(session.get("success_url"))):
        not_applicable(f"the payer does not get to success_url after a decline: {entered.story}")
    return entered


PROMISED = {
    "req_token": ("tokenized", "card_token", "capability:tokens"),
    "recurring_init": ("initial", "recurring_token", "capability:recurring"),
}
"""By what a session asks for it: the state of a payment that has it, the member, and what a target must offer."""


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param("req_token", marks=requirement("CHK-TOK-01")),
        pytest.param("recurring_init", marks=requirement("CBK-ATT-24")),
    ],
)
def test_callback_carries_what_was_asked_for_though_the_payer_was_declined_before(
    asked: str, pages: HostedPages, callbacks: CallbackWatch
) -> None:
    state, member, needed = PROMISED[asked]
    must_offer(pages.profile, ("test_data:cards.decline", needed))
    there = with_several_tries(pages)
    with where_it_comes_about(f"a payment with {asked} after a decline"):
        undisturbed = there.payments.shared(state)
        callbacks.expect(carrying(undisturbed, member), f"the callback with {member} of a payment without a decline")
        number = str(paid_after_a_decline(there, asked).session.get("order.number"))
    which_came(with_status(about_order(number), "SETTLED"), f"the callback of the payment of order {number}", callbacks)

    carried = about_order(number).but(lambda callback: bool(callback.get(member)))
    callbacks.expect(carried, f"a callback of order {number} with {member}, whose payer was declined before")


@requirement("CHK-TOK-05")
def test_token_of_a_payment_after_a_decline_pays(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("test_data:cards.decline", "capability:tokens", "capability:status_lookup"))
    there = with_several_tries(pages)
    paid = there.payments
    with where_it_comes_about("a payment by the card_token of one whose payer was declined before"):
        paid.shared("paid_by_token")
        number = str(paid_after_a_decline(there, "req_token").session.get("order.number"))
        # The card that was declined may have a token as well, which pays nothing.
        made = with_status(about_order(number), "SETTLED").but(lambda callback: bool(callback.get("card_token")))
        token = which_came(made, f"the callback of the payment of order {number} with card_token", callbacks)[-1]
    first, second = (paid.requests(card_token=[str(token.get("card_token"))]) for _ in range(2))

    reply = paid.merchant.create_session(first)

    must_know_the_token(reply)
    must_accept(reply)
    by_token = paid.named(second, paid.enter(second, paid.card("success")))
    paid.becomes(by_token, "SETTLED", "DECLINED")
    reply = paid.look_up(by_token)
    must_accept(reply)
    is_declined = status_in(reply) == "DECLINED"
    must_hold(not is_declined, "a payment by the card that paid", reply, "It is declined, as the card before it was.")
    if status_in(reply) != "SETTLED":
        inconclusive(
            f"the payment by the token is neither SETTLED nor DECLINED: {reply.summary}",
            decides="a target that settles payments by a stored card without asking for more",
        )


@requirement("CHK-REC-01")
def test_chain_of_a_payment_after_a_decline_is_charged(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("test_data:cards.decline", "capability:recurring"))
    there = with_several_tries(pages)
    paid = there.payments
    with where_it_comes_about("a chain that a payment started whose payer was declined before"):
        paid.shared("secondary")
        number = str(paid_after_a_decline(there, "recurring_init").session.get("order.number"))
        made = with_status(about_order(number), "SETTLED").but(is_of_a_chain)
        first = which_came(made, f"the callback of the payment of order {number} with its chain", callbacks)[-1]
    chain = Chain(str(first.get("recurring_init_trans_id")), str(first.get("recurring_token")))

    reply = paid.merchant.post(paid.operations.charge(chain))

    must_accept(reply)
    must_hold(status_in(reply) != "DECLINED", "a charge that is not declined", reply, "The card that paid pays.")


def is_of_a_chain(callback: Callback) -> bool:
    return bool(callback.get("recurring_token") and callback.get("recurring_init_trans_id"))
