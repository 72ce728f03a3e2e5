"""Faults of amounts in callbacks: they are written with the wrong decimals, or lose some."""

from collections.abc import Callable, Mapping
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from emulator.changes.notices import Notices
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

Wrong = Callable[[Protocol, str], Change]
_UNIT, _CENT, _MILL = Decimal(1), Decimal("0.01"), Decimal("0.001")


def _written(change: Callable[[Decimal], Decimal], currency: str = "") -> Wrong:
    """Callbacks of payments by an action have other amounts: in one currency, or in every one."""

    def changed(fields: Fields) -> Fields:
        names = [name for name in ("amount", "order_amount") if name in fields]
        return {**fields, **{name: str(change(Decimal(str(fields[name])))) for name in names}}

    def of(protocol: Protocol, action: str) -> Change:
        def concerned(notice: Notice) -> bool:
            payment = notice.payment
            return payment.action == action and (not currency or payment.currency == currency)

        return Notices(protocol).where(concerned, changed)

    return of


def _cut(unit: Decimal) -> Callable[[Decimal], Decimal]:
    return lambda amount: amount.quantize(unit, ROUND_FLOOR)


def _hundredth(amount: Decimal) -> Decimal:
    return (amount / 100).quantize(_CENT)


_WRONGS: Final[Mapping[str, tuple[str, Wrong]]] = {
    "without-cents": (" loses the cents", _written(_cut(_UNIT))),
    "in-two-decimals-of-three": (" in dinars has two decimals", _written(_cut(_CENT), "BHD")),
    "in-three-decimals-of-four": (" in a currency of four decimals has three", _written(_cut(_MILL), "CLF")),
    "in-yen-of-hundredths": (" in yen has a hundredth of the amount", _written(_hundredth, "JPY")),
}
_CENTS: Final = ("without-cents",)
_OF: Final[tuple[tuple[str, str, Protocol, str, str, tuple[str, ...]], ...]] = (
    ("apm-callback-of-sale", "CBK-APM-11", Protocol.S2S_APM, "SALE", "SALE", tuple(_WRONGS)),
    ("apm-callback-of-payout", "CBK-APM-11", Protocol.S2S_APM, "CREDIT2VIRTUAL", "payout", _CENTS),
    ("checkout-callback", "CBK-ATT-02", Protocol.CHECKOUT, "purchase", "purchase", tuple(_WRONGS)[1:]),
    ("checkout-callback-of-debit", "CBK-ATT-02", Protocol.CHECKOUT, "debit", "debit", _CENTS),
    ("card-callback", "CBK-S2C-23", Protocol.S2S_CARD, "SALE", "SALE", ("in-three-decimals-of-four",)),
    ("card-callback-of-debited-charge", "CBK-S2C-23", Protocol.S2S_CARD, "RECURRING_DEBIT", "RECURRING_DEBIT", _CENTS),
    ("card-callback-of-debit", "CBK-S2C-23", Protocol.S2S_CARD, "DEBIT", "DEBIT", ("in-yen-of-hundredths",)),
)
"""The callback, its requirement, protocol and action, what that is called, and what is wrong with its amounts."""

FAULTS: Final = faults(
    {
        f"{slug}-{name}": breaks(
            requirement, f"The callback of a {what}{_WRONGS[name][0]}.", _WRONGS[name][1](protocol, action)
        )
        for slug, requirement, protocol, action, what, names in _OF
        for name in names
    }
)
