"""Callbacks of S2S CARD: what is sent back, and what the protocol mapping adds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import (
    fail,
    must_be,
    must_have,
    must_have_some,
    must_have_what_is_mapped,
    must_not_have,
    must_return_custom_data,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import HttpPayer
from fixtures.payer.addresses import parts_of
from fixtures.profile.accounts import MidMode
from fixtures.protocols.callbacks import with_status
from fixtures.protocols.checkout.attributes import COF_DISCRIMINATORS, OF_3DS
from fixtures.protocols.outcomes import or_another_having
from fixtures.protocols.s2s_card.callbacks import about, arn_of, of_outcome, outcome_of
from fixtures.protocols.s2s_card.cards_on_file import marked
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.words import is_mask_of, member
from fixtures.requirement import must_offer, offers, requirement
from fixtures.run import Run
from fixtures.run.declining import card_payments_of
from fixtures.signing.protocols.s2s_card import card_fragment
from fixtures.wire.hostile import day_in
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]
CUSTOM_DATA: Mapping[str, Any] = {
    "note": "a gift",
    "reference": {"ticket": "7", "hash": "of the shop", "status": "wrapped"},
    "sum": "1+1",
    "empty": "",
}
OF_THE_FIRST: Mapping[str, Any] = {"note": "the first", "of the first": "alone", "reference": {"clerk": "Bo"}}
OF_HEADERS = ("browser_user_agent", "browser_accept_headers")
"""What every browser sends; the rest is said by scripts, which the payer of these checks does not run."""
OF_A_CHALLENGE = {"authenticationFlow": "Challenge", "transStatus": "Y"}


def with_custom_data(request: FormRequest, data: Mapping[str, Any]) -> FormRequest:
    return request.with_nested("custom_data", dict(data))


@requirement("CBK-S2C-12")
def test_callback_of_a_debit_by_token_carries_the_card(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("debited_by_token")

    came = outcome_of(payment, callbacks)

    card = came.get("card") or ""
    if not is_mask_of(card, payment.card) or card_fragment(card) != card_fragment(payment.card):
        fail("card, masked but for its first six and last four digits", came, "It is missing or another.")
    if not re.fullmatch(r"(0[1-9]|1[0-2])/[0-9]{4}", came.get("card_expiration_date") or ""):
        fail("card_expiration_date as MM/YYYY", came, "It is missing or in another form.")


@requirement("CBK-S2C-13")
def test_custom_data_come_back(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.open(with_custom_data(payments.requests.baseline("sale"), CUSTOM_DATA))

    came = outcome_of(payment, callbacks)

    must_return_custom_data(came, CUSTOM_DATA)
    if isinstance(came.fields.get("custom_data"), str):
        fail("nested custom_data in bracket keys, or as an object of JSON", came, "They are one text.")


@requirement("CBK-S2C-14")
def test_custom_data_of_a_recurring_sale_come_back(callbacks: CallbackWatch, payments: Payments) -> None:
    requests = payments.requests
    initial = payments.open(with_custom_data(requests.baseline("initial_sale"), OF_THE_FIRST))
    first = payments.confirmed(initial, "SETTLED")
    again = first.again("RECURRING_SALE", requests.numbers.next(), requests.usual)

    payment = payments.open(with_custom_data(again, CUSTOM_DATA))

    must_return_custom_data(outcome_of(payment, callbacks, having=("custom_data",)), CUSTOM_DATA)


@requirement("CBK-S2C-28")
def test_custom_data_of_a_recurring_sale_are_not_those_of_the_first_payment(
    callbacks: CallbackWatch, payments: Payments
) -> None:
    requests = payments.requests
    initial = payments.open(with_custom_data(requests.baseline("initial_sale"), {"note": "opening"}))
    first = payments.confirmed(initial, "SETTLED")
    again = first.again("RECURRING_SALE", requests.numbers.next(), requests.usual)

    came = outcome_of(payments.open(with_custom_data(again, {"note": "charging"})), callbacks)

    shown = json.dumps(came.fields.get("custom_data"))
    if "opening" in shown:
        fail('custom_data {"note": "charging"} in the callback', came, "They are those of the first payment.")
    if "charging" not in shown:
        # That S2S CARD takes custom_data, line 354 does not show; whose come back, line 420 does.
        not_applicable("the callback of a RECURRING_SALE of this target has no custom_data")


@requirement("CBK-S2C-14")
def test_custom_data_of_a_declined_charge_come_back(callbacks: CallbackWatch, payments_of: PaymentsOf) -> None:
    payments = payments_of("declining_recurring")
    requests = payments.requests
    again = payments.shared("initial_sale").again("RECURRING_SALE", requests.numbers.next(), requests.charged)

    payment = payments.confirmed(payments.open(with_custom_data(again, CUSTOM_DATA)), "DECLINED")

    must_return_custom_data(outcome_of(payment, callbacks, having=("custom_data",)), CUSTOM_DATA)


@requirement("CBK-S2C-14")
def test_custom_data_of_a_charge_that_was_tried_again_come_back(
    callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("declining_recurring")
    requests = payments.requests
    with where_it_comes_about("a chain whose first payment has custom_data"):
        initial = payments.confirmed(
            payments.open(with_custom_data(requests.baseline("initial_sale"), OF_THE_FIRST)), "SETTLED"
        )
    again = initial.again("RECURRING_SALE", requests.numbers.next(), requests.charged)
    payment = payments.confirmed(payments.open(with_custom_data(again, CUSTOM_DATA)), "DECLINED")
    payments.carry_out(payment.retry())
    found = callbacks.any_of(with_status(of_outcome(payment), "SETTLED"), seconds=callbacks.seconds)
    if not found:
        inconclusive(
            "no callback reports the charge as settled once it was tried again",
            decides="a charge that settles when it is tried again, and its callback",
        )

    must_return_custom_data(found[0], CUSTOM_DATA)


@requirement("CBK-S2C-16")
def test_arn_that_is_not_available_is_empty(callbacks: CallbackWatch, payments_of: PaymentsOf, run: Run) -> None:
    in_state = {"settled": payments_of("arn")}
    if offers(run.profile, "capability:dms"):
        holding = card_payments_of(run, "arn", holds=True)
        # An account that only sells holds nothing that is without ARN for a while.
        in_state |= {} if holding.merchant.identity.mid_mode is MidMode.SMS else {"authorized": holding}

    for state, payments in in_state.items():
        payment = payments.shared(state)
        came = outcome_of(payment, callbacks)
        received = arn_of(came)
        if received is None:
            fail("ARN in the callback, empty while there is none", came, "It is missing.")
        if not received:
            return
        # Callbacks and look-ups have options of their own (line 288).
        shows_it = offers(run.profile, "account:status_arn")
        if shows_it and not member(payments.look_up(payment).object, "ARN"):
            fail("ARN empty, since a look-up has none", came, f"It is {received!r}.")
    inconclusive("the target has an ARN at once", decides="a payment whose ARN is not available yet")


@requirement("CBK-S2C-17")
def test_callback_carries_the_brand(callbacks: CallbackWatch, payments_of: PaymentsOf) -> None:
    must_have(outcome_of(payments_of("brand").shared("settled"), callbacks, having=("brand",)), ("brand",))


def challenged(payments: Payments, state: str) -> Payment:
    """Return a payment whose payer is asked; that of a debit where it comes about."""
    if state == "challenged":
        return payments.fresh(state)
    with where_it_comes_about("a debit that is challenged"):
        return payments.fresh(state)


@requirement("CBK-S2C-17")
@pytest.mark.parametrize("state", ["challenged", "challenged_debit"], ids=["sale", "debit"])
@pytest.mark.parametrize("setting", ["three_ds_data", "browser_data"], ids=["three-ds-data", "browser-data"])
def test_callback_of_a_challenged_payment_carries_what_the_mapping_adds(
    setting: str, state: str, callbacks: CallbackWatch, payments_of: PaymentsOf, payer: HttpPayer
) -> None:
    payment = challenged(payments_of(setting), state)
    if setting == "browser_data" and parts_of(payment.answered("redirect_url")).netloc not in payer.hosts:
        inconclusive(
            "the payer is sent straight to somebody else, and the target may see no browser",
            decides="hosts in [payer] of the profile, if the page is the target's",
        )
    round_trip(payer, payment)

    # Which event has them is not shown (line 427): they may stand in the callback of the challenge alone.
    names = OF_HEADERS if setting == "browser_data" else OF_3DS
    came = or_another_having(outcome_of(payment, callbacks), about(payment), names, callbacks)
    if setting == "browser_data" and not any(name.startswith("browser_") for name in came.fields):
        inconclusive(
            "the callback has no attribute of a browser, and the contract does not show that the target reads them of "
            "the payer where the merchant sends none",
            decides="a target that reads them of the payer who opens its page",
        )
    if setting == "browser_data":
        # Each attribute is a setting of the mapping (line 288): which of them are on is the operator's to say.
        must_have_some(came, OF_HEADERS, "attributes of the payer's browser")
    else:
        # Lines 288 and 423 name what there may be; what a scheme or an acquirer gives for one payment, nobody does.
        must_have_some(came, OF_3DS, "attributes of 3DS")


@requirement("CBK-S2C-17")
@pytest.mark.parametrize("state", ["challenged", "challenged_debit"], ids=["sale", "debit"])
def test_callback_shows_that_there_was_a_challenge(
    state: str, callbacks: CallbackWatch, payments_of: PaymentsOf, payer: HttpPayer
) -> None:
    payment = challenged(payments_of("three_ds_data"), state)
    round_trip(payer, payment)

    came = outcome_of(payment, callbacks)

    shown = [(name, value) for name, value in OF_A_CHALLENGE.items() if came.fields.get(name)]
    if not shown:
        inconclusive(
            "the callback has neither authenticationFlow nor transStatus, and each is a setting of the mapping",
            decides="a protocol mapping that adds authenticationFlow or transStatus",
        )
    for name, value in shown:
        must_be(came, name, value)


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        pytest.param("brand", ("brand",), marks=requirement("CBK-S2C-25")),
        pytest.param("three_ds_data", OF_3DS, marks=requirement("CBK-S2C-26")),
        pytest.param("browser_data", (*OF_HEADERS, "browser_language"), marks=requirement("CBK-S2C-27")),
    ],
)
def test_callback_carries_nothing_that_the_mapping_does_not_add(
    setting: str, names: tuple[str, ...], callbacks: CallbackWatch, payments_of: PaymentsOf, payer: HttpPayer
) -> None:
    payments = payments_of(f"no_{setting}")
    is_challenged = setting != "brand" and payments.requests.profile.test_data.cards.three_ds_success is not None
    payment = payments.fresh("challenged" if is_challenged else "settled")
    if is_challenged:
        round_trip(payer, payment)

    must_not_have(outcome_of(payment, callbacks), names)


@requirement("CBK-S2C-29")
@pytest.mark.parametrize("baseline", ["initial_sale", "initial_debit"])
def test_callback_of_what_started_a_schedule_has_the_date_of_the_first_charge(
    baseline: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    if baseline == "initial_debit":
        must_offer(payments.requests.profile, ("capability:debit",), "s2s_card")
    first = payments.requests.baseline(baseline).with_("schedule_id", payments.schedules.shared().id)
    # Line 60: what a chain is known by comes once its first payment has settled.
    payment = payments.confirmed(payments.open(first), "SETTLED")

    came = settled_sale(payment, payments, callbacks)
    must_have(came, ("first_recurring_date",))
    date = day_in(came.get("first_recurring_date"))
    if date is None:
        fail("first_recurring_date, a date", came, f"It is {came.get('first_recurring_date')!r}.")
    replies = (payment.reply, payments.look_up(payment), payments.merchant.post(payment.details()))
    shown = {day for reply in replies if (day := day_in(reply.object.get("first_recurring_date")))}
    if shown and date not in shown:
        wanted = ", ".join(map(str, sorted(shown)))
        fail(f"first_recurring_date {wanted}, as answer or look-up have it", came, f"It is {date}.")


def settled_sale(payment: Payment, payments: Payments, callbacks: CallbackWatch) -> Callback:
    """Return the callback that reports a SALE as settled; of an account that only holds, one that has the date."""
    if payments.merchant.identity.mid_mode is not MidMode.DMS:
        return callbacks.expect(
            with_status(of_outcome(payment), "SETTLED"), "the callback that reports the SALE as settled"
        )
    with_the_date = about(payment).but(lambda callback: bool(callback.get("first_recurring_date")))
    found = callbacks.any_of(with_the_date, seconds=callbacks.seconds)
    if not found:
        inconclusive(
            "a SALE of this account settles by its CAPTURE, whose callback no line gives first_recurring_date",
            decides="an account of mid_mode SMS or SMS/DMS, whose SALE settles by itself",
        )
    return found[0]


@requirement("CBK-S2C-18")
def test_callback_carries_the_discriminators(callbacks: CallbackWatch, payments_of: PaymentsOf) -> None:
    payments = payments_of("cof_fields")

    came = marked(
        payments,
        lambda payment: outcome_of(payment, callbacks, having=COF_DISCRIMINATORS),
        lambda callback: callback.fields,
    )

    must_have_what_is_mapped(came, COF_DISCRIMINATORS, "cof_fields")
