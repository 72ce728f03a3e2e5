"""Every fault is caught by the checks of the requirement that it breaks, and by no others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from functools import cache

import pytest

from contract.catalogue import load_catalogue
from contract.watched import load_watched
from emulator.faults import Fault
from fixtures.run import Run
from tests.kill_matrix.batches import SMALLEST, Batch, batches
from tests.kill_matrix.collected import FAULTS, LATEST, RARE, WHOLE, endpoints_of, killers_first, suite
from tests.support.few_subscriptions import RunOfFew
from tests.support.suite_in_process import WATCHERS, Outcome, Outcomes

ACCEPTANCE_ITSELF = {"GEN-VER-01", "APM-REQ-01", "APM-REQ-02", "S2C-REQ-01"}
"""The valid request of a protocol itself: where it is refused the run is undecided and never green."""
PRODUCTION_ONLY = {"GEN-ENV-02"}
"""Decided on production targets only; test_production proves it."""


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_is_caught(fault: Fault) -> None:
    checked = set(fault.requirements) - load_catalogue().to_come
    if not checked:
        pytest.skip(f"no check claims {', '.join(fault.requirements)} yet")
    said = said_of(fault, checked, Run if WHOLE else RunOfFew)
    if not WHOLE and not checked <= said.requirements("fail"):
        said = said_of(fault, checked, Run)

    if all(said.sanity.values()):
        assert checked <= said.requirements("fail"), said.details("pass", "inconclusive", "error")
    else:
        # A fault that breaks every request leaves nothing to compare with: the run is undecided, never green.
        assert not said.requirements("pass"), said.details("pass")


def said_of(fault: Fault, checked: set[str], run_of: type[Run]) -> Outcomes:
    checks = killers_first(fault, suite().claiming(checked))
    release = LATEST if LATEST in fault.releases else fault.releases[-1]
    asked = endpoints_of(checks)
    return suite().run(checks, faults=(fault.name,), release=release, until_failed=checked, probed=asked, run_of=run_of)


@pytest.mark.whole_matrix
@pytest.mark.parametrize("batch", batches(), ids=lambda batch: batch.name)
def test_faults_fail_nothing_unrelated(batch: Batch) -> None:
    faults = tuple(fault for fault in batch.faults if not blocks(fault))

    said = said_together(batch.checks(), faults)

    unrelated = sorted(failed_by_checks(said) - related_to(faults, said))
    assert not said.requirements("error"), said.details("error")
    # What fails with several faults together only is the doing of none of them.
    blamed = {name: alone for name in unrelated if (alone := culprits_of(name, faults, said))}
    assert not blamed, f"{blamed}\n{said.details('fail')}"


def test_every_claimed_requirement_has_a_fault_that_breaks_it_alone() -> None:
    faults = {
        name: [fault for fault in (*FAULTS, *RARE) if name in fault.requirements] for name in suite().by_requirement
    }
    unbroken = {name for name, breaking in faults.items() if all(map(blocks, breaking))}

    assert [name for name, breaking in faults.items() if not breaking and name not in PRODUCTION_ONLY] == []
    assert unbroken == ACCEPTANCE_ITSELF | PRODUCTION_ONLY


def test_every_fault_breaks_requirements_that_are_checked_or_to_come() -> None:
    known = set(suite().by_requirement) | load_catalogue().to_come | set(load_watched())
    unknown = {fault.name: set(fault.requirements) - known for fault in FAULTS}

    assert {name: requirements for name, requirements in unknown.items() if requirements} == {}


def test_every_requirement_is_claimed_or_filed() -> None:
    catalogue = load_catalogue()
    claimed = set(suite().by_requirement) | set(load_watched())

    assert claimed & catalogue.to_come == set(), "claimed by a check, so no longer to come"
    filed = {name for name, requirement in catalogue.items() if requirement.not_testable}
    assert catalogue.keys() - claimed - filed - catalogue.to_come == set(), "neither claimed nor filed nor to come"


@cache
def blocks(fault: Fault) -> bool:
    """Return whether a fault breaks even the valid request of what it touches, so that the suite says it cannot run."""
    if LATEST not in fault.releases:
        return False
    asked = endpoints_of(suite().claiming(fault.requirements))
    return not all(suite().run([], faults=(fault.name,), probed=asked).sanity.values())


def said_together(checks: Sequence[pytest.Item], faults: tuple[Fault, ...]) -> Outcomes:
    """Run checks with several faults; what these leave undecided is run again with the halves of them."""
    said = suite().run(checks, faults=tuple(fault.name for fault in faults))
    undecided = [check for check in checks if check.nodeid in said.named("inconclusive")]
    if not undecided or len(faults) <= SMALLEST:
        return said
    found: list[Outcome] = list(said.checks)
    for half in (faults[::2], faults[1::2]):
        found += said_together(undecided, half).checks
    return Outcomes(tuple(found), said.sanity)


def failed_by_checks(said: Outcomes) -> set[str]:
    """Return what checks found broken. Watchers see whatever a fault does, wherever it does it; that is their task."""
    checks = [one for one in said.checks if one.verdict == "fail" and not one.check.startswith(WATCHERS)]
    return {name for one in checks for name in one.requirements}


def related_to(faults: Iterable[Fault], said: Outcomes) -> set[str]:
    failed = said.requirements("fail")
    patterns = [pattern for fault in faults for pattern in (*fault.requirements, *fault.related)]
    return {name for name in failed if any(fnmatch(name, pattern) for pattern in patterns)}


def culprits_of(requirement: str, faults: tuple[Fault, ...], said: Outcomes) -> list[str]:
    """Return the faults that fail a requirement alone, although one of them may hide what another one does."""
    failed = said.named("fail")
    checks = [check for check in suite().claiming([requirement]) if check.nodeid in failed]
    return culprits(requirement, checks, faults) or [
        name for fault in faults for name in culprits(requirement, checks, (fault,))
    ]


def culprits(requirement: str, checks: Sequence[pytest.Item], faults: tuple[Fault, ...]) -> list[str]:
    """Return the same, found by halving; two faults that hide each other are not found."""
    names = tuple(fault.name for fault in faults)
    if requirement not in suite().run(checks, faults=names, until_failed=(requirement,)).requirements("fail"):
        return []
    if len(faults) == 1:
        return list(names)
    return [name for half in (faults[::2], faults[1::2]) for name in culprits(requirement, checks, half)]
