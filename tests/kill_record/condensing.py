"""Writes the record in few lines: the faults once, and each check with what it sends and what it catches."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

from fixtures.depth.kills import KILLS_FILE
from tests.kill_record.recording import BY_SANITY, Record


def write(found: Iterable[Record], requests: Mapping[str, int]) -> None:
    """Write ``suites/kills.json``; faults that no check of theirs caught are named apart."""
    KILLS_FILE.write_text(condensed(list(found), requests), encoding="utf-8")


def condensed(found: list[Record], requests: Mapping[str, int]) -> str:
    """Return the text of the file: one line for each check, so that a change of one is a change of one line."""
    caught = [one for one in found if one.caught and BY_SANITY not in one.caught]
    catches: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(caught):
        for key in one.caught:
            catches[key].append(number)
    rows = [
        f"{json.dumps(key)}: {json.dumps({'requests': sent, 'catches': catches[key]})}"
        for key, sent in sorted(requests.items())
    ]
    apart = {
        "by_sanity": [one.fault for one in found if BY_SANITY in one.caught],
        "missed": [one.fault for one in found if not one.caught],
    }
    faults = ",\n".join(json.dumps(one.fault) for one in caught)
    checks = ",\n".join(rows)
    return f'{{\n"apart": {json.dumps(apart)},\n"faults": [\n{faults}\n],\n"checks": {{\n{checks}\n}}\n}}\n'
