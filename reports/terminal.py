"""What a run says at its end in the terminal: the verdict first, then what to act on, then where the reports are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from reports.conclusion import Conclusion, Undecided
from reports.model import VERDICT_WORDS, Verdict
from reports.renderings import PAGE_FILE, WRITERS
from reports.stream import STREAM_FILE
from reports.text import one_line
from reports.verdicts import RequirementResult
from reports.waivers import STATE_SENTENCES, WaiverState

MAX_FAILURES = 10
MAX_GROUPS = 10
_WIDTH = 220


def told(conclusion: Conclusion, output: Path, allure: Path) -> Iterator[str]:
    """Tell a conclusion in lines."""
    yield one_line(conclusion.sentence, 2 * _WIDTH)
    for reason in conclusion.gate.reasons[1:]:
        yield f"  also: {one_line(reason, 2 * _WIDTH)}"
    yield ""
    yield f"requirements: {_counted(conclusion.requirement_counts)}"
    yield f"checks:       {_counted(conclusion.run.counts)}"
    yield from _failures(conclusion)
    yield from _errors(conclusion)
    yield from _undecided(conclusion.undecided)
    yield from _without_verdict(conclusion)
    yield from _waivers(conclusion)
    yield ""
    yield f"report: {_shown(output / PAGE_FILE)}"
    others = [name for name in (STREAM_FILE, *WRITERS) if name != PAGE_FILE]
    yield f"        beside it {', '.join(others)}; Allure results in {_shown(allure)}"


def _counted(counts: Mapping[str, int]) -> str:
    found = [f"{counts[verdict]} {VERDICT_WORDS[verdict]}" for verdict in Verdict if counts[verdict]]
    return ", ".join(found) or "none"


def _failures(conclusion: Conclusion) -> Iterator[str]:
    failing = conclusion.with_verdict(Verdict.FAIL)
    if not failing:
        return
    yield ""
    yield "Failed:"
    for result in failing[:MAX_FAILURES]:
        requirement = result.requirement
        yield f"  {result.id} {_weight(conclusion, result)}: {one_line(requirement.sentence, _WIDTH)}"
        first = result.failures[0]
        more = f" and {len(result.failures) - 1} more" if len(result.failures) > 1 else ""
        yield f"    {one_line(first.id, _WIDTH)}{more} [fingerprint {conclusion.fingerprint(result, first)}]"
    if len(failing) > MAX_FAILURES:
        yield f"  … and {len(failing) - MAX_FAILURES} more; all of them are in the report"


def _weight(conclusion: Conclusion, result: RequirementResult) -> str:
    if result.id in conclusion.waived:
        return "(waived)"
    kind = f"{result.requirement.level}, {result.requirement.basis}"
    return f"({kind})" if conclusion.gates(result) else f"({kind}: does not gate)"


def _errors(conclusion: Conclusion) -> Iterator[str]:
    broken = [check for check in conclusion.run.checks if check.verdict is Verdict.ERROR]
    if not broken:
        return
    yield ""
    yield "The suite broke in:"
    for check in broken[:MAX_FAILURES]:
        yield f"  {one_line(check.id, _WIDTH)}: {one_line(check.reason, _WIDTH)}"
    if len(broken) > MAX_FAILURES:
        yield f"  … and {len(broken) - MAX_FAILURES} more"


def _undecided(groups: tuple[Undecided, ...]) -> Iterator[str]:
    if not groups:
        return
    yield ""
    yield "Could not be decided, and what would decide it:"
    for group in groups[:MAX_GROUPS]:
        names = [result.id for result in group.results]
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        yield f"  {len(names)} requirement{'s' if len(names) > 1 else ''} ({some})"
        yield f"    {one_line(group.decides or group.reasons[0], _WIDTH)}"
    if len(groups) > MAX_GROUPS:
        yield f"  … and {len(groups) - MAX_GROUPS} more; all of them are in the report"


def _without_verdict(conclusion: Conclusion) -> Iterator[str]:
    groups = conclusion.without_verdict
    if groups:
        yield ""
        yield "Without a verdict:"
    open_groups = {reason: results for reason, results in groups.items() if not results[0].excused}
    for reason, results in list(open_groups.items())[:MAX_GROUPS]:
        yield f"  {len(results)}: {one_line(reason, _WIDTH)}"
    excused = sum(len(results) for reason, results in groups.items() if reason not in open_groups)
    if excused:
        yield f"  {excused}: nobody can test them from outside, or no check does yet"


def _waivers(conclusion: Conclusion) -> Iterator[str]:
    told_of = [found for found in conclusion.waivers if found.state is not WaiverState.COVERS]
    if not told_of:
        return
    yield ""
    yield "Waivers:"
    for found in told_of:
        waiver = found.waiver
        yield f"  {waiver.requirement} {waiver.fingerprint} ({one_line(waiver.owner, 40)}, until {waiver.expires})"
        yield f"    {found.state}: {STATE_SENTENCES[found.state]}"


def _shown(path: Path) -> str:
    here = Path.cwd()
    return os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)
