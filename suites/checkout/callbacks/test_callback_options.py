"""What the options of the protocol mapping add to callbacks of Checkout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import (
    fail,
    fail_as_missing,
    must_be_left_out,
    must_have,
    must_not_have,
    must_show_an_arn,
)
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.checkout.attributes import (
    BROWSER_ATTRIBUTES,
    COF_DISCRIMINATORS,
    OF_3DS,
    PAYER_ATTRIBUTES,
    present_in,
)
from fixtures.protocols.checkout.callbacks import about, outcome_of, which_came
from fixtures.protocols.checkout.cards_on_file import must_be_one_of_a_card_on_file
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import member
from fixtures.requirement import must_offer, requirement

PaymentsOf = Callable[[str], CheckoutPayments]

VISA = "4"
STORED = {"paid_by_token": ("capability:tokens",), "secondary": ("capability:recurring",)}
CHALLENGED = ("capability:three_ds", "test_data:cards.three_ds_success")


@requirement("CBK-ATT-30")
def test_brand_is_shown_when_it_is_added(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("brand").shared("settled")

    callback = outcome_of(payment, callbacks, having=("brand",))

    must_have(callback, ("brand",))
    is_visa = payment.card is not None and payment.card.number.reveal().startswith(VISA)
    if is_visa and "visa" not in (callback.get("brand") or "").casefold():
        fail("the brand Visa", callback, f"brand is {callback.get('brand')!r}.")


@requirement("CBK-ATT-31")
@pytest.mark.parametrize("state", ["settled", "paid_by_wallet"])
def test_method_is_shown_when_it_is_added(state: str, paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("checkout_payment_method+wallets" if state == "paid_by_wallet" else "checkout_payment_method")
    needs = {"paid_by_wallet": ("capability:wallets", "test_data:wallet_token")}
    must_offer(paid.profile, needs.get(state, ()))
    payment = paid.shared(state)

    callback = outcome_of(payment, callbacks, having=("checkout_payment_method",))

    must_have(callback, ("checkout_payment_method",))
    received = (callback.get("checkout_payment_method") or "").casefold()
    if payment.wallet and payment.wallet.removesuffix("pay") not in received:
        fail(f"checkout_payment_method {payment.wallet}", callback, f"checkout_payment_method is {received!r}.")


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        pytest.param("settled", "sale", marks=requirement("CBK-ATT-32")),
        pytest.param("declined", "sale", marks=requirement("CBK-ATT-32")),
        pytest.param("authorized", "sale", marks=requirement("CBK-ATT-33")),
        pytest.param("secondary", "recurring", marks=requirement("CBK-ATT-34")),
        pytest.param("refunded", "refund", marks=requirement("CBK-ATT-35")),
        pytest.param("part_refunded", "refund", marks=requirement("CBK-ATT-35")),
    ],
)
def test_arn_is_shown_and_empty_while_there_is_none(
    state: str, kind: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    payment = paid_by("arn").shared(state)

    # A refund has callbacks of the sale as well; what a sale's are called is a matter of its own. An issuer may
    # challenge the payer of any card: the callback of that is none of the sale yet.
    if kind == "refund":
        callback = which_came(about(payment, type=kind), f"the callback of the {kind} {payment}", callbacks)[0]
    else:
        callback = outcome_of(payment, callbacks, state=state)

    must_show_an_arn(callback)


@requirement("CBK-ATT-36")
def test_extended_data_hold_the_rrn(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    callback = outcome_of(paid_by("extended_data").shared("settled"), callbacks, having=("extended_data",))

    extended = callback.fields.get("extended_data")
    places = [callback.fields, extended if isinstance(extended, dict) else {}]
    if not any(member(place, "rrn") for place in places):
        # No line says what extended data are, and RRN is one of the attributes that a mapping adds (line 288).
        fail_as_missing("RRN in the callback, or in its extended_data", callback)


@requirement("CBK-ATT-37")
def test_extended_data_are_shown_when_they_are_added(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("extended_data").shared("settled")

    must_have(outcome_of(payment, callbacks, having=("extended_data",)), ("extended_data",))


@pytest.mark.parametrize("state", STORED)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("initiator", marks=requirement("CBK-ATT-38")),
        pytest.param("source", marks=requirement("CBK-ATT-39")),
        pytest.param("sequence", marks=requirement("CBK-ATT-40")),
    ],
)
def test_discriminator_is_shown_when_turned_on(
    name: str, state: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by("cof_fields")
    must_offer(paid.profile, STORED[state])

    callback = outcome_of(paid.shared(state), callbacks, state=state, having=(name,))
    if not callback.get(name):
        must_be_one_of_a_card_on_file(paid, state, callback.fields, partial(marked, callbacks=callbacks))
        must_be_left_out(callback, name, COF_DISCRIMINATORS, "cof_fields")


def marked(payment: CheckoutPayment, callbacks: CallbackWatch) -> Mapping[str, object]:
    """Return a callback of a payment that marks it as one by a card on file; empty: none comes."""
    marks = about(payment).but(lambda callback: bool(present_in(callback.fields, COF_DISCRIMINATORS)))
    return next((callback.fields for callback in callbacks.any_of(marks, seconds=callbacks.seconds)), {})


@requirement("CBK-ATT-41")
@pytest.mark.parametrize("state", ["settled", *STORED])
def test_discriminators_are_not_shown_unless_turned_on(
    state: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by("no_cof_fields")
    must_offer(paid.profile, STORED.get(state, ()))

    must_not_have(outcome_of(paid.shared(state), callbacks, state=state), COF_DISCRIMINATORS)


@pytest.mark.parametrize(
    ("setting", "names", "state"),
    [
        pytest.param("brand", ("brand",), "settled", marks=requirement("CBK-ATT-52")),
        pytest.param(
            "checkout_payment_method", ("checkout_payment_method",), "settled", marks=requirement("CBK-ATT-53")
        ),
        pytest.param("extended_data", ("extended_data",), "settled", marks=requirement("CBK-ATT-54")),
        pytest.param("three_ds_data", OF_3DS, "settled", marks=requirement("CBK-ATT-55")),
        pytest.param("three_ds_data", OF_3DS, "passed_challenge", marks=requirement("CBK-ATT-55")),
        pytest.param("browser_data", BROWSER_ATTRIBUTES, "settled", marks=requirement("CBK-ATT-56")),
        pytest.param("browser_data", BROWSER_ATTRIBUTES, "passed_challenge", marks=requirement("CBK-ATT-56")),
    ],
)
def test_attributes_are_not_shown_unless_they_are_added(
    setting: str, names: tuple[str, ...], state: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by(f"no_{setting}")
    must_offer(paid.profile, CHALLENGED if state == "passed_challenge" else ())

    must_not_have(outcome_of(paid.shared(state), callbacks), names)


@requirement("CBK-ATT-42")
def test_payer_attributes_are_shown_when_turned_on(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("payer_fields")
    person = paid.profile.test_data.payer
    session = paid.requests.baseline("purchase").with_("billing_address.house_number", person.house_number)
    session = session.with_("billing_address.district", "Mitte").with_("billing_address.phone_country_code", "+49")
    payment = paid.pay(session, paid.card("success"))

    callback = outcome_of(payment, callbacks, having=PAYER_ATTRIBUTES)

    # A session gives one customer.name: whether the target parts it is its own matter, as in which one it puts it.
    names = {"payer_first_name": person.first_name, "payer_last_name": person.last_name}
    given = [value for name in names if (value := callback.get(name))]
    parts_names = len(given) == len(names)
    note_reading("CBK-ATT-42", "name-in-parts" if parts_names else "name-as-sent")
    whole = f"{person.first_name} {person.last_name}"
    if len(given) == 1 and given[0].casefold() != whole.casefold():
        fail(f"the name {whole} in one attribute or in two", callback, f"{given[0]!r} alone came.")
    known: Mapping[str, str] = {
        **(names if parts_names else {}),
        "payer_birth_date": person.birth_date,
        "payer_address": person.address,
        "payer_house_number": person.house_number,
        "payer_country": person.country,
        "payer_city": person.city,
        "payer_district": "Mitte",
        "payer_zip": person.zip,
        "payer_email": person.email,
    }
    # A session names no address of the payer's device: that is known to who asks for it.
    for name, value in known.items():
        if (callback.get(name) or value).casefold() != value.casefold():
            fail(f"{name} {value}", callback, f"It is {callback.get(name)!r}.")
    for name in (*known, "payer_phone", "payer_phone_country_code"):
        if not callback.get(name):
            must_be_left_out(callback, name, PAYER_ATTRIBUTES, "payer_fields")


@requirement("CBK-ATT-43")
@pytest.mark.parametrize("state", ["settled", "declined"])
def test_payer_attributes_are_not_shown_unless_turned_on(
    state: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by("no_payer_fields")
    if state == "declined":
        must_offer(paid.profile, ("test_data:cards.decline",))

    must_not_have(outcome_of(paid.shared(state), callbacks, state=state), PAYER_ATTRIBUTES)
