"""Faults of S2S CARD: what actions other than the sale are signed with, and whether anybody looks at it."""

from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import also_hashed, signed_by, without
from emulator.design import Change, all_of
from emulator.engine.signing import FormValues, ascii_upper, card_fragment, hex_digest
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import check_signature

_FRAGMENT: Final = 10
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_DETAILS")
_OPERATIONS: Final = ("CAPTURE", "VOID", "CREDITVOID", "RETRY", *_LOOKUPS)
_SCHEDULES: Final = ("UPDATE_SCHEDULE", "DELETE_SCHEDULE", "SCHEDULE_INFO", "PAUSE", "RUN", "DESCHEDULE")
_BY_ACTION: Final = {
    "DEBIT": "S2C-SIG-02",
    "RECURRING_SALE": "S2C-SIG-03",
    "RECURRING_DEBIT": "S2C-SIG-04",
    "CARD2CARD": "S2C-SIG-05",
    "CAPTURE": "S2C-SIG-08",
    "VOID": "S2C-SIG-09",
    "CREDITVOID": "S2C-SIG-10",
    "RETRY": "S2C-SIG-11",
    "GET_TRANS_STATUS": "S2C-SIG-12",
    "GET_TRANS_DETAILS": "S2C-SIG-13",
    "GET_TRANS_STATUS_BY_ORDER": "S2C-SIG-18",
    "CREDIT2CARD": "S2C-SIG-20",
    "CREATE_SCHEDULE": "S2C-SIG-22",
    "UPDATE_SCHEDULE": "S2C-SIG-23",
    "DELETE_SCHEDULE": "S2C-SIG-24",
    "SCHEDULE_INFO": "S2C-SIG-25",
    "PAUSE": "S2C-SIG-26",
    "RUN": "S2C-SIG-27",
    "DESCHEDULE": "S2C-SIG-28",
}
_SINCE: Final = {"RECURRING_DEBIT": "6.7.0", "UPDATE_SCHEDULE": "6.7.0"}


def _slug(action: str) -> str:
    return action.lower().replace("_", "-")


def _not_reversed(_attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, email=values.email[::-1], instrument=values.instrument[::-1], middle=values.middle[::-1])


def _with_client_key(attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, middle=values.middle + attempt.form.get("client_key", ""))


def _otherwise(action: str) -> Change:
    return signed_by(_with_client_key if action == "CREATE_SCHEDULE" else _not_reversed, action)


def _payees_card(attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, instrument=card_fragment(attempt.form.get("payee_card_number", "")))


def _token_straight(attempt: CardAttempt, values: FormValues) -> FormValues:
    by_token = not attempt.form.get("card_number") and attempt.form.get("card_token")
    return replace(values, instrument=values.instrument[::-1]) if by_token else values


def _nothing_reversed_by_token(test: CardHashTest) -> bool:
    values, account = test.values, test.account
    plain = ascii_upper(values.email + account.password + values.instrument)
    return len(values.instrument) > _FRAGMENT and test.given == hex_digest(account.hash, plain)


def _pays_by_token_or_wallet(test: CardHashTest) -> bool:
    return len(test.values.instrument) != _FRAGMENT


def _no_digits(_attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, instrument="")


def _payouts_without_digits(attempt: CardAttempt, values: FormValues) -> FormValues:
    payout = attempt.payment is not None and attempt.payment.action == "CREDIT2CARD"
    return _no_digits(attempt, values) if payout else values


def _nobody(attempt: CardAttempt, values: FormValues) -> FormValues:
    payout = attempt.payment is not None and attempt.payment.action == "CREDIT2CARD"
    return values if values.email or payout else replace(values, email="null")


def _wallet_named(attempt: CardAttempt, values: FormValues) -> FormValues:
    wallet = attempt.form.get("payment_token") and not values.instrument
    return replace(values, instrument="wallet") if wallet else values


def _virtual_digits(attempt: CardAttempt, values: FormValues) -> FormValues:
    payment = attempt.payment
    virtual = payment is not None and payment.card is None and record_of(payment).wallet
    return replace(values, instrument="0000000000") if virtual else values


def _decrypted_ignored(attempt: CardAttempt, values: FormValues) -> FormValues:
    payment = attempt.payment
    return _no_digits(attempt, values) if payment is not None and record_of(payment).wallet else values


def _token_again(attempt: CardAttempt, values: FormValues) -> FormValues:
    payment = attempt.payment
    if payment is None or not record_of(payment).by_token:
        return values
    return replace(values, instrument=payment.card_token)


def _ascii_alone(_attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, middle="".join(sign for sign in values.middle if sign.isascii()))


def _fixed_fragment(number: str) -> str:
    return number[:6] + number[12:16]


def _thirteen_digits(attempt: CardAttempt, values: FormValues) -> FormValues:
    number = attempt.form.get("card_number", "")
    return replace(values, instrument=_fixed_fragment(number)) if number else values


