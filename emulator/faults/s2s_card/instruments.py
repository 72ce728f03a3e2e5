"""Faults of S2S CARD: card tokens, wallets, cards on file, and values for the connector."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.answers import without_card_of_wallet
from emulator.changes.s2s_card import answering, around, first, instead, leaving_out, refused_as, without
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change, Design, all_of
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.charging import charge, instrument_of, new_payment
from emulator.protocols.s2s_card.sandbox_cards import DECLINED
from emulator.protocols.s2s_card.stages import check_token
from emulator.rules.conditions import both, not_, sibling
from emulator.rules.model import Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_PAYING: Final = ("SALE", "DEBIT", "CREDIT2CARD")
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_MASK: Final = "411111******1111"
_TOKEN: Final = "f" * 64
_REFUSED: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("form", "This was not expected."),))
_OTHER_FIELD: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("payer_phone", "This is not valid."),))
_OTHER_TEXT: Final = Refusal(Kind.WRONG_CARD, "Card is not known.", code=205005)
_OTHER_CODE: Final = Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.")
_PAYER: Final = ("payer_first_name", "payer_last_name", "payer_email", "payer_ip", "payer_phone", "payer_country")
_SETS: Final = {
    "tax-document": ("S2C-PRM-02", "SALE", "parameters[document_"),
    "shipping-contact": ("S2C-PRM-04", "SALE", "parameters[shipping_"),
    "debit-parties": ("S2C-PRM-05", "DEBIT", "parameters[payer_identity"),
    "cart": ("S2C-PRM-06", "SALE", "parameters[cart]"),
}


def _has(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: bool(attempt.form.get(name))


def _by_token(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("card_token")) and not attempt.form.get("card_number")


def _declined_by_token(perform: Perform, attempt: CardAttempt) -> Reply:
    if not _by_token(attempt) or attempt.account is None:
        return perform(attempt)
    instrument = replace(instrument_of(attempt, attempt.account), outcome=DECLINED)
    return charge(attempt, new_payment(attempt, attempt.account, instrument), DECLINED)


def _token_without_code(attempt: CardAttempt) -> bool:
    return _by_token(attempt) and not attempt.form.get("card_cvv2")


def _token_of_no_wallet(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("payment_token")) and not attempt.form.get("digital_wallet")


def _odd_wish(attempt: CardAttempt) -> bool:
    return attempt.form.get("req_token", "N") not in {"Y", "N"}


def _any_length(design: Design) -> Design:
    def change(row: Rule) -> Rule | None:
        return None if (row.path, row.keyword) == ("card_token", "length") else row

    known = instead(check_token, _unless_short, *_PAYING)
    return known(design.with_post_rows(change, *_PAYING))


def _unless_short(attempt: CardAttempt) -> Refusal | None:
    return None if 0 < len(attempt.form.get("card_token", "")) < len(_TOKEN) else check_token(attempt)


def _of_anybody(attempt: CardAttempt) -> Refusal | None:
    token = attempt.form.get("card_token", "")
    known = any(attempt.gateway.vault.card(account, token) for account in ACCOUNTS)
    return None if known else check_token(attempt)


def _refused_as(refusal: Refusal) -> Change:
    return refused_as(refusal, check_token, *_PAYING)


def _token_added(body: Object) -> Object:
    return body | {"card_token": _TOKEN} if body.get("result") == "SUCCESS" else body


def _always_token(body: Object) -> Object:
    return _token_added(body) if "card_token" not in body else body


def _shorter(body: Object) -> Object:
    return body | {"card_token": str(body["card_token"])[:32]} if "card_token" in body else body


def _token_for_token(design: Design) -> Design:
    wished: set[object] = set()

    def note(attempt: CardAttempt) -> Refusal | None:
        if attempt.form.get("req_token") == "Y" and attempt.form.get("card_token"):
            wished.add(attempt.form.get("order_id"))
        return None

    answer = answering(lambda body: _token_added(body) if body.get("order_id") in wished else body, "SALE")
    return all_of(first(note, "SALE"), answer)(design)


def _token_wins(attempt: CardAttempt) -> Refusal | None:
    if attempt.form.get("card_token") and attempt.form.get("card_number"):
        attempt.form = {name: value for name, value in attempt.form.items() if name != "card_number"}
    return check_token(attempt)


def _names(start: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: any(name.startswith(start) for name in attempt.form)


def _with_card(body: Object) -> Object:
    return {"card": _MASK, **body} if "digital_wallet" in body else body


_CARD_FIELDS: Final = ("card_number", "card_exp_month", "card_exp_year", "card_cvv2")


def _by_wallet_alone(row: Rule) -> Rule | None:
    """digital_wallet stands for a card though no token comes with it."""
    if row.keyword != "required" or row.path not in {*_CARD_FIELDS, "payment_token"}:
        return row
    if row.path == "payment_token":
        return None
    no_wallet = not_(sibling("digital_wallet"))
    return replace(row, when=no_wallet if row.when is None else both(row.when, no_wallet))


FAULTS: Final = faults(
    {
        "wallet-without-token-taken": breaks(
            "S2C-WAL-04",
            "A SALE with digital_wallet and without payment_token is taken.",
            lambda design: design.with_post_rows(_by_wallet_alone, "SALE"),
        ),
        "wallet-token-alone-breaks-down": breaks(
            "S2C-WAL-04",
            "A SALE with payment_token and without digital_wallet is a server error.",
            first(breakdown_if(_token_of_no_wallet), "SALE"),
        ),
        "card-token-32": breaks("S2C-TOK-01", "A card token has 32 characters.", answering(_shorter, "SALE")),
        "card-token-unasked": breaks(
            "S2C-TOK-02", "A token is answered whether asked for or not.", answering(_always_token, "SALE")
        ),
        "req-token-odd-server-error": breaks(
            "S2C-TOK-03",
            "A value of req_token beside Y and N is a server error.",
            first(breakdown_if(_odd_wish), "SALE"),
        ),
        "sale-by-token-refused": breaks(
            "S2C-TOK-04", "A token pays no sale.", first(refusal_if(_by_token, _REFUSED), "SALE")
        ),
        "debit-by-token-refused": breaks(
            "S2C-TOK-05", "A token pays no debit.", first(refusal_if(_by_token, _REFUSED), "DEBIT")
        ),
        "debit-by-token-declined": breaks(
            "S2C-TOK-05", "A DEBIT by token is declined, whose card pays one.", around(_declined_by_token, "DEBIT")
        ),
        "token-without-code-server-error": breaks(
            "S2C-TOK-06",
            "A token without security code is a server error.",
            first(breakdown_if(_token_without_code), *_PAYING[:2]),
        ),
        "unknown-token-pays": breaks("S2C-TOK-07", "Every token pays.", without(check_token, *_PAYING)),
        "unknown-token-other-text": breaks(
            "S2C-TOK-07", "A token of no card is refused in other words.", _refused_as(_OTHER_TEXT)
        ),
        "unknown-token-other-code": breaks(
            "S2C-TOK-07 S2C-PAY-10", "A token of no card is refused with 100000.", _refused_as(_OTHER_CODE)
        ),
        "short-token-pays": breaks("S2C-TOK-08", "A token of less than 64 characters pays.", _any_length),
        "token-of-another-pays": breaks(
            "S2C-TOK-09", "Tokens of other merchants pay.", instead(check_token, _of_anybody, *_PAYING)
        ),
        "token-for-token": breaks("S2C-TOK-10", "A payment by token answers another token.", _token_for_token),
        "token-wins-over-card": breaks(
            "S2C-TOK-11", "A token beside card data is looked at.", instead(check_token, _token_wins, *_PAYING)
        ),
        "sale-by-wallet-refused": breaks(
            "S2C-WAL-01", "A wallet pays no SALE.", first(refusal_if(_has("payment_token"), _REFUSED), "SALE")
        ),
        "debit-by-wallet-refused": breaks(
            "S2C-WAL-02",
            "A wallet pays no DEBIT, and a field of the payer is said to be wrong.",
            first(refusal_if(_has("payment_token"), _OTHER_FIELD), "DEBIT"),
        ),
        "virtual-wallet-shows-card": breaks(
            "S2C-WAL-05", "Look-ups show a card of a wallet payment that has none.", answering(_with_card, *_LOOKUPS)
        ),
        "decrypted-wallet-shows-no-card": breaks(
            "S2C-WAL-06",
            "Look-ups do not show the card of a wallet that was decrypted.",
            answering(without_card_of_wallet, *_LOOKUPS),
        ),
        "any-wallet-token-pays": breaks(
            "S2C-WAL-07",
            "Every text pays like a wallet token.",
            lambda design: design.in_card(is_wallet_token=lambda _account, text: bool(text)),
        ),
        "payer-present-early-refused": breaks(
            "S2C-COF-03",
            "payer_present is refused before its release.",
            first(refusal_if(_has("payer_present"), _REFUSED), "SALE"),
            until="6.6.5",
        ),
        "look-up-without-discriminators": breaks(
            "S2C-COF-04",
            "Look-ups lack COF discriminators.",
            all_of(*(leaving_out(name, *_LOOKUPS) for name in ("initiator", "source", "sequence"))),
            since="6.7.0",
        ),
        "look-up-without-payer": breaks(
            "S2C-COF-06",
            "Look-ups carry no payer attributes.",
            answering(
                lambda body: {name: value for name, value in body.items() if not name.startswith("payer_")}, *_LOOKUPS
            ),
            since="6.7.0",
        ),
        "look-up-with-payer-unasked": breaks(
            "S2C-COF-07",
            "Look-ups carry payer attributes whatever the account says.",
            answering(lambda body: {**dict.fromkeys(_PAYER, "x"), **body}, *_LOOKUPS),
            since="6.7.0",
        ),
        **{
            f"parameters-{name}-refused": breaks(
                requirement, f"{start}...] is refused.", first(refusal_if(_names(start), _REFUSED), action)
            )
            for name, (requirement, action, start) in _SETS.items()
        },
    }
)
