"""What a payment is made with, and what becomes of it: the test cards, and the methods that send the payer on."""

from collections.abc import Mapping
from typing import Final

from emulator.engine.payments import Card
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument
from emulator.protocols.hosted_page.entries import CardEntry, Entry, MethodEntry, TokenEntry
from emulator.protocols.hosted_page.outcomes import Stop
from emulator.protocols.hosted_page.session import PageSession, family
from emulator.protocols.s2s_card.sandbox_cards import stored

_BRAND_MESSAGE: Final = "Bad Request. Brand of card does not support."
_NO_CARD: Final = "Card token is invalid or not found."
_UNKNOWN_BRAND: Final = "1111222233334444"
_PAYOUT_DECLINED: Final = "4917484589897107"
_TEST_YEAR: Final = "2038"
_DECLINES: Final = "02"
_CHALLENGES: Final = "05"
_FAILS_CHALLENGE: Final = "06"
_PAYOUTS: Final = ("credit",)
# The card behind wallet tokens that are decrypted.
_WALLET_CARD: Final = Card("411111", "1111", "01", "2038", "", "VISA")
_STOPS: Final[Mapping[str, Stop]] = {
    "local_document": "provider",
    "member_id": "provider",
    "personal_id": "provider",
    "product_data": "provider",
    "conversion": "provider",
    "trading_deposit": "provider",
    "trading_withdrawal": "provider",
    "instant_account": "app",
    "bank_account": "otp",
    "national_id": "otp",
}


def by_entry(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
    """The instrument that the payer chose."""
    match entry:
        case CardEntry(number, month, year):
            return _by_card(session, stored(number, f"{month:02}", str(year), entry.holder), number)
        case TokenEntry(token):
            return _by_token(gateway, session, token)
        case MethodEntry(method):
            return _by_method(session, method)


def _by_card(session: PageSession, card: Card, number: str) -> Instrument:
    if number == _UNKNOWN_BRAND:
        return Instrument(approved=False, card=card, reason=_BRAND_MESSAGE, message=_BRAND_MESSAGE)
    if session.operation in _PAYOUTS and number == _PAYOUT_DECLINED:
        return Instrument(approved=False, card=card)
    return issuer_says(session, card)


def issuer_says(session: PageSession, card: Card, token: str = "") -> Instrument:
    """What the issuer of a test card says, by its month of expiry in 2038."""
    month = card.month if card.year == _TEST_YEAR else ""
    challenged = month in (_CHALLENGES, _FAILS_CHALLENGE) and session.operation not in _PAYOUTS
    approved = month != _DECLINES and not (challenged and month == _FAILS_CHALLENGE)
    return Instrument(approved=approved, card=card, token=token, stop="challenge" if challenged else None)


def _by_token(gateway: CheckoutGateway, session: PageSession, token: str) -> Instrument:
    card = gateway.vault.card(session.account, token) if session.account else None
    if card is None:
        return Instrument(approved=False, token=token, reason=_NO_CARD)
    return issuer_says(session, card, token)


def _by_method(session: PageSession, method: str) -> Instrument:
    kind = family(method)
    if kind == "wallet":
        decrypted = session.account is not None and session.account.wallet_flow == "card"
        return Instrument(method, card=_WALLET_CARD if decrypted else None, wallet=method)
    return Instrument(method, stop=_STOPS.get(kind))
