"""GET_TRANS_DETAILS: everything about a payment, its card masked."""

from __future__ import annotations

import pytest

from fixtures.judging.must import must_be_amount, must_carry, must_equal, must_hold
from fixtures.protocols.s2s_card.details import steps_in
from fixtures.protocols.s2s_card.must import looked_up
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.words import is_mask_of
from fixtures.requirement import offers, requirement
from fixtures.signing.protocols.s2s_card import card_fragment
from fixtures.wire.exchange import Reply


def detailed(payments: Payments, payment: Payment) -> Reply:
    return looked_up(payments, payment, Payment.details)


@requirement("S2C-STA-26")
def test_details_show_amount_and_payer(payments: Payments) -> None:
    payment = payments.shared("settled")

    reply = detailed(payments, payment)

    sent = payment.opening.get
    must_carry(reply, "status")
    must_be_amount(reply, "amount", payment.amount)
    expected = {"currency": sent("order_currency"), "mail": sent("payer_email"), "ip": sent("payer_ip")}
    for member, value in expected.items():
        must_equal(reply, member, value or "")
    must_carry(reply, "name")
    first, last = sent("payer_first_name") or "", sent("payer_last_name") or ""
    name = str(reply.object["name"])
    must_hold(first in name and last in name, f"the name {first} {last}", reply, f"name is {name!r}.")


@requirement("S2C-STA-27")
def test_details_show_the_card_masked(payments: Payments) -> None:
    payment = payments.shared("settled")

    reply = detailed(payments, payment)

    must_carry(reply, "card")
    card = str(reply.object["card"])
    must_hold(
        is_mask_of(card, payment.card) and card_fragment(card) == card_fragment(payment.card),
        "card, masked but for its first six and last four digits",
        reply,
        f"card is {card!r}.",
    )


@requirement("S2C-STA-28")
@pytest.mark.parametrize("state", ["settled", "secondary"])
def test_details_list_what_happened(state: str, payments: Payments) -> None:
    if state == "secondary" and not offers(payments.requests.profile, "capability:recurring"):
        state = "settled"

    reply = detailed(payments, payments.shared(state))

    must_carry(reply, "transactions")
    listed = steps_in(reply)
    whole = [entry for entry in listed if all(entry.get(name) for name in ("type", "status", "date", "amount"))]
    must_hold(
        listed and len(whole) == len(listed),
        "transactions, each with type, status, date and amount",
        reply,
        f"{len(whole)} of {len(listed)} entries have them all.",
    )


@requirement("S2C-STA-29")
def test_details_list_the_capture(payments: Payments) -> None:
    reply = detailed(payments, payments.shared("captured"))

    must_carry(reply, "transactions")
    types = [str(entry.get("type", "")).upper() for entry in steps_in(reply)]
    must_hold("CAPTURE" in types, "an entry of type CAPTURE in transactions", reply, f"There are: {', '.join(types)}.")
