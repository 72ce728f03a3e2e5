"""Faults that show once something else was done to a payment before: rows of ``contract/sequences.toml``, each."""

from typing import Final

from emulator.changes import checkout_sessions, s2s_card
from emulator.changes.sequences import (
    APM,
    CARD,
    CHECKOUT,
    Applies,
    after,
    both,
    chains_ended,
    charges_shown_with_the_first,
    in_part,
    mistaken,
    of_another_of_the_order,
    of_schedules,
    once_charged,
    shown_as,
    something_left,
    tokens_forgotten,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_CAPTURE, _VOID, _REFUND, _RELEASE = Move.CAPTURE, Move.VOID, Move.REFUND, Move.RELEASE
_NO_CHAIN: Final = Refusal(Kind.NOT_FOUND, "Incorrect transaction")
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "The schedule cannot be paused again.")
_NO_TOKEN: Final = Refusal(Kind.STATE, "Card token is invalid or not found.", code=205005)


def _charge(payment: Payment) -> bool:
    return bool(payment.chain) and payment.intended is State.SETTLED


def _all_captured(payment: Payment) -> bool:
    return payment.captured == payment.amount


def _nothing_left(payment: Payment) -> bool:
    return not something_left(payment)


_PART_BACK: Final = both(after(_REFUND, held=False), something_left)
_WHOLE_BACK: Final = both(after(_REFUND, held=False), _nothing_left)
_TWO_PARTS: Final = both(after(_REFUND, _REFUND, held=False), _nothing_left)
_CAPTURED: Final = both(after(_CAPTURE), _all_captured)
_PART_CAPTURED: Final = both(after(_CAPTURE), in_part)
_CAPTURED_PART_BACK: Final = both(after(_CAPTURE, _REFUND), _all_captured, something_left)
_CAPTURED_BACK: Final = both(after(_CAPTURE, _REFUND), _all_captured, _nothing_left)
_PART_CAPTURED_BACK: Final = both(after(_CAPTURE, _REFUND), in_part, _nothing_left)
_CAPTURED_VOIDED: Final = after(_CAPTURE, _VOID)
_RELEASED: Final = after(_RELEASE, held=True)
_VOIDED: Final = after(_VOID, held=False)

