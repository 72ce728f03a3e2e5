"""Records which checks catch which fault, and what each check sends: ``python -m tests.kill_record``.

It goes on where it was stopped: what is known of a fault stays while the same checks speak of it. ``--seconds`` bounds
one sitting. At the end it writes ``suites/kills.json``.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import time
from pathlib import Path

from fixtures.depth.keys import key_of
from tests.kill_record.condensing import write
from tests.kill_record.costing import measured_costs
from tests.kill_record.recording import Record, checks_for, record, recorded_faults

KEPT = Path("build", "kill-record.jsonl")


def kept_records(file: Path) -> dict[str, Record]:
    """Return what earlier sittings found, by fault; the last word on each counts."""
    if not file.exists():
        return {}
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    found = [Record(row["fault"], tuple(row["asked"]), tuple(row["caught"]), row["seconds"]) for row in rows]
    return {one.fault: one for one in found}


def sitting(kept: Path, seconds: float) -> tuple[list[Record], int]:
    """Record the faults that are not known yet, for so many seconds; return what is known, and how many are not."""
    known = kept_records(kept)
    faults = list(recorded_faults())
    # In any order but that of the tables: a record that was stopped is then a fair sample.
    random.Random(0).shuffle(faults)  # noqa: S311 - no secret
    kept.parent.mkdir(parents=True, exist_ok=True)
    began, left = time.monotonic(), 0
    # Whatever is collected at this point stays to the end.
    gc.freeze()
    with kept.open("a", encoding="utf-8") as stream:
        for number, fault in enumerate(faults):
            checks = checks_for(fault)
            asked = tuple(dict.fromkeys(map(key_of, checks)))
            if fault.name in known and known[fault.name].asked == asked:
                continue
            if time.monotonic() - began > seconds:
                left += 1
                continue
            started = time.monotonic()
            found = record(fault, checks)
            known[fault.name] = Record(fault.name, asked, found.caught, round(time.monotonic() - started, 3))
            stream.write(json.dumps(known[fault.name].as_json()) + "\n")
            stream.flush()
            if number % 100 == 0:
                sys.stderr.write(f"{number} of {len(faults)} faults, {time.monotonic() - began:.0f} s\n")
    names = {fault.name for fault in faults}
    return [found for name, found in sorted(known.items()) if name in names], left


def main() -> int:
    """Record for a while, and write the data."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill_record", description=__doc__)
    parser.add_argument("--seconds", type=float, default=7200.0, help="bound of this sitting")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where single results are kept")
    options = parser.parse_args()
    found, left = sitting(options.kept, options.seconds)
    if left:
        sys.stderr.write(f"{left} faults are left; call it again\n")
    write(found, measured_costs())
    return 0


if __name__ == "__main__":
    sys.exit(main())
