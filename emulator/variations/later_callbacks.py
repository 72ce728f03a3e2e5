"""Variations of callbacks that come later: a retry in other words, and one more once there is something to add."""

from dataclasses import replace
from typing import Final

from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.variations.model import Variation

_ARN: Final = "74537604221222123456789"
_A_DAY: Final = 86_400.0
_FOR_A_DAY: Final = (5.0, 60.0, *[600.0] * 144)
_LONGER_AND_LONGER: Final = (60.0, 3_600.0, 21_600.0, 43_200.0)


def _as_it_stands(notice: Notice) -> list[Notice]:
    is_refunded = notice.payment.protocol is Protocol.CHECKOUT and notice.payment.refunded
    return [replace(notice, fields={**notice.fields, "order_status": "refund"}) if is_refunded else notice]


def _with_its_arn(notice: Notice) -> list[Notice]:
    """Half a day later a settled payment has an ARN, which was empty before (line 422)."""
    name = next((name for name in notice.fields if name.casefold() == "arn"), None)
    is_settled = "settled" in (notice.fields.get("order_status"), str(notice.fields.get("status")).casefold())
    return [replace(notice, fields={**notice.fields, name: _ARN})] if name and is_settled else []


def _first_delivery(notice: Notice) -> list[Notice]:
    """Before it is sent for the first time, with a member that is of no later delivery."""
    if notice.payment.protocol is not Protocol.S2S_CARD or notice.attempt > 1:
        return [notice]
    return [replace(notice, fields={**notice.fields, "first_delivery": "1"})]


def _counted(notice: Notice) -> list[Notice]:
    """Delivered again with a number in place of that member, and with the ARN that there is by then."""
    if notice.payment.protocol is not Protocol.S2S_CARD:
        return [notice]
    known = {name: value for name, value in notice.fields.items() if name != "first_delivery"}
    arn = {"ARN": _ARN} if "ARN" in known else {}
    return [replace(notice, fields={**known, **arn, "delivery": str(notice.attempt)})]


VARIATIONS: Final = (
    Variation(
        "callbacks-come-again-for-a-day",
        "A callback that was not taken comes again after 5 s, a minute, then every ten minutes, for a day of the "
        "gateway's clock; that it was not taken is noted a moment after the answer.",
        lambda design: design.in_callbacks(again=_FOR_A_DAY, gives_up_after=_A_DAY, notes_after=0.15),
    ),
    Variation(
        "callbacks-come-again-less-and-less-often",
        "A callback that was not taken comes again after a minute, an hour, six and twelve hours, within a day of the "
        "gateway's clock.",
        lambda design: design.in_callbacks(again=_LONGER_AND_LONGER, gives_up_after=_A_DAY),
    ),
    Variation(
        "card-callbacks-count-their-deliveries",
        "A callback of S2S CARD that comes again says how often it was sent, and has the ARN that there is by then.",
        lambda design: design.in_callbacks(after=(*design.callbacks.after, _first_delivery), repeat=_counted),
    ),
    Variation(
        "callbacks-come-again-as-the-payment-stands",
        "A callback of Checkout that was not taken comes again with the status that the payment has by then.",
        lambda design: design.in_callbacks(repeat=_as_it_stands),
    ),
    Variation(
        "callbacks-bring-the-arn-later",
        "A payment that settled is notified once more half a day later, with its ARN.",
        lambda design: design.in_callbacks(follow_up=_with_its_arn),
    ),
)