_HELD, _PAID, _OTHER = State.AUTHORIZED, State.SETTLED, State.DECLINED
Row = tuple[str, str, str, Applies, State, str]
_CHECKOUT: Final[tuple[Row, ...]] = (
    ("rest-captured-after-a-part", "CHK-CAP-05", "capture", _PART_CAPTURED, _HELD, "captures the rest, too"),
    ("captured-after-a-part-is-back", "CHK-CAP-06", "capture", _PART_BACK, _HELD, "captures what was paid"),
    ("captured-once-given-back", "CHK-CAP-06", "capture", _WHOLE_BACK, _HELD, "captures what was given back"),
    ("captured-again-after-a-part-is-back", "CHK-CAP-05", "capture", _CAPTURED_PART_BACK, _HELD, "captures again"),
    ("captured-again-once-voided", "CHK-CAP-05", "capture", _CAPTURED_VOIDED, _HELD, "captures again"),
    ("charge-captured", "CHK-CAP-06", "capture", both(_charge, after()), _HELD, "captures a charge of a chain"),
    ("captured-never-voided", "CHK-RFD-13", "void", _CAPTURED, _OTHER, "is refused"),
    ("voided-once-back-in-parts", "CHK-RFD-10", "void", _TWO_PARTS, _PAID, "gives it back as well"),
    ("captured-voided-once-back", "CHK-RFD-10", "void", _CAPTURED_BACK, _PAID, "gives it back as well"),
    ("captured-voided-twice", "CHK-RFD-18", "void", _CAPTURED_VOIDED, _PAID, "is taken a second time"),
    ("refunded-once-voided", "CHK-RFD-02", "refund", _VOIDED, _PAID, "gives it back as well"),
    ("captured-refunded-once-voided", "CHK-RFD-02", "refund", _CAPTURED_VOIDED, _PAID, "gives it back as well"),
    ("captured-refunded-twice", "CHK-RFD-10", "refund", _CAPTURED_BACK, _PAID, "is made once more"),
    ("refunded-once-back-in-parts", "CHK-RFD-10", "refund", _TWO_PARTS, _PAID, "is made once more"),
    ("captured-never-back", "CHK-RFD-07", "refund", _CAPTURED, _OTHER, "is refused"),
)
_CARD: Final[tuple[Row, ...]] = (
    ("captured-after-a-part-is-back", "S2C-CAP-09", "CAPTURE", _PART_BACK, _HELD, "captures what was paid"),
    ("captured-again-after-a-part-is-back", "S2C-CAP-08", "CAPTURE", _CAPTURED_PART_BACK, _HELD, "captures again"),
    ("rest-captured-once-the-part-is-back", "S2C-CAP-08", "CAPTURE", _PART_CAPTURED_BACK, _HELD, "captures the rest"),
    ("charge-captured", "S2C-CAP-09", "CAPTURE", both(_charge, after()), _HELD, "captures a charge of a chain"),
    ("captured-voided-once-back", "S2C-VOI-09", "VOID", _CAPTURED_BACK, _PAID, "gives it back as well"),
    ("voided-once-back-in-parts", "S2C-VOI-09", "VOID", _TWO_PARTS, _PAID, "gives it back as well"),
    ("captured-voided-twice", "S2C-VOI-04", "VOID", _CAPTURED_VOIDED, _PAID, "is taken a second time"),
    ("captured-back-once-voided", "S2C-CVD-11", "CREDITVOID", _CAPTURED_VOIDED, _PAID, "gives it back as well"),
    ("captured-back-twice", "S2C-CVD-10", "CREDITVOID", _CAPTURED_BACK, _PAID, "is made once more"),
    ("back-once-back-in-parts", "S2C-CVD-10", "CREDITVOID", _TWO_PARTS, _PAID, "is made once more"),
    ("rest-of-captured-never-back", "S2C-CVD-04", "CREDITVOID", _CAPTURED_PART_BACK, _OTHER, "is refused"),
)
_APM: Final[tuple[Row, ...]] = (
    ("captured-once-given-back", "APM-CAP-05", "CAPTURE", _WHOLE_BACK, _HELD, "captures what was given back"),
    ("rest-captured-once-the-part-is-back", "APM-CAP-04", "CAPTURE", _PART_CAPTURED_BACK, _HELD, "captures the rest"),
    ("captured-voided-once-back", "APM-VOI-11", "VOID", _CAPTURED_BACK, _PAID, "gives it back as well"),
    ("voided-once-back-in-parts", "APM-VOI-11", "VOID", _TWO_PARTS, _PAID, "gives it back as well"),
    ("captured-voided-twice", "APM-VOI-08", "VOID", _CAPTURED_VOIDED, _PAID, "is taken a second time"),
    ("captured-back-once-voided", "APM-CVD-10", "CREDITVOID", _CAPTURED_VOIDED, _PAID, "gives it back as well"),
    ("captured-back-twice", "APM-CVD-10", "CREDITVOID", _CAPTURED_BACK, _PAID, "is made once more"),
    ("back-once-back-in-parts", "APM-CVD-10", "CREDITVOID", _TWO_PARTS, _PAID, "is made once more"),
    ("rest-of-captured-never-back", "APM-CVD-06", "CREDITVOID", _CAPTURED_PART_BACK, _OTHER, "is refused"),
)


_OF_THE_ORDER: Final[tuple[tuple[str, Protocol, str, str, State, str, int], ...]] = (
    ("checkout", CHECKOUT, "refund", "CHK-RFD-07", _PAID, "newest", 0),
    ("card", CARD, "VOID", "S2C-VOI-02", _PAID, "oldest", -1),
)


def _rows(slug: str, protocol: Protocol, rows: tuple[Row, ...]) -> dict[str, Fault]:
    return {
        f"{slug}-{name}": breaks(
            requirement,
            f"A {operation} of what was moved before {what}.",
            mistaken(protocol, operation, applies, state),
        )
        for name, requirement, operation, applies, state, what in rows
    }


def _schedule_refused(_perform: Perform, attempt: CardAttempt) -> Reply:
    return attempt.gateway.answers.refuse(_NO_SCHEDULE)


def _sessions_refused(is_gone: checkout_sessions.Applies) -> Change:
    return checkout_sessions.last(refusal_if(lambda attempt: is_gone(attempt.body), _NO_TOKEN))


