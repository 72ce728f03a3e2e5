"""What the gateway has ready for tests, as tables for people: addresses, cards, brands, operators, wallets."""

from collections.abc import Iterator
from typing import Final

from emulator.accounts import ACCOUNTS, METHODS
from emulator.protocols.s2s_card.sandbox_cards import ALWAYS_GOOD, CARD
from emulator.rules.s2s_apm.brands import BANK_REPORTS, IDENTIFIERS, PAYOUT_BRAND, TEST_BRAND
from emulator.rules.s2s_apm.operators import OPERATORS
from emulator.wire.start_page import Table

ADDRESSES: Final = {"checkout": "", "s2s_card": "/post", "s2s_apm": "/apm/post"}
"""Where each protocol is served, below the address of the gateway."""
_CARDS: Final = (
    (CARD, "01/2038", "paid; held with auth"),
    (CARD, "02/2038", "declined"),
    (CARD, "03/2038", "held, then the capture is declined"),
    (CARD, "05/2038", "3DS challenge, then paid"),
    (CARD, "06/2038", "3DS challenge, then declined"),
    (CARD, "12/2038", "sent elsewhere, then paid"),
    (CARD, "12/2039", "sent elsewhere, then declined"),
    (ALWAYS_GOOD, "any", "paid"),
)


def main_account() -> dict[str, str]:
    """The account that most tests use: its key and its password, which is a public test value."""
    account = ACCOUNTS[0]
    return {"name": account.name, "key": account.key, "password": account.password}


def tables() -> Iterator[Table]:
    """The tables of the start page."""
    yield Table("Test cards", ("number", "expiry", "outcome"), _CARDS)
    outcomes = [(TEST_BRAND, value, outcome.value) for value, outcome in IDENTIFIERS.items()]
    reports = [("instant-qr", value, f"the bank reports {word}") for value, word in BANK_REPORTS.items()]
    yield Table("S2S APM: outcomes by identifier", ("brand", "identifier", "outcome"), (*outcomes, *reports))
    yield Table("Methods and brands", ("identifier", "family"), METHODS.items())
    operators = [
        (each.slug, PAYOUT_BRAND, each.currency, str(each.least), str(each.most)) for each in OPERATORS.values()
    ]
    yield Table("Mobile-money operators", ("operator", "brand", "currency", "minimum", "maximum"), operators)
    yield Table("Wallet tokens", ("wallet", "token"), (("googlepay", "any text"), ("applepay", "any text")))
