"""Schedules: created, changed, read, paused, run, deleted, and payers taken off them."""

import uuid
from typing import Final

from emulator.engine.schedules import Schedule
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

TERMS: Final = (
    "name",
    "interval_length",
    "interval_unit",
    "day_of_month",
    "payments_count",
    "delays",
    "delayed_first_payment",
    "first_payment_interval_length",
    "first_payment_interval_unit",
    "first_payment_day_of_week",
    "first_payment_day_of_month",
)
_DELAYED: Final = TERMS[TERMS.index("delayed_first_payment") :]
_TAKEN: Final = Refusal(Kind.SCHEDULE, "A schedule with this id exists.")
_PAUSED: Final = Refusal(Kind.SCHEDULE, "The schedule is paused already.")
_RUNNING: Final = Refusal(Kind.SCHEDULE, "The schedule is not paused.")
_NO_SUBSCRIPTION: Final = Refusal(Kind.SCHEDULE, "Incorrect transaction")


def _done(attempt: CardAttempt, **members: object) -> Reply:
    return Reply(Kind.SCHEDULE, 200, {"action": attempt.action, "result": "SUCCESS"} | members)


def _refused(attempt: CardAttempt, refusal: Refusal) -> Reply:
    return attempt.gateway.answers.refuse(refusal)


def _terms(attempt: CardAttempt) -> dict[str, str]:
    ignored = _DELAYED if attempt.gateway.release < "6.7.0" else ()
    return {name: attempt.form[name] for name in TERMS if attempt.form.get(name) and name not in ignored}


def create(attempt: CardAttempt) -> Reply:
    """Create a schedule, under the id that was asked for where there is one."""
    gateway, account = attempt.gateway, attempt.account
    if account is None:
        return _refused(attempt, gateway.access.unknown_merchant)
    identifier = (attempt.form.get("schedule_id") or str(uuid.uuid1())).lower()
    if gateway.schedules.find(account, identifier) is not None:
        return _refused(attempt, _TAKEN)
    gateway.schedules.add(Schedule(identifier, account.key, _terms(attempt), gateway.clock.now()))
    return _done(attempt, schedule_id=identifier)


def update(attempt: CardAttempt) -> Reply:
    """Change what was sent, and nothing else."""
    if attempt.schedule is not None:
        attempt.schedule.terms.update(_terms(attempt))
    return _done(attempt)


def delete(attempt: CardAttempt) -> Reply:
    """Cancel a schedule: nobody is charged by it any more, and nobody finds it."""
    if attempt.schedule is not None:
        attempt.schedule.deleted = True
    return _done(attempt)


def info(attempt: CardAttempt) -> Reply:
    """Report what a schedule says, as it was given."""
    schedule = attempt.schedule
    if schedule is None:
        return _refused(attempt, attempt.behaviour.unknown)
    terms: Object = {name: schedule.terms[name] for name in TERMS if name in schedule.terms}
    if "delays" not in terms:
        terms["delays"] = None
    return _done(attempt, schedule_id=schedule.id, **terms, paused="Y" if schedule.paused else "N")


def pause(attempt: CardAttempt) -> Reply:
    """Let a schedule charge nobody until it is run again."""
    if attempt.schedule is not None:
        if attempt.schedule.paused:
            return _refused(attempt, _PAUSED)
        attempt.schedule.paused = True
    return _done(attempt)


def run(attempt: CardAttempt) -> Reply:
    """Let a paused schedule charge again."""
    if attempt.schedule is not None:
        if not attempt.schedule.paused:
            return _refused(attempt, _RUNNING)
        attempt.gateway.schedules.run(attempt.schedule)
    return _done(attempt)


def deschedule(attempt: CardAttempt) -> Reply:
    """Take the payer of a recurring token off a schedule."""
    token = attempt.form.get("recurring_token", "")
    found = attempt.schedule is not None and attempt.gateway.schedules.end(attempt.schedule, token)
    return _done(attempt) if found else _refused(attempt, _NO_SUBSCRIPTION)
