"""``python -m tests.mutants``: tries a seeded sample of mutants of the emulator and lists the survivors.

Survivors that behave like the original are listed with the reason in ``equivalent.toml``; every other one is a hole.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants.company import companies, tried_together
from tests.mutants.order import Order
from tests.mutants.reach import recorded
from tests.mutants.sample import Mutant, mutants, sampled
from tests.mutants.score import Equivalents, as_json, column, equivalent, kept, score
from tests.mutants.trial import Fate, Means, Trial, tried
from tests.support.suite_in_process import InProcessSuite

AGAIN = ("survived", "undecided")
"""What another time, or more of it, may decide."""


def main(arguments: Sequence[str]) -> int:
    """Try mutants; return 1 where one survived that is not known to be equivalent."""
    options = _options(arguments)
    every = [mutant for mutant in mutants() if options.only in mutant.name]
    chosen = sampled(every, options.count, options.seed)
    known = equivalent()
    trials = {trial.mutant.name: trial for trial in kept(options.results, chosen)} if options.results else {}
    left = [mutant for mutant in chosen if _is_to_be_tried(trials.get(mutant.name), again=options.again, known=known)]
    waiting = [trial.mutant for trial in trials.values() if trial.mutant not in left and _needs_company(trial, known)]
    if (left or waiting) and options.seconds > 0:
        trials |= _all_tried(left, waiting, _means(options), options, known)
    say = sys.stdout.write
    say(f"\n{len(every)} mutants; {len(trials)} of a sample of {len(chosen)} with seed {options.seed} were tried")
    say(f", {sum(trial.seconds for trial in trials.values()):.0f} s of processor time\n\n")
    say("\n".join(score(list(trials.values()), known)) + "\n")
    return int(any(column(trial, known) == "survived" for trial in trials.values()))


def _is_to_be_tried(before: Trial | None, *, again: bool, known: Equivalents) -> bool:
    return before is None or (again and column(before, known) in AGAIN)


def _needs_company(trial: Trial, known: Equivalents) -> bool:
    """Return whether a mutant survived alone, which is some of the checks that matter only."""
    return trial.fate is Fate.SURVIVED and not trial.whole and not known.entry(trial.mutant)


def _means(options: argparse.Namespace) -> Means:
    suite = InProcessSuite("suites")
    reach = recorded(suite)
    means = Means(suite, reach, Order(reach, options.seed), options.seconds_each)
    # What is there now stays: a child that looks for rubbish in it would copy all of it.
    gc.collect()
    gc.freeze()
    return means


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many mutants are in the sample (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="which sample (default: 0)")
    parser.add_argument("--again", action="store_true", help="try those again that survived or decided nothing")
    parser.add_argument("--seconds", type=float, default=1_800.0, help="after which no further one is tried")
    parser.add_argument("--seconds-each", type=float, default=1.0, help="of processor time that one may take alone")
    parser.add_argument("--company", type=int, default=50, help="how many that survive alone are tried together")
    parser.add_argument("--only", default="", help="mutants whose name holds this text")
    parser.add_argument("--results", type=Path, help="JSON lines: what is there is not tried again, the rest is added")
    return parser.parse_args(arguments)


def _all_tried(
    chosen: Sequence[Mutant],
    waiting: Sequence[Mutant],
    means: Means,
    options: argparse.Namespace,
    known: Equivalents,
) -> dict[str, Trial]:
    trials: dict[str, Trial] = {}
    ends = time.monotonic() + options.seconds
    for trial in _each(chosen, waiting, means, options.company, known):
        trials[trial.mutant.name] = trial
        took = f"{trial.seconds:6.2f} s {trial.checks:5}"
        sys.stdout.write(f"{column(trial, known):10} {took} {trial.mutant.name}  {trial.by}\n")
        sys.stdout.flush()
        if options.results:
            with options.results.open("a", encoding="utf-8") as out:
                out.write(as_json(trial) + "\n")
        if time.monotonic() > ends:
            break
    return trials


def _each(
    chosen: Sequence[Mutant], before: Sequence[Mutant], means: Means, company: int, known: Equivalents
) -> Iterator[Trial]:
    """Yield what became of each mutant alone, and in between what became in company of those that survived."""
    waiting = list(before)
    for mutant in chosen:
        trial = tried(mutant, means)
        yield trial
        if _needs_company(trial, known):
            waiting.append(mutant)
        # Some more, so that a group is full though it takes one of each function.
        if len(waiting) >= company * 5 // 4:
            group = next(companies(waiting, company))
            yield from tried_together(group, means)
            waiting = [mutant for mutant in waiting if mutant not in group]
    for group in companies(waiting, company):
        yield from tried_together(group, means)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
