"""A pytest plugin for a run that is measured: it notes what is sent, when the first request goes, and where CPU goes.

``BENCH_NOTES`` names the file for the notes. With ``BENCH_SAMPLES`` the stack is looked at after every few milliseconds
of CPU time.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

INTERVAL: Final = 0.004
PARTS: Final = (
    ("start", ("importlib._bootstrap", "_pytest/assertion/rewrite", "_prepareconfig", "perform_collect")),
    ("renderings", ("/reports/",)),
    ("evidence", ("/redaction/", "/watchers/", "fixtures/check_report", "fixtures/callbacks")),
    ("transport", ("/httpx/", "/httpcore/", "/h11/", "socket.py")),
    ("pages", ("/bs4/", "fixtures/payer", "html/parser.py")),
    ("signing", ("fixtures/signing",)),
    ("judging", ("fixtures/judging", "/suites/", "fixtures/protocols", "fixtures/cases", "fixtures/wire")),
    ("generating", ("/hypothesis/", "/schemathesis/", "fixtures/generated")),
    ("runner", ("/_pytest/", "/pluggy/", "/xdist/")),
)
"""Where a stack belongs: the innermost frame that is known decides, and start and renderings whatever is in them."""
WHOLE: Final = ("start", "renderings")


class Notes:
    """What is noted of one run."""

    def __init__(self) -> None:
        self.sent: list[dict[str, str]] = []
        self.first: float | None = None
        self.first_cpu = 0.0
        self.samples: Counter[str] = Counter()

    def sample(self, _signal: int, frame: FrameType | None) -> None:
        """Note where the main thread is."""
        names = list(_files(frame))
        for part, marks in PARTS[:2]:
            if any(mark in name for name in names for mark in marks):
                self.samples[part] += 1
                return
        found = (part for name in names for part, marks in PARTS[2:] if any(mark in name for mark in marks))
        self.samples[next(found, "other")] += 1


def _files(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield f"{frame.f_code.co_filename}:{frame.f_code.co_name}"
        frame = frame.f_back


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    from fixtures.wire.transport import Transport  # noqa: PLC0415 - not before pytest rewrites assertions

    notes = Notes()
    send = Transport._exchange

    def exchange(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Any:  # noqa: ANN401
        if notes.first is None:
            notes.first, notes.first_cpu = time.time(), time.process_time()
        body = base64.b64encode(content).decode()
        notes.sent.append({"method": method, "url": url, "headers": json.dumps(dict(headers)), "body": body})
        return send(self, method, url, headers, content)

    Transport._exchange = exchange  # type: ignore[method-assign]
    config.add_cleanup(lambda: _write(notes))
    if os.environ.get("BENCH_SAMPLES"):
        signal.signal(signal.SIGPROF, notes.sample)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)


def _write(notes: Notes) -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    used = resource.getrusage(resource.RUSAGE_SELF)
    noted = {
        "sent": notes.sent,
        "first": notes.first,
        "first_cpu": notes.first_cpu,
        "samples": notes.samples,
        "peak_mb": used.ru_maxrss / 1024,
    }
    Path(os.environ["BENCH_NOTES"]).write_text(json.dumps(noted), encoding="utf-8")
