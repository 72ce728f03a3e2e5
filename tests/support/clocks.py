"""Clocks that stand in for that of a target."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class CountingClock:
    """Lets no time pass and keeps what was asked for."""

    allowed: list[float] = field(default_factory=list)
    waits: bool = False
    drives_work: bool = False

    def now(self) -> float:
        return sum(self.allowed)

    def elapse(self, seconds: float) -> None:
        self.allowed.append(seconds)

    def allow(self, seconds: float) -> None:
        self.elapse(seconds)
