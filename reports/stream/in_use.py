"""One run at a time writes to an output: the stream of a run that goes on is locked, and free once its process ends."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

if sys.platform != "win32":
    import fcntl


class OutputInUseError(OSError):
    """Another run writes to the same output."""


def hold(stream: IO[Any]) -> None:
    """Lock the stream of a run for as long as it is open; where files cannot be locked nothing happens."""
    if sys.platform != "win32":
        with suppress(OSError):
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def must_be_free(stream: Path) -> None:
    """Do nothing where no run goes on that writes a stream.

    Raises:
        OutputInUseError: one does.
    """
    if sys.platform == "win32" or not stream.is_file():
        return
    with stream.open("rb") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputInUseError(f"{stream.parent}: another run writes there; give each an --output") from None
        except OSError:
            return
