"""Tries many mutants at once that few checks notice: a gateway makes all the mistakes, and meets every check.

Most of them survive, and then one run says so of all. What fails is tried again with each mutant alone. A mistake that
hides another makes it survive here: the score can only be worse for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from contract.model import LATEST_RELEASE
from tests.mutants.children import Found, said_by_a_child
from tests.mutants.planting import plant_together
from tests.mutants.sample import Mutant
from tests.mutants.trial import EARLIER, Fate, Hunt, Means, Trial, is_of_releases, tried
from tests.support.suite_in_process import WATCHERS

SECONDS = 240.0
"""Of processor time, that a company may take: all checks take less than half."""
SECONDS_OF_ONE = 6.0
"""Of processor time, that a mutant may take with the checks that failed in company."""
LONGEST = 1_500.0
"""Seconds by the clock."""


def companies(mutants: Iterable[Mutant], size: int) -> Iterator[list[Mutant]]:
    """Yield groups of mutants, none with two in one function or table."""
    left = list(mutants)
    while left:
        group: dict[tuple[str, str], Mutant] = {}
        for mutant in left:
            if len(group) < size:
                group.setdefault((mutant.file, mutant.mutation.owner), mutant)
        yield list(group.values())
        left = [mutant for mutant in left if mutant not in group.values()]


def tried_together(mutants: Sequence[Mutant], means: Means) -> Iterator[Trial]:
    """Try mutants at once that survived alone, and those of releases with the release before the latest too."""
    left = dict.fromkeys(mutants)
    for trial in _tried_together(mutants, means, LATEST_RELEASE):
        if trial.fate is not Fate.SURVIVED or not is_of_releases(trial.mutant, means):
            yield trial
            del left[trial.mutant]
    if left:
        yield from _tried_together(list(left), means, EARLIER)


def _tried_together(mutants: Sequence[Mutant], means: Means, release: str) -> Iterator[Trial]:
    matter = {mutant: {one.check for one in means.order.checks_for(mutant)} for mutant in mutants}
    every = [one.check for one in means.reach.checks if any(one.check in checks for checks in matter.values())]
    roomy = replace(means, seconds=SECONDS)
    said = said_by_a_child(partial(_found, mutants, roomy, every, release), seconds=SECONDS + 60, longest=LONGEST)
    if said.found is None or said.found["broken"]:
        # Together they do not work at all, though each alone does.
        half = len(mutants) // 2
        if not half:
            yield from (Trial(mutant, Fate.UNDECIDED, "it hangs", whole=False) for mutant in mutants)
        else:
            yield from _tried_together(mutants[:half], means, release)
            yield from _tried_together(mutants[half:], means, release)
        return
    share = said.seconds / len(mutants)
    suspicious = [name for name in every if name in set(said.found["suspicious"])]
    for mutant in mutants:
        own = [name for name in suspicious if name in matter[mutant]]
        alone = tried(mutant, replace(means, seconds=SECONDS_OF_ONE), own, release) if own else None
        seconds = round(share + (alone.seconds if alone else 0.0), 2)
        if alone and alone.fate is not Fate.SURVIVED:
            yield replace(alone, seconds=seconds)
        else:
            whole = said.found["whole"]
            yield Trial(mutant, Fate.SURVIVED, alone.by if alone else "", len(matter[mutant]), seconds, whole)


def _found(mutants: Sequence[Mutant], means: Means, checks: Sequence[str], release: str) -> Found:
    try:
        plant_together(mutants)
        hunt = Hunt(means, release)
        said, undecided = hunt.through_all(checks)
    except Exception:
        return {"broken": True}
    red = [one.check for one in said.checks if one.verdict in ("fail", "error")]
    suspicious = {name.partition(" in ")[2] if name.startswith(WATCHERS) else name for name in (*red, *undecided)}
    ran = sum("::" in one.check and not one.check.startswith(WATCHERS) for one in said.checks)
    return {"broken": not all(said.sanity.values()), "suspicious": sorted(suspicious), "whole": ran >= len(checks)}
