"""Faults of Checkout callbacks: what they report."""

from collections.abc import Callable
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.faults.model import breaks, faults

_NEW: Final = "6.7.0"


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
        "other-id": breaks("CBK-ATT-01", "id names no payment.", NOTICES.mapped("id", lambda text: text[::-1])),
        **{
            f"other-{name.replace('_', '-')}": breaks(
                "CBK-ATT-02", f"{name} is another one.", NOTICES.mapped(name, lambda text: f"1{text}")
            )
            for name in ("order_number", "order_amount", "order_currency", "order_description")
        },
        "order-status-upper": breaks(
            "CBK-ATT-05", "order_status is in capitals.", NOTICES.mapped("order_status", str.upper)
        ),
        "order-status-success": breaks(
            "CBK-ATT-05",
            "order_status is success.",
            NOTICES.mapped("order_status", lambda text: "success" if text == "settled" else text),
        ),
        "custom-data-flat": breaks("CBK-ATT-13", "Nested custom_data is dropped.", _custom(_flat, _is_purchase)),
        "custom-data-upper": breaks(
            "CBK-ATT-13",
            "custom_data is upper-cased.",
            _custom(lambda given: {name.upper(): value for name, value in given.items()}, _is_purchase),
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
            "Nine digits of the card stand in front.",
            NOTICES.mapped("card", lambda card: f"{card[:6]}111***{card[-4:]}"),
        ),
        "card-unmasked": breaks(
            "CBK-ATT-17",
            "The card is not masked.",
            NOTICES.mapped("card", lambda card: card.replace("******", "111111")),
        ),
        "short-year": breaks(
            "CBK-ATT-18",
            "The expiry date has two digits of the year.",
            NOTICES.mapped("card_expiration_date", lambda text: f"{text[:3]}{text[-2:]}"),
        ),
        "year-first": breaks(
            "CBK-ATT-18",
            "The expiry date starts with the year.",
            NOTICES.mapped("card_expiration_date", lambda text: f"{text[3:]}-{text[:2]}"),
        ),
        "chain-token-useless": breaks(
            "CBK-ATT-27",
            "The recurring token charges nothing.",
            NOTICES.mapped("recurring_token", lambda text: text[::-1]),
        ),
        "first-date-in-words": breaks(
            "CBK-ATT-29 CBK-ATT-57",
            "first_recurring_date is no date.",
            NOTICES.mapped("first_recurring_date", lambda _text: "next month"),
            since=_NEW,
        ),
    },
    prefix="checkout-callback-",
)
