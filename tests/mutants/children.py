"""Children of a warm process: each looks at one state of the emulator, says what it found, and is gone."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Found = Mapping[str, Any]
IDLE_SECONDS = 90.0
"""By the clock, after which a child hangs that used no processor time in them, however busy the machine is."""
LOOK_SECONDS = 5.0


@dataclass(frozen=True)
class Said:
    """What a child said.

    Attributes:
        found: what its work returned; ``None``: it hung or broke.
        seconds: of processor time that it took.
    """

    found: Found | None
    seconds: float


def said_by_a_child(work: Callable[[], Found], *, seconds: float, longest: float) -> Said:
    """Do some work in a child of this process.

    Args:
        work: returns what JSON can say.
        seconds: of processor time, after which the child is stopped.
        longest: seconds by the clock, after which it is. Others may have the processor, so this is many more.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(work, writing, seconds)
    os.close(writing)
    said = _read(reading, child, longest)
    os.kill(child, signal.SIGKILL)
    used = os.wait4(child, 0)[2]
    found = json.loads(said) if said.endswith(b"\n") else None
    return Said(found, round(used.ru_utime + used.ru_stime, 2))


def _read(reading: int, child: int, seconds: float) -> bytes:
    said, ends = b"", time.monotonic() + seconds
    used, waits = -1, 0.0
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while time.monotonic() < ends and waits < IDLE_SECONDS:
            if not select.select([pipe], [], [], LOOK_SECONDS)[0]:
                before, used = used, _ticks(child)
                waits = waits + LOOK_SECONDS if used == before else 0.0
                continue
            piece = pipe.read(65_536)
            if not piece:
                break
            said += piece
    return said


def _ticks(child: int) -> int:
    """Return how much of the processor a child has used, in ticks of the system."""
    fields = Path(f"/proc/{child}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _in_child(work: Callable[[], Found], writing: int, seconds: float) -> None:
    """Never returns: the child shares everything of its parent, and must not wind up what belongs to it."""
    try:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the child ends
        most = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        rest = memoryview(json.dumps(work()).encode() + b"\n")
        while rest:
            rest = rest[os.write(writing, rest) :]
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(0)
