"""Faults of other authors that the suite did not notice at first (set X): amounts shown with fewer decimals."""

from collections.abc import Callable, Mapping
from typing import Final

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.engine.callbacks.notice import Fields
from emulator.faults.model import breaks, faults
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import Kind
from emulator.wire.values import Object

_SHORTER: Final[Mapping[int, tuple[str, Callable[[str], str]]]] = {
    0: ("without decimals", lambda amount: amount.partition(".")[0]),
    3: ("with two decimals", lambda amount: amount[:-1]),
}
"""By the exponent of a currency, such as JPY or KWD, how an amount is shown."""


def _shortened(exponent: int, amount: object, currency: object) -> str:
    """An amount, shorter where its currency has that exponent."""
    text = str(amount)
    return _SHORTER[exponent][1](text) if EXPONENTS.get(str(currency)) == exponent else text


def _in_answers(exponent: int) -> Callable[[Object], Object]:
    def change(body: Object) -> Object:
        if "amount" not in body:
            return body
        return body | {"amount": _shortened(exponent, body["amount"], body.get("currency"))}

    return change


def _in_orders(exponent: int) -> Callable[[Object], Object]:
    of_order = _in_answers(exponent)

    def change(body: Object) -> Object:
        order = body.get("order")
        return body | {"order": of_order(order)} if isinstance(order, dict) else body

    return change


def _in_callbacks(exponent: int, prefix: str = "") -> Callable[[Fields], Fields]:
    amount, currency = f"{prefix}amount", f"{prefix}currency"

    def change(fields: Fields) -> Fields:
        if amount not in fields:
            return fields
        return fields | {amount: _shortened(exponent, fields[amount], fields.get(currency))}

    return change


FAULTS: Final = faults(
    {
        f"x-{name}-of-exponent-{exponent}": breaks(
            "GEN-VAL-07",
            f"{what} show amounts in a currency of exponent {exponent} {how} (lines 86 and 88).",
            change,
        )
        for exponent, (how, _) in _SHORTER.items()
        for name, what, change in (
            ("card-answer", "Answers of S2S CARD", s2s_card.answering(_in_answers(exponent))),
            ("card-callback", "Callbacks of S2S CARD", s2s_card.NOTICES.fields(_in_callbacks(exponent))),
            ("apm-answer", "Answers of S2S APM", s2s_apm.answering(_in_answers(exponent), *s2s_apm.ANSWERED)),
            ("apm-callback", "Callbacks of S2S APM", s2s_apm.NOTICES.fields(_in_callbacks(exponent))),
            ("look-up", "Look-ups of Checkout", checkout.answering(_in_orders(exponent), Kind.CHECKOUT_STATUS)),
            ("callback", "Callbacks of Checkout", checkout.NOTICES.fields(_in_callbacks(exponent, "order_"))),
        )
    }
)
