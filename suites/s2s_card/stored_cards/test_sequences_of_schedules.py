"""What is asked of a schedule once other things were asked of it: rows of ``contract/sequences.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from contract.model import Protocol
from contract.sequences import Answer, Sequence, load_sequences
from fixtures.judging.must import must_accept, must_be_same
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import Schedule, shown_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

TABLE = load_sequences()
ROWS = [row for row in TABLE.tried(Protocol.S2S_CARD, Answer.ACCEPTED) if row.first[0] == "CREATE_SCHEDULE"]
NAMES = ("Another fee", "A third fee")
REQUESTS: Mapping[str, Callable[[Schedule, str], FormRequest]] = {
    "PAUSE": lambda schedule, _: schedule.pause(),
    "RUN": lambda schedule, _: schedule.run(),
    "UPDATE_SCHEDULE": lambda schedule, name: schedule.update(name=name),
}
SHOWN: Mapping[str, tuple[str, str]] = {
    "PAUSE": ("paused", "Y"),
    "RUN": ("paused", "N"),
    "UPDATE_SCHEDULE": ("name", NAMES[1]),
}
"""What SCHEDULE_INFO shows once an action was carried out."""


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.id.replace(" ", "-"), marks=requirement(*row.requirements)) for row in ROWS]
)
def test_action_after_others_changes_the_schedule(row: Sequence, payments: Payments) -> None:
    must_offer(payments.requests.profile, TABLE.needs_of(row), "s2s_card")
    schedules = payments.schedules
    schedule = schedules.fresh()
    for step in row.first[1:]:
        schedules.carry_out(REQUESTS[step](schedule, NAMES[0]))

    member, wanted = SHOWN[row.then]
    if member == "name" and shown_in(schedules.info_of(schedule), member)[member] != schedule.opening.get(member):
        not_applicable("SCHEDULE_INFO shows the name otherwise than it was given, and line 363 shows no answer of it")

    must_accept(payments.merchant.post(REQUESTS[row.then](schedule, NAMES[1])))

    info = schedules.info_of(schedule)
    must_be_same(info, member, shown_in(info, member)[member], wanted)
