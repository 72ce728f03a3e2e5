"""The control address of the clock; it exists only when the gateway is started with it."""

from typing import Final

from emulator.engine.clock import Clock
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_FARTHEST: Final = 10 * 365 * 86_400


def clock_state(clock: Clock) -> Reply:
    """The clock as the gateway reads it: seconds since the start, seconds it was moved by, date and time in UTC."""
    body: Object = {
        "seconds": round(clock.seconds(), 3),
        "advanced_seconds": clock.ahead,
        "now": clock.now().isoformat(timespec="milliseconds"),
    }
    return Reply(Kind.ROUTE, 200, body)


def advance(clock: Clock, request: Object) -> Reply:
    """Move the clock by ``advance_seconds``, from 0 up to ten years in all; answers the new state."""
    seconds = request.get("advance_seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _FARTHEST - clock.ahead:
        message = f"advance_seconds must be a number from 0 to {_FARTHEST - clock.ahead:.0f}"
        return Reply(Kind.ROUTE, 400, {"error": message})
    clock.advance(float(seconds))
    return clock_state(clock)
