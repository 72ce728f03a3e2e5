"""What callbacks of Checkout show of the payer's browser, where the protocol mapping adds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import fail, must_have_some
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.payer.http import HEADERS
from fixtures.payer.paying import Paying
from fixtures.protocols.checkout.attributes import BROWSER_ATTRIBUTES
from fixtures.protocols.checkout.callbacks import outcome_of
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.requirement import offers, requirement
from fixtures.run import Run

if TYPE_CHECKING:
    from fixtures.payer.chromium.browser import BrowserPayer

PaymentsOf = Callable[[str], CheckoutPayments]
OF_HEADERS = ("browser_user_agent", "browser_language", "browser_accept_headers")
BY_SCRIPT = {
    "browser_java_enabled": "String(navigator.javaEnabled())",
    "browser_color_depth": "String(screen.colorDepth)",
    "browser_screen_height": "String(screen.height)",
    "browser_screen_width": "String(screen.width)",
    "browser_timezone_offset": "String(new Date().getTimezoneOffset())",
}
"""What a script of the page finds out, and how."""


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
