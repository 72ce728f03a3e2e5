"""Faults of Checkout callbacks: what they tell."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.callbacks.notice import Fields, Notice, Value
from emulator.design import Change
from emulator.faults.checkout_ways import CALLBACKS, field_as, telling, telling_no, told, untold
from emulator.faults.model import Fault
from emulator.payments.model import State

_NEW: Final = "6.7.0"
_OF_CARD: Final = (*CALLBACKS, "CHK-WAL-03", "CHK-TOK-*")
_EVERYTHING: Final = ("CHK-*", "CBK-*", "HPF-*")


def _where(applies: Callable[[Notice], bool], change: Callable[[Fields], Fields]) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        yield replace(notice, fields=change(notice.fields)) if applies(notice) else notice

    return telling(changed)


def _dropping(*names: str) -> Callable[[Fields], Fields]:
    return lambda fields: {name: value for name, value in fields.items() if name not in names}


def _of(action: str, *states: State) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.action == action and (not states or notice.payment.state in states)


def _mapped(name: str, change: Callable[[str], str], *events: str) -> Change:
    return told(lambda fields: fields | {name: change(str(fields[name]))} if name in fields else fields, *events)


def _custom(change: Callable[[dict[str, Value]], dict[str, Value]], applies: Callable[[Notice], bool]) -> Change:
    def changed(fields: Fields) -> Fields:
        given = fields.get("custom_data")
        return fields | {"custom_data": change(dict(given))} if isinstance(given, dict) else fields

    return _where(applies, changed)


def _flat(custom_data: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in custom_data.items() if isinstance(value, str)}


def _is_purchase(notice: Notice) -> bool:
    return notice.payment.action == "purchase"


def _fault(  # noqa: PLR0913, PLR0917 - the parts of a fault
    name: str, ids: str, summary: str, change: Change, related: tuple[str, ...] = CALLBACKS, since: str | None = None
) -> Fault:
    """A fault of callbacks; ``ids`` are numbers of CBK-ATT, or whole names."""
    requirements = tuple(one if "-" in one else f"CBK-ATT-{one}" for one in ids.split())
    return Fault(f"checkout-callback-{name}", requirements, summary, change, related, since)


FAULTS: Final = (
    _fault("other-id", "01", "id names no payment.", _mapped("id", lambda text: text[::-1]), _EVERYTHING),
    _fault("without-id", "01", "id is missing.", telling_no("id"), _EVERYTHING),
    *(
        _fault(
            f"other-{name.replace('_', '-')}",
            "02",
            f"{name} is another one.",
            _mapped(name, lambda text: f"1{text}"),
            _EVERYTHING,
        )
        for name in ("order_number", "order_amount", "order_currency", "order_description")
    ),
    _fault("without-type", "03", "type is missing.", telling_no("type"), _EVERYTHING),
    _fault("type-purchase", "03", "A purchase is of type purchase.", field_as("type", "purchase", "sale"), _EVERYTHING),
    _fault(
        "status-settled",
        "03",
        "The status of a purchase is settled.",
        field_as("status", "settled", "sale"),
        _EVERYTHING,
    ),
    _fault("without-reason", "04", "A failure has no reason.", telling_no("reason")),
    _fault("order-status-upper", "05", "order_status is in capitals.", _mapped("order_status", str.upper), _EVERYTHING),
    _fault(
        "order-status-success",
        "05",
        "order_status is success.",
        _mapped("order_status", lambda text: "success" if text == "settled" else text),
        _EVERYTHING,
    ),
    _fault(
        "3ds-untold", "06", "A challenge is not notified.", untold(lambda notice: notice.event == "3ds"), _EVERYTHING
    ),
    _fault(
        "3ds-pending",
        "06",
        "A challenge is notified as pending.",
        field_as("order_status", "pending", "3ds"),
        _EVERYTHING,
    ),
    _fault(
        "credit-untold", "07", "A payout is not notified.", untold(lambda notice: notice.event == "credit"), _EVERYTHING
    ),
    _fault("credit-as-sale", "07", "A payout is notified as a sale.", field_as("type", "sale", "credit"), _EVERYTHING),
    _fault(
        "capture-untold",
        "08",
        "A capture is not notified.",
        untold(lambda notice: notice.event == "capture"),
        since="6.6.3",
    ),
    _fault(
        "capture-as-sale", "08", "A capture is notified as a sale.", field_as("type", "sale", "capture"), since="6.6.3"
    ),
    _fault(
        "authorization-settled",
        "09",
        "An authorization is notified as settled.",
        _where(_of("purchase", State.AUTHORIZED), lambda fields: fields | {"order_status": "settled"}),
        since=_NEW,
    ),
    _fault(
        "authorization-untold",
        "09",
        "An authorization is not notified.",
        untold(_of("purchase", State.AUTHORIZED)),
        since=_NEW,
    ),
    _fault(
        "recurring-as-sale",
        "10",
        "A secondary charge is notified as a sale.",
        field_as("type", "sale", "recurring"),
        _EVERYTHING,
    ),
    _fault(
        "refund-as-credit", "11", "A refund is notified as a credit.", field_as("type", "credit", "refund"), _EVERYTHING
    ),
    _fault(
        "refund-untold", "11", "A refund is not notified.", untold(lambda notice: notice.event == "refund"), _EVERYTHING
    ),
    _fault("void-as-refund", "12", "A void is notified as a refund.", field_as("type", "refund", "void")),
    _fault("void-untold", "12", "A void is not notified.", untold(lambda notice: notice.event == "void")),
    _fault("custom-data-flat", "13", "Nested custom_data is dropped.", _custom(_flat, _is_purchase)),
    _fault(
        "custom-data-upper",
        "13",
        "custom_data is upper-cased.",
        _custom(lambda given: {name.upper(): value for name, value in given.items()}, _is_purchase),
    ),
    _fault(
        "custom-data-not-of-purchases",
        "13",
        "No custom_data of purchases.",
        _where(_is_purchase, _dropping("custom_data")),
    ),
    _fault(
        "custom-data-not-of-debits",
        "14",
        "No custom_data of debits.",
        _where(_of("debit"), _dropping("custom_data")),
        since=_NEW,
    ),
    _fault(
        "custom-data-not-of-credits",
        "15",
        "No custom_data of credits.",
        _where(_of("credit"), _dropping("custom_data")),
        since=_NEW,
    ),
    _fault(
        "custom-data-not-of-charges",
        "16",
        "No custom_data of secondary charges.",
        telling_no("custom_data", of=("recurring",)),
        since=_NEW,
    ),
    _fault(
        "custom-data-of-first-payment",
        "16",
        "Secondary charges tell other custom_data.",
        _where(
            lambda notice: notice.event == "recurring", lambda fields: fields | {"custom_data": {"other": "payment"}}
        ),
        since=_NEW,
    ),
    _fault(
        "mask-too-wide",
        "17",
        "Eight digits of the card stand in front.",
        _mapped("card", lambda card: f"{card[:6]}11****{card[-4:]}"),
        _OF_CARD,
    ),
    _fault(
        "card-unmasked",
        "17",
        "The card is not masked.",
        _mapped("card", lambda card: card.replace("******", "111111")),
        _OF_CARD,
    ),
    _fault(
        "short-year",
        "18",
        "The expiry date has two digits of the year.",
        _mapped("card_expiration_date", lambda text: f"{text[:3]}{text[-2:]}"),
    ),
    _fault(
        "year-first",
        "18",
        "The expiry date starts with the year.",
        _mapped("card_expiration_date", lambda text: f"{text[3:]}-{text[:2]}"),
    ),
    _fault(
        "without-card",
        "19",
        "card is missing.",
        telling_no("card", of=("sale", "3ds", "recurring", "capture", "refund", "void")),
        _OF_CARD,
    ),
    _fault(
        "without-customer-ip", "20", "customer_ip is missing.", telling_no("customer_ip"), (*CALLBACKS, "HPF-CIP-*")
    ),
    _fault(
        "other-customer-ip",
        "20",
        "customer_ip is another one.",
        field_as("customer_ip", "203.0.113.77"),
        (*CALLBACKS, "HPF-CIP-*"),
    ),
    _fault(
        "debit-3ds-without-token",
        "21",
        "A challenged debit tells no token.",
        _where(lambda notice: _of("debit")(notice) and notice.event == "3ds", _dropping("card_token")),
        _OF_CARD,
        since=_NEW,
    ),
    _fault(
        "debit-without-token",
        "21 22",
        "A debit tells no token.",
        _where(_of("debit"), _dropping("card_token")),
        _OF_CARD,
        since=_NEW,
    ),
    _fault(
        "settled-debit-without-token",
        "22",
        "A settled debit tells no token.",
        _where(_of("debit", State.SETTLED), _dropping("card_token")),
        _OF_CARD,
        since=_NEW,
    ),
    _fault(
        "debit-by-token-without-card",
        "23",
        "A debit by token tells no card.",
        _where(_of("debit"), _dropping("card")),
        _OF_CARD,
        since=_NEW,
    ),
    _fault(
        "debit-by-token-without-expiry",
        "23",
        "A debit by token tells no expiry date.",
        _where(_of("debit"), _dropping("card_expiration_date")),
        _OF_CARD,
        since=_NEW,
    ),
    _fault(
        "chain-token-untold",
        "24",
        "A chain of a purchase tells no token.",
        _where(_is_purchase, _dropping("recurring_token")),
        _EVERYTHING,
    ),
    _fault(
        "chain-token-of-debit-untold",
        "26",
        "A chain of a debit tells no token.",
        _where(_of("debit"), _dropping("recurring_token")),
        ("CHK-REC-*", *CALLBACKS),
        since=_NEW,
    ),
    _fault(
        "chain-token-useless",
        "27",
        "The recurring token charges nothing.",
        _mapped("recurring_token", lambda text: text[::-1]),
        _EVERYTHING,
    ),
    _fault("schedule-untold", "28", "schedule_id is not told.", telling_no("schedule_id"), ("CHK-SCH-*", *CALLBACKS)),
    _fault(
        "first-date-untold",
        "29",
        "first_recurring_date is not told.",
        telling_no("first_recurring_date"),
        ("CHK-SCH-*", *CALLBACKS),
        since=_NEW,
    ),
    _fault(
        "first-date-in-words",
        "29",
        "first_recurring_date is no date.",
        _mapped("first_recurring_date", lambda _text: "next month"),
        ("CHK-SCH-*", *CALLBACKS),
        since=_NEW,
    ),
)
