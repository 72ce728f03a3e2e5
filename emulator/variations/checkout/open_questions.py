"""Variations of Checkout where the contract leaves open which callbacks carry an attribute, and what a list closes."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, Handler, around
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import notify
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_TOO_MUCH: Final = 208006
_THREE_DS: Final = (
    "threeDSServerTransID",
    "dsTransID",
    "acsTransID",
    "xid",
    "transStatus",
    "transStatusReason",
    "eci",
    "protocolVersion",
    "authenticationFlow",
)


def _browser_with_three_ds_only() -> Change:
    """Only callbacks of payments whose payer was authenticated have browser attributes."""

    def changed(notice: Notice) -> tuple[Notice, ...]:
        if notice.fields.get("authenticationFlow") == "Challenge":
            return (notice,)
        kept = {name: value for name, value in notice.fields.items() if not name.startswith("browser_")}
        return (replace(notice, fields=kept),)

    return NOTICES.changed(changed)


def _charges_are_sales() -> Change:
    """Line 340 calls every charge of a chain a secondary sale: that of a debit's chain is none of a debit."""

    def changed(notice: Notice) -> tuple[Notice, ...]:
        if notice.event != "recurring" or notice.payment.action != "debit":
            return (notice,)
        kept = {name: value for name, value in notice.fields.items() if name != "card_token"}
        return (replace(notice, fields=kept),)

    return NOTICES.changed(changed)


def _refused_later(handler: Handler, attempt: PostAttempt) -> Reply:
    """A refund of too much is accepted, and a callback reports that it failed."""
    reply, payment = handler(attempt), attempt.payment
    body = reply.body if isinstance(reply.body, dict) else {}
    if payment is None or payment.protocol is not Protocol.CHECKOUT or body.get("error_code") != _TOO_MUCH:
        return reply
    notify(attempt.gateway, payment, "refund", "fail")
    return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})


_BROWSER_OFF: Final = (
    "browser_color_depth",
    "browser_screen_height",
    "browser_java_enabled",
    "browser_javascript_enabled",
    "browser_timezone_offset",
    "browser_platform",
)
VARIATIONS: Final = (
    Variation(
        "checkout-refund-of-too-much-fails-later",
        "A refund of more than is left is accepted; a callback reports that it failed.",
        around(_refused_later, "refund"),
    ),
    Variation(
        "callbacks-have-some-browser-attributes",
        "The mapping adds four of the ten browser attributes.",
        NOTICES.without(*_BROWSER_OFF),
    ),
    Variation(
        "checkout-callbacks-name-as-sent",
        "Callbacks do not part the name of the payer into first and last name.",
        NOTICES.without("payer_first_name", "payer_last_name"),
    ),
    Variation(
        "checkout-callbacks-three-ds-in-outcome",
        "The callback of a challenge has none of the 3DS attributes; that of the outcome has them.",
        NOTICES.without(*_THREE_DS, of=("3ds",)),
    ),
    Variation(
        "checkout-callbacks-browser-with-three-ds",
        "Only payments with a challenge have browser attributes.",
        _browser_with_three_ds_only(),
    ),
    Variation(
        "checkout-charges-of-debits-are-sales",
        "The callback of a charge of a chain that a debit started has no card_token.",
        _charges_are_sales(),
    ),
)
