"""Faults of card tokens, account modes, wallets and VAT in Checkout payments."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.answers import without_card_of_wallet
from emulator.changes.checkout import NOTICES, answering
from emulator.changes.checkout_sessions import instead, rules_see, without
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Card, Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument
from emulator.protocols.checkout.charging import intended
from emulator.protocols.checkout.instruments import by_entry, issuer_says
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import Attempt, check_tokens
from emulator.protocols.hosted_page.entries import Entry, MethodEntry, TokenEntry
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_OTHER_TOKEN: Final = "f" * 64
_WRONG_TOKEN: Final = Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.", code=205005)
_WALLET_CARD: Final = Card("411111", "1111", "01", "2038", "", "VISA")


def _with_token(applies: Callable[[Payment], bool], token: str) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        fields: Fields = {"card_token": token} | notice.fields if applies(notice.payment) else notice.fields
        yield replace(notice, fields=fields)

    return NOTICES.changed(changed)


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


def _tokens_of_anybody(design: Design) -> Design:
    def pays(gateway: object, session: PageSession, entry: Entry) -> Instrument:
        found = by_entry(gateway, session, entry)  # type: ignore[arg-type]
        if not isinstance(entry, TokenEntry) or found.card is not None:
            return found
        vault = gateway.vault  # type: ignore[attr-defined]
        cards = (vault.card(account, entry.token) for account in ACCOUNTS)
        card = next((card for card in cards if card is not None), None)
        return issuer_says(session, card, entry.token) if card else found

    return without(check_tokens)(design.in_checkout(instrument=pays))


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


def _no_debits_by_token(session: PageSession, entry: Entry, found: Instrument) -> Instrument:
    by_token = session.operation == "debit" and isinstance(entry, TokenEntry)
    return replace(found, approved=False) if by_token else found


def _wallet_tokens(notice: Notice) -> bool:
    return bool(notice.fields.get("digital_wallet"))


def _with_wallet_token(design: Design) -> Design:
    def changed(notice: Notice) -> Iterator[Notice]:
        wallet = _wallet_tokens(notice)
        yield replace(notice, fields={"card_token": _OTHER_TOKEN, **notice.fields}) if wallet else notice

    return NOTICES.changed(changed)(design)


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


def _settles_plain_on_dms(session: PageSession, state: State) -> State:
    return State.SETTLED if _mode(session) == "DMS" and not session.asks("auth") else state


def _holds_on_both(session: PageSession, state: State) -> State:
    plain = _mode(session) == "SMS/DMS" and session.operation == "purchase"
    return State.AUTHORIZED if plain else state


def _settles_on_both(session: PageSession, state: State) -> State:
    return State.SETTLED if _mode(session) == "SMS/DMS" else state


def _holder_ignored(fields: Fields) -> Fields:
    return fields | {"payee_name": "Ada Lovelace"} if "payee_name" in fields else fields


def _payee_of_session(fields: Fields) -> Fields:
    return fields | {"payee_name": "Somebody Else"} if "payee_name" in fields else fields


def _without_vat(body: Object) -> Object:
    return {name: value for name, value in body.items() if name != "vat_calc" or body.get("operation") != "debit"}


def _not_of_debits(design: Design) -> Design:
    """A purchase is declined by a card token that a debit returned."""
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = inner(gateway, session, entry)
        of_debit = any(
            one.action == "debit" and one.card_token == found.token and not record_of(one).sent_token
            for one in gateway.payments.all()
            if found.token
        )
        return replace(found, approved=False) if of_debit and session.operation == "purchase" else found

    return design.in_checkout(instrument=instrument)


FAULTS: Final = faults(
    {
        "checkout-token-of-a-debit-pays-no-purchase": breaks(
            "CHK-TOK-05", "A purchase is declined by a card_token that a debit returned.", _not_of_debits
        ),
        "checkout-vat-on-a-debit": breaks(
            "CHK-SES-74",
            "vat_calc has its effect on a debit.",
            all_of(
                rules_see(_without_vat),
                NOTICES.where(
                    lambda one: one.payment.action == "debit", lambda fields: fields | {"vat_amount": "1.00"}
                ),
            ),
        ),
        "checkout-token-unasked": breaks(
            "CHK-TOK-02", "Every purchase reports a token.", _with_token(_purchase, _OTHER_TOKEN)
        ),
        "checkout-token-for-a-token": breaks(
            "CHK-TOK-03", "A purchase by token reports another token.", _with_token(_by_token, _OTHER_TOKEN)
        ),
        "checkout-token-of-63": breaks("CHK-TOK-04", "Tokens have 63 characters.", NOTICES.fields(_cut)),
        "checkout-token-forgotten": breaks(
            "CHK-TOK-05", "Tokens of callbacks are not known later.", instead(check_tokens, _new_tokens_unknown)
        ),
        "checkout-token-of-anybody": breaks("CHK-TOK-06", "Tokens of other merchants pay.", _tokens_of_anybody),
        "checkout-credit-by-token-fails": breaks("CHK-TOK-07", "No payout by token.", _pays(_no_payouts_by_token)),
        "checkout-debit-by-token-declined": breaks(
            "CHK-TOK-05", "A debit by token is declined, whose card pays one.", _pays(_no_debits_by_token)
        ),
        "checkout-credit-by-token-asks-card": breaks(
            "CHK-TOK-07", "A payout by token asks for a card.", _card_asked_on_credit, since=_NEW
        ),
        "checkout-payee-of-token-only": breaks(
            "CHK-TOK-08 CHK-CRD-15", "The payee is that of the token.", NOTICES.fields(_holder_ignored, "credit")
        ),
        "checkout-payee-of-nobody": breaks(
            "CHK-TOK-08", "The payee is another one.", NOTICES.fields(_payee_of_session, "credit")
        ),
        "checkout-sms-holds": breaks("CHK-MID-01", "Accounts of mode SMS hold amounts.", _intends(_holds_on_sms)),
        "checkout-sms-holds-auth": breaks(
            "CHK-MID-02", "Accounts of mode SMS hold amounts with auth.", _intends(_holds_auth_on_sms), since=_NEW
        ),
        "checkout-dms-settles": breaks("CHK-MID-03", "Accounts of mode DMS settle at once.", _intends(_settles_on_dms)),
        "checkout-dms-settles-what-is-plain": breaks(
            "CHK-MID-03",
            "Accounts of mode DMS settle a purchase that does not ask for an authorization.",
            _intends(_settles_plain_on_dms),
            since=_NEW,
        ),
        "checkout-both-holds": breaks(
            "CHK-MID-05", "Accounts of both modes hold amounts.", _intends(_holds_on_both), since=_NEW
        ),
        "checkout-both-settles": breaks(
            "CHK-MID-05", "Accounts of both modes settle at once.", _intends(_settles_on_both), since=_NEW
        ),
        "checkout-wallet-declined": breaks("CHK-WAL-01", "Wallets do not pay.", _pays(_no_wallets)),
        "checkout-wallet-token-reported": breaks(
            "CHK-WAL-02", "A wallet payment reports a card token.", _with_wallet_token
        ),
        "checkout-wallet-always-decrypted": breaks(
            "CHK-WAL-02",
            "A wallet payment of the virtual flow has a card.",
            all_of(_pays(_wallets_decrypted), _with_wallet_token),
        ),
        "checkout-wallet-never-decrypted": breaks(
            "CHK-WAL-03",
            "A wallet payment of the card flow has no card.",
            all_of(_pays(_wallets_virtual), answering(without_card_of_wallet, Kind.CHECKOUT_STATUS)),
        ),
    }
)
