"""``python -m tests.mutants``: tries a seeded sample of mutants of the emulator and lists the survivors.

Survivors that behave like the original are listed with the reason in ``equivalent.toml``; every other one is a hole.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.mutants.sample import mutants, sampled
from tests.mutants.trial import Fate, Trial, tried
from tests.support.suite_in_process import InProcessSuite

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main(arguments: Sequence[str]) -> int:
    """Try mutants; return 1 where one survived that is not known to be equivalent."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many mutants are tried (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default: 0)")
    parser.add_argument("--seconds", type=float, default=1_800.0, help="after which no further one is tried")
    parser.add_argument("--seconds-each", type=float, default=600.0, help="after which one is given up as undecided")
    parser.add_argument("--checks", type=int, default=5_000, help="checks that are run for one at most")
    parser.add_argument("--only", default="", help="files whose path holds this text")
    parser.add_argument("--results", type=Path, help="where each trial is written to, as JSON lines")
    options = parser.parse_args(arguments)
    every = [mutant for mutant in mutants() if options.only in mutant.file]
    suite = InProcessSuite("suites")
    trials: list[Trial] = []
    ends = time.monotonic() + options.seconds
    for mutant in sampled(every, options.count, options.seed):
        if time.monotonic() > ends:
            break
        trial = tried(mutant, suite, most=options.checks, seconds=options.seconds_each, seed=options.seed)
        trials.append(trial)
        sys.stdout.write(f"{trial.fate:10} {trial.seconds:6.1f} s {trial.checks:5} {mutant.name}  {trial.by}\n")
        sys.stdout.flush()
        if options.results:
            _write(options.results, trial)
    known = equivalent()
    sys.stdout.write(f"\n{len(every)} mutants, sample of {len(trials)} with seed {options.seed}\n")
    sys.stdout.writelines(f"{line}\n" for line in lines_of(trials, known))
    return int(any(trial.fate is Fate.SURVIVED and trial.mutant.name not in known for trial in trials))


def lines_of(trials: Sequence[Trial], known: Mapping[str, str]) -> list[str]:
    """Return the score by protocol, in lines."""
    lines = []
    for protocol in sorted({trial.mutant.protocol for trial in trials}):
        fates = Counter(trial.fate for trial in trials if trial.mutant.protocol == protocol)
        alike = sum(
            trial.fate is Fate.SURVIVED and trial.mutant.name in known and trial.mutant.protocol == protocol
            for trial in trials
        )
        judged = fates[Fate.NOTICED] + fates[Fate.SURVIVED] - alike
        share = f"{fates[Fate.NOTICED] / judged:.1%}" if judged else "none"
        lines.append(
            f"{protocol:14} {fates[Fate.NOTICED]:5} of {judged:5} noticed ({share}); {alike} equivalent, "
            f"{fates[Fate.STILLBORN]} stillborn, {fates[Fate.UNDECIDED]} undecided"
        )
    return lines


def equivalent() -> Mapping[str, str]:
    """Return the mutants that behave like the original, with the reason."""
    return dict(tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"])


def _write(file: Path, trial: Trial) -> None:
    row = {"mutant": trial.mutant.name, "fate": trial.fate, "by": trial.by, "checks": trial.checks}
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
