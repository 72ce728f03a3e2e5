"""Variations of routing: an account refuses what its mode does not serve, and what is not routed for it."""

from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes import s2s_apm as apm
from emulator.changes import s2s_card as card
from emulator.changes.checkout_sessions import last as last_in_session
from emulator.design import Design, all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.rules.s2s_apm.brands import TEST_BRAND
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_UNROUTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)
_NO_ROUTE: Final = Refusal(Kind.BRAND, "Payment system/brand not supported.", code=204006)
_POOR: Final = "sha256"
"""The account that routing serves little of."""
_ONLY: Final = {
    "second": "s2s_card",
    "sha256": "s2s_card",
    "sms": "checkout",
    "dms": "s2s_apm",
    "no_zero_amount": "checkout",
    "options": "s2s_apm",
}
"""Accounts whose key is good for one protocol."""
_OF_FEW: Final = ("main", "sha256")
"""Accounts that take few currencies, where the main one does."""
_NOT_OF_MAIN: Final = frozenset({"JPY", "BHD", "CLF", "GHS", "KES"})
"""Currencies in which these take nothing."""
_OF_THE_POOR: Final = "EUR"
"""The one currency that it takes where accounts take one each."""
_ONE_EACH: Final = {"second": "THB", "sms": "JPY", "dms": "PLN", "no_zero_amount": "JPY", "no_refunds": "PLN"}
"""The one currency of each of these accounts, where accounts take one each."""
_OF_A_COUNTRY: Final = frozenset({"local-document", "bank-account", "instant-account"})
"""Methods that take the currency of their country alone, where methods do."""
_THERE: Final = "PLN"
_FOR: Final = {"soft_declines": "payouts", "wallet_cards": "wallets"}
"""Accounts that are for one purpose alone, where there are such; the main one is not for these."""
_LEFT_TO_MAIN: Final = frozenset({"CARD2CARD", "transfer", "applepay"})
"""What of these purposes the main account carries out, and the one for the purpose does not, where they share them."""
_PAYOUTS: Final = ("CARD2CARD", "CREDIT2CARD", "CREDIT2VIRTUAL")
_OPENING: Final = ("SALE", "DEBIT", "CARD2CARD", "CREDIT2CARD")
_NOT_OF_THE_POOR: Final = ("DEBIT", "RECURRING_SALE", "CREATE_SCHEDULE")


def _other_mode(account: Account | None, *, holds: bool) -> Refusal | None:
    return _UNROUTED if account is not None and account.mode == ("SMS" if holds else "DMS") else None


def _of_card(attempt: CardAttempt) -> Refusal | None:
    return _other_mode(attempt.account, holds=attempt.form.get("auth") == "Y")


def _of_apm(attempt: ApmAttempt) -> Refusal | None:
    return _other_mode(attempt.account, holds=attempt.form.get("auth") == "Y")


def _of_session(attempt: Attempt) -> Refusal | None:
    if attempt.body.get("operation") != "purchase":
        return None
    return _other_mode(attempt.account, holds=attempt.body.get("auth") is True)


def _of_the_poor(attempt: CardAttempt) -> Refusal | None:
    return _UNROUTED if attempt.account is not None and attempt.account.name == _POOR else None


def _brand_of_the_poor(attempt: ApmAttempt) -> Refusal | None:
    is_poor = attempt.account is not None and attempt.account.name == _POOR
    return _UNROUTED if is_poor and attempt.form.get("brand") == "vcard" else None


def _unless(protocol: str, account: Account | None) -> Refusal | None:
    return _UNROUTED if account is not None and _ONLY.get(account.name, protocol) != protocol else None


def _payout_of_main(account: Account | None) -> Refusal | None:
    return _UNROUTED if account is not None and account.name == "main" else None


def _form_pays_out(attempt: CardAttempt | ApmAttempt) -> Refusal | None:
    return _payout_of_main(attempt.account)


def _session_pays_out(attempt: Attempt) -> Refusal | None:
    return _payout_of_main(attempt.account) if attempt.body.get("operation") in ("credit", "transfer") else None


def _of_another_account(account: Account | None, purpose: str, *deed: object) -> Refusal | None:
    is_left = not _LEFT_TO_MAIN.isdisjoint(map(str, deed))
    if not purpose or account is None or not is_left:
        return _of_another_purpose(account, purpose)
    return None if account.name == "main" else _UNROUTED


def _form_of_another_account(attempt: CardAttempt | ApmAttempt) -> Refusal | None:
    action, wallet = attempt.form.get("action"), attempt.form.get("digital_wallet")
    by_wallet = "wallets" if attempt.form.get("payment_token") else ""
    return _of_another_account(attempt.account, "payouts" if action in _PAYOUTS else by_wallet, action, wallet)


def _session_of_another_account(attempt: Attempt) -> Refusal | None:
    operation = attempt.body.get("operation")
    return _of_another_account(attempt.account, "payouts" if operation in ("credit", "transfer") else "", operation)


def _of_another_purpose(account: Account | None, purpose: str) -> Refusal | None:
    if account is None:
        return None
    is_mains = account.name == "main" and purpose in _FOR.values()
    return _UNROUTED if is_mains or _FOR.get(account.name, purpose) != purpose else None


