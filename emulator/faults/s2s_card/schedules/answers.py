"""Faults of S2S CARD: schedules as they are created, changed, read and used."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import answering, first, instead, last, leaving_out, post, without
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.schedules import Schedule
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card import schedules
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_signature, find_chosen_schedule, find_schedule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_READING: Final = ("SCHEDULE_INFO", "PAUSE", "RUN")
_USING: Final = ("UPDATE_SCHEDULE", "DELETE_SCHEDULE", *_READING, "DESCHEDULE")
_ALL: Final = ("CREATE_SCHEDULE", *_USING)
_REFUSED: Final = Refusal(Kind.SCHEDULE, INVALID_DATA, violations=(("form", "This was not expected."),))
_MODES: Final = {
    "none": ("S2C-SCH-19", "none"),
    "by-interval": ("S2C-SCH-20", "by_interval"),
    "to-day-of-week": ("S2C-SCH-21", "to_day_of_week"),
    "to-day-of-month": ("S2C-SCH-22", "to_day_of_month"),
}


def _has(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: name in attempt.form


def _says(name: str, value: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: attempt.form.get(name) == value


def _mode_alone(attempt: CardAttempt) -> bool:
    mode = attempt.form.get("delayed_first_payment", "none")
    return mode != "none" and not any(name.startswith("first_payment_") for name in attempt.form)


def _stray_companion(attempt: CardAttempt) -> bool:
    mode = attempt.form.get("delayed_first_payment", "none")
    stray = {
        "first_payment_interval_length": "by_interval",
        "first_payment_interval_unit": "by_interval",
        "first_payment_day_of_week": "to_day_of_week",
        "first_payment_day_of_month": "to_day_of_month",
    }
    return any(name in attempt.form and mode != wanted for name, wanted in stray.items())


def _own_id(attempt: CardAttempt) -> Reply:
    form = {name: value for name, value in attempt.form.items() if name != "schedule_id"}
    return schedules.create(replace(attempt, form=form))


def _no_change(attempt: CardAttempt) -> Reply:
    return Reply(Kind.SCHEDULE, 200, {"action": attempt.action, "result": "SUCCESS"})


def _unsent_becomes(name: str, value: str) -> Change:
    """UPDATE_SCHEDULE changes a term that is not sent as well."""

    def perform(attempt: CardAttempt) -> Reply:
        reply = schedules.update(attempt)
        if attempt.schedule is not None and name not in attempt.form:
            attempt.schedule.terms[name] = value
        return reply

    return post("UPDATE_SCHEDULE", perform=perform)


def _changes_at_once(attempt: CardAttempt) -> Refusal | None:
    """What was sent is kept before anybody looks at it."""
    if find_schedule(attempt) is None:
        schedules.update(attempt)
    return None


def _one_more(body: Object) -> Object:
    return body | {"interval_length": f"{body['interval_length']}0"} if "interval_length" in body else body


def _reaching_others() -> Change:
    def owns(design: Design) -> Design:
        return design.in_schedules(owns=lambda _account, _schedule: True)

    return all_of(owns, without(check_signature, *_USING))


def _found_when_deleted(attempt: CardAttempt) -> Refusal | None:
    """A schedule that was deleted is remembered by its id."""
    account, identifier = attempt.account, attempt.form.get("schedule_id", "").lower()
    deleted: Schedule | None = attempt.gateway.schedules.of(account, identifier) if account is not None else None
    if deleted is not None and deleted.deleted:
        deleted.deleted = False
    return find_chosen_schedule(attempt)


def _server_error_when(condition: Callable[[CardAttempt], bool], *actions: str) -> Change:
    return last(breakdown_if(condition), *actions)


def _is_paused(attempt: CardAttempt) -> bool:
    return attempt.schedule is not None and attempt.schedule.paused


def _is_running(attempt: CardAttempt) -> bool:
    return attempt.schedule is not None and not attempt.schedule.paused


_CREATED: Final = faults(
    {
        "create-schedule-refused": breaks(
            "S2C-SCH-01", "No schedule can be created.", last(refusal_if(lambda _: True, _REFUSED), "CREATE_SCHEDULE")
        ),
        "create-schedule-answers-number": breaks(
            "S2C-SCH-02",
            "The id of a schedule is no UUID.",
            answering(lambda body: body | {"schedule_id": f"n{body['schedule_id']}"}, "CREATE_SCHEDULE"),
        ),
        **{
            f"schedule-unit-{unit}-refused": breaks(
                requirement,
                f"interval_unit {unit} is refused.",
                first(refusal_if(_says("interval_unit", unit), _REFUSED), "CREATE_SCHEDULE"),
            )
            for unit, requirement in (("day", "S2C-SCH-10"), ("month", "S2C-SCH-11"))
        },
        "schedule-own-id-refused": breaks(
            "S2C-SCH-13",
            "A schedule cannot be given an id.",
            first(refusal_if(_has("schedule_id"), _REFUSED), "CREATE_SCHEDULE"),
        ),
        "schedule-own-id-ignored": breaks(
            "S2C-SCH-15", "The id that a schedule is given is not kept.", post("CREATE_SCHEDULE", perform=_own_id)
        ),
        **{
            f"schedule-delay-{name}-refused": breaks(
                requirement,
                f"delayed_first_payment {mode} is refused.",
                first(refusal_if(_says("delayed_first_payment", mode), _REFUSED), "CREATE_SCHEDULE", "UPDATE_SCHEDULE"),
                since="6.7.0",
            )
            for name, (requirement, mode) in _MODES.items()
        },
        "schedule-delay-alone-server-error": breaks(
            "S2C-SCH-25",
            "A mode of delayed_first_payment without its companions is a server error.",
            first(breakdown_if(_mode_alone), "CREATE_SCHEDULE"),
            since="6.7.0",
        ),
        "schedule-stray-companion-server-error": breaks(
            "S2C-SCH-26",
            "A companion of another mode is a server error.",
            first(breakdown_if(_stray_companion), "CREATE_SCHEDULE"),
            since="6.7.0",
        ),
    }
)
_CHANGED: Final = faults(
    {
        "update-schedule-changes-nothing": breaks(
            "S2C-SCH-31", "UPDATE_SCHEDULE changes nothing.", post("UPDATE_SCHEDULE", perform=_no_change), since="6.7.0"
        ),
        "update-schedule-forgets-name": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE forgets the name that is not sent.",
            _unsent_becomes("name", ""),
            since="6.7.0",
        ),
        "update-schedule-resets-count": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE resets the count that is not sent.",
            _unsent_becomes("payments_count", "1"),
            since="6.7.0",
        ),
        "update-schedule-delay-refused": breaks(
            "S2C-SCH-33",
            "UPDATE_SCHEDULE refuses delayed_first_payment.",
            first(refusal_if(_has("delayed_first_payment"), _REFUSED), "UPDATE_SCHEDULE"),
            since="6.7.0",
        ),
        "update-schedule-refused-and-kept": breaks(
            "S2C-SCH-34",
            "UPDATE_SCHEDULE keeps values that it refuses.",
            first(_changes_at_once, "UPDATE_SCHEDULE"),
            since="6.7.0",
        ),
    }
)
_OF_NONE: Final = ("action", "result", "schedule_id", "delays")
"""What says nothing of how a schedule charges."""
_USED: Final = faults(
    {
        "delete-schedule-refused": breaks(
            "S2C-SCH-43", "DELETE_SCHEDULE is refused.", last(refusal_if(lambda _: True, _REFUSED), "DELETE_SCHEDULE")
        ),
        "delete-schedule-keeps-it": breaks(
            "S2C-SCH-43 S2C-SCH-45", "DELETE_SCHEDULE deletes nothing.", post("DELETE_SCHEDULE", perform=_no_change)
        ),
        "delete-schedule-again-server-error": breaks(
            "S2C-SCH-46",
            "A second DELETE_SCHEDULE is a server error.",
            instead(find_schedule, breakdown_if(lambda attempt: find_schedule(attempt) is not None), "DELETE_SCHEDULE"),
        ),
        "deleted-schedule-starts": breaks(
            "S2C-SCH-45",
            "A deleted schedule can be started.",
            instead(find_chosen_schedule, _found_when_deleted, "SALE"),
        ),
        **{
            f"schedule-info-without-{name.replace('_', '-')}": breaks(
                "S2C-SCH-47", f"SCHEDULE_INFO lacks {name}.", leaving_out(name, "SCHEDULE_INFO")
            )
            for name in ("name", "interval_length", "interval_unit", "payments_count")
        },
        "schedule-info-of-the-id-alone": breaks(
            "S2C-SCH-47 S2C-SCH-49",
            "SCHEDULE_INFO shows the id of a schedule and nothing else of it.",
            answering(lambda body: {name: body[name] for name in _OF_NONE if name in body}, "SCHEDULE_INFO"),
        ),
        "schedule-info-other-length": breaks(
            "S2C-SCH-47", "SCHEDULE_INFO reports another length.", answering(_one_more, "SCHEDULE_INFO")
        ),
        "schedule-info-paused-boolean": breaks(
            "S2C-SCH-49",
            "SCHEDULE_INFO reports paused as 0 or 1.",
            answering(lambda body: body | {"paused": "1" if body.get("paused") == "Y" else "0"}, "SCHEDULE_INFO"),
        ),
        "pause-without-effect": breaks("S2C-SCH-50", "PAUSE pauses nothing.", post("PAUSE", perform=_no_change)),
        "run-without-effect": breaks("S2C-SCH-51", "RUN runs nothing.", post("RUN", perform=_no_change)),
        "pause-again-server-error": breaks(
            "S2C-SCH-52",
            "PAUSE of a paused schedule, and RUN of a running one, are server errors.",
            all_of(_server_error_when(_is_paused, "PAUSE"), _server_error_when(_is_running, "RUN")),
        ),
        "schedules-of-anybody": breaks(
            "S2C-SCH-56", "Schedule actions reach schedules of other merchants.", _reaching_others()
        ),
        "schedule-actions-unsupported": breaks(
            "S2C-SCH-01 S2C-SCH-47",
            "No schedule action is supported.",
            first(refusal_if(lambda _: True, Refusal(Kind.ACTION, "Payment action not supported", code=204005)), *_ALL),
        ),
    }
)
FAULTS: Final = (*_CREATED, *_CHANGED, *_USED)
