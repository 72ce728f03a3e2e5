"""What a run left on its target, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

AHEAD: Final = "clock_ahead_s"
LEFT: Final = "_left"
CLEANED: Final = ("schedules", "subscriptions")
"""What goes away again; of the others all that was made stays."""


def together(processes: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return what several processes left: the sum of what they made, and one clock."""
    joined: dict[str, float] = {}
    for numbers in processes:
        for name, value in numbers.items():
            before = joined.get(name, 0)
            joined[name] = max(before, value) if name == AHEAD else before + value
    return joined


def in_words(numbers: Mapping[str, float]) -> str:
    """Say what stays; empty where nothing does."""
    return ", ".join(_parts(numbers))


def _parts(numbers: Mapping[str, float]) -> Iterator[str]:
    for name in ("payments", "sessions"):
        if numbers.get(name):
            yield f"{numbers[name]:,.0f} {name}"
    for name in CLEANED:
        if made := numbers.get(name):
            yield f"{numbers.get(name + LEFT, 0):,.0f} of {made:,.0f} {name}"
    if ahead := numbers.get(AHEAD):
        yield f"its clock {_duration(ahead)} ahead"


def _duration(seconds: float) -> str:
    days = seconds / 86_400
    return f"{days:,.1f} days" if days >= 1 else f"{seconds:,.0f} seconds"
