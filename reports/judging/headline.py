"""The verdict of a run in one sentence that hides nothing: what fails without deciding the verdict stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reports.judging.coverage import Coverage
from reports.judging.gate import GateDecision, RunVerdict
from reports.judging.verdicts import RequirementResult
from reports.model import Header


def sentence(  # noqa: PLR0913 - what it speaks of
    header: Header,
    gate: GateDecision,
    coverage: Coverage,
    quiet: Sequence[RequirementResult],
    waived: Sequence[RequirementResult],
    *,
    is_part: bool = False,
) -> str:
    """Return the headline.

    Args:
        header: says which target and release.
        gate: the verdict and what led to it.
        coverage: how much was decided.
        quiet: failures that the gate does not count, worst first.
        waived: failures that are waived, worst first.
        is_part: the run was asked for a part of the suite by its depth, and led it to its end.
    """
    target, release = header.target.name, header.release
    uncounted = "; ".join(uncounted_failures(quiet, waived))
    match gate.verdict:
        case RunVerdict.CONFORMING if uncounted:
            opening = f"{target} passes the gate of release {release}, but does not keep everything: {_kept(coverage)}"
        case RunVerdict.CONFORMING:
            opening = f"{target} conforms to release {release} in all that was checked: {_kept(coverage)}"
        case RunVerdict.NOT_CONFORMING:
            opening = f"{target} does not conform to release {release}: {gate.reasons[0]}"
        case RunVerdict.UNDECIDED if is_part:
            opening = (
                f"A run {_depth(header)} found nothing that decides against {target}, and cannot show that it "
                f"conforms to release {release}: {_kept(coverage)}; {gate.reasons[0]}"
            )
        case RunVerdict.UNDECIDED:
            opening = f"Whether {target} conforms to release {release} could not be decided: {gate.reasons[0]}"
        case RunVerdict.BROKEN:
            opening = f"The suite itself broke, so {target} was not judged: {gate.reasons[0]}"
    return f"{opening}; {uncounted}." if uncounted else f"{opening}."


def _depth(header: Header) -> str:
    return f"with a {header.depth}" if header.depth.startswith("budget") else f"of depth {header.depth}"


def uncounted_failures(quiet: Sequence[RequirementResult], waived: Sequence[RequirementResult]) -> Iterator[str]:
    """Say how many failures the verdict does not count, and which is the worst."""
    if quiet:
        yield f"{_more(quiet)} without deciding the verdict ({_worst(quiet)})"
    if waived:
        yield f"{_more(waived)} and {'is' if len(waived) == 1 else 'are'} waived ({_worst(waived)})"


def _more(results: Sequence[RequirementResult]) -> str:
    return f"{len(results)} more {'requirement fails' if len(results) == 1 else 'requirements fail'}"


def _worst(results: Sequence[RequirementResult]) -> str:
    requirement = results[0].requirement
    which = "" if len(results) == 1 else "worst: "
    weight = f"{requirement.level}, {requirement.basis}{', safety' if results[0].endangers else ''}"
    return f"{which}{requirement.id}, {weight}: {requirement.sentence.rstrip('.')}"


def _kept(coverage: Coverage) -> str:
    whole = coverage.kept == coverage.concerned
    kept = f"{coverage.kept} requirements" if whole else f"{coverage.kept} of {coverage.concerned} requirements"
    parts = [
        f"{kept} are kept",
        f"{coverage.not_covered} not covered (accepted)" if coverage.not_covered else "",
        f"{coverage.undecided} undecided" if coverage.undecided else "",
        f"{coverage.unchecked} have no check yet" if coverage.unchecked else "",
        f"{coverage.elsewhere} do not apply" if coverage.elsewhere else "",
    ]
    return ", ".join(filter(None, parts))
