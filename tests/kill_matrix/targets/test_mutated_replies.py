"""However the replies of a target are changed at random, no check ends as an error of the suite.

The checks of a protocol are taken in turn, a few for each seed; the whole matrix has 100 seeds for each protocol.
"""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import PROTOCOLS, WHOLE, checks_of, suite
from tests.support.mutated_replies import mutated_replies

SEEDS = 100 if WHOLE else 6
CHECKS = 6
SHARE = 0.4
TARGETS = [protocol for protocol in PROTOCOLS if protocol not in ("general", "generated")]


@pytest.mark.parametrize("protocol", TARGETS)
def test_mutated_reply_is_never_an_error_of_the_suite(protocol: str) -> None:
    checks = checks_of(protocol)
    errors = []
    for seed in range(SEEDS):
        start = seed * CHECKS * 7 % len(checks)
        with mutated_replies(seed, share=SHARE):
            outcomes = suite().run(checks[start : start + CHECKS])
        errors += [f"seed {seed}: {line}" for line in outcomes.details("error").splitlines()]

    assert not errors, "\n".join(errors)
