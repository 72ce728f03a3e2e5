"""Faults of S2S CARD: what callbacks of a plain SALE carry, and those of other payments do not."""

from collections.abc import Callable
from typing import Final

from emulator.changes.notices import of_payments
from emulator.changes.s2s_card import NOTICES
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.payments import PAYER_ATTRIBUTES, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_COF: Final = ("initiator", "source", "sequence")


def _challenged(notice: Notice) -> bool:
    return record_of(notice.payment).challenged


def _of_chain(action: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.action == action and bool(notice.payment.chain)


def _by_token(notice: Notice) -> bool:
    return record_of(notice.payment).by_token


def _debit_by_token_later(notice: Notice) -> bool:
    return notice.payment.action == "DEBIT" and _by_token(notice) and notice.event in ("VOID", "CREDITVOID")


def _charge_later(notice: Notice) -> bool:
    return notice.payment.action == "RECURRING_DEBIT" and notice.event in ("VOID", "CREDITVOID")


def _custom_data_of_first_debit(design: Design) -> Design:
    first: dict[str, Value] = {}

    def change(notice: Notice) -> list[Notice]:
        payment, fields = notice.payment, dict(notice.fields)
        if payment.action == "DEBIT" and fields.get("custom_data"):
            first[payment.id] = fields["custom_data"]
        if payment.action == "RECURRING_DEBIT" and payment.chain in first:
            fields["custom_data"] = first[payment.chain]
        return [Notice(payment, notice.event, fields)]

    return NOTICES.changed(change)(design)


FAULTS: Final = faults(
    {
        **{
            f"callback-of-{slug}-without-custom-data": breaks(
                "CBK-S2C-13", f"The callback of {what} lacks custom_data.", NOTICES.lacking(applies, "custom_data")
            )
            for slug, what, applies in (
                ("debit", "a DEBIT that settled", of_payments("DEBIT", State.SETTLED)),
                ("declined-debit", "a declined DEBIT", of_payments("DEBIT", State.DECLINED)),
                ("declined-sale", "a declined SALE", of_payments("SALE", State.DECLINED)),
                ("authorization", "an authorization", of_payments("SALE", State.AUTHORIZED)),
                ("payout", "a payout", of_payments("CREDIT2CARD")),
                ("challenged-payment", "a payment that was challenged", _challenged),
            )
        },
        "recurring-debit-callback-without-custom-data": breaks(
            "CBK-S2C-14",
            "The callback of a RECURRING_DEBIT lacks custom_data.",
            NOTICES.lacking(_of_chain("RECURRING_DEBIT"), "custom_data"),
        ),
        "recurring-debit-callback-custom-data-of-first": breaks(
            "CBK-S2C-14",
            "The callback of a RECURRING_DEBIT returns the custom_data of the first payment.",
            _custom_data_of_first_debit,
        ),
        **{
            f"callback-of-{slug}-without-brand": breaks(
                "CBK-S2C-17", f"The callback of {what} lacks brand.", NOTICES.lacking(applies, "brand")
            )
            for slug, what, applies in (
                ("debit", "a DEBIT", of_payments("DEBIT")),
                ("recurring-sale", "a RECURRING_SALE", _of_chain("RECURRING_SALE")),
                ("recurring-debit", "a RECURRING_DEBIT", _of_chain("RECURRING_DEBIT")),
                ("payment-by-token", "a payment by token", _by_token),
            )
        },
        **{
            f"callback-of-{slug}-without-payer": breaks(
                "CBK-ATT-42",
                f"The callback of a {action} lacks the payer.",
                NOTICES.lacking(of_payments(action), *PAYER_ATTRIBUTES),
            )
            for slug, action in (("sale", "SALE"), ("debit", "DEBIT"))
        },
        "callback-of-debit-without-discriminators": breaks(
            "CBK-S2C-18",
            "The callback of a DEBIT lacks COF discriminators.",
            NOTICES.lacking(of_payments("DEBIT"), *_COF),
        ),
        "callback-without-discriminators-of-the-merchant": breaks(
            "CBK-S2C-18",
            "The callback of a payment whose payer is absent lacks COF discriminators.",
            NOTICES.lacking(lambda notice: record_of(notice.payment).payer_present == "N", *_COF),
        ),
        "callback-of-changed-recurring-debit-without-token": breaks(
            "CBK-S2C-24",
            "The callback of what is done to a RECURRING_DEBIT lacks card_token.",
            NOTICES.lacking(_charge_later, "card_token"),
        ),
        "callback-of-declined-recurring-debit-without-token": breaks(
            "CBK-S2C-24",
            "The callback of a declined RECURRING_DEBIT lacks card_token.",
            NOTICES.lacking(of_payments("RECURRING_DEBIT", State.DECLINED), "card_token"),
        ),
        "callback-of-changed-debit-by-token-without-token": breaks(
            "CBK-S2C-24",
            "The callback of what is done to a DEBIT by token lacks card_token.",
            NOTICES.lacking(_debit_by_token_later, "card_token"),
        ),
        **{
            f"callback-of-changed-debit-by-token-without-{slug}": breaks(
                "CBK-S2C-24",
                f"The callback of what is done to a DEBIT by token lacks {name}.",
                NOTICES.lacking(_debit_by_token_later, name),
            )
            for slug, name in (("card", "card"), ("expiry", "card_expiration_date"))
        },
    },
    since="6.7.0",
)
