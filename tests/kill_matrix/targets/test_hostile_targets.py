"""Checks of every protocol against targets that misbehave on purpose: no error, few requests, little work and memory.

What a request may take is bounded by the transport (``tests/unit/fixtures/wire/test_transport.py``), so that the number
of requests bounds the seconds of a run.
"""

from __future__ import annotations

import resource
import time
from itertools import islice

import pytest

from fixtures.wire import transport
from tests.kill_matrix.collected import PROTOCOLS, checks_of, suite
from tests.support.hostile_targets import HOSTILE, target

CHECKS = [check for protocol in PROTOCOLS for check in islice(checks_of(protocol), 3, 200, 80)]
MOST_REQUESTS = 150
MOST_SECONDS_OF_WORK = 60.0
MOST_KILOBYTES = 200_000
SECONDS = 0.2
TAKES_EVERYTHING = {"accepts-everything", "colours-its-headers"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_target_is_no_error_and_costs_little(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MAX_WAIT_SECONDS", 0.01)
    profile = suite().profile
    limits = profile.run.model_copy(update={"timeout_seconds": SECONDS})
    memory, work = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()

    with target(name) as url:
        outcomes = suite().run(CHECKS, profile=profile.model_copy(update={"run": limits}), url=url)

    assert len(outcomes.checks) >= len(CHECKS)
    assert not outcomes.named("error"), outcomes.details("error")
    assert not any(outcomes.sanity.values()) or name in TAKES_EVERYTHING
    assert sum(check.requests for check in outcomes.checks) < MOST_REQUESTS
    assert time.process_time() - work < MOST_SECONDS_OF_WORK
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < MOST_KILOBYTES
