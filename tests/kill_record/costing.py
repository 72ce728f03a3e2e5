"""What each check sends to a gateway without faults, once what checks share is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.kill_matrix.collected import suite
from tests.kill_record.recording import keys_by_id


def measured_costs() -> Mapping[str, int]:
    """Return requests by key: all checks are run twice, and the second time counts."""
    checks = list(suite().items)
    said = suite().run([*checks, *checks]).checks
    requests: Counter[str] = Counter()
    for one in said[len(checks) : 2 * len(checks)]:
        requests[keys_by_id()[one.check]] += one.requests
    return requests
