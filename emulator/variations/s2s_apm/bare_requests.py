"""Variations of S2S APM that keep to the few parameters and attributes that the contract shows."""

from dataclasses import replace
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.changes.s2s_apm import NOTICES, around, signature_before_fields
from emulator.design import Design, all_of
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import State
from emulator.protocols.s2s_apm.behaviour import (
    ApmAttempt,
    ApmGateway,
    ApmHandler,
    ApmHashTest,
    accepts_hash,
)
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_AMOUNT: Final = "amount"
_UNEXPECTED: Final = Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=((_AMOUNT, "This field was not expected."),))
_TERMINAL: Final = "terminal-0000-4000-0001"
_SIGNED: Final = {
    "SALE": ("order_id", "order_currency"),
    "CREDIT2VIRTUAL": ("order_id", "order_amount", "order_currency"),
}


def _without_amount(attempt: ApmAttempt) -> None:
    attempt.form = {name: value for name, value in attempt.form.items() if name != _AMOUNT}
    attempt.body = {name: value for name, value in attempt.body.items() if name != _AMOUNT}


def _unexpected_amount(attempt: ApmAttempt) -> Refusal | None:
    return _UNEXPECTED if _AMOUNT in attempt.form else None


def _terminal(body: Object) -> Object:
    return {"id": _TERMINAL, **body}


def _of_terminal(fields: Fields) -> Fields:
    return {"id": _TERMINAL, **fields}


def _masked(fields: Fields) -> Fields:
    return {
        name: f"{value[:1]}***" if name.startswith("payer_") and isinstance(value, str) else value
        for name, value in fields.items()
    }


def _with_all_its_parts(test: ApmHashTest) -> bool:
    return all(map(test.form.get, _SIGNED.get(test.action, ("trans_id",)))) and accepts_hash(test)


def _signature_of_all_parts(design: Design) -> Design:
    stages = {action: signature_before_fields(passed) for action, passed in design.apm.stages.items()}
    return replace(design, apm=replace(design.apm, accepts_hash=_with_all_its_parts, stages=stages))


def _among_its_own(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Of a payment that VOID or CREDITVOID has nothing to do with the contract does not say how it is refused."""
    standing = (State.SETTLED, State.AUTHORIZED)
    is_one = attempt.payment is None or attempt.payment.state in standing
    return handler(attempt, gateway) if is_one else gateway.answers.refuse(gateway.apm.not_found[attempt.action])


VARIATIONS: Final = (
    Variation(
        "apm-capture-takes-no-amount",
        "CAPTURE ignores an amount and settles what was authorized.",
        apm.first(_without_amount, "CAPTURE"),
    ),
    Variation(
        "apm-creditvoid-takes-no-amount",
        "CREDITVOID ignores an amount and gives back or releases the whole.",
        apm.first(_without_amount, "CREDITVOID"),
    ),
    Variation(
        "apm-capture-amount-unexpected",
        "CAPTURE refuses an amount as a field that it does not have.",
        apm.first(_unexpected_amount, "CAPTURE"),
    ),
    Variation(
        "apm-messages-name-the-terminal",
        "Answers and callbacks of S2S APM have the id of a terminal, the same for all payments and merchants.",
        all_of(apm.answering(_terminal, *apm.ANSWERED), NOTICES.fields(_of_terminal)),
    ),
    Variation(
        "apm-callbacks-mask-the-payer",
        "Callbacks of S2S APM mask what they say of the payer.",
        NOTICES.fields(_masked),
    ),
    Variation(
        "apm-voids-find-their-own",
        "VOID and CREDITVOID look among the payments that they may change, and find no others.",
        around(_among_its_own, "VOID", "CREDITVOID"),
    ),
    Variation(
        "apm-missing-part-is-wrong-hash",
        "S2S APM checks the signature first, and finds it wrong where a part of what is signed is missing.",
        _signature_of_all_parts,
    ),
)
