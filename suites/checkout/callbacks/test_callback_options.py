"""What the options of the protocol mapping add to callbacks of Checkout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import (
    fail,
    fail_as_missing,
    must_be_left_out,
    must_have,
    must_have_some,
    must_not_have,
    must_show_an_arn,
)
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer.http import HEADERS
from fixtures.payer.paying import Paying
from fixtures.protocols.callbacks import before_the_outcome
from fixtures.protocols.checkout.attributes import (
    BROWSER_ATTRIBUTES,
    COF_DISCRIMINATORS,
    OF_3DS,
    PAYER_ATTRIBUTES,
)
from fixtures.protocols.checkout.callbacks import about, outcome_of, which_came, with_three_ds
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import member
from fixtures.requirement import must_offer, offers, requirement
from fixtures.run import Run

if TYPE_CHECKING:
    from fixtures.payer.chromium.browser import BrowserPayer

PaymentsOf = Callable[[str], CheckoutPayments]

VISA = "4"
STORED = {"paid_by_token": ("capability:tokens",), "secondary": ("capability:recurring",)}
CHALLENGED = ("capability:three_ds", "test_data:cards.three_ds_success")
OF_HEADERS = ("browser_user_agent", "browser_language", "browser_accept_headers")
BY_SCRIPT = {
    "browser_java_enabled": "String(navigator.javaEnabled())",
    "browser_color_depth": "String(screen.colorDepth)",
    "browser_screen_height": "String(screen.height)",
    "browser_screen_width": "String(screen.width)",
    "browser_timezone_offset": "String(new Date().getTimezoneOffset())",
}
"""What a script of the page finds out, and how."""


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
    paid = paid_by("checkout_payment_method")
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
        must_be_left_out(callback, name, COF_DISCRIMINATORS, "cof_fields")


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


@requirement("CBK-ATT-44")
def test_three_ds_attributes_are_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    callback = with_three_ds(paid_by("three_ds_data").shared("passed_challenge"), callbacks)

    # Lines 288 and 423 name what there may be; what a scheme or an acquirer gives for one payment, nobody does.
    must_have_some(callback, OF_3DS, "attributes of 3DS")


@requirement("CBK-ATT-45")
@pytest.mark.parametrize(
    ("state", "status"), [("passed_challenge", "Y"), ("failed_challenge", "N"), ("challenged", "C")]
)
def test_trans_status_shows_how_the_challenge_went(
    state: str, status: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    payment = paid_by("three_ds_data").shared(state)

    if state == "challenged":
        callback = before_the_outcome(about(payment), callbacks)
    else:
        callback = outcome_of(payment, callbacks, state=state)

    received = callback.get("transStatus")
    if state == "challenged":
        # Which callbacks have the attributes is not stated: those of the outcome may be the only ones.
        note_reading("CBK-ATT-45", "in-every-callback" if received else "in-the-outcome")
    elif not received:
        must_be_left_out(with_three_ds(payment, callbacks, state), "transStatus", OF_3DS, "three_ds_data")
    if received and received != status:
        fail(f"transStatus {status}", callback, f"It is {received!r}.")


@requirement("CBK-ATT-45")
def test_trans_status_of_a_debit_shows_how_the_challenge_went(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("three_ds_data")
    must_offer(paid.profile, ("capability:debit", *CHALLENGED))

    callback = outcome_of(paid.shared("passed_challenge_debit"), callbacks)

    received = callback.get("transStatus")
    if received and received != "Y":
        fail("transStatus Y", callback, f"It is {received!r}.")


@requirement("CBK-ATT-46")
def test_flow_of_a_challenge_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("three_ds_data").shared("passed_challenge")

    must_have_flow(with_three_ds(payment, callbacks), "Challenge")


FRICTIONLESS = "test_data:cards.three_ds_frictionless"


@requirement("CBK-ATT-46")
def test_flow_without_a_challenge_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("three_ds_data")
    card = paid.profile.test_data.cards.three_ds_frictionless
    payment = paid.pay(paid.requests.baseline("purchase"), card) if card else paid.shared("settled")

    callback = outcome_of(payment, callbacks)

    if card is None and FRICTIONLESS in paid.profile.not_offered:
        not_applicable(f"the profile says in [not_offered]: {paid.profile.not_offered[FRICTIONLESS]}")
    if card is None and not callback.get("authenticationFlow"):
        inconclusive(
            "the callback of a payment without a challenge has no authenticationFlow: perhaps there was none",
            decides="three_ds_frictionless in [test_data.cards] of the profile",
        )
    if card is None and payment.visit.challenged:
        inconclusive(
            "the issuer challenges the payer with the usual card as well",
            decides="three_ds_frictionless in [test_data.cards] of the profile",
        )
    must_have_flow(callback, "Frictionless")


def must_have_flow(callback: Callback, flow: str) -> None:
    if not callback.get("authenticationFlow"):
        must_be_left_out(callback, "authenticationFlow", OF_3DS, "three_ds_data")
    if (callback.get("authenticationFlow") or "").casefold() != flow.casefold():
        fail(f"authenticationFlow {flow}", callback, f"It is {callback.get('authenticationFlow')!r}.")


@requirement("CBK-ATT-47")
def test_reason_of_a_failed_authentication_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("three_ds_data").shared("failed_challenge")

    name = "transStatusReason"
    must_have(outcome_of(payment, callbacks, state="failed_challenge", having=(name,)), (name,))


@requirement("CBK-ATT-49")
def test_browser_attributes_are_shown(
    paid_by: PaymentsOf, callbacks: CallbackWatch, browser_payer: BrowserPayer, run: Run
) -> None:
    callback = by_browser(paid_by("browser_data"), callbacks, browser_payer, run)

    # Each attribute is a setting of the mapping (line 288): which of the ten are on is the operator's to say.
    must_have_some(callback, BROWSER_ATTRIBUTES, "attributes of the browser")


@requirement("CBK-ATT-50")
def test_what_a_script_finds_out_of_the_browser_is_shown(
    paid_by: PaymentsOf, callbacks: CallbackWatch, browser_payer: BrowserPayer, run: Run
) -> None:
    callback = by_browser(paid_by("browser_data"), callbacks, browser_payer, run)

    shown = {name: expression for name, expression in BY_SCRIPT.items() if callback.get(name)}
    if not shown:
        inconclusive("the callback shows nothing that a script finds out", decides="a callback with these attributes")
    for name, expression in shown.items():
        wanted, received = browser_payer.evaluate(expression), (callback.get(name) or "").casefold()
        if received not in (wanted.casefold(), {"true": "1", "false": "0"}.get(wanted, wanted)):
            fail(f"{name} {wanted}", callback, f"It is {callback.get(name)!r}.")


def by_browser(paid: CheckoutPayments, callbacks: CallbackWatch, browser: BrowserPayer, run: Run) -> Callback:
    """Return the callback of a payment that was made in a browser, made once."""
    return with_browser_data(paid.paid_by("browser", Paying(browser, run.profile.test_data)), callbacks)


def with_browser_data(paid: CheckoutPayments, callbacks: CallbackWatch) -> Callback:
    """Return the callback of a payment, or of one with a challenge where the browser is looked at for 3DS only.

    The contract names the browser attributes beside those of 3DS and does not say that every payment has them.
    """
    callback = outcome_of(paid.shared("settled"), callbacks, having=BROWSER_ATTRIBUTES)
    if any(callback.get(name) for name in BROWSER_ATTRIBUTES) or not offers(paid.profile, "capability:three_ds"):
        note_reading("CBK-ATT-49", "every-payment")
        return callback
    authenticated = outcome_of(paid.shared("passed_challenge"), callbacks, having=BROWSER_ATTRIBUTES)
    note_reading("CBK-ATT-49", "authenticated-payments")
    return authenticated


@requirement("CBK-ATT-51")
def test_headers_of_the_browser_are_shown(paid_by: PaymentsOf, callbacks: CallbackWatch, run: Run) -> None:
    paid = paid_by("browser_data")
    if run.payers.usual.reads_scripts:
        # What a browser sends as headers is its own matter; what is sent over forms is known.
        paid = paid.paid_by("forms", Paying(run.payers.form, run.profile.test_data))
    callback = with_browser_data(paid, callbacks)

    # Each attribute is a setting of the mapping (line 288): which of them are on is the operator's to say.
    if not any(callback.get(name) for name in OF_HEADERS):
        inconclusive(
            f"the callback has none of {', '.join(OF_HEADERS)}, and the contract does not show that the mapping adds "
            "each of them, or reads them of the payer who opens the page",
            decides="browser_data = false in [account] of the profile, where the target shows none of a payer",
        )
    sent = {"browser_user_agent": run.payers.form.transport.user_agent, "browser_accept_headers": HEADERS["Accept"]}
    for name, value in sent.items():
        if callback.get(name) not in (None, "", value):
            fail(f"{name} {value}", callback, f"It is {callback.get(name)!r}.")
    received = (callback.get("browser_language") or "").casefold()
    if received and not received.startswith(run.payers.form.language.casefold()):
        fail(f"browser_language {run.payers.form.language}", callback, f"It is {received!r}.")


@requirement("CBK-ATT-51")
def test_language_of_one_payer_is_not_reported_of_another(
    paid_by: PaymentsOf, callbacks: CallbackWatch, run: Run
) -> None:
    paid = paid_by("browser_data")
    reported = []
    for number, language in enumerate(("", "kk", "")):
        payer = replace(run.payers.form, language=language)
        by_payer = paid.paid_by(f"payer {number} of language", Paying(payer, run.profile.test_data))
        callback = outcome_of(by_payer.pay(by_payer.requests.baseline("purchase"), by_payer.card("success")), callbacks)
        reported.append(callback.get("browser_language") or "")

    if reported[2] not in ("", reported[0]) and reported[2] == reported[1]:
        fail(f"browser_language {reported[0]!r} as before", callback, "It is that of the payer before.")
