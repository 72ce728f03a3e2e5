"""Faults of card tokens and recurring chains of Checkout that show on the second payment of a payer.

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, instead
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Card
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import recurring
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, PostAttempt
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.entries import CardEntry, Entry
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Refusal

_NEW: Final = "6.7.0"


def _expiry_of_first_payment(design: Design) -> Design:
    """A card is known by payer and masked number; its expiry date is kept from the first payment."""
    known: dict[tuple[str, str, str], Card] = {}
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        made = inner(gateway, session, entry)
        email = session.given("customer", "email")
        if made.card is None or not email or session.account is None:
            return made
        first = known.setdefault((session.account.key, email, made.card.masked), made.card)
        return replace(made, card=replace(made.card, month=first.month, year=first.year))

    return design.in_checkout(instrument=instrument)


def _digits_13_to_16(design: Design) -> Design:
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        made = inner(gateway, session, entry)
        if made.card is None or not isinstance(entry, CardEntry) or len(entry.number) <= 16:
            return made
        return replace(made, card=replace(made.card, last_four=entry.number[12:16]))

    return design.in_checkout(instrument=instrument)


def _no_second_token(design: Design) -> Design:
    """A payer whose card was put on file before gets no further token."""
    known: dict[tuple[str, str], str] = {}

    def change(notice: Notice) -> list[Notice]:
        payment = notice.payment
        token = notice.fields.get("card_token")
        if not payment.email or not isinstance(token, str) or not record_of(payment).wants_token:
            return [notice]
        if known.setdefault((payment.account.key, payment.email), token) == token:
            return [notice]
        return [replace(notice, fields={name: value for name, value in notice.fields.items() if name != "card_token"})]

    return NOTICES.changed(change)(design)


def _window_by_chain(design: Design) -> Design:
    """The chain counts as the number that is not taken again, not the number of the order."""
    charged: dict[str, float] = {}

    def check(attempt: PostAttempt) -> Refusal | None:
        refusal = recurring.check_duplicate(attempt)
        chain, now = str(attempt.body.get("recurring_init_trans_id")), attempt.gateway.clock.seconds()
        if refusal is None and now - charged.get(chain, -60.0) < 15:
            return attempt.gateway.checkout.duplicate
        charged[chain] = now
        return refusal

    return instead(recurring.check_duplicate, check, "recurring")(design)


def _locked_by_wrong_token(design: Design) -> Design:
    """A chain that a wrong token was tried on is charged no more."""
    locked: set[str] = set()

    def find(attempt: PostAttempt) -> Refusal | None:
        refusal = recurring.find_chain(attempt)
        chain = str(attempt.body.get("recurring_init_trans_id"))
        if refusal is not None:
            locked.add(chain)
        return attempt.gateway.checkout.wrong_chain if chain in locked else refusal

    return instead(recurring.find_chain, find, "recurring")(design)


def _void_of_debit_without_token(notice: Notice) -> list[Notice]:
    if notice.event != "void" or notice.payment.action != "debit":
        return [notice]
    return [replace(notice, fields={name: value for name, value in notice.fields.items() if name != "card_token"})]


FAULTS: Final = faults(
    {
        "card-expiry-of-first-payment": breaks(
            "CBK-ATT-18",
            "A payer's card is reported with the expiry date of the payer's first payment by that number (line 288).",
            _expiry_of_first_payment,
        ),
        "mask-of-long-numbers-ends-at-16": breaks(
            "CBK-ATT-17",
            "The mask of cards with 17 to 19 digits ends with digits 13 to 16, not with the last four (line 288).",
            _digits_13_to_16,
        ),
        "card-token-once-per-payer": breaks(
            "CHK-TOK-01",
            "With req_token a payer's second card is reported without a card token (line 57).",
            _no_second_token,
        ),
        "charge-duplicate-by-chain": breaks(
            "CHK-REC-02",
            "Two charges of a chain within 15 seconds are duplicates, whatever their order numbers (line 437).",
            _window_by_chain,
        ),
        "chain-locked-by-wrong-token": breaks(
            "CHK-REC-01",
            "Once a charge was refused for its recurring token, the right token is refused, too (line 337).",
            _locked_by_wrong_token,
        ),
        "void-of-debit-without-card-token": breaks(
            "CBK-ATT-58",
            "The callback of a voided debit lacks card_token (line 419).",
            NOTICES.changed(_void_of_debit_without_token),
            since=_NEW,
        ),
    }
)
