"""Ways to break S2S APM: stages, handlers and answers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from emulator.design import Change, Design
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_apm.conduct import ApmAttempt, ApmHandler, ApmStage

if TYPE_CHECKING:
    from emulator.gateway import Gateway

EVERYTHING: Final = ("APM-*", "CBK-*")
ON_TRANSACTIONS: Final = ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS")
ANSWERED: Final = (
    Kind.APM_SALE,
    Kind.APM_CAPTURE,
    Kind.APM_CREDITVOID,
    Kind.APM_VOID,
    Kind.APM_STATUS,
    Kind.APM_PAYOUT,
)
BodyChange = Callable[[dict[str, object]], Mapping[str, object]]
Around = Callable[[ApmHandler, ApmAttempt, "Gateway"], Reply]


def together(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(design: Design) -> Design:
        for one in changes:
            design = one(design)
        return design

    return change


def stages(change: Callable[[str, tuple[ApmStage, ...]], tuple[ApmStage, ...]]) -> Change:
    """The stages of every action, changed."""
    return lambda design: design.in_apm(
        stages={action: change(action, passed) for action, passed in design.apm.stages.items()}
    )


def without(stage: ApmStage, *actions: str) -> Change:
    """Posts of ``actions``, or of all, do not pass ``stage``."""
    return stages(
        lambda action, passed: tuple(one for one in passed if one is not stage or (actions and action not in actions))
    )


def instead(stage: ApmStage, other: ApmStage, *actions: str) -> Change:
    """Posts of ``actions``, or of all, pass ``other`` where they passed ``stage``."""
    return stages(
        lambda action, passed: tuple(
            other if one is stage and (not actions or action in actions) else one for one in passed
        )
    )


def first(stage: ApmStage, *actions: str) -> Change:
    """Posts of ``actions``, or of all, pass ``stage`` before all others."""
    return stages(lambda action, passed: (stage, *passed) if not actions or action in actions else passed)


def last(stage: ApmStage, *actions: str) -> Change:
    """Posts of ``actions``, or of all, pass ``stage`` after all others."""
    return stages(lambda action, passed: (*passed, stage) if not actions or action in actions else passed)


def around(act: Around, *actions: str) -> Change:
    """``act`` answers in the place of the handlers of ``actions``; it is given the handler that it replaces."""

    def wrapped(handler: ApmHandler) -> ApmHandler:
        return lambda attempt, gateway: act(handler, attempt, gateway)

    return lambda design: design.in_apm(
        handlers={
            action: wrapped(handler) if action in actions else handler
            for action, handler in design.apm.handlers.items()
        }
    )


def answering(change: BodyChange, *kinds: Kind, status: int = 200) -> Change:
    """Answers of ``kinds`` have another body."""

    def changed(reply: Reply) -> Reply:
        return replace(reply, body=dict(change(reply.body)), status=status) if reply.kind in kinds else reply

    return lambda design: design.filtering(changed)


def leaving_out(name: str, *kinds: Kind) -> Change:
    """Answers of ``kinds`` lack the member ``name``."""
    return answering(lambda body: {key: value for key, value in body.items() if key != name}, *kinds)


def saying(name: str, value: object, *kinds: Kind) -> Change:
    """Answers of ``kinds`` that have the member ``name`` say ``value`` there."""
    return answering(lambda body: body | {name: value} if name in body else body, *kinds)


def finding_nothing(action: str, refusal: Refusal) -> Change:
    """What is said to a transaction that the merchant does not have."""
    return lambda design: design.in_apm(not_found={**design.apm.not_found, action: refusal})