FAULTS: Final = faults(
    {
        **_rows("checkout", CHECKOUT, _CHECKOUT),
        **_rows("card", CARD, _CARD),
        **_rows("apm", APM, _APM),
        **{
            f"{slug}-{operation.lower()}-of-the-{which}-of-the-order": breaks(
                requirement,
                f"A {operation} is done to the {which} payment of the order, whichever it names.",
                of_another_of_the_order(protocol, operation, state, turn),
            )
            for slug, protocol, operation, requirement, state, which, turn in _OF_THE_ORDER
        },
        "card-schedule-paused-once-only": breaks(
            "S2C-SCH-50",
            "PAUSE of a schedule that was paused and runs again is refused.",
            of_schedules("PAUSE", ("PAUSE", "RUN"), _schedule_refused),
        ),
        "checkout-captured-shown-as-settled-once-back": breaks(
            "CHK-RFD-07",
            "Look-ups say SETTLED of what was captured and given back.",
            shown_as(CHECKOUT, "status", _CAPTURED_BACK, _PAID),
        ),
        "checkout-captured-shown-as-settled-once-voided": breaks(
            "CHK-RFD-13",
            "Look-ups say SETTLED of what was captured and voided.",
            shown_as(CHECKOUT, "status", _CAPTURED_VOIDED, _PAID),
        ),
        "checkout-captured-shown-as-pending-after-a-part": breaks(
            "CHK-RFD-08",
            "Look-ups say PENDING of a captured payment of which a part was given back.",
            shown_as(CHECKOUT, "status", _CAPTURED_PART_BACK, _HELD),
        ),
        "card-captured-shown-as-settled-once-back": breaks(
            "S2C-CVD-02",
            "Look-ups say SETTLED of what was captured and given back.",
            shown_as(CARD, "GET_TRANS_STATUS", _CAPTURED_BACK, _PAID),
        ),
        "card-captured-shown-as-pending-after-a-part": breaks(
            "S2C-CVD-03",
            "Look-ups say PENDING of a captured payment of which a part was given back.",
            shown_as(CARD, "GET_TRANS_STATUS", _CAPTURED_PART_BACK, _HELD),
        ),
        "checkout-chain-ends-with-a-refunded-charge": breaks(
            "CHK-REC-02",
            "A chain is charged no more once one of its charges was given back.",
            chains_ended(CHECKOUT, "recurring", _REFUND, _NO_CHAIN),
        ),
        "checkout-first-never-back-once-charged": breaks(
            "CHK-RFD-05",
            "The first payment of a chain is not refunded once the chain was charged.",
            once_charged(CHECKOUT, "recurring", "refund", _OTHER),
        ),
        "checkout-charge-shown-as-refunded-with-the-first": breaks(
            "CHK-RFD-05",
            "Look-ups say REFUND of a charge once the first payment of its chain was given back.",
            charges_shown_with_the_first(CHECKOUT, "status", _REFUND, State.REFUNDED),
        ),
        "card-first-never-voided-once-charged": breaks(
            "S2C-VOI-01",
            "The first payment of a chain is not voided once the chain was charged.",
            once_charged(CARD, "RECURRING_SALE", "VOID", _OTHER),
        ),
        "card-charge-shown-as-voided-with-the-first": breaks(
            "S2C-VOI-01",
            "Look-ups say VOID of a charge once the first payment of its chain was voided.",
            charges_shown_with_the_first(CARD, "GET_TRANS_STATUS", _VOID, State.VOIDED),
        ),
        "checkout-token-of-refunded-forgotten": breaks(
            "CHK-SES-51",
            "The card token that a payment gave is unknown once the payment was given back.",
            tokens_forgotten(
                CHECKOUT,
                _REFUND,
                lambda gone: _sessions_refused(
                    lambda body: any(map(gone, map(str, body.get("card_token") or ())))  # type: ignore[call-overload]
                ),
            ),
        ),
        "card-token-of-refunded-forgotten": breaks(
            "S2C-TOK-04",
            "The card token that a payment gave is unknown once the payment was given back.",
            tokens_forgotten(
                CARD,
                _REFUND,
                lambda gone: s2s_card.last(
                    refusal_if(lambda attempt: gone(attempt.form.get("card_token", "")), _NO_TOKEN), "SALE"
                ),
            ),
        ),
    },
    prefix="seq-",
    since=_NEW,
)
