"""Faults of S2S CARD: schedules that do not exist, ids that are none, and the parameter that was retired."""

from collections.abc import Iterator
from typing import Final

from emulator.changes.s2s_card import instead, post, refused_as, without
from emulator.design import Change, all_of
from emulator.faults.model import Fault
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_deprecated, check_schedule_id, find_schedule
from emulator.rules.keywords import FORMATS
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply

_READING: Final = ("SCHEDULE_INFO", "PAUSE", "RUN")
_OTHER_TEXT: Final = Refusal(Kind.SCHEDULE, "No such schedule.")
_OTHER_CODE: Final = Refusal(Kind.SCHEDULE, "Schedule not found", code=101000)
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")
_NEW: Final = {"UPDATE_SCHEDULE": "6.7.0"}


def _slug(action: str) -> str:
    return action.lower().replace("_", "-")


def _existence_first(*actions: str) -> Change:
    def find(attempt: CardAttempt) -> Refusal | None:
        identifier = attempt.form.get("schedule_id", "")
        return _NO_SCHEDULE if identifier and not FORMATS["uuid"](identifier) else None

    return instead(check_schedule_id, find, *actions)


def _delays_as(refusal: Refusal | None, action: str) -> Change:
    return refused_as(refusal, check_deprecated, action)


def _not_found_as(refusal: Refusal, *actions: str) -> Change:
    return refused_as(refusal, find_schedule, *actions)


def _by_token_alone(attempt: CardAttempt) -> Reply:
    ended = attempt.gateway.schedules.end(None, attempt.form.get("recurring_token", ""))
    done = Reply(Kind.SCHEDULE, 200, {"action": attempt.action, "result": "SUCCESS"})
    return done if ended else attempt.gateway.answers.refuse(_NO_SCHEDULE)


def _unread(row: Rule) -> Rule | None:
    return None if row.path == "schedule_id" else row


_READS_NO_SCHEDULE: Final = all_of(
    without(check_schedule_id, "DESCHEDULE"),
    without(find_schedule, "DESCHEDULE"),
    lambda design: design.with_post_rows(_unread, "DESCHEDULE"),
    post("DESCHEDULE", perform=_by_token_alone),
)


def _of_unknown() -> Iterator[Fault]:
    for action, requirement in (("UPDATE_SCHEDULE", "S2C-SCH-35"), ("DELETE_SCHEDULE", "S2C-SCH-36")):
        for word, refusal in (("text", _OTHER_TEXT), ("code", _OTHER_CODE)):
            yield Fault(
                f"{_slug(action)}-unknown-other-{word}",
                (requirement,),
                f"{action} of an unknown schedule is refused with another {word}.",
                _not_found_as(refusal, action),
                since=_NEW.get(action),
            )
    for action in _READING:
        yield Fault(
            f"{_slug(action)}-unknown-other-text",
            ("S2C-SCH-37",),
            f"{action} of an unknown schedule is refused in other words.",
            _not_found_as(_OTHER_TEXT, action),
        )
        yield Fault(
            f"{_slug(action)}-unknown-other-code",
            ("S2C-SCH-37", "S2C-SCH-38"),
            f"{action} of an unknown schedule is refused with another code.",
            _not_found_as(_OTHER_CODE, action),
        )
    yield Fault(
        "deschedule-unknown-other-code",
        ("S2C-SCH-39",),
        "DESCHEDULE of an unknown schedule is refused with another code.",
        _not_found_as(_OTHER_CODE, "DESCHEDULE"),
    )
    yield Fault(
        "deschedule-reads-no-schedule",
        ("S2C-SCH-39", "S2C-SCH-55"),
        "DESCHEDULE goes by the recurring token alone.",
        _READS_NO_SCHEDULE,
    )
    for action, requirement in (
        ("CREATE_SCHEDULE", "S2C-SCH-14"),
        ("UPDATE_SCHEDULE", "S2C-SCH-40"),
        ("DELETE_SCHEDULE", "S2C-SCH-41"),
        *((action, "S2C-SCH-42") for action in (*_READING, "DESCHEDULE")),
    ):
        yield Fault(
            f"{_slug(action)}-existence-before-uuid",
            (requirement,),
            f"{action} with an id that is no UUID is refused as unknown.",
            _existence_first(action),
            since=_NEW.get(action),
        )


def _of_delays() -> Iterator[Fault]:
    for action, requirement in (("CREATE_SCHEDULE", "S2C-SCH-16"), ("UPDATE_SCHEDULE", "S2C-SCH-17")):
        yield Fault(
            f"{_slug(action)}-delays-accepted",
            (requirement,),
            f"{action} accepts delays.",
            _delays_as(None, action),
            since="6.7.0",
        )
        yield Fault(
            f"{_slug(action)}-delays-other-text",
            (requirement,),
            f"{action} refuses delays in other words.",
            _delays_as(Refusal(Kind.SCHEDULE, "delays is not supported"), action),
            since="6.7.0",
        )


FAULTS: Final = (*_of_unknown(), *_of_delays())
