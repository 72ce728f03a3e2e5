"""Card on file, and the attributes that a protocol mapping adds to look-ups."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_show_what_is_mapped
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.checkout.attributes import COF_DISCRIMINATORS, PAYER_ATTRIBUTES
from fixtures.protocols.s2s_card.cards_on_file import marked
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]
Ask = Callable[[Payment], FormRequest]

NAMES = ("payer_first_name", "payer_last_name", "payer_email")
by_each_look_up = pytest.mark.parametrize(
    "ask", [Payment.status, Payment.status_by_order], ids=["GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER"]
)


def looked_up(payments: Payments, payment: Payment, ask: Ask) -> Reply:
    reply = payments.merchant.post(ask(payment))
    if answer_of(reply) is not Answer.ACCEPTED:
        inconclusive(f"the payment cannot be looked up: {reply.summary}", decides="a target that answers look-ups")
    return reply


@requirement("S2C-COF-03")
def test_payer_present_was_ignored(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    must_accept(s2s_card.post(card_actions("sale").with_("payer_present", "Y")))


@requirement("S2C-COF-04")
@by_each_look_up
def test_look_up_carries_the_discriminators(ask: Ask, payments_of: PaymentsOf) -> None:
    payments = payments_of("status_cof_fields")

    reply = marked(payments, lambda payment: looked_up(payments, payment, ask), lambda shown: shown.object)

    must_show_what_is_mapped(reply, COF_DISCRIMINATORS, "status_cof_fields")


@requirement("S2C-COF-05")
@by_each_look_up
def test_look_up_carries_no_discriminators_unasked(ask: Ask, payments_of: PaymentsOf) -> None:
    payments = payments_of("no_status_cof_fields")

    reply = looked_up(payments, payments.shared("settled"), ask)

    value = [name for name in COF_DISCRIMINATORS if reply.object.get(name)]
    must_hold(not value, "none of initiator, source and sequence", reply, f"It has {', '.join(value)}.")


@requirement("S2C-COF-06")
@by_each_look_up
def test_look_up_carries_the_payer(ask: Ask, payments_of: PaymentsOf) -> None:
    payments = payments_of("status_payer_fields")
    payment = payments.shared("settled")

    must_show_the_payer(looked_up(payments, payment, ask), payment)


@requirement("S2C-COF-06")
@by_each_look_up
def test_look_up_of_a_debit_carries_the_payer(ask: Ask, payments_of: PaymentsOf) -> None:
    payments = payments_of("status_payer_fields")
    with where_it_comes_about("a DEBIT that settled"):
        payment = payments.shared("settled_debit")

    must_show_the_payer(looked_up(payments, payment, ask), payment)


def must_show_the_payer(reply: Reply, payment: Payment) -> None:
    sent = {name: payment.opening.get(name) for name in PAYER_ATTRIBUTES if payment.opening.get(name)}
    received = {name: str(reply.object.get(name) or "") for name in sent}
    wrong = [name for name, value in received.items() if not value]
    # Addresses and numbers may be written in another notation; names may not.
    wrong += [name for name in NAMES if name in sent and received[name].casefold() != (sent[name] or "").casefold()]
    must_hold(not wrong, f"the payer as it was sent: {', '.join(sent)}", reply, f"Missing or other: {wrong}.")


@requirement("S2C-COF-07")
@by_each_look_up
def test_look_up_carries_no_payer_unasked(ask: Ask, payments_of: PaymentsOf) -> None:
    payments = payments_of("no_status_payer_fields")

    reply = looked_up(payments, payments.shared("settled"), ask)

    value = [name for name in PAYER_ATTRIBUTES if reply.object.get(name)]
    must_hold(not value, "no payer attribute", reply, f"It has {', '.join(value)}.")
