"""``python -m tests.mutants``: tries a seeded sample of mutants of the emulator and lists the survivors.

Survivors that behave like the original are listed with the reason in ``equivalent.toml``; every other one is a hole.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.order import Order
from tests.mutants.reach import recorded
from tests.mutants.sample import Mutant, mutants, sampled
from tests.mutants.score import Equivalents, as_json, column, equivalent, score
from tests.mutants.trial import Means, Trial, tried
from tests.support.suite_in_process import InProcessSuite


def main(arguments: Sequence[str]) -> int:
    """Try mutants; return 1 where one survived that is not known to be equivalent."""
    options = _options(arguments)
    every = [mutant for mutant in mutants() if options.only in mutant.name]
    chosen = sampled(every, options.count, options.seed)[options.skip :]
    suite = InProcessSuite("suites")
    reach = recorded(suite)
    means = Means(suite, reach, Order(reach, options.seed), options.seconds_each)
    # What is there now stays: a child that looks for rubbish in it would copy all of it.
    gc.collect()
    gc.freeze()
    known = equivalent()
    trials = _all_tried(chosen, means, options, known)
    say = sys.stdout.write
    say(f"\n{len(every)} mutants; {len(trials)} of a sample of {options.count} with seed {options.seed} were tried")
    say(f", {sum(trial.seconds for trial in trials):.0f} s of processor time\n\n")
    say("\n".join(score(trials, known)) + "\n")
    return int(any(column(trial, known) == "survived" for trial in trials))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many mutants are in the sample (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default: 0)")
    parser.add_argument("--skip", type=int, default=0, help="how many of the sample were tried before")
    parser.add_argument("--seconds", type=float, default=1_800.0, help="after which no further one is tried")
    parser.add_argument("--seconds-each", type=float, default=4.0, help="of processor time that one may take")
    parser.add_argument("--only", default="", help="mutants whose name holds this text")
    parser.add_argument("--results", type=Path, help="where each trial is written to, as JSON lines")
    return parser.parse_args(arguments)


def _all_tried(chosen: Sequence[Mutant], means: Means, options: argparse.Namespace, known: Equivalents) -> list[Trial]:
    trials: list[Trial] = []
    ends = time.monotonic() + options.seconds
    for mutant in chosen:
        if time.monotonic() > ends:
            break
        trial = tried(mutant, means)
        trials.append(trial)
        sys.stdout.write(
            f"{column(trial, known):10} {trial.seconds:6.2f} s {trial.checks:5} {mutant.name}  {trial.by}\n"
        )
        sys.stdout.flush()
        if options.results:
            with options.results.open("a", encoding="utf-8") as out:
                out.write(as_json(trial) + "\n")
    return trials


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
