"""Variations of accounts that each have few options: what one of them lacks, another one has."""

from typing import Final

from emulator.accounts import Account
from emulator.changes.checkout_sessions import last as last_in_session
from emulator.design import Design, all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_page.forms.offered_fields import is_wallet
from emulator.protocols.hosted_page.session import PageSession
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_OF_WALLETS: Final = "wallet_cards"
"""The account whose pages offer wallets, where one has them."""
_NOT_OFFERED: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("methods", "This method is not offered."),))


def _has_wallets(account: Account | None) -> bool:
    return account is not None and account.name == _OF_WALLETS


def _by_wallet_alone(attempt: Attempt) -> Refusal | None:
    methods = attempt.body.get("methods")
    is_by_wallet = isinstance(methods, list) and bool(methods) and all(is_wallet(str(one)) for one in methods)
    return _NOT_OFFERED if is_by_wallet and not _has_wallets(attempt.account) else None


def _pages_with_wallets(design: Design) -> Design:
    inner = design.page.offered

    def offered(session: PageSession) -> tuple[str, ...]:
        found = inner(session)
        return found if _has_wallets(session.account) else tuple(one for one in found if not is_wallet(one))

    return design.in_page(offered=offered)


VARIATIONS: Final = (
    Variation(
        "pages-of-one-account-offer-wallets",
        "The pages of one account offer wallets, and those of the main account cards alone.",
        all_of(_pages_with_wallets, last_in_session(_by_wallet_alone)),
    ),
)
