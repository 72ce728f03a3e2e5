"""Faults of S2S CARD in the hands of another author, that the suite did not notice at first (set I).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import NOTICES, first, instead, last, post
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.schedules import Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.charging import charge, instrument_of, new_payment, pay
from emulator.protocols.s2s_card.sandbox_cards import WALLET_CARD
from emulator.protocols.s2s_card.stages import check_duplicate
from emulator.rules.amounts import well_formed
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_MALFORMED: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("order_amount", "This value is not valid."),))
_OF_ANOTHER_OPERATION: Final = Refusal(Kind.SCHEDULE, "Schedule not found")


# --- schedules ---


def _charges_one_operation(design: Design) -> Design:
    inner, operations = design.schedules.is_over, dict[str, str]()

    def is_over(subscription: Subscription) -> bool:
        operation = operations.setdefault(subscription.schedule.id, subscription.initial.action)
        return subscription.initial.action != operation or inner(subscription)

    return design.in_schedules(is_over=is_over)


def _started_by_one_operation(design: Design) -> Design:
    operations: dict[str, str] = {}

    def refuse(attempt: CardAttempt) -> Refusal | None:
        identifier = attempt.form.get("schedule_id", "")
        if not identifier or operations.setdefault(identifier, attempt.action) == attempt.action:
            return None
        return _OF_ANOTHER_OPERATION

    return first(refuse, "SALE", "DEBIT")(design)


# --- duplicates, and currencies of a chain ---


def _payout_by_token_again(attempt: CardAttempt) -> Refusal | None:
    is_by_token = attempt.action == "CREDIT2CARD" and not attempt.form.get("card_number")
    return None if is_by_token else check_duplicate(attempt)


def _written_as_the_first(attempt: CardAttempt) -> Refusal | None:
    initial, amount = attempt.payment, attempt.form.get("order_amount", "")
    is_well = initial is None or not amount or well_formed(amount, initial.currency, attempt.gateway.amounts)
    return None if is_well else _MALFORMED


# --- wallets ---


def _debit_decrypts(attempt: CardAttempt) -> Reply:
    """A DEBIT by wallet is carried out as if its account had the card flow; a SALE is not."""
    account = attempt.account
    if account is None or not attempt.form.get("payment_token"):
        return pay(attempt)
    instrument = instrument_of(attempt, account)
    return charge(attempt, new_payment(attempt, account, replace(instrument, card=WALLET_CARD)), instrument.outcome)


# --- callbacks ---


def _by_md5(*events: str) -> Change:
    """Callbacks of some events are signed with MD5 whatever the option of the account says."""

    def sign(notice: Notice) -> str:
        if notice.event not in events:
            return signatures.s2s_card(notice)
        account = replace(notice.payment.account, hash="md5")
        return signatures.s2s_card(replace(notice, payment=replace(notice.payment, account=account)))

    return NOTICES.signed(sign)


FAULTS: Final = faults(
    {
        "i-payout-by-token-repeated-within-the-window": breaks(
            "S2C-DUP-04",
            "A CREDIT2CARD by card token is paid out again under an order_id of the last seconds (line 437).",
            instead(check_duplicate, _payout_by_token_again, "CREDIT2CARD"),
        ),
        "i-charge-written-with-the-decimals-of-the-first": breaks(
            "S2C-SAL-12 S2C-SAL-14",
            "A RECURRING_SALE in another currency has to be written with the decimals of the first payment (line 353).",
            last(_written_as_the_first, "RECURRING_SALE"),
        ),
        "i-payout-callback-always-by-md5": breaks(
            "CBK-SIG-12",
            "Callbacks of CREDIT2CARD are signed with MD5, though the account has SHA256 (line 406).",
            _by_md5("CREDIT2CARD"),
        ),
        "i-void-callback-always-by-md5": breaks(
            "CBK-SIG-12",
            "Callbacks of VOID and CREDITVOID are signed with MD5, though the account has SHA256 (line 406).",
            _by_md5("VOID", "CREDITVOID"),
        ),
        "i-debit-by-wallet-keeps-its-card": breaks(
            "S2C-WAL-05 S2C-WAL-08 S2C-SIG-31 S2C-SIG-32",
            "A DEBIT by wallet is decrypted and its card kept, though the account has the virtual flow (line 18).",
            post("DEBIT", perform=_debit_decrypts),
        ),
        "i-schedule-charges-payers-of-its-first-operation": breaks(
            "S2C-SCP-19",
            "A schedule that charges the payer of a SALE never charges that of a DEBIT, or the reverse (line 61).",
            _charges_one_operation,
            since=_NEW,
        ),
        "i-schedule-is-of-its-first-operation": breaks(
            "S2C-SCP-18",
            "A schedule that a SALE started is not found by a DEBIT, or the reverse (line 61).",
            _started_by_one_operation,
            since=_NEW,
        ),
    }
)