FAULTS: Final = faults(
    {
        **{
            f"{_slug(action)}-signed-otherwise": breaks(
                requirement, f"{action} is signed by another formula.", _otherwise(action), since=_SINCE.get(action)
            )
            for action, requirement in _BY_ACTION.items()
        },
        **{
            f"{_slug(action)}-hash-unverified": breaks(
                ("S2C-SIG-50",) if action in _SCHEDULES else ("S2C-SIG-11" if action == "RETRY" else "S2C-SIG-38",),
                f"Hashes of {action} are not looked at.",
                without(check_signature, action),
                since=_SINCE.get(action),
            )
            for action in POSTS
            if action != "SALE"
        },
        "operations-hash-unverified": breaks(
            "S2C-SIG-38 S2C-SIG-48",
            "Hashes of operations on payments are not looked at.",
            without(check_signature, *_OPERATIONS),
        ),
        "order-look-up-hash-unverified": breaks(
            "S2C-SIG-49",
            "Hashes of GET_TRANS_STATUS_BY_ORDER are not looked at.",
            without(check_signature, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "schedules-hash-unverified": breaks(
            "S2C-SIG-50", "Hashes of schedule actions are not looked at.", without(check_signature, *_SCHEDULES)
        ),
        "chain-hash-unverified": breaks(
            "S2C-SIG-51", "Hashes of RECURRING_SALE are not looked at.", without(check_signature, "RECURRING_SALE")
        ),
        "card2card-signed-by-payee": breaks(
            "S2C-SIG-05", "CARD2CARD is signed with the card of the payee.", signed_by(_payees_card, "CARD2CARD")
        ),
        "debit-token-unreversed": breaks(
            "S2C-SIG-07",
            "With a DEBIT by card token, parts that are not reversed are taken too.",
            also_hashed(_nothing_reversed_by_token, "DEBIT"),
        ),
        "token-and-wallet-hash-unverified": breaks(
            "S2C-SIG-59",
            "Hashes of payments by card token or wallet are not looked at.",
            also_hashed(_pays_by_token_or_wallet, "SALE", "DEBIT"),
        ),
        "payout-token-unreversed": breaks(
            "S2C-SIG-21",
            "A card token that a CREDIT2CARD names is not reversed.",
            signed_by(_token_straight, "CREDIT2CARD"),
        ),
        "payout-status-without-digits": breaks(
            "S2C-SIG-14",
            "GET_TRANS_STATUS of a payout is signed without card digits.",
            signed_by(_payouts_without_digits, "GET_TRANS_STATUS"),
        ),
        "payout-details-without-digits": breaks(
            "S2C-SIG-15",
            "GET_TRANS_DETAILS of a payout is signed without card digits.",
            signed_by(_payouts_without_digits, "GET_TRANS_DETAILS"),
        ),
        "status-of-nobody-signed-null": breaks(
            "S2C-SIG-16",
            "A payer without address is signed as null in look-ups by trans_id.",
            signed_by(_nobody, *_LOOKUPS),
        ),
        "operations-of-nobody-signed-null": breaks(
            "S2C-SIG-17",
            "A payer without address is signed as null in VOID and CREDITVOID.",
            signed_by(_nobody, "VOID", "CREDITVOID"),
        ),
        "order-of-nobody-signed-null": breaks(
            "S2C-SIG-19",
            "A payer without address is signed as null in look-ups by order.",
            signed_by(_nobody, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "debit-of-nobody-signed-null": breaks(
            "S2C-SIG-35", "A payer without address is signed as null in DEBIT.", signed_by(_nobody, "DEBIT")
        ),
        "debit-signed-without-card": breaks(
            "S2C-SIG-02", "A DEBIT is signed by the formula of payments without a card.", signed_by(_no_digits, "DEBIT")
        ),
        "debit-by-wallet-signed-otherwise": breaks(
            "S2C-SIG-30", "A DEBIT by wallet is signed with a further part.", signed_by(_wallet_named, "DEBIT")
        ),
        "virtual-wallet-signed-with-zeros": breaks(
            "S2C-SIG-31",
            "Zeros stand for the card that a wallet payment has not.",
            signed_by(_virtual_digits, *_OPERATIONS),
        ),
        "virtual-wallet-order-signed-with-zeros": breaks(
            "S2C-SIG-32",
            "Zeros stand for the card that a wallet payment has not, in look-ups by order.",
            signed_by(_virtual_digits, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "decrypted-wallet-signed-without-digits": breaks(
            "S2C-SIG-33",
            "The card of a wallet that was decrypted is not signed.",
            signed_by(_decrypted_ignored, *_OPERATIONS),
        ),
        **{
            f"{action.lower()}-of-decrypted-wallet-signed-without-digits": breaks(
                "S2C-SIG-33",
                f"{action} of a wallet payment that was decrypted is signed without its card.",
                signed_by(_decrypted_ignored, action),
            )
            for action in ("CAPTURE", "VOID", "CREDITVOID")
        },
        "token-payment-signed-with-token": breaks(
            "S2C-SIG-34",
            "Operations on a payment by token are signed with the token.",
            signed_by(_token_again, *_OPERATIONS, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "order-signed-over-ascii-alone": breaks(
            "S2C-SIG-37",
            "Letters outside ASCII are left out of Formula 7.",
            signed_by(_ascii_alone, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "card2card-and-payout-fixed-fragment": breaks(
            "S2C-SIG-36",
            "The last digits of a card that is paid out to, or charged, are those of a number of 16 digits.",
            all_of(
                signed_by(_thirteen_digits, "CREDIT2CARD", "DEBIT"),
                lambda design: design.in_sale(fragment=_fixed_fragment),
            ),
        ),
    }
)
