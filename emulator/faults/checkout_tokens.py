"""Faults of card tokens, account modes, wallets and VAT in Checkout payments."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.callbacks.notice import Fields, Notice
from emulator.checkout.charging import intended
from emulator.checkout.instruments import Instrument, by_entry, issuer_says
from emulator.checkout.session import Attempt, check_tokens
from emulator.design import Change, Design
from emulator.faults.checkout_ways import all_of, answering, field_as, telling, telling_no, told
from emulator.faults.model import Fault
from emulator.hosted_page.entries import Entry, MethodEntry, TokenEntry
from emulator.hosted_page.session import PageSession
from emulator.payments.model import Card, Payment, State
from emulator.replies import Kind, Refusal
from emulator.values import Object

_NEW: Final = "6.7.0"
_OTHER_TOKEN: Final = "f" * 64
_ON_TOKENS: Final = ("CHK-TOK-*", "CBK-ATT-2*", "CBK-ATT-3[89]", "CBK-ATT-4*", "CHK-COF-*")
_ON_STATES: Final = ("CHK-*", "CBK-*", "HPF-*", "HPP-*")
_WRONG_TOKEN: Final = Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.", code=205005)
_WALLET_CARD: Final = Card("411111", "1111", "01", "2038", "", "VISA")


def _token_told(applies: Callable[[Payment], bool], token: str) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        fields: Fields = {"card_token": token} | notice.fields if applies(notice.payment) else notice.fields
        yield replace(notice, fields=fields)

    return telling(changed)


def _purchase(payment: Payment) -> bool:
    return payment.action == "purchase" and not payment.card_token


def _by_token(payment: Payment) -> bool:
    return payment.action == "purchase" and bool(payment.card_token)


def _cut(fields: Fields) -> Fields:
    return fields | {"card_token": str(fields["card_token"])[:-1]} if "card_token" in fields else fields


def _new_tokens_unknown(attempt: Attempt) -> Refusal | None:
    tokens = attempt.body.get("card_token")
    account = attempt.account
    known = account.card_tokens if account else ()
    new = isinstance(tokens, list) and any(token not in known for token in tokens)
    return _WRONG_TOKEN if new else check_tokens(attempt)


def _instead_of_tokens(design: Design) -> Design:
    stages = design.session.stages
    return design.in_session(stages=tuple(_new_tokens_unknown if one is check_tokens else one for one in stages))


def _tokens_of_anybody(design: Design) -> Design:
    def pays(gateway: object, session: PageSession, entry: Entry) -> Instrument:
        found = by_entry(gateway, session, entry)  # type: ignore[arg-type]
        if not isinstance(entry, TokenEntry) or found.card is not None:
            return found
        vault = gateway.vault  # type: ignore[attr-defined]
        cards = (vault.card(account, entry.token) for account in ACCOUNTS)
        card = next((card for card in cards if card is not None), None)
        return issuer_says(session, card, entry.token) if card else found

    design = design.in_checkout(instrument=pays)
    return design.in_session(stages=tuple(one for one in design.session.stages if one is not check_tokens))


def _pays(change: Callable[[PageSession, Entry, Instrument], Instrument]) -> Change:
    def instrument(gateway: object, session: PageSession, entry: Entry) -> Instrument:
        return change(session, entry, by_entry(gateway, session, entry))  # type: ignore[arg-type]

    return lambda design: design.in_checkout(instrument=instrument)


def _no_wallets(_session: PageSession, entry: Entry, found: Instrument) -> Instrument:
    return replace(found, approved=False) if isinstance(entry, MethodEntry) and found.wallet else found


def _wallets_decrypted(session: PageSession, _entry: Entry, found: Instrument) -> Instrument:
    virtual = bool(found.wallet) and session.account is not None and session.account.wallet_flow == "virtual"
    return replace(found, card=_WALLET_CARD) if virtual else found


def _wallets_virtual(_session: PageSession, _entry: Entry, found: Instrument) -> Instrument:
    return replace(found, card=None) if found.wallet else found


def _no_payouts_by_token(session: PageSession, entry: Entry, found: Instrument) -> Instrument:
    by_token = session.operation == "credit" and isinstance(entry, TokenEntry)
    return replace(found, approved=False) if by_token else found


def _wallet_tokens(notice: Notice) -> bool:
    return bool(notice.fields.get("digital_wallet"))


def _wallet_token_told(design: Design) -> Design:
    def changed(notice: Notice) -> Iterator[Notice]:
        wallet = _wallet_tokens(notice)
        yield replace(notice, fields={"card_token": _OTHER_TOKEN, **notice.fields}) if wallet else notice

    return telling(changed)(design)


def _card_asked_on_credit(design: Design) -> Design:
    inner = design.page.asked

    def asked(session: PageSession, method: str, values: object) -> tuple[str, ...]:
        names = inner(session, method, values)  # type: ignore[arg-type]
        by_token = session.operation == "credit" and bool(session.tokens)
        return ("card_number", *names) if by_token else names

    return design.in_page(asked=asked)


def _intends(change: Callable[[PageSession, State], State]) -> Change:
    return lambda design: design.in_checkout(intended=lambda session: change(session, intended(session)))


def _mode(session: PageSession) -> str:
    return session.account.mode if session.account else ""


def _holds_on_sms(session: PageSession, state: State) -> State:
    return State.AUTHORIZED if _mode(session) == "SMS" and session.operation == "purchase" else state


def _holds_auth_on_sms(session: PageSession, state: State) -> State:
    return State.AUTHORIZED if _mode(session) == "SMS" and session.request.get("auth") is True else state


def _settles_on_dms(session: PageSession, state: State) -> State:
    return State.SETTLED if _mode(session) == "DMS" else state


def _holds_on_both(session: PageSession, state: State) -> State:
    plain = _mode(session) == "SMS/DMS" and session.operation == "purchase"
    return State.AUTHORIZED if plain else state


def _settles_on_both(session: PageSession, state: State) -> State:
    return State.SETTLED if _mode(session) == "SMS/DMS" else state


def _without_card(body: Object) -> Object:
    if "digital_wallet" not in body:
        return body
    return {name: value for name, value in body.items() if not name.startswith("card")}


def _holder_ignored(fields: Fields) -> Fields:
    return fields | {"payee_name": "Ada Lovelace"} if "payee_name" in fields else fields


def _payee_of_session(fields: Fields) -> Fields:
    return fields | {"payee_name": "Somebody Else"} if "payee_name" in fields else fields


FAULTS: Final = (
    Fault(
        "checkout-token-untold",
        ("CHK-TOK-01",),
        "req_token brings no token.",
        telling_no("card_token", of=("sale", "3ds")),
        (*_ON_TOKENS, "CBK-*"),
    ),
    Fault(
        "checkout-token-unasked",
        ("CHK-TOK-02",),
        "Every purchase tells a token.",
        _token_told(_purchase, _OTHER_TOKEN),
        (*_ON_TOKENS, "CHK-WAL-02"),
    ),
    Fault(
        "checkout-token-for-a-token",
        ("CHK-TOK-03",),
        "A purchase by token tells another token.",
        _token_told(_by_token, _OTHER_TOKEN),
        _ON_TOKENS,
    ),
    Fault(
        "checkout-token-of-63", ("CHK-TOK-04",), "Tokens have 63 characters.", told(_cut), (*_ON_TOKENS, "CHK-TOK-05")
    ),
    Fault(
        "checkout-token-forgotten",
        ("CHK-TOK-05",),
        "Tokens of callbacks are not known later.",
        _instead_of_tokens,
        (*_ON_TOKENS, "CHK-*"),
    ),
    Fault(
        "checkout-token-of-anybody",
        ("CHK-TOK-06",),
        "Tokens of other merchants pay.",
        _tokens_of_anybody,
        ("CHK-SES-5*", "CHK-SES-84", "GEN-*"),
    ),
    Fault(
        "checkout-credit-by-token-fails",
        ("CHK-TOK-07",),
        "No payout by token.",
        _pays(_no_payouts_by_token),
        ("CHK-TOK-08", "HPP-*", "CBK-*"),
    ),
    Fault(
        "checkout-credit-by-token-asks-card",
        ("CHK-TOK-07",),
        "A payout by token asks for a card.",
        _card_asked_on_credit,
        ("CHK-TOK-08", "HPP-*", "CBK-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-payee-of-token-only",
        ("CHK-TOK-08", "CHK-CRD-15"),
        "The payee is that of the token.",
        told(_holder_ignored, "credit"),
        ("CBK-*",),
    ),
    Fault(
        "checkout-payee-of-nobody",
        ("CHK-TOK-08",),
        "The payee is another one.",
        told(_payee_of_session, "credit"),
        ("CHK-CRD-15", "CBK-*"),
    ),
    Fault(
        "checkout-sms-holds",
        ("CHK-MID-01",),
        "Accounts of mode SMS hold amounts.",
        _intends(_holds_on_sms),
        ("CHK-MID-02", *_ON_STATES),
    ),
    Fault(
        "checkout-sms-holds-auth",
        ("CHK-MID-02",),
        "Accounts of mode SMS hold amounts with auth.",
        _intends(_holds_auth_on_sms),
        since=_NEW,
    ),
    Fault(
        "checkout-dms-settles",
        ("CHK-MID-03",),
        "Accounts of mode DMS settle at once.",
        _intends(_settles_on_dms),
        ("CHK-MID-04",),
    ),
    Fault(
        "checkout-both-holds",
        ("CHK-MID-05",),
        "Accounts of both modes hold amounts.",
        _intends(_holds_on_both),
        _ON_STATES,
        since=_NEW,
    ),
    Fault(
        "checkout-both-settles",
        ("CHK-MID-05",),
        "Accounts of both modes settle at once.",
        _intends(_settles_on_both),
        _ON_STATES,
        since=_NEW,
    ),
    Fault(
        "checkout-wallet-declined",
        ("CHK-WAL-01",),
        "Wallets do not pay.",
        _pays(_no_wallets),
        ("CHK-WAL-*", "CHK-STA-43", "CBK-*", "HPP-*"),
    ),
    Fault(
        "checkout-wallet-token-told",
        ("CHK-WAL-02",),
        "A wallet payment tells a card token.",
        _wallet_token_told,
        ("CHK-TOK-*", "CBK-*"),
    ),
    Fault(
        "checkout-wallet-always-decrypted",
        ("CHK-WAL-02",),
        "A wallet payment of the virtual flow has a card.",
        all_of(_pays(_wallets_decrypted), _wallet_token_told),
        ("CHK-TOK-*", "CBK-*"),
    ),
    Fault(
        "checkout-wallet-never-decrypted",
        ("CHK-WAL-03",),
        "A wallet payment of the card flow has no card.",
        all_of(_pays(_wallets_virtual), answering(_without_card, Kind.CHECKOUT_STATUS)),
        ("CBK-*",),
    ),
    Fault("checkout-vat-untold", ("CHK-VAT-01",), "vat_amount is not told.", telling_no("vat_amount")),
    Fault(
        "checkout-vat-always",
        ("CHK-VAT-02",),
        "vat_amount is told unasked.",
        told(lambda fields: {"vat_amount": "1.00", **fields}, "sale"),
    ),
    Fault("checkout-vat-of-nothing", ("CHK-VAT-01",), "vat_amount is empty.", field_as("vat_amount", "")),
)
