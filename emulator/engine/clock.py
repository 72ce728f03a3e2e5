"""The one source of time of the reference gateway."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Lock


@dataclass(slots=True)
class Clock:
    """Real time plus what the clock was moved by."""

    _ahead: float = 0.0
    _started: float = field(default_factory=time.monotonic)
    _epoch: datetime = field(default_factory=lambda: datetime.now(UTC))
    _lock: Lock = field(default_factory=Lock)

    @property
    def ahead(self) -> float:
        """Seconds that the clock was moved by since the start."""
        return self._ahead

    def seconds(self) -> float:
        """Seconds since the start of the gateway, moves included; never goes back."""
        return time.monotonic() - self._started + self._ahead

    def now(self) -> datetime:
        """The gateway's date and time, in UTC."""
        return self._epoch + timedelta(seconds=self.seconds())

    def advance(self, seconds: float) -> None:
        """Move the clock forward; raises ValueError for a move backwards."""
        if not seconds >= 0:
            message = "the clock moves forward only: advance_seconds must be 0 or more"
            raise ValueError(message)
        with self._lock:
            self._ahead += seconds
