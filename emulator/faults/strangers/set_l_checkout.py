"""Faults of Checkout by another author that the suite did not notice at first (set L), and others of their classes."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.changes import checkout
from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import instead
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Card, Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, PostAttempt, refundable
from emulator.protocols.checkout.recurring import check_amount
from emulator.protocols.checkout.session import Attempt, check_tokens
from emulator.protocols.hosted_page.entries import Entry
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.amounts import well_formed
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import child, text_of

_NIGHT: Final = 3  # o'clock in UTC
_WALLET_CARD: Final = Card("411111", "1111", "01", "2038", "", "VISA")
_BAD_AMOUNT: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("order.amount", "This value is not valid."),)
)


def _one_token_per_card(design: Design) -> Design:
    """The token that a card is given takes the place of the one that it had."""
    newest: dict[tuple[str, str], str] = {}

    def note(notice: Notice) -> list[Notice]:
        card, token = notice.payment.card, notice.payment.card_token
        if card is not None and token:
            newest[notice.payment.account.key, card.fragment] = token
        return [notice]

    def check(attempt: Attempt) -> Refusal | None:
        account, access, tokens = attempt.account, attempt.gateway.access, attempt.body.get("card_token")
        if account is None or not isinstance(tokens, list):
            return check_tokens(attempt)
        for token in map(str, tokens):
            card = None if access.token_known(account, token) else attempt.gateway.vault.card(account, token)
            if card is not None and newest.get((account.key, card.fragment), token) != token:
                return access.wrong_token
        return check_tokens(attempt)

    return instead(check_tokens, check)(NOTICES.changed(note)(design))


def _decrypted_for_a_token(design: Design) -> Design:
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = inner(gateway, session, entry)
        return replace(found, card=_WALLET_CARD) if found.wallet and session.asks("req_token") else found

    return design.in_checkout(instrument=instrument)


def _paid_out(*actions: str) -> Change:
    """A card credit that names a payment of S2S CARD by some actions is a payout."""

    def given_back(payment: Payment) -> bool:
        is_concerned = payment.protocol is Protocol.S2S_CARD and payment.action in actions
        return refundable(payment) and not is_concerned

    return lambda design: design.in_checkout(refundable=given_back)


def _in_the_currency_of_the_request(attempt: PostAttempt) -> Refusal | None:
    text, currency = text_of(child(attempt.body, "order", "amount")), attempt.body.get("currency") or "USD"
    return None if well_formed(text, currency, attempt.gateway.amounts) else _BAD_AMOUNT


def _three_hours_further_west(fields: Fields) -> Fields:
    """Until 03:00 UTC the date of the first charge is that of the day before."""
    written, named = fields.get("date"), fields.get("first_recurring_date")
    if not isinstance(written, str) or not isinstance(named, str) or datetime.fromisoformat(written).hour >= _NIGHT:
        return fields
    return fields | {"first_recurring_date": (date.fromisoformat(named) - timedelta(days=1)).isoformat()}


FAULTS: Final = faults(
    {
        "l-checkout-one-token-per-card": breaks(
            "CHK-TOK-05",
            "A card_token is refused once the same card was given another one (lines 15 and 58).",
            _one_token_per_card,
        ),
        "l-checkout-wallet-decrypted-for-a-token": breaks(
            "CHK-WAL-02",
            "In the virtual flow a wallet payment with req_token returns a card_token (lines 18 and 57).",
            _decrypted_for_a_token,
        ),
        "l-checkout-first-date-three-hours-further-west": breaks(
            "CHK-SCH-01",
            "Until 03:00 UTC first_recurring_date is the day before schedule_start_date (lines 62 and 288).",
            NOTICES.fields(_three_hours_further_west),
            since="6.7.0",
        ),
        "l-checkout-charge-in-the-usual-decimals": breaks(
            "CHK-REC-15",
            "A charge of a chain in three decimals is refused with three (line 88).",
            checkout.instead(check_amount, _in_the_currency_of_the_request, "recurring"),
        ),
    }
    | {
        f"l-checkout-credit-of-card-{action.lower().replace('_', '-')}-pays-out": breaks(
            "CHK-RFD-01",
            f"A card credit that names a settled {action} of S2S CARD is a payout (lines 319 and 363).",
            _paid_out(action),
        )
        for action in ("DEBIT", "RECURRING_SALE", "RECURRING_DEBIT")
    }
)
