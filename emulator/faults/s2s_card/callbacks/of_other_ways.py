"""Faults of S2S CARD: what callbacks of a SALE in the usual way carry, and those of other ways to pay do not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.notices import about, of_payments
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_NEW: Final = "6.7.0"
_OF_3DS: Final = (
    *("threeDSServerTransID", "dsTransID", "acsTransID", "eci", "protocolVersion", "transStatus"),
    *("transStatusReason", "authenticationFlow", "xid"),
)
_OF_HEADERS: Final = ("browser_user_agent", "browser_accept_headers")


def _held(notice: Notice) -> bool:
    return notice.event == "SALE" and notice.fields.get("status") == "PENDING"


def _of_nothing(notice: Notice) -> bool:
    return notice.event == "SALE" and not notice.payment.amount_text.strip("0.")


def _after_challenge(notice: Notice) -> bool:
    return notice.event == "SALE" and record_of(notice.payment).challenged


def _by_token(notice: Notice) -> bool:
    return record_of(notice.payment).by_token


def _md5_where(applies: Callable[[Notice], bool]) -> Change:
    """Callbacks of SHA256 accounts that ``applies`` holds for are signed with MD5."""

    def sign(notice: Notice) -> str:
        payment = notice.payment
        old = replace(notice, payment=replace(payment, account=replace(payment.account, hash="md5")))
        return signatures.s2s_card(old if applies(notice) else notice)

    return NOTICES.signed(sign)


FAULTS: Final = faults(
    {
        "callback-of-chain-of-nothing-without-token": breaks(
            "CBK-S2C-09",
            "The callback of a chain that begins with an amount of zero lacks recurring_token (line 60).",
            NOTICES.lacking(_of_nothing, "recurring_token"),
            since=_NEW,
        ),
        "callback-of-authorization-without-card-token": breaks(
            "CBK-S2C-10",
            "The callback of an authorization with req_token lacks card_token (line 57).",
            NOTICES.lacking(_held, "card_token"),
        ),
        "callback-of-payout-without-reason": breaks(
            "CBK-S2C-15",
            "The callback of a declined payout lacks decline_reason.",
            NOTICES.lacking(about("CREDIT2CARD"), "decline_reason"),
        ),
        "callback-of-debit-without-first-date": breaks(
            "CBK-S2C-29",
            "The callback of a DEBIT that started a schedule lacks first_recurring_date (line 288).",
            NOTICES.lacking(about("DEBIT"), "first_recurring_date"),
            since=_NEW,
        ),
        **{
            f"callback-of-{action.lower().replace('_', '-')}-without-expiry": breaks(
                "CBK-S2C-30",
                f"The callback of a {action} lacks card_expiration_date (line 288).",
                NOTICES.lacking(about(action), "card_expiration_date"),
            )
            for action in ("RECURRING_SALE", "RECURRING_DEBIT")
        },
        "callback-of-transfer-without-brand": breaks(
            "CBK-S2C-17",
            "The callback of a CARD2CARD lacks brand (line 288).",
            NOTICES.lacking(about("CARD2CARD"), "brand"),
            since=_NEW,
        ),
        "callback-of-capture-with-other-custom-data": breaks(
            "CBK-S2C-13",
            "The callback of a CAPTURE has custom_data that nobody sent.",
            NOTICES.saying("custom_data", "none", "CAPTURE"),
        ),
        **{
            f"callbacks-of-debits-without-{slug}": breaks(
                "CBK-S2C-17",
                f"Callbacks of a DEBIT lack attributes of {what} (line 288).",
                NOTICES.lacking(of_debit, *names),
                since=_NEW,
            )
            for slug, what, names, of_debit in (
                ("three-ds", "3DS", _OF_3DS, of_payments("DEBIT")),
                ("browser", "the browser", _OF_HEADERS, of_payments("DEBIT")),
            )
        },
        **{
            f"callback-{slug}-signed-with-md5": breaks(
                "CBK-SIG-12",
                f"Callbacks of SHA256 accounts {what} are signed with MD5.",
                _md5_where(applies),
            )
            for slug, what, applies in (
                ("after-challenge", "after a challenge", _after_challenge),
                ("by-token", "about payments by token", _by_token),
            )
        },
    }
)
