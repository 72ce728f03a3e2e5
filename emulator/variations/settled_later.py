"""Variations of when a payment is settled: with the answer to what opened it, or later."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.changes.s2s_card_later import captures_carried_out_later, decline_it
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Protocol
from emulator.protocols.checkout.behaviour import REFUND_REFUSALS, VOID_REFUSALS
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import text_of

_OPENING: Final = frozenset(
    {"SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD", "CREDIT2VIRTUAL", "CAPTURE"}
)
_LOOKING: Final = frozenset({"GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER"})
_TIMES_PENDING: Final = 2
_BEFORE_IT_IS_SETTLED: Final = (
    (("CREDITVOID",), REFUND_REFUSALS[Obstacle.WRONG_STATE]),
    (("VOID",), VOID_REFUSALS[Obstacle.WRONG_STATE]),
    (("RECURRING_SALE", "RECURRING_DEBIT"), Refusal(Kind.NOT_FOUND, "Incorrect transaction")),
)
"""What a payment that is not settled yet is refused with: line 456 has it of refunds alone."""
_OUTCOMES: Final = frozenset({"SETTLED", "DECLINED", "PENDING"})


def _card_settled_later(design: Design) -> Design:
    """A payment is PENDING in the answer to what settles it and in the look-ups after that, and nothing follows it."""
    left: Counter[str] = Counter()

    def is_open_yet(attempt: CardAttempt) -> bool:
        return attempt.payment is not None and left[attempt.payment.trans_id] > 0

    changes = (s2s_card.last(refusal_if(is_open_yet, refusal), *names) for names, refusal in _BEFORE_IT_IS_SETTLED)
    return all_of(*changes)(design.filtering(_pending_first((Kind.SALE, Kind.CARD_ACTION), left)))


def _apm_settled_later(design: Design) -> Design:
    """The same in S2S APM."""
    left: Counter[str] = Counter()

    def is_open_yet(attempt: ApmAttempt) -> bool:
        return attempt.payment is not None and left[attempt.payment.trans_id] > 0

    changes = (s2s_apm.last(refusal_if(is_open_yet, refusal), *names) for names, refusal in _BEFORE_IT_IS_SETTLED[:2])
    kinds = (Kind.APM_SALE, Kind.APM_CAPTURE, Kind.APM_PAYOUT, Kind.APM_STATUS)
    return all_of(*changes)(design.filtering(_pending_first(kinds, left)))


def _pending_first(kinds: Collection[Kind], left: Counter[str]) -> Callable[[Reply], Reply]:
    def changed(reply: Reply) -> Reply:
        action, trans_id = (text_of(reply.body.get(name)) for name in ("action", "trans_id"))
        if reply.kind not in kinds or reply.body.get("status") != "SETTLED" or reply.body.get("first_recurring_date"):
            return reply
        if action in _OPENING:
            left[trans_id] = _TIMES_PENDING
        if action not in _OPENING | _LOOKING or not left[trans_id]:
            return reply
        left[trans_id] -= 1
        return replace(reply, body={**reply.body, "status": "PENDING"})

    return changed


def _decided_later(kinds: Collection[Kind], member: str = "action", *, takes_a_look: bool = True) -> Change:
    """Whatever becomes of a payment, the answer to what opened it and the look-up after that call it open.

    Args:
        kinds: of the answers to what opens such payments, and to look-ups.
        member: only answers that have it are of such payments.
        takes_a_look: the first look-up calls it open as well; it has ended before that otherwise.
    """

    def change(design: Design) -> Design:
        open_yet: set[str] = set()

        def changed(reply: Reply) -> Reply:
            body = reply.body
            action, trans_id, status = (text_of(body.get(name)) for name in ("action", "trans_id", "status"))
            is_of_such = reply.kind in kinds and bool(body.get(member)) and status in _OUTCOMES
            if is_of_such and action in _OPENING:
                open_yet.add(trans_id)
                known = {name: value for name, value in body.items() if name != "decline_reason"}
                return replace(reply, body={**known, "result": "UNDEFINED", "status": "PENDING"})
            if takes_a_look and is_of_such and action in _LOOKING and trans_id in open_yet:
                open_yet.remove(trans_id)
                return replace(reply, body={**body, "status": "PENDING"})
            return reply

        return design.filtering(changed)

    return change


def _open_for_minutes(kinds: Collection[Kind], word: str = "PENDING") -> Change:
    """A payment that settles at once is called open in its answer, and in every look-up for a good while."""

    def change(design: Design) -> Design:
        opened: set[str] = set()

        def changed(reply: Reply) -> Reply:
            body = reply.body
            action, trans_id = (text_of(body.get(name)) for name in ("action", "trans_id"))
            if reply.kind not in kinds or body.get("status") != "SETTLED":
                return reply
            if action in _OPENING - {"CAPTURE"}:
                opened.add(trans_id)
                return replace(reply, body={**body, "result": "UNDEFINED", "status": word})
            is_looked_at = action in _LOOKING and trans_id in opened
            return replace(reply, body={**body, "status": word}) if is_looked_at else reply

        return design.filtering(changed)

    return change


def _sales_reported_later(design: Design) -> Design:
    """What reports a SALE as settled comes after the run."""

    def is_of_it(notice: Notice) -> bool:
        is_s2s = notice.payment.protocol in (Protocol.S2S_CARD, Protocol.S2S_APM)
        return is_s2s and notice.fields.get("action") == "SALE" and notice.fields.get("status") == "SETTLED"

    before = design.callbacks.before
    return design.in_callbacks(before=(*before, lambda notice: [] if is_of_it(notice) else [notice]))


def _captures_refused_later(design: Design) -> Design:
    """A CAPTURE that the acquirer refuses is accepted, and leaves the payment as it was."""

    def changed(reply: Reply) -> Reply:
        body = reply.body
        if (body.get("action"), body.get("result")) != ("CAPTURE", "DECLINED"):
            return reply
        known = {name: value for name, value in body.items() if name != "decline_reason"}
        return replace(reply, body={**known, "result": "SUCCESS", "status": "PENDING"})

    return design.filtering(changed)


VARIATIONS: Final = (
    Variation(
        "card-captures-refused-later",
        "A CAPTURE that the acquirer refuses is accepted, and leaves the payment PENDING.",
        _captures_refused_later,
    ),
    Variation(
        "card-captures-carried-out-later",
        "A CAPTURE is accepted and carried out a little later; one that was accepted meanwhile is declined.",
        captures_carried_out_later(decline_it),
    ),
    Variation(
        "card-captures-carried-out-after-minutes",
        "A CAPTURE is accepted and carried out minutes later.",
        captures_carried_out_later(decline_it, seconds=180.0),
    ),
    Variation(
        "card-payments-settle-after-minutes",
        "Payments of S2S CARD are UNDEFINED and PENDING for longer than anybody waits.",
        _open_for_minutes((Kind.SALE, Kind.CARD_ACTION)),
    ),
    Variation(
        "s2s-payments-processing-for-minutes",
        "Payments of S2S are PROCESSING for longer than anybody waits, and reported once they are settled.",
        all_of(
            _open_for_minutes((Kind.SALE, Kind.CARD_ACTION, Kind.APM_SALE, Kind.APM_STATUS), "PROCESSING"),
            _sales_reported_later,
        ),
    ),
    Variation(
        "card-payments-settle-later",
        "Payments of S2S CARD are PENDING in their answer, and can be changed once they have settled a little later.",
        _card_settled_later,
    ),
    Variation(
        "apm-payments-settle-later",
        "Payments of S2S APM are PENDING in their answer, and can be changed once they have settled a little later.",
        _apm_settled_later,
    ),
    Variation(
        "apm-payments-decided-later",
        "A SALE or payout of S2S APM that needs no payer is UNDEFINED and PENDING in its answer, whatever follows.",
        _decided_later((Kind.APM_SALE, Kind.APM_PAYOUT, Kind.APM_STATUS)),
    ),
    Variation(
        "apm-payments-decided-in-background",
        "A SALE or payout of S2S APM is UNDEFINED and PENDING in its answer, and has ended before anybody looks.",
        _decided_later((Kind.APM_SALE, Kind.APM_PAYOUT, Kind.APM_STATUS), takes_a_look=False),
    ),
    Variation(
        "card-payments-decided-in-background",
        "A payment of S2S CARD without 3DS is UNDEFINED and PENDING in its answer, and has ended before anybody looks.",
        _decided_later((Kind.SALE, Kind.CARD_ACTION), takes_a_look=False),
    ),
    Variation(
        "wallet-payments-decided-later",
        "Payments by wallet of S2S CARD are UNDEFINED and PENDING in their answer, whatever follows.",
        _decided_later((Kind.SALE, Kind.CARD_ACTION), member="digital_wallet"),
    ),
)