def _form_of_another_purpose(attempt: CardAttempt | ApmAttempt) -> Refusal | None:
    by_wallet = "wallets" if attempt.form.get("payment_token") else ""
    return _of_another_purpose(attempt.account, "payouts" if attempt.form.get("action") in _PAYOUTS else by_wallet)


def _session_of_another_purpose(attempt: Attempt) -> Refusal | None:
    return _of_another_purpose(
        attempt.account, "payouts" if attempt.body.get("operation") in ("credit", "transfer") else ""
    )


def _key_of_card(attempt: CardAttempt) -> Refusal | None:
    return _unless("s2s_card", attempt.account)


def _key_of_apm(attempt: ApmAttempt) -> Refusal | None:
    return _unless("s2s_apm", attempt.account)


def _key_of_session(attempt: Attempt) -> Refusal | None:
    return _unless("checkout", attempt.account)


def _card_keys(design: Design) -> Design:
    return design.in_posts(lambda one: replace(one, stages=(*one.stages, _key_of_card)))


def _apm_keys(design: Design) -> Design:
    stages = design.apm.stages
    return design.in_apm(stages={name: (*stages[name], _key_of_apm) for name in stages})


def _in_its_currency(account: Account | None, currency: object, path: str) -> Refusal | None:
    if account is None or account.name not in _OF_FEW or currency not in _NOT_OF_MAIN:
        return None
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=((path, "This currency is not supported by the account."),))


def _currency_of_form(attempt: CardAttempt | ApmAttempt) -> Refusal | None:
    return _in_its_currency(attempt.account, attempt.form.get("order_currency"), "order_currency")


def _currency_of_session(attempt: Attempt) -> Refusal | None:
    order = attempt.body.get("order")
    return _in_its_currency(attempt.account, order.get("currency") if isinstance(order, dict) else "", "order.currency")


def _card_currencies(design: Design) -> Design:
    return design.in_posts(lambda one: replace(one, stages=(*one.stages, _currency_of_form)))


def _apm_currencies(design: Design) -> Design:
    stages = design.apm.stages
    return design.in_apm(stages={name: (*stages[name], _currency_of_form) for name in stages})


def _card_modes(design: Design) -> Design:
    return design.in_posts(lambda one: replace(one, stages=(*one.stages, _of_card)), "SALE")


def _card_actions(design: Design) -> Design:
    return design.in_posts(lambda one: replace(one, stages=(*one.stages, _of_the_poor)), *_NOT_OF_THE_POOR)


def _apm_modes(design: Design) -> Design:
    return design.in_apm(stages={**design.apm.stages, "SALE": (*design.apm.stages["SALE"], _of_apm)})


def _brand_of_main(attempt: ApmAttempt) -> Refusal | None:
    account = attempt.account
    is_further = account is not None and account.name != "main"
    return _NO_ROUTE if is_further and attempt.form.get("brand") == TEST_BRAND else None


def _brand_of_another(attempt: ApmAttempt) -> Refusal | None:
    if _brand_of_main(attempt) is None:
        return None
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=(("brand", "not a valid choice"),))


def _methods_of_main(attempt: Attempt) -> Refusal | None:
    is_further = attempt.account is not None and attempt.account.name != "main"
    if not is_further or not attempt.body.get("methods"):
        return None
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=(("methods", "not a valid choice"),))


def _apm_brands(design: Design) -> Design:
    return design.in_apm(stages={**design.apm.stages, "SALE": (*design.apm.stages["SALE"], _brand_of_the_poor)})


def _session_of_the_poor(attempt: Attempt) -> Refusal | None:
    return _UNROUTED if attempt.account is not None and attempt.account.name == _POOR else None


def _initialization_of_the_poor(attempt: Attempt) -> Refusal | None:
    return _session_of_the_poor(attempt) if attempt.body.get("recurring_init") is True else None


def _not_in_its_currency(account: Account | None, field: str, currency: object) -> Refusal | None:
    if account is None or account.name != _POOR or currency in (None, _OF_THE_POOR):
        return None
    violation = (field, f"This account works in {_OF_THE_POOR} only.")
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=(violation,))


def _not_in_one(account: Account | None, field: str, currency: object) -> Refusal | None:
    only = None if account is None else _ONE_EACH.get(account.name)
    if only is None or currency in (None, only):
        return None
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=((field, f"This account works in {only} only."),))


def _form_not_in_one(attempt: CardAttempt | ApmAttempt) -> Refusal | None:
    return _not_in_one(attempt.account, "order_currency", attempt.form.get("order_currency"))


def _session_not_in_one(attempt: Attempt) -> Refusal | None:
    order = attempt.body.get("order")
    return _not_in_one(attempt.account, "order.currency", order.get("currency") if isinstance(order, dict) else None)


def _method_elsewhere(names: object, currency: object, path: str) -> Refusal | None:
    listed = names if isinstance(names, list) else [names]
    if not _OF_A_COUNTRY.intersection(map(str, listed)) or currency == _THERE:
        return None
    return Refusal(Kind.FIELDS, INVALID_DATA, violations=((path, "This currency is not supported by the account."),))


