"""Faults of amounts that are reckoned with binary fractions: of 4.35 a cent is lost wherever something is charged."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import answering as checkout_answering
from emulator.changes.notices import Notices
from emulator.changes.s2s_apm import answering as apm_answering
from emulator.changes.s2s_card import answering as card_answering
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import scheduled_amount as of_checkout
from emulator.protocols.s2s_card.payment_behaviour import scheduled_amount as of_card
from emulator.wire.replies import Kind
from emulator.wire.values import Object

_CENTS: Final = 100
_DECIMALS: Final = 2
_NAMES: Final = ("amount", "order_amount")


def _cut(amount: Decimal) -> Decimal:
    return Decimal(int(float(amount) * _CENTS)) / _CENTS


def _captures(protocol: Protocol) -> Change:
    """A capture takes what is left of its amount."""

    def change(design: Design) -> Design:
        inner: Callable[[Payment, Move, Decimal, State], None] = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            is_meant = move is Move.CAPTURE and payment.protocol is protocol
            inner(payment, move, _cut(amount) if is_meant else amount, after)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return change


def _written(value: object) -> str:
    """An amount of two decimals with what is left of it; any other one as it is."""
    text = str(value)
    return f"{_cut(Decimal(text)):.2f}" if len(text.partition(".")[2]) == _DECIMALS else text


def _less(body: Object) -> Object:
    """A body with its amounts cut, that of its order as well."""
    order = body.get("order")
    found = {name: _written(body[name]) for name in _NAMES if name in body}
    return body | found | ({"order": _less(order)} if isinstance(order, dict) else {})


def _in_callbacks(protocol: Protocol, is_concerned: Callable[[Notice], bool]) -> Change:
    def changed(fields: Fields) -> Fields:
        return {**fields, **{name: _written(fields[name]) for name in _NAMES if name in fields}}

    return Notices(protocol).where(is_concerned, changed)


def _of(event: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.event == event


def _of_payments_by(action: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.action == action


_CALLBACKS: Final = (
    ("checkout-capture", "GEN-AGR-08", Protocol.CHECKOUT, _of("capture")),
    ("card-capture", "CBK-S2C-23", Protocol.S2S_CARD, _of("CAPTURE")),
    ("charge", "CBK-S2C-23", Protocol.S2S_CARD, _of_payments_by("RECURRING_SALE")),
    ("sale", "CBK-APM-11", Protocol.S2S_APM, _of_payments_by("SALE")),
    ("payout", "CBK-APM-11", Protocol.S2S_APM, _of_payments_by("CREDIT2VIRTUAL")),
)
"""What callbacks report, the requirement, the protocol, and whether one is concerned."""

FAULTS: Final = faults(
    {
        "checkout-capture": breaks("CHK-RFD-07", "Checkout captures 4.34 for 4.35.", _captures(Protocol.CHECKOUT)),
        "card-capture": breaks("S2C-CAP-05", "CAPTURE of S2S CARD takes 4.34 for 4.35.", _captures(Protocol.S2S_CARD)),
        "apm-capture": breaks("APM-CAP-11", "CAPTURE of S2S APM takes 4.34 for 4.35.", _captures(Protocol.S2S_APM)),
        "checkout-schedule": breaks(
            "CHK-SCH-05",
            "Scheduled charges of Checkout are a cent less.",
            lambda design: design.in_checkout(scheduled_amount=lambda payment: _written(of_checkout(payment))),
        ),
        "card-schedule": breaks(
            "S2C-SCP-14",
            "Scheduled charges of S2S CARD are a cent less.",
            lambda design: design.in_card(scheduled_amount=lambda payment: _written(of_card(payment))),
        ),
        "answer-to-checkout-capture": breaks(
            "GEN-AGR-08",
            "The answer to a capture of Checkout names a cent less.",
            checkout_answering(_less, Kind.CHECKOUT_CAPTURE),
        ),
        "answer-to-checkout-charge": breaks(
            "CHK-REC-15",
            "The answer to a charge of Checkout names a cent less.",
            checkout_answering(_less, Kind.CHECKOUT_RECURRING),
        ),
        "answer-to-apm-capture": breaks(
            "APM-CAP-11", "The answer to CAPTURE of S2S APM names a cent less.", apm_answering(_less, Kind.APM_CAPTURE)
        ),
        "answer-to-card-capture": breaks(
            "S2C-CAP-05", "The answer to CAPTURE of S2S CARD names a cent less.", card_answering(_less, "CAPTURE")
        ),
        **{
            f"answer-to-{action.lower().replace('_', '-')}": breaks(
                "S2C-ANS-08", f"The answer to {action} names a cent less.", card_answering(_less, action)
            )
            for action in ("SALE", "DEBIT", "RECURRING_SALE", "CARD2CARD")
        },
        **{
            f"callback-of-{what}": breaks(
                requirement,
                f"The callback of a {what.replace('-', ' ')} names a cent less.",
                _in_callbacks(protocol, is_concerned),
            )
            for what, requirement, protocol, is_concerned in _CALLBACKS
        },
    },
    prefix="cut-by-floats-in-",
    since="6.7.0",
)
