"""A plugin by which checks crash where they hold secrets: with all that was sent and answered.

Only checks crash, and not the probes before and after them: after a crash there pytest shows no failures.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

import pytest

from fixtures.wire.exchange import Reply
from fixtures.wire.transport import Transport

EVERY = 5
"""After so many requests the next one of a check crashes once its answer is there."""

_LOG = logging.getLogger(__name__)
_send = Transport._exchange
_sent = [0]
_in_a_check = [False]
LAST = [b""]
"""What was sent and answered last."""


class CrashError(Exception):
    """What breaks quotes what it worked with, as errors of libraries do."""


def _crashing(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Reply:
    reply = _send(self, method, url, headers, content)
    _sent[0] += 1
    LAST[0] = content + reply.body
    _LOG.debug("answered %r with %r", content, reply.body)
    if _in_a_check[0] and _sent[0] >= EVERY:
        _sent[0] = 0
        local_bytes, local_text, local_headers = content, reply.text, dict(headers)  # noqa: F841 - for --showlocals
        raise CrashError(f"{content!r} {local_text} {local_headers}")
    return reply


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    _in_a_check[0] = True
    try:
        return (yield)
    finally:
        _in_a_check[0] = False


def pytest_configure(config: pytest.Config) -> None:
    del config
    Transport._exchange = _crashing  # type: ignore[method-assign]


def pytest_unconfigure() -> None:
    Transport._exchange = _send  # type: ignore[method-assign]