def _session_by_method_elsewhere(attempt: Attempt) -> Refusal | None:
    order = attempt.body.get("order")
    currency = order.get("currency") if isinstance(order, dict) else None
    return _method_elsewhere(attempt.body.get("methods"), currency, "order.currency")


def _sale_by_method_elsewhere(attempt: ApmAttempt) -> Refusal | None:
    return _method_elsewhere(attempt.form.get("brand"), attempt.form.get("order_currency"), "order_currency")


def _card_in_another_currency(attempt: CardAttempt) -> Refusal | None:
    return _not_in_its_currency(attempt.account, "order_currency", attempt.form.get("order_currency"))


def _apm_in_another_currency(attempt: ApmAttempt) -> Refusal | None:
    return _not_in_its_currency(attempt.account, "order_currency", attempt.form.get("order_currency"))


def _session_in_another_currency(attempt: Attempt) -> Refusal | None:
    order = attempt.body.get("order")
    currency = order.get("currency") if isinstance(order, dict) else None
    return _not_in_its_currency(attempt.account, "order.currency", currency)


VARIATIONS: Final = (
    Variation(
        "modes-are-routed",
        "Routing refuses a payment of the other mode than the account's, in every protocol.",
        all_of(_card_modes, _apm_modes, last_in_session(_of_session)),
    ),
    Variation(
        "main-account-pays-nothing-out",
        "Routing of the main account finds nothing that pays out or transfers: another account is for that.",
        all_of(
            card.last(_form_pays_out, "CARD2CARD", "CREDIT2CARD"),
            apm.last(_form_pays_out, "CREDIT2VIRTUAL"),
            last_in_session(_session_pays_out),
        ),
    ),
    Variation(
        "payouts-and-wallets-have-accounts",
        "One account is for payouts alone and one for wallets; routing carries out nothing else for them.",
        all_of(
            card.last(_form_of_another_purpose, "SALE", "DEBIT", "CARD2CARD", "CREDIT2CARD"),
            apm.last(_form_of_another_purpose, "SALE", "CREDIT2VIRTUAL"),
            last_in_session(_session_of_another_purpose),
        ),
    ),
    Variation(
        "payouts-and-wallets-share-accounts",
        "Likewise, and the main account alone transfers from card to card and is paid by one of the wallets.",
        all_of(
            card.last(_form_of_another_account, "SALE", "DEBIT", "CARD2CARD", "CREDIT2CARD"),
            apm.last(_form_of_another_account, "SALE", "CREDIT2VIRTUAL"),
            last_in_session(_session_of_another_account),
        ),
    ),
    Variation(
        "methods-take-the-currency-of-their-country",
        "Some methods take the currency of their country and no other, in Checkout and S2S APM.",
        all_of(apm.last(_sale_by_method_elsewhere, "SALE"), last_in_session(_session_by_method_elsewhere)),
    ),
    Variation(
        "keys-are-of-one-protocol",
        "Routing serves some further accounts in one protocol only.",
        all_of(_card_keys, _apm_keys, last_in_session(_key_of_session)),
    ),
    Variation(
        "main-account-is-of-few-currencies",
        "The main account takes few currencies; others of the merchant take the rest.",
        all_of(_card_currencies, _apm_currencies, last_in_session(_currency_of_session)),
    ),
    Variation(
        "further-account-has-less",
        "Routing serves a further account neither every action nor every brand.",
        all_of(_card_actions, _apm_brands),
    ),
    Variation(
        "further-accounts-lack-the-usual-brand",
        "No further account has the brand by which the main one is paid; S2S APM has a code of its own for that.",
        apm.last(_brand_of_main, "SALE"),
    ),
    Variation(
        "further-accounts-refuse-the-usual-brand",
        "No further account has the brands and methods of the main one, which are wrong fields there.",
        all_of(apm.last(_brand_of_another, "SALE"), last_in_session(_methods_of_main)),
    ),
    Variation(
        "further-account-of-another-protocol",
        "The key of a further account is one of S2S alone: Checkout does not route it.",
        last_in_session(_session_of_the_poor),
    ),
    Variation(
        "further-account-starts-no-recurring",
        "Routing of Checkout refuses the payment that initializes a recurring chain of a further account.",
        last_in_session(_initialization_of_the_poor),
    ),
    Variation(
        "further-account-in-another-currency",
        "A further account takes another currency than the main one, and no other.",
        all_of(
            card.last(_card_in_another_currency, *_OPENING),
            apm.last(_apm_in_another_currency, "SALE", "CREDIT2VIRTUAL"),
            last_in_session(_session_in_another_currency),
        ),
    ),
    Variation(
        "further-accounts-in-one-currency-each",
        "Each further account takes one currency, and none takes that of the main one.",
        all_of(
            card.last(_form_not_in_one, *_OPENING),
            apm.last(_form_not_in_one, "SALE", "CREDIT2VIRTUAL"),
            last_in_session(_session_not_in_one),
        ),
    ),
)
