"""What is asked of a schedule once other things were asked of it: rows of ``contract/sequences.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from contract.model import Protocol
from contract.sequences import Answer, Sequence
from fixtures.judging.must import must_accept, must_be_same
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import Schedule, shown_in
from fixtures.protocols.sequences import TABLE, each_of
from fixtures.requirement import must_offer
from fixtures.wire.requests import FormRequest

ROWS = [row for row in TABLE.tried(Protocol.S2S_CARD, Answer.ACCEPTED) if row.first[0] == "CREATE_SCHEDULE"]
REQUESTS: Mapping[str, Callable[[Schedule], FormRequest]] = {"PAUSE": Schedule.pause, "RUN": Schedule.run}
SHOWN: Mapping[str, tuple[str, str]] = {"PAUSE": ("paused", "Y"), "RUN": ("paused", "N")}
"""What SCHEDULE_INFO shows once an action was carried out."""


@each_of(ROWS)
def test_action_after_others_changes_the_schedule(row: Sequence, payments: Payments) -> None:
    must_offer(payments.requests.profile, TABLE.needs_of(row), "s2s_card")
    schedules = payments.schedules
    schedule = schedules.fresh()
    for step in row.first[1:]:
        schedules.carry_out(REQUESTS[step](schedule))

    must_accept(payments.merchant.post(REQUESTS[row.then](schedule)))

    member, wanted = SHOWN[row.then]
    info = schedules.info_of(schedule)
    must_be_same(info, member, shown_in(info, member)[member], wanted)
