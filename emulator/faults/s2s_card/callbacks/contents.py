"""Faults of S2S CARD: what callbacks say, how it is signed, and whether it arrives."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from emulator.changes.notices import EVERY_NOTICE, about
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.callbacks.sender import Sign
from emulator.engine.payments import Protocol
from emulator.engine.signing import sha1_hex
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_PAYMENTS: Final = ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD")
_OPERATIONS: Final = {
    "CAPTURE": "CBK-S2C-05",
    "CREDITVOID": "CBK-S2C-06",
    "VOID": "CBK-S2C-07",
    "RECURRING_SALE": "CBK-S2C-08",
}
_OTHER: Final = "11111111-1111-4111-8111-111111111111"


def _signed(email: str, middle: str, fragment: str, notice: Notice) -> str:
    password = notice.payment.account.password
    joined = signatures.backwards(email) + f"{password}{middle}".encode() + signatures.backwards(fragment)
    return signatures.digest(notice, joined.upper())


def _unasked(name: str, value: str) -> Change:
    """A member is there whatever the mapping says; where it was there before it keeps its value."""
    return NOTICES.fields(lambda fields: {name: value, **fields}, "SALE")


def _digits(notice: Notice) -> str:
    return notice.payment.card.fragment if notice.payment.card else ""


def _email(notice: Notice) -> str:
    return "" if notice.event == "CREDIT2CARD" else notice.payment.email


def _outer(notice: Notice) -> str:
    return sha1_hex(signatures.s2s_card(notice))


def _upper_hex(notice: Notice) -> str:
    return signatures.s2s_card(notice).upper()


def _without_email(notice: Notice) -> str:
    return _signed("", notice.payment.trans_id, _digits(notice), notice)


def _without_trans_id(notice: Notice) -> str:
    return _signed(_email(notice), "", _digits(notice), notice)


def _without_digits(notice: Notice) -> str:
    return _signed(_email(notice), notice.payment.trans_id, "", notice)


def _unreversed(notice: Notice) -> str:
    return _signed(_email(notice)[::-1], notice.payment.trans_id, _digits(notice)[::-1], notice)


def _payout_with_email(notice: Notice) -> str:
    payment = notice.payment
    email = (
        payment.payer.get("payer_email", "payer@merchant.example") if notice.event == "CREDIT2CARD" else payment.email
    )
    return _signed(email, payment.trans_id, _digits(notice), notice)


def _wallet_with_zeros(notice: Notice) -> str:
    digits = _digits(notice) or ("0000000000" if record_of(notice.payment).wallet else "")
    return _signed(_email(notice), notice.payment.trans_id, digits, notice)


def _always_md5(notice: Notice) -> str:
    account = replace(notice.payment.account, hash="md5")
    return signatures.s2s_card(replace(notice, payment=replace(notice.payment, account=account)))


def _by_event(event: str, sign: Sign) -> Change:
    return NOTICES.signed(lambda notice: sign(notice) if notice.event == event else signatures.s2s_card(notice))


def _other_card(fields: Fields) -> Fields:
    return {**fields, "card": "400000******0002"} if "card" in fields else fields


def _putting(name: str, value: Value, *events: str) -> Change:
    return NOTICES.fields(lambda fields: {**fields, name: value} if name in fields else fields, *events)


def _without_hash(notice: Notice) -> list[Notice]:
    if notice.payment.protocol is not Protocol.S2S_CARD:
        return [notice]
    return [replace(notice, fields={name: value for name, value in notice.fields.items() if name != "hash"})]


def _custom_data_of_first(design: Design) -> Design:
    first: dict[str, Value] = {}

    def change(notice: Notice) -> Iterator[Notice]:
        data = notice.fields.get("custom_data")
        if data and not notice.payment.chain:
            first[notice.payment.id] = data
        known = first.get(notice.payment.chain)
        yield replace(notice, fields={**notice.fields, "custom_data": known}) if known else notice

    return EVERY_NOTICE.changed(change)(design)


def _flat_custom_data(fields: Fields) -> Fields:
    return {**fields, "custom_data": json.dumps(fields["custom_data"])} if "custom_data" in fields else fields


_SIGNATURES: Final = faults(
    {
        "card-callback-outer-sha1": breaks(
            "CBK-SIG-07", "The hash of a callback is the SHA1 of the digest.", NOTICES.signed(_outer)
        ),
        "card-callback-hash-capitals": breaks(
            "CBK-SIG-07", "The hash of a callback has capitals.", NOTICES.signed(_upper_hex)
        ),
        "card-callback-other-card": breaks(
            "CBK-SIG-08", "Callbacks carry another card than the one that is signed.", NOTICES.fields(_other_card)
        ),
        **{
            f"card-callback-signed-{name}": breaks(
                "CBK-SIG-09", f"Callbacks are signed {name.replace('-', ' ')}.", NOTICES.signed(sign)
            )
            for name, sign in (
                ("without-email", _without_email),
                ("without-trans-id", _without_trans_id),
                ("without-digits", _without_digits),
                ("unreversed", _unreversed),
            )
        },
        "payout-callback-signed-with-email": breaks(
            "CBK-SIG-10", "The callback of a payout is signed with an address.", NOTICES.signed(_payout_with_email)
        ),
        "wallet-callback-signed-with-zeros": breaks(
            "CBK-SIG-11", "Zeros stand for the card that a wallet payment has not.", NOTICES.signed(_wallet_with_zeros)
        ),
        "card-callback-always-md5": breaks(
            "CBK-SIG-12", "Callbacks of SHA256 accounts are signed with MD5.", NOTICES.signed(_always_md5)
        ),
        **{
            f"{event.lower().replace('_', '-')}-callback-forged": breaks(
                "CBK-SIG-09", f"Callbacks of {event} are signed wrongly.", _by_event(event, _without_trans_id)
            )
            for event in _OPERATIONS
        },
    }
)
_CONTENT: Final = faults(
    {
        **{
            f"card-callback-without-{name.replace('_', '-')}": breaks(
                "CBK-S2C-01", f"Callbacks lack {name}.", NOTICES.without(name)
            )
            for name in ("action", "result", "status", "order_id", "trans_id")
        },
        "card-callback-without-hash": breaks(
            "CBK-S2C-01",
            "Callbacks lack hash.",
            lambda design: design.in_callbacks(after=(*design.callbacks.after, _without_hash)),
        ),
        **{
            f"card-callback-other-{name.replace('_', '-')}": breaks(
                "CBK-S2C-02", f"{name} of a callback is another one.", _putting(name, _OTHER)
            )
            for name in ("order_id", "trans_id")
        },
        "card-challenge-reported-as-pending": breaks(
            "CBK-S2C-03", "The challenge of a payment is reported as PENDING.", _putting("status", "PENDING", "3DS")
        ),
        **{
            f"{event.lower().replace('_', '-')}-unreported": breaks(
                requirement, f"{event} is not reported.", NOTICES.dropped(about(event))
            )
            for event, requirement in _OPERATIONS.items()
        },
        **{
            f"{event.lower().replace('_', '-')}-reported-as-sale": breaks(
                requirement, f"{event} is reported as a SALE.", _putting("action", "SALE", event)
            )
            for event, requirement in _OPERATIONS.items()
        },
        **{
            f"callback-of-{event.lower().replace('_', '-')}-names-sale": breaks(
                "CBK-S2C-01", f"The callback of a {event} names the action SALE.", _putting("action", "SALE", event)
            )
            for event in ("DEBIT", "CARD2CARD", "RECURRING_DEBIT", "CREDIT2CARD")
        },
        "creditvoid-reported-undecided": breaks(
            "CBK-S2C-06",
            "The callback of a CREDITVOID leaves its outcome open.",
            all_of(_putting("result", "ACCEPTED", "CREDITVOID"), NOTICES.without("status", of=("CREDITVOID",))),
        ),
        **{
            f"{slug}-callback-without-{name.replace('_', '-')}": breaks(
                requirement, f"The callback of {events[0]} lacks {name}.", NOTICES.without(name, of=events), since=since
            )
            for slug, events, name, requirement, since in (
                ("sale", ("SALE",), "recurring_token", "CBK-S2C-09", None),
                ("sale", ("SALE",), "card_token", "CBK-S2C-10", None),
                ("debit", ("DEBIT",), "card_token", "CBK-S2C-11", "6.7.0"),
                ("debit", ("DEBIT",), "card", "CBK-S2C-12", "6.7.0"),
                ("debit", ("DEBIT",), "card_expiration_date", "CBK-S2C-12", "6.7.0"),
                ("sale", ("SALE",), "custom_data", "CBK-S2C-13", None),
                ("recurring", ("RECURRING_SALE",), "custom_data", "CBK-S2C-14", "6.7.0"),
                ("card", (*_PAYMENTS,), "decline_reason", "CBK-S2C-15", None),
                ("sale", ("SALE",), "ARN", "CBK-S2C-16", "6.7.0"),
                ("sale", ("SALE",), "brand", "CBK-S2C-17", "6.7.0"),
            )
        },
        "sale-callback-without-discriminators": breaks(
            "CBK-S2C-18",
            "The callback of a SALE lacks COF discriminators.",
            NOTICES.without("initiator", "source", "sequence", of=("SALE",)),
            since="6.7.0",
        ),
        **{
            f"sale-callback-{name.replace('_', '-').lower()}-unasked": breaks(
                requirement, f"{name} is reported unasked.", _unasked(name, value), since="6.7.0"
            )
            for name, value, requirement in (
                ("brand", "VISA", "CBK-S2C-25"),
                ("transStatus", "Y", "CBK-S2C-26"),
                ("browser_user_agent", "Mozilla/5.0", "CBK-S2C-27"),
            )
        },
        "sale-callback-custom-data-as-text": breaks(
            "CBK-S2C-13", "custom_data comes back as one text.", NOTICES.fields(_flat_custom_data, "SALE")
        ),
        "recurring-callback-custom-data-of-first": breaks(
            "CBK-S2C-14 CBK-S2C-28",
            "The callback of a RECURRING_SALE returns the custom_data of the first payment.",
            _custom_data_of_first,
            since="6.7.0",
        ),
        "sale-callback-arn-filled": breaks(
            "CBK-S2C-16", "ARN says none while there is none.", _putting("ARN", "none", "SALE"), since="6.7.0"
        ),
    }
)
FAULTS: Final = (*_SIGNATURES, *_CONTENT)
