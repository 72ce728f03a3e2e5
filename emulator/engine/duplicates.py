"""The window in which a number that was used is not taken again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_SWEEP_AT: Final = 20_000

WindowKey = Callable[[str, str], object]


def merchant_and_number(key: str, number: str) -> object:
    """The same number of the same merchant."""
    return key, number


@dataclass(frozen=True, slots=True)
class WindowRule:
    """How long a number stays taken, seconds, and what makes two numbers the same; kept_for_good never frees one."""

    seconds: float = 15.0
    key: WindowKey = merchant_and_number
    kept_for_good: bool = False


@dataclass(slots=True)
class Window:
    """The numbers that were used within the duplicate window."""

    rule: WindowRule
    _used: dict[object, float] = field(default_factory=dict)

    def age(self, merchant: str, number: str, now: float) -> float | None:
        """Seconds since the number was used, or None where it is free."""
        used = self._used.get(self.rule.key(merchant, number))
        if used is None:
            return None
        age = now - used
        return age if age < self.rule.seconds or self.rule.kept_for_good else None

    def take(self, merchant: str, number: str, now: float) -> None:
        """Note that the number is used now."""
        if len(self._used) >= _SWEEP_AT:
            self._sweep(now)
        self._used[self.rule.key(merchant, number)] = now

    def _sweep(self, now: float) -> None:
        limit = now - max(self.rule.seconds, 3600.0)
        kept = {key: used for key, used in self._used.items() if used > limit}
        self._used = kept if len(kept) < _SWEEP_AT else {}
