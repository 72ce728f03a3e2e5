"""Faults of amounts in callbacks: they are written with the wrong decimals, or lose some."""

from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from emulator.changes.notices import Notices
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

_NO_DECIMALS: Final = ("JPY",)
_THREE: Final = ("BHD",)
_FOUR: Final = ("CLF",)
_UNIT, _CENT, _MILL = Decimal(1), Decimal("0.01"), Decimal("0.001")


def _cut(protocol: Protocol, action: str, unit: Decimal, currencies: tuple[str, ...] = ()) -> Change:
    """Amounts of payments by an action lose what is smaller than a unit; where none is named, in every currency."""

    def cut(fields: Fields) -> Fields:
        return _changed(fields, lambda amount: amount.quantize(unit, ROUND_FLOOR))

    return Notices(protocol).where(_of(action, currencies), cut)


def _hundredth(protocol: Protocol, action: str) -> Change:
    """Amounts in a currency without decimals are taken for hundredths."""
    return Notices(protocol).where(
        _of(action, _NO_DECIMALS), lambda fields: _changed(fields, lambda amount: (amount / 100).quantize(_CENT))
    )


def _of(action: str, currencies: tuple[str, ...]) -> Callable[[Notice], bool]:
    def concerned(notice: Notice) -> bool:
        payment = notice.payment
        return payment.action == action and (not currencies or payment.currency in currencies)

    return concerned


def _changed(fields: Fields, change: Callable[[Decimal], Decimal]) -> Fields:
    names = [name for name in ("amount", "order_amount") if name in fields]
    return {**fields, **{name: str(change(Decimal(str(fields[name])))) for name in names}}


FAULTS: Final = faults(
    {
        "apm-callback-of-sale-without-cents": breaks(
            "CBK-APM-11", "The callback of a SALE loses the cents.", _cut(Protocol.S2S_APM, "SALE", _UNIT)
        ),
        "apm-callback-of-sale-in-two-decimals-of-three": breaks(
            "CBK-APM-11",
            "The callback of a SALE in dinars has two decimals.",
            _cut(Protocol.S2S_APM, "SALE", _CENT, _THREE),
        ),
        "apm-callback-of-sale-in-three-decimals-of-four": breaks(
            "CBK-APM-11",
            "The callback of a SALE in a currency of four decimals has three.",
            _cut(Protocol.S2S_APM, "SALE", _MILL, _FOUR),
        ),
        "apm-callback-of-sale-in-yen-of-hundredths": breaks(
            "CBK-APM-11",
            "The callback of a SALE in yen has a hundredth of the amount.",
            _hundredth(Protocol.S2S_APM, "SALE"),
        ),
        "apm-callback-of-payout-without-cents": breaks(
            "CBK-APM-11", "The callback of a payout loses the cents.", _cut(Protocol.S2S_APM, "CREDIT2VIRTUAL", _UNIT)
        ),
        "checkout-callback-in-two-decimals-of-three": breaks(
            "CBK-ATT-02",
            "The callback of a purchase in dinars has two decimals.",
            _cut(Protocol.CHECKOUT, "purchase", _CENT, _THREE),
        ),
        "checkout-callback-in-three-decimals-of-four": breaks(
            "CBK-ATT-02",
            "The callback of a purchase in a currency of four decimals has three.",
            _cut(Protocol.CHECKOUT, "purchase", _MILL, _FOUR),
        ),
        "checkout-callback-in-yen-of-hundredths": breaks(
            "CBK-ATT-02",
            "The callback of a purchase in yen has a hundredth of the amount.",
            _hundredth(Protocol.CHECKOUT, "purchase"),
        ),
        "checkout-callback-of-debit-without-cents": breaks(
            "CBK-ATT-02", "The callback of a debit loses the cents.", _cut(Protocol.CHECKOUT, "debit", _UNIT)
        ),
        "card-callback-in-three-decimals-of-four": breaks(
            "CBK-S2C-23",
            "The callback of a SALE in a currency of four decimals has three.",
            _cut(Protocol.S2S_CARD, "SALE", _MILL, _FOUR),
        ),
        "card-callback-of-debited-charge-without-cents": breaks(
            "CBK-S2C-23",
            "The callback of a RECURRING_DEBIT loses the cents.",
            _cut(Protocol.S2S_CARD, "RECURRING_DEBIT", _UNIT),
        ),
        "card-callback-of-debit-in-yen-of-hundredths": breaks(
            "CBK-S2C-23",
            "The callback of a DEBIT in yen has a hundredth of the amount.",
            _hundredth(Protocol.S2S_CARD, "DEBIT"),
        ),
    }
)
