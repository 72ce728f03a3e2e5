"""Variations whose operations have ids of their own: line 427 does not show what the callback of an operation names."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.notices import Notices
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.protocols.s2s_apm import stages as in_apm
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card import stages as in_card
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.shared import Stage
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal
from emulator.wire.values import Object

_OPERATIONS: Final = frozenset({"CAPTURE", "VOID", "CREDITVOID", "REFUND"})
_OPENING: Final = frozenset({"SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT"})
_IDS: Final = ("id", "payment_id", "trans_id")
_READS: Final = ("GET_TRANS_STATUS",)
A = TypeVar("A", CardAttempt, ApmAttempt)


def _of_its_own(notice: Notice) -> list[Notice]:
    if notice.event.upper() not in _OPERATIONS:
        return [notice]
    own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{notice.payment.id} {notice.event}"))
    return [replace(notice, fields={**notice.fields, **{name: own for name in _IDS if name in notice.fields}})]


def _own_id(payment: str, event: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{payment} {event.upper()}"))


def _named_beside(notice: Notice) -> list[Notice]:
    if notice.event.upper() not in _OPERATIONS:
        return [notice]
    kept = notice.payment.trans_id
    own = _own_id(kept, notice.event)
    fields = {**notice.fields, "trans_id": own, "parent_trans_id": kept}
    # Formula 2 signs a callback over the trans_id that it carries.
    return [replace(notice, payment=replace(notice.payment, trans_id=own), fields=fields)]


def _answered_beside(body: Object) -> Object:
    kept = body.get("trans_id")
    if body.get("action") not in _OPERATIONS or not kept:
        return body
    return body | {"trans_id": _own_id(str(kept), str(body["action"])), "parent_trans_id": kept}


def _answered_with_both(body: Object) -> Object:
    """What opens a payment gives it another id besides, by which operations with a trans_id of their own name it."""
    kept, action = body.get("trans_id"), str(body.get("action"))
    if not kept or action not in (*_OPERATIONS, *_OPENING):
        return body
    named = body | {"payment_id": _own_id(str(kept), "PAYMENT")}
    return named | {"trans_id": _own_id(str(kept), action)} if action in _OPERATIONS else named


def _found_by_its_own(stage: Stage[A], payments: Mapping[str, str]) -> Stage[A]:
    """A look-up finds the payment of an operation by the id of that, which signs it."""

    def found(attempt: A) -> Refusal | None:
        asked = attempt.form
        named = {name: payments.get(value, value) if name == "trans_id" else value for name, value in asked.items()}
        attempt.form = named
        refusal = stage(attempt)
        attempt.form = asked
        return refusal

    return found


def _answered_by_its_own(body: Object, payments: dict[str, str]) -> Object:
    kept, action = str(body.get("trans_id") or ""), str(body.get("action"))
    if action not in _OPERATIONS or not kept:
        return body
    own = _own_id(kept, action)
    payments[own] = kept
    return body | {"trans_id": own}


def _known_by_either_id_of_card(design: Design) -> Design:
    payments: dict[str, str] = {}
    find = s2s_card.instead(in_card.find_payment, _found_by_its_own(in_card.find_payment, payments), *_READS)
    answer = s2s_card.answering(lambda body: _answered_by_its_own(body, payments), *sorted(_OPERATIONS))
    return all_of(find, answer)(design)


def _known_by_either_id_of_apm(design: Design) -> Design:
    payments: dict[str, str] = {}
    find = s2s_apm.instead(in_apm.find_payment, _found_by_its_own(in_apm.find_payment, payments), *_READS)
    return all_of(find, s2s_apm.answering(lambda body: _answered_by_its_own(body, payments)))(design)


def _own_ids(notices: Notices) -> Change:
    return notices.changed(_of_its_own)


VARIATIONS: Final = (
    Variation(
        "checkout-operations-have-ids-of-their-own",
        "Callbacks of captures, voids and refunds of Checkout name their order, and an id of their own.",
        _own_ids(checkout.NOTICES),
    ),
    Variation(
        "apm-operations-have-ids-of-their-own",
        "Callbacks of CAPTURE, VOID and CREDITVOID of S2S APM name their order, and an id of their own.",
        _own_ids(s2s_apm.NOTICES),
    ),
    Variation(
        "card-operations-name-their-payment-beside",
        "CAPTURE, VOID and CREDITVOID of S2S CARD have a trans_id of their own, and name their payment beside it.",
        all_of(s2s_card.answering(_answered_beside, *sorted(_OPERATIONS)), s2s_card.NOTICES.changed(_named_beside)),
    ),
    Variation(
        "apm-operations-name-their-payment-beside",
        "CAPTURE, VOID and CREDITVOID of S2S APM have a trans_id of their own, and name their payment beside it.",
        all_of(s2s_apm.answering(_answered_beside), s2s_apm.NOTICES.changed(_named_beside)),
    ),
    Variation(
        "apm-operations-name-their-payment-by-another-id",
        "CAPTURE, VOID and CREDITVOID of S2S APM have a trans_id of their own, and the payment_id that the SALE gave.",
        s2s_apm.answering(_answered_with_both),
    ),
    Variation(
        "card-operations-name-their-payment-by-another-id",
        "CAPTURE, VOID and CREDITVOID of S2S CARD have a trans_id of their own, and the payment_id that the SALE gave.",
        s2s_card.answering(_answered_with_both, *sorted(_OPERATIONS | _OPENING)),
    ),
    Variation(
        "card-operations-are-answered-by-ids-of-their-own",
        "The answers to CAPTURE, VOID and CREDITVOID of S2S CARD have a trans_id of their own, which look-ups take.",
        _known_by_either_id_of_card,
    ),
    Variation(
        "apm-operations-are-answered-by-ids-of-their-own",
        "The answers to CAPTURE, VOID and CREDITVOID of S2S APM have a trans_id of their own, which look-ups take.",
        _known_by_either_id_of_apm,
    ),
)
