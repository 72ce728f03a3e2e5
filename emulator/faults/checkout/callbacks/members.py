"""Faults of Checkout callbacks: what they report."""

from collections.abc import Callable
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.changes.notices import of_payments, without_fields
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults

_NEW: Final = "6.7.0"


def _mapped(name: str, change: Callable[[str], str], *events: str) -> Change:
    return NOTICES.fields(
        lambda fields: fields | {name: change(str(fields[name]))} if name in fields else fields, *events
    )


def _custom(change: Callable[[dict[str, Value]], dict[str, Value]], applies: Callable[[Notice], bool]) -> Change:
    def changed(fields: Fields) -> Fields:
        given = fields.get("custom_data")
        return fields | {"custom_data": change(dict(given))} if isinstance(given, dict) else fields

    return NOTICES.where(applies, changed)


def _flat(custom_data: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in custom_data.items() if isinstance(value, str)}


def _is_purchase(notice: Notice) -> bool:
    return notice.payment.action == "purchase"


FAULTS: Final = faults(
    {
        "other-id": breaks("CBK-ATT-01", "id names no payment.", _mapped("id", lambda text: text[::-1])),
        **{
            f"other-{name.replace('_', '-')}": breaks(
                "CBK-ATT-02", f"{name} is another one.", _mapped(name, lambda text: f"1{text}")
            )
            for name in ("order_number", "order_amount", "order_currency", "order_description")
        },
        "order-status-upper": breaks("CBK-ATT-05", "order_status is in capitals.", _mapped("order_status", str.upper)),
        "order-status-success": breaks(
            "CBK-ATT-05",
            "order_status is success.",
            _mapped("order_status", lambda text: "success" if text == "settled" else text),
        ),
        "3ds-unreported": breaks(
            "CBK-ATT-06", "A challenge is not notified.", NOTICES.dropped(lambda notice: notice.event == "3ds")
        ),
        "credit-unreported": breaks(
            "CBK-ATT-07", "A payout is not notified.", NOTICES.dropped(lambda notice: notice.event == "credit")
        ),
        "capture-unreported": breaks(
            "CBK-ATT-08",
            "A capture is not notified.",
            NOTICES.dropped(lambda notice: notice.event == "capture"),
            since="6.6.3",
        ),
        "authorization-settled": breaks(
            "CBK-ATT-09",
            "An authorization is notified as settled.",
            NOTICES.where(
                of_payments("purchase", State.AUTHORIZED), lambda fields: fields | {"order_status": "settled"}
            ),
            since=_NEW,
        ),
        "authorization-unreported": breaks(
            "CBK-ATT-09",
            "An authorization is not notified.",
            NOTICES.dropped(of_payments("purchase", State.AUTHORIZED)),
            since=_NEW,
        ),
        "refund-unreported": breaks(
            "CBK-ATT-11", "A refund is not notified.", NOTICES.dropped(lambda notice: notice.event == "refund")
        ),
        "void-unreported": breaks(
            "CBK-ATT-12", "A void is not notified.", NOTICES.dropped(lambda notice: notice.event == "void")
        ),
        "custom-data-flat": breaks("CBK-ATT-13", "Nested custom_data is dropped.", _custom(_flat, _is_purchase)),
        "custom-data-upper": breaks(
            "CBK-ATT-13",
            "custom_data is upper-cased.",
            _custom(lambda given: {name.upper(): value for name, value in given.items()}, _is_purchase),
        ),
        "custom-data-not-of-purchases": breaks(
            "CBK-ATT-13", "No custom_data of purchases.", NOTICES.where(_is_purchase, without_fields("custom_data"))
        ),
        "custom-data-not-of-debits": breaks(
            "CBK-ATT-14",
            "No custom_data of debits.",
            NOTICES.where(of_payments("debit"), without_fields("custom_data")),
            since=_NEW,
        ),
        "custom-data-not-of-credits": breaks(
            "CBK-ATT-15",
            "No custom_data of credits.",
            NOTICES.where(of_payments("credit"), without_fields("custom_data")),
            since=_NEW,
        ),
        "custom-data-of-first-payment": breaks(
            "CBK-ATT-16",
            "Secondary charges report other custom_data.",
            NOTICES.where(
                lambda notice: notice.event == "recurring",
                lambda fields: fields | {"custom_data": {"other": "payment"}},
            ),
            since=_NEW,
        ),
        "mask-too-wide": breaks(
            "CBK-ATT-17",
            "Eight digits of the card stand in front.",
            _mapped("card", lambda card: f"{card[:6]}11****{card[-4:]}"),
        ),
        "card-unmasked": breaks(
            "CBK-ATT-17", "The card is not masked.", _mapped("card", lambda card: card.replace("******", "111111"))
        ),
        "short-year": breaks(
            "CBK-ATT-18",
            "The expiry date has two digits of the year.",
            _mapped("card_expiration_date", lambda text: f"{text[:3]}{text[-2:]}"),
        ),
        "year-first": breaks(
            "CBK-ATT-18",
            "The expiry date starts with the year.",
            _mapped("card_expiration_date", lambda text: f"{text[3:]}-{text[:2]}"),
        ),
        "debit-3ds-without-token": breaks(
            "CBK-ATT-21",
            "A challenged debit reports no token.",
            NOTICES.where(
                lambda notice: of_payments("debit")(notice) and notice.event == "3ds", without_fields("card_token")
            ),
            since=_NEW,
        ),
        "debit-without-token": breaks(
            "CBK-ATT-21 CBK-ATT-22",
            "A debit reports no token.",
            NOTICES.where(of_payments("debit"), without_fields("card_token")),
            since=_NEW,
        ),
        "settled-debit-without-token": breaks(
            "CBK-ATT-22",
            "A settled debit reports no token.",
            NOTICES.where(of_payments("debit", State.SETTLED), without_fields("card_token")),
            since=_NEW,
        ),
        "debit-by-token-without-card": breaks(
            "CBK-ATT-23",
            "A debit by token reports no card.",
            NOTICES.where(of_payments("debit"), without_fields("card")),
            since=_NEW,
        ),
        "debit-by-token-without-expiry": breaks(
            "CBK-ATT-23",
            "A debit by token reports no expiry date.",
            NOTICES.where(of_payments("debit"), without_fields("card_expiration_date")),
            since=_NEW,
        ),
        "chain-token-unreported": breaks(
            "CBK-ATT-24",
            "A chain of a purchase reports no token.",
            NOTICES.where(_is_purchase, without_fields("recurring_token")),
        ),
        "chain-token-of-debit-unreported": breaks(
            "CBK-ATT-26",
            "A chain of a debit reports no token.",
            NOTICES.where(of_payments("debit"), without_fields("recurring_token")),
            since=_NEW,
        ),
        "chain-token-useless": breaks(
            "CBK-ATT-27", "The recurring token charges nothing.", _mapped("recurring_token", lambda text: text[::-1])
        ),
        "first-date-in-words": breaks(
            "CBK-ATT-29",
            "first_recurring_date is no date.",
            _mapped("first_recurring_date", lambda _text: "next month"),
            since=_NEW,
        ),
    },
    prefix="checkout-callback-",
)
