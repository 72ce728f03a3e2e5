"""Variations of accounts that each have few options: what one of them lacks, another one has."""

from typing import Final

from emulator.accounts import Account
from emulator.changes import s2s_apm as apm
from emulator.changes import s2s_card as card
from emulator.changes.checkout_sessions import last as last_in_session
from emulator.design import Design, all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_page.forms.offered_fields import is_wallet
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.rules.s2s_apm.brands import TEST_BRAND
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_OF_WALLETS: Final = "wallet_cards"
"""The account whose pages offer wallets, where one has them."""
_NOT_OFFERED: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("methods", "This method is not offered."),))
_HOLDS: Final = "dms"
"""The account that holds amounts, and whose channels are known to no other."""
_OF_ANOTHER: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("channel_id", "This channel is not known."),))


def _by_a_channel_of_another(attempt: Attempt) -> Refusal | None:
    is_own = attempt.account is not None and attempt.account.name == _HOLDS
    return _OF_ANOTHER if "channel_id" in attempt.body and not is_own else None


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


_BARE: Final = "options"
"""The account that has neither cards nor recurring payments nor the usual brand, where others have these."""
_UNROUTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)


def _is_bare(account: Account | None) -> bool:
    return account is not None and account.name == _BARE


def _chain_of_session(attempt: Attempt) -> Refusal | None:
    return _UNROUTED if _is_bare(attempt.account) and attempt.body.get("recurring_init") is True else None


def _card_of_form(attempt: CardAttempt) -> Refusal | None:
    return _UNROUTED if _is_bare(attempt.account) else None


def _brand_of_sale(attempt: ApmAttempt) -> Refusal | None:
    return _UNROUTED if _is_bare(attempt.account) and attempt.form.get("brand") == TEST_BRAND else None


def _pages_without_cards(design: Design) -> Design:
    inner = design.page.offered

    def offered(session: PageSession) -> tuple[str, ...]:
        found = inner(session)
        return tuple(one for one in found if one != "card") if _is_bare(session.account) else found

    return design.in_page(offered=offered)


_OF_METHODS: Final = "options"
"""The account that alone has methods of some families, where one has."""
_ELSEWHERE: Final = frozenset({"trading-deposit", "trading-withdrawal", "conversion", "bank-account"})


def _method_elsewhere(attempt: Attempt) -> Refusal | None:
    methods = attempt.body.get("methods")
    named = _ELSEWHERE.intersection(map(str, methods)) if isinstance(methods, list) else frozenset[str]()
    is_there = attempt.account is not None and attempt.account.name == _OF_METHODS
    return _NOT_OFFERED if named and not is_there else None


VARIATIONS: Final = (
    Variation(
        "channels-of-the-account-that-holds",
        "Channels are those of the account that holds amounts, and sessions of others are refused with one.",
        last_in_session(_by_a_channel_of_another),
    ),
    Variation(
        "methods-of-one-account",
        "Methods of some families are those of one account, and no other one offers them.",
        last_in_session(_method_elsewhere),
    ),
    Variation(
        "account-without-cards",
        "A further account has no cards, no recurring payments and not the usual brand; others like it have.",
        all_of(
            _pages_without_cards,
            last_in_session(_chain_of_session),
            card.last(_card_of_form, "SALE", "DEBIT"),
            apm.last(_brand_of_sale, "SALE"),
        ),
    ),
    Variation(
        "pages-of-one-account-offer-wallets",
        "The pages of one account offer wallets, and those of the main account cards alone.",
        all_of(_pages_with_wallets, last_in_session(_by_wallet_alone)),
    ),
)
