"""Variations of the issuer of a card: what its page asks before a payer is through, and when it confirms a hold."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import around
from emulator.engine.payments import State
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.charging import by_card, charge, decide, instrument_of, new_payment
from emulator.protocols.s2s_card.messages.answers import payment_answer
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.sandbox_cards import DECLINED, GOOD
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_A_MOMENT: Final = 0.4
_TAN: Final = "481516"
_ASKED: Final = """<form method="post">
<p><label for="t">TAN of your list</label><input id="t" name="tan"></p>
<button name="outcome" value="pass">Go on</button>
</form>"""


def _a_code_of_the_holder(_token: str, posted: Mapping[str, str]) -> str:
    """No line says what the page of an issuer asks."""
    return "" if posted.get("outcome") == "fail" or posted.get("tan") == _TAN else _ASKED


_SURE: Final = """<form method="post">
<input type="hidden" name="sure" value="yes">
<button name="outcome" value="pass" data-challenge="pass">Confirm</button>
<button name="outcome" value="fail" data-challenge="fail">Fail</button>
</form>"""


def _asking_twice(_token: str, posted: Mapping[str, str]) -> str:
    """No line says how many pages an issuer has."""
    return "" if "sure" in posted else _SURE


def _held_a_moment_later(perform: Perform, attempt: CardAttempt) -> Reply:
    """Line 309 has PENDING for what is open as well: nothing is held before the issuer has confirmed it."""
    gateway, account = attempt.gateway, attempt.account
    instrument = None if account is None else instrument_of(attempt, account)
    is_held = account is not None and gateway.card.intended(account, attempt.form.get("auth", "")) is State.AUTHORIZED
    if account is None or instrument is None or not is_held or instrument.outcome.challenge is not None:
        return perform(attempt)
    if not instrument.outcome.approved:
        return perform(attempt)
    payment = new_payment(attempt, account, instrument)
    gateway.take_order(attempt.form)
    gateway.payments.add(payment)
    record_of(payment).trans_status = "Y"
    payment.state = State.AWAITING_BANK
    gateway.agenda.after(_A_MOMENT, lambda: decide(gateway, payment, approved=True))
    body = payment_answer(gateway, payment, attempt.base)
    return Reply(Kind.SALE, 200, {**body, "result": "UNDEFINED"})


def _declined(perform: Perform, attempt: CardAttempt) -> Reply:
    """No line says that a card which pays a SALE pays from card to card as well: that is for its issuer to say."""
    if attempt.account is None:
        return perform(attempt)
    instrument = by_card(attempt, "payer_")
    return charge(attempt, new_payment(attempt, attempt.account, replace(instrument, outcome=DECLINED)), DECLINED)


def _declined_debit(perform: Perform, attempt: CardAttempt) -> Reply:
    if attempt.account is None:
        return perform(attempt)
    instrument = replace(instrument_of(attempt, attempt.account), outcome=DECLINED)
    return charge(attempt, new_payment(attempt, attempt.account, instrument), DECLINED)


def _without_a_challenge(perform: Perform, attempt: CardAttempt) -> Reply:
    """No line says that what is paid from card to card, or to a payee, asks for a challenge as a SALE does."""
    if attempt.account is None:
        return perform(attempt)
    is_transfer = attempt.action == "CARD2CARD"
    instrument = by_card(attempt, "payer_") if is_transfer else instrument_of(attempt, attempt.account)
    if instrument.outcome.challenge is None:
        return perform(attempt)
    return charge(attempt, new_payment(attempt, attempt.account, replace(instrument, outcome=GOOD)), GOOD)


def _decided_by_the_payer(perform: Perform, attempt: CardAttempt) -> Reply:
    """No line says whether a card or its payer decides at a page that is no challenge."""
    if attempt.account is None:
        return perform(attempt)
    instrument = instrument_of(attempt, attempt.account)
    if instrument.outcome.challenge is not State.REDIRECTED:
        return perform(attempt)
    outcome = replace(instrument.outcome, approved=True)
    return charge(attempt, new_payment(attempt, attempt.account, replace(instrument, outcome=outcome)), outcome)


VARIATIONS: Final = (
    Variation(
        "card-payer-of-a-redirect-decides",
        "Whichever card sends its payer away by a redirect, what the payer presses there decides the payment.",
        around(_decided_by_the_payer, "SALE", "DEBIT"),
    ),
    Variation(
        "card-challenges-of-sales-alone",
        "A DEBIT and a CARD2CARD ask for no challenge, and are paid by cards that only a challenge declines.",
        around(_without_a_challenge, "DEBIT", "CARD2CARD"),
    ),
    Variation(
        "card-issuer-declines-debits",
        "Whatever pays, the issuer declines a DEBIT.",
        around(_declined_debit, "DEBIT"),
    ),
    Variation(
        "card-issuer-declines-card2card",
        "Whatever the card, its issuer declines a CARD2CARD.",
        around(_declined, "CARD2CARD"),
    ),
    Variation(
        "card-issuer-asks-for-a-code-of-the-holder",
        "Who confirms at the issuer of S2S CARD is asked for a code that only the holder of the card knows.",
        lambda design: design.in_card(issuer_asks=_a_code_of_the_holder),
    ),
    Variation(
        "card-issuer-asks-whether-its-payer-is-sure",
        "The issuer of S2S CARD takes what its payer decides once they have decided a second time.",
        lambda design: design.in_card(issuer_asks=_asking_twice),
    ),
    Variation(
        "card-issuer-has-one-button",
        "The page of the issuer of S2S CARD has one button; the card decides the outcome.",
        lambda design: design.in_card(issuer_choices=(("pass", "Confirm"),)),
    ),
    Variation(
        "card-authorizations-confirmed-a-moment-later",
        "A SALE with auth=Y is UNDEFINED and PENDING at first, and holds nothing before the issuer has confirmed it.",
        around(_held_a_moment_later, "SALE"),
    ),
)
