"""How requests are signed, as rows: what is joined, in order, by protocol and operation.

A name with a minus sign goes in reversed. What stands before the bar is upper-cased. From the contract's section on
signatures; a target with formulas of its own needs the suite's own command.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PASSWORD = "PASSWORD"  # noqa: S105 - a name
CARD = "CARD"
_F1 = "-payer_email PASSWORD -CARD"
_F2 = "-payer_email PASSWORD trans_id -CARD"
_F4 = "-PASSWORD -schedule_id"

CARD_FORMULAS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD"), _F1),
        **dict.fromkeys(("CAPTURE", "VOID", "CREDITVOID", "RETRY", "GET_TRANS_STATUS", "GET_TRANS_DETAILS"), _F2),
        "CREATE_SCHEDULE": "-PASSWORD",
        **dict.fromkeys(("UPDATE_SCHEDULE", "DELETE_SCHEDULE", "SCHEDULE_INFO", "PAUSE", "RUN", "DESCHEDULE"), _F4),
        "CREDIT2CARD": "PASSWORD -CARD",
        "GET_TRANS_STATUS_BY_ORDER": "-payer_email PASSWORD order_id -CARD",
    }
)
APM_FORMULAS: Mapping[str, str] = MappingProxyType(
    {
        "SALE": "-PASSWORD -order_currency -order_amount -order_id -identifier",
        "CREDITVOID": "-PASSWORD -trans_id",
        **dict.fromkeys(("CAPTURE", "VOID", "GET_TRANS_STATUS"), "-trans_id | PASSWORD"),
        "CREDIT2VIRTUAL": "-order_currency -order_amount -order_id | PASSWORD",
    }
)
_SESSION = "order.number order.amount order.currency order.description PASSWORD"
CHECKOUT_FORMULAS: Mapping[str, str] = MappingProxyType(
    {
        "session request": _SESSION,
        "session token": _SESSION,
        "look-up": "payment_id order_id PASSWORD",
        "void": "payment_id PASSWORD",
        "retry": "payment_id PASSWORD",
        "capture": "payment_id amount PASSWORD",
        "refund": "payment_id amount PASSWORD",
        "recurring charge": "recurring_init_trans_id recurring_token "
        "order.number order.amount order.description PASSWORD",
        "card credit": "order_id order_amount order_currency order_description PASSWORD",
    }
)


OPENING = frozenset(
    {
        "SALE",
        "DEBIT",
        "RECURRING_SALE",
        "RECURRING_DEBIT",
        "CARD2CARD",
        "CREDIT2CARD",
        "CREDIT2VIRTUAL",
        "session request",
        "session token",
        "recurring charge",
        "card credit",
    }
)
"""Operations that make a payment, and so want an order number that nobody used."""


def formula_of(protocol: str, operation: str, names: frozenset[str]) -> str:
    """Return the formula of a request; empty where none is known.

    Args:
        protocol: of the exchange.
        operation: as :func:`reports.findings.places.operation_of` calls it.
        names: the fields that the request has.
    """
    if protocol == "S2S CARD":
        formula = CARD_FORMULAS.get(operation, "")
        if "card_token" in names:
            return formula.replace("-CARD", "-card_token")
        return "-payer_email PASSWORD" if "payment_token" in names and formula == _F1 else formula
    table = {"S2S APM": APM_FORMULAS, "Checkout": CHECKOUT_FORMULAS}.get(protocol, {})
    return table.get(operation, "")
