"""Faults of Checkout that show on payments of one kind only: challenged, by token, by wallet, debits, of a chain."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import NOTICES, carrying, last, looking_up
from emulator.changes.moves import unlimited
from emulator.changes.notices import About
from emulator.changes.stages import refusal_if
from emulator.design import Change
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout.behaviour import CAPTURE_REFUSALS, REFUND_REFUSALS, VOID_REFUSALS, PostAttempt
from emulator.protocols.checkout.payment_record import record_of
from emulator.wire.replies import Kind as Kinds
from emulator.wire.replies import Refusal, Reply

Kind = Callable[[Payment], bool]

_KINDS: Final[Mapping[str, Kind]] = {
    "challenged": lambda payment: record_of(payment).challenged,
    "paid-by-token": lambda payment: bool(record_of(payment).sent_token),
    "paid-by-wallet": lambda payment: bool(record_of(payment).wallet),
    "debit": lambda payment: payment.action == "debit" and not payment.chain,
    "initial": lambda payment: bool(payment.recurring_token),
    "secondary": lambda payment: bool(payment.chain),
}
_WRONG: Final = Obstacle.WRONG_STATE
_MOVES: Final[Mapping[str, tuple[str, Refusal]]] = {
    "refund": ("CHK-RFD-05", REFUND_REFUSALS[_WRONG]),
    "void": ("CHK-RFD-13", VOID_REFUSALS[_WRONG]),
}


def _refusing(move: str, kind: Kind, refusal: Refusal) -> Change:
    """Payments of a kind are never in the right state for a move."""
    return last(refusal_if(lambda attempt: attempt.payment is not None and kind(attempt.payment), refusal), move)


def _refused() -> dict[str, Fault]:
    moves = {
        f"checkout-{move}-of-{name}-refused": breaks(
            requirement, f"A {move} of a payment of the kind {name} is refused.", _refusing(move, kind, refusal)
        )
        for move, (requirement, refusal) in _MOVES.items()
        for name, kind in _KINDS.items()
        if (move, name) != ("void", "initial")
    }
    captures = {
        f"checkout-capture-of-{name}-refused": breaks(
            "CHK-CAP-01",
            f"A capture of an authorization of the kind {name} is refused.",
            _refusing("capture", _KINDS[name], CAPTURE_REFUSALS[_WRONG]),
            since="6.7.0",
        )
        for name in ("challenged", "paid-by-token", "paid-by-wallet")
    }
    return moves | captures


def _asks_for_more(payment: Payment) -> bool:
    return record_of(payment).wants_token


def _captured_in_part(payment: Payment) -> bool:
    return payment.intended is State.AUTHORIZED and Decimal(0) < payment.captured < payment.amount


def _of_a_challenged_debit(payment: Payment) -> bool:
    return payment.action == "debit" and record_of(payment).challenged


def _starting_no_chain(kind: Kind) -> Change:
    """A payment of a kind starts no chain."""

    def changed(payment: Payment, _move: Move, _before: State) -> None:
        if kind(payment):
            record_of(payment).recurring = False

    return carrying(changed)


_WITHOUT_CHAIN: Final[Mapping[str, tuple[Kind, str]]] = {
    "by-token": (_KINDS["paid-by-token"], "CBK-ATT-24"),
    "with-req-token": (_asks_for_more, "CBK-ATT-24"),
    "captured-in-part": (_captured_in_part, "CBK-ATT-24"),
    "challenged-debit": (_of_a_challenged_debit, "CBK-ATT-26"),
}
_LOOK_UPS: Final[Mapping[str, Kind]] = {
    "authorization": lambda payment: payment.intended is State.AUTHORIZED,
    "challenged": _KINDS["challenged"],
    "debit": _KINDS["debit"],
}


def _hidden_in_look_ups(kind: Kind, *names: str) -> Change:
    """Look-ups by id of payments of a kind leave members out."""

    def change(attempt: PostAttempt, reply: Reply) -> Reply:
        named = attempt.gateway.payments.find(attempt.account, str(attempt.body.get("payment_id")))  # type: ignore[arg-type]
        if named is None or not kind(named):
            return reply
        return replace(reply, body={name: one for name, one in reply.body.items() if name not in names})

    return looking_up(change)


def _chained(attempt: PostAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.intended is State.AUTHORIZED


_LEFT_OUT: Final[Mapping[str, tuple[str, str, About, tuple[str, ...]]]] = {
    "custom-data-of-authorization": (
        "CBK-ATT-13",
        "custom_data of an authorization are left out.",
        lambda one: one.payment.state is State.AUTHORIZED,
        ("custom_data",),
    ),
    "custom-data-by-token": (
        "CBK-ATT-13",
        "custom_data of a purchase by token are left out.",
        lambda one: one.event == "sale" and bool(record_of(one.payment).sent_token),
        ("custom_data",),
    ),
    "custom-data-by-wallet": (
        "CBK-ATT-13",
        "custom_data of a wallet payment are left out.",
        lambda one: bool(record_of(one.payment).wallet),
        ("custom_data",),
    ),
    "custom-data-of-debit-by-token": (
        "CBK-ATT-14",
        "custom_data of a debit by token are left out.",
        lambda one: one.event == "debit" and bool(record_of(one.payment).sent_token),
        ("custom_data",),
    ),
    "custom-data-of-credit-by-token": (
        "CBK-ATT-15",
        "custom_data of a credit by token are left out.",
        lambda one: one.event == "credit" and bool(record_of(one.payment).sent_token),
        ("custom_data",),
    ),
    "custom-data-of-charge-of-debit": (
        "CBK-ATT-16",
        "custom_data of a charge of a debit's chain are left out.",
        lambda one: one.event == "recurring" and one.payment.action == "debit",
        ("custom_data",),
    ),
    "token-of-refunded-debit": (
        "CBK-ATT-58",
        "The callback of the refund of a debit has no card_token.",
        lambda one: one.event == "refund" and one.payment.action == "debit" and not record_of(one.payment).sent_token,
        ("card_token",),
    ),
    "expiry-of-changed-debit-by-token": (
        "CBK-ATT-58",
        "The callbacks of refunds and voids of a debit by token have no expiry date.",
        lambda one: one.event in ("refund", "void") and one.payment.action == "debit",
        ("card_expiration_date",),
    ),
    "card-of-declined-debit-by-token": (
        "CBK-ATT-23",
        "The callback of a debit by token that is declined has no card.",
        lambda one: (
            one.payment.action == "debit"
            and one.payment.state is State.DECLINED
            and bool(record_of(one.payment).sent_token)
        ),
        ("card", "card_expiration_date"),
    ),
    "schedule-of-debit": (
        "CBK-ATT-28",
        "The callback of a debit does not name its schedule.",
        lambda one: one.event == "debit",
        ("schedule_id",),
    ),
    "arn-of-declined-sale": (
        "CBK-ATT-32",
        "The callback of a declined sale has no ARN.",
        lambda one: one.event == "sale" and one.payment.state is State.DECLINED,
        ("ARN",),
    ),
    "arn-of-refund-in-part": (
        "CBK-ATT-35",
        "The callback of a refund in part has no ARN.",
        lambda one: one.event == "refund" and one.payment.held > 0,
        ("ARN",),
    ),
    "vat-of-authorization": (
        "CHK-VAT-01",
        "The callback of an authorization with VAT has no vat_amount.",
        lambda one: one.payment.intended is State.AUTHORIZED,
        ("vat_amount",),
    ),
}
_WITHOUT_CARD: Final[Mapping[str, Kind]] = {
    "given-back": lambda payment: payment.state in (State.VOIDED, State.REFUNDED),
    "challenged": _KINDS["challenged"],
    "declined": lambda payment: payment.state is State.DECLINED,
}


_NOT_OF_CAPTURED: Final = Refusal(Kinds.NOT_FOUND, "Incorrect transaction")

FAULTS: Final = faults(
    {
        **_refused(),
        **{
            f"checkout-chain-{name}-never-starts": breaks(
                requirement, f"A payment of the kind {name} starts no chain.", _starting_no_chain(kind), since="6.7.0"
            )
            for name, (kind, requirement) in _WITHOUT_CHAIN.items()
        },
        **{
            f"checkout-chain-of-{name}-not-in-look-ups": breaks(
                "CHK-STA-41",
                f"Look-ups of a chain of the kind {name} lack its token.",
                _hidden_in_look_ups(kind, "recurring_token"),
                since="6.7.0",
            )
            for name, kind in _LOOK_UPS.items()
        },
        **{
            f"checkout-callback-without-{name}": breaks(
                requirement, summary, NOTICES.lacking(applies, *fields), since="6.7.0"
            )
            for name, (requirement, summary, applies, fields) in _LEFT_OUT.items()
        },
        **{
            f"checkout-look-up-without-card-of-{name}": breaks(
                "CHK-STA-33",
                f"Look-ups lack the card of a payment of the kind {name}.",
                _hidden_in_look_ups(kind, "card", "card_expiration_date"),
                since="6.7.0",
            )
            for name, kind in _WITHOUT_CARD.items()
        },
        "checkout-chain-of-captured-never-charged": breaks(
            "CHK-REC-01",
            "A chain that an authorization started cannot be charged.",
            last(refusal_if(_chained, _NOT_OF_CAPTURED), "recurring"),
            since="6.7.0",
        ),
        "checkout-callback-of-nothing-without-chain": breaks(
            "CBK-ATT-24",
            "The callback of a chain that nothing was paid for lacks its token.",
            NOTICES.lacking(lambda notice: notice.payment.amount == 0, "recurring_token"),
            since="6.7.0",
        ),
        "checkout-callback-by-token-without-chain": breaks(
            "CBK-ATT-24",
            "The callback of a chain that a card_token started lacks its token.",
            NOTICES.lacking(lambda one: bool(record_of(one.payment).sent_token), "recurring_token"),
        ),
        **{
            f"checkout-refund-of-too-much-of-{name}": breaks(
                "CHK-RFD-09",
                f"Of payments of the kind {name} more is refunded than is left.",
                unlimited(Protocol.CHECKOUT, Move.REFUND, kind),
            )
            for name, kind in _KINDS.items()
        },
    }
)
