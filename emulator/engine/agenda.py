"""What is to happen later, on the gateway's clock: redeliveries, scheduled payments, codes that expire."""

import asyncio
import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from emulator.engine.clock import Clock

_MOST_AT_ONCE: Final = 10_000
_LONGEST_NAP: Final = 1.0

Job = Callable[[], None]


@dataclass(slots=True)
class Agenda:
    """Jobs with the second of the clock at which they are due; jobs may put down further jobs."""

    clock: Clock
    _jobs: list[tuple[float, int, Job]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=itertools.count)
    _watch: asyncio.Task[None] | None = None
    _by_real_time: list[asyncio.TimerHandle] = field(default_factory=list)

    def after(self, seconds: float, job: Job) -> None:
        """Do a job that many seconds from now."""
        self.at(self.clock.seconds() + seconds, job)

    def at(self, due: float, job: Job) -> None:
        """Do a job once the clock shows that many seconds; call it from within the running server."""
        heapq.heappush(self._jobs, (due, next(self._order), job))
        if self._watch is None or self._watch.done():
            self._watch = asyncio.get_running_loop().create_task(self._keep())

    def run_due(self) -> None:
        """Do what is due, in the order in which it became due."""
        for _ in range(_MOST_AT_ONCE):
            if not self._jobs or self._jobs[0][0] > self.clock.seconds():
                return
            _, _, job = heapq.heappop(self._jobs)
            job()

    def really_after(self, seconds: float, job: Job) -> None:
        """Do a job once that much real time has passed, however the clock is moved."""
        self._by_real_time.append(asyncio.get_running_loop().call_later(seconds, job))

    def clear(self) -> None:
        """Forget everything that was to happen."""
        self._jobs.clear()
        for handle in self._by_real_time:
            handle.cancel()
        self._by_real_time.clear()

    async def _keep(self) -> None:
        while self._jobs:
            await asyncio.sleep(min(max(0.0, self._jobs[0][0] - self.clock.seconds()), _LONGEST_NAP))
            self.run_due()


Later = Callable[[Agenda, float, Job], None]
"""How a queue or a scheduler does a job that is due so many seconds from now."""


def by_the_clock(agenda: Agenda, seconds: float, job: Job) -> None:
    """It goes by the gateway's clock, and does the job as soon as that is moved."""
    agenda.after(seconds, job)
