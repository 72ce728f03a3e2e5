"""Variations whose queues and schedulers go by real time, however the clock of the gateway is moved."""

from dataclasses import replace
from typing import Final

from emulator.design import Design
from emulator.engine.agenda import Agenda, Job
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_SECONDS_OF_A_QUEUE: Final = 4.0
_AN_HOUR: Final = 3600.0


def _by_a_queue(agenda: Agenda, _seconds: float, job: Job) -> None:
    agenda.really_after(_SECONDS_OF_A_QUEUE, job)


def _by_a_job_of_each_hour(agenda: Agenda, _seconds: float, job: Job) -> None:
    agenda.really_after(_AN_HOUR, job)


def _not_settled_yet(notice: Notice) -> list[Notice]:
    is_settled = notice.payment.protocol is Protocol.CHECKOUT and notice.fields.get("order_status") == "settled"
    return [] if is_settled else [notice]


def _open_yet(body: Object) -> Object:
    return {**body, "status": "pending"} if body.get("status") == "settled" else body


def _decided_by_a_worker(design: Design) -> Design:
    def changed(reply: Reply) -> Reply:
        if reply.kind is not Kind.CHECKOUT_STATUS:
            return reply
        listed = None if reply.listed is None else tuple(map(_open_yet, reply.listed))
        return replace(reply, body=_open_yet(reply.body), listed=listed)

    callbacks = design.callbacks
    return design.filtering(changed).in_callbacks(before=(*callbacks.before, _not_settled_yet))


VARIATIONS: Final = (
    Variation(
        "callbacks-come-again-by-real-time",
        "A callback that was not taken is posted again by a queue that the gateway's clock does not move.",
        lambda design: design.in_callbacks(later=_by_a_queue),
    ),
    Variation(
        "schedules-charge-by-real-time",
        "What is due is charged by a job that comes once an hour of real time.",
        lambda design: design.in_schedules(later=_by_a_job_of_each_hour),
    ),
    Variation(
        "checkout-payments-decided-by-real-time",
        "Payments of Checkout are pending for minutes of real time, and reported once they are settled.",
        _decided_by_a_worker,
    ),
)
