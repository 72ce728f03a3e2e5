"""A pytest plugin that notes what a run of this suite cost: requests, and CPU of its own process.

The gateway is a child of that process, and not counted. ``BESIDE_NOTES`` names the file.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    from fixtures.wire.transport import Transport  # noqa: PLC0415 - not before pytest rewrites assertions

    noted = {"requests": 0}
    send = Transport._exchange

    def exchange(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Any:  # noqa: ANN401
        noted["requests"] += 1
        return send(self, method, url, headers, content)

    Transport._exchange = exchange  # type: ignore[method-assign]
    atexit.register(_write, noted)


def _write(noted: Mapping[str, int]) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    rows = {**noted, "cpu": used.ru_utime + used.ru_stime}
    Path(os.environ["BESIDE_NOTES"]).write_text(json.dumps(rows), encoding="utf-8")
