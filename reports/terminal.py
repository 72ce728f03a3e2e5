"""What a run says at its end in the terminal: the verdict first, then what to act on, then where the reports are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from reports.conclusion import Conclusion, Undecided
from reports.findings.grouping import Finding
from reports.judging.gaps import GAP_SENTENCES, GapState
from reports.judging.waivers import STATE_SENTENCES, WaiverState
from reports.model import VERDICT_WORDS, Verdict
from reports.renderings import PAGE_FILE, WRITERS
from reports.stream.lines import STREAM_FILE
from reports.text import one_line

MAX_FINDINGS = 8
MAX_GROUPS = 3
_WIDTH = 160


def lines_of(conclusion: Conclusion, output: Path, allure: Path) -> Iterator[str]:
    """Return a conclusion in at most a screen of lines."""
    yield one_line(conclusion.sentence, 4 * _WIDTH)
    for reason in conclusion.gate.reasons[1:4]:
        yield f"  also: {one_line(reason, _WIDTH)}"
    yield ""
    yield f"requirements: {_counted(conclusion.requirement_counts)}{_gating(conclusion)}"
    yield f"checks:       {_counted(conclusion.run.counts)}{_watchers(conclusion)}"
    yield from _findings(conclusion)
    yield from _errors(conclusion)
    yield from _undecided(conclusion.undecided)
    yield from _without_verdict(conclusion)
    yield from _accepted(conclusion)
    if conclusion.left:
        yield ""
        yield f"left on the target: {conclusion.left}"
    for line in conclusion.run.header.unchecked[:MAX_GROUPS]:
        yield ""
        yield f"not checked: {one_line(line, 2 * _WIDTH)}"
    yield ""
    yield f"report: {_shown(output / PAGE_FILE)}"
    others = [name for name in (STREAM_FILE, *WRITERS) if name != PAGE_FILE]
    yield f"        beside it {', '.join(others)}; Allure results in {_shown(allure)}"


def _counted(counts: Mapping[str, int]) -> str:
    found = [f"{counts[verdict]} {VERDICT_WORDS[verdict]}" for verdict in Verdict if counts[verdict]]
    return ", ".join(found) or "none"


def _gating(conclusion: Conclusion) -> str:
    failing = conclusion.with_verdict(Verdict.FAIL)
    gating = sum(conclusion.gates(result) for result in failing)
    return f" (of the failed {gating} hold the gate)" if gating < len(failing) else ""


def _watchers(conclusion: Conclusion) -> str:
    """Say why pytest counts fewer failures: what watchers say of all exchanges is no test of it."""
    failed = sum(check.watched is not None and check.verdict is Verdict.FAIL for check in conclusion.run.checks)
    return f" (of the failed {failed} by watchers of all exchanges, whom pytest does not count)" if failed else ""


def _findings(conclusion: Conclusion) -> Iterator[str]:
    found = conclusion.findings
    if not found:
        return
    following = sum(bool(each.follows) for each in found)
    behind = f", {following} of them a consequence of another" if following else ""
    yield ""
    yield f"What is wrong, by cause ({len(found)}{behind}):"
    for each in found[:MAX_FINDINGS]:
        yield f"  {_finding(conclusion, each)}"
    if len(found) > MAX_FINDINGS:
        yield f"  … and {len(found) - MAX_FINDINGS} more; all of them, with their evidence, are in the report"


def _finding(conclusion: Conclusion, found: Finding) -> str:
    """Return a finding in one line: what is wrong, and what it extends to."""
    weight = f"({weighed}) " if (weighed := conclusion.weight_of(found)) else ""
    return f"{one_line(f'{found.id} {weight}{conclusion.title(found)}', _WIDTH)} · {_extent(found)}"


def _extent(found: Finding) -> str:
    more = f" +{len(found.requirements) - 1}" if len(found.requirements) > 1 else ""
    checks = f"{len(found.checks)} check{'s' if len(found.checks) > 1 else ''}"
    follows = f", because of F-{found.follows[0]}" if found.follows else ""
    return f"{found.requirements[0]}{more}, {checks}{follows} [{found.fingerprint}]"


def _errors(conclusion: Conclusion) -> Iterator[str]:
    broken = [check for check in conclusion.run.checks if check.verdict is Verdict.ERROR]
    if not broken:
        return
    yield ""
    yield "The suite broke in:"
    for check in broken[:MAX_GROUPS]:
        yield f"  {one_line(check.id, _WIDTH)}: {one_line(check.reason, _WIDTH)}"
    if len(broken) > MAX_GROUPS:
        yield f"  … and {len(broken) - MAX_GROUPS} more"


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


def _accepted(conclusion: Conclusion) -> Iterator[str]:
    """Name the waivers and gaps that somebody has to look at."""
    waivers = [
        f"waiver {found.waiver.subject} {found.waiver.mark} ({found.waiver.owner}): {STATE_SENTENCES[found.state]}"
        for found in conclusion.waivers
        if found.state is not WaiverState.COVERS
    ]
    gaps = [
        f"gap {found.gap.subject} ({found.gap.owner}): {GAP_SENTENCES[found.state]}"
        for found in conclusion.gaps
        if found.state is not GapState.COVERS
    ]
    if waivers or gaps:
        yield ""
        yield "Accepted, and to be looked at:"
        yield from (f"  {one_line(line, _WIDTH)}" for line in (*waivers, *gaps)[:MAX_GROUPS])
    if len(waivers) + len(gaps) > MAX_GROUPS:
        yield f"  … and {len(waivers) + len(gaps) - MAX_GROUPS} more; all of them are in the report"


def _shown(path: Path) -> str:
    here = Path.cwd()
    return os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)
