"""Whether a run covers the whole suite from the first check to the last, and what is missing otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reports.model import Check, Probe, Run, Sanity, Selection, Verdict

NO_FOOTER = "the run was killed or is still going: its result stream has no footer"
_SHOWN = 3


def covers_whole_suite(run: Run) -> bool:
    """Return whether every check of the suite was at least collected."""
    return run.footer is not None and not any(_left_out(run.footer.selection))


def is_part_by_choice(run: Run) -> bool:
    """Return whether nothing is missing but what the depth of the run, or its budget, leaves out."""
    footer = run.footer
    if footer is None or not run.header.depth.startswith(("smoke", "budget")):
        return False
    return not (*_failed_probes(footer.sanity), *_not_run(run.checks), *_nothing_passed(run.checks))


def missing(run: Run) -> tuple[str, ...]:
    """Say why a run is not complete; nothing where it is."""
    if run.footer is None:
        return (NO_FOOTER,)
    return incompleteness(run.checks, run.footer.selection, run.footer.sanity, run.footer.problems)


def incompleteness(
    checks: Sequence[Check], selection: Selection, sanity: Sanity, problems: Sequence[str]
) -> tuple[str, ...]:
    """Say why a run with these checks is not complete; nothing where it is."""
    return (*problems, *_failed_probes(sanity), *_left_out(selection), *_not_run(checks), *_nothing_passed(checks))


def _failed_probes(sanity: Sanity) -> Iterator[str]:
    yield from _failed(sanity.first, "the target did not accept a valid request of {name} before the first check")
    yield from _failed(sanity.last, "the target did not accept a valid request of {name} after the last check")


def _failed(probes: Mapping[str, Probe], sentence: str) -> Iterator[str]:
    for name, probe in probes.items():
        if not probe.ok:
            yield f"{sentence.format(name=name)}: {probe.reason}"


def _left_out(selection: Selection) -> Iterator[str]:
    part = "this run covers only part of the suite"
    if selection.unseen_files:
        yield f"{part}: {_counted(selection.unseen_files, 'test file', 'not collected whole')}"
    if selection.deselected:
        yield f"{part}: {_counted(selection.deselected, 'check', 'deselected')}"
    for reason in selection.narrowed_by:
        yield f"{part}: {reason}"


def _not_run(checks: Sequence[Check]) -> Iterator[str]:
    idle = [check.id for check in checks if check.verdict is Verdict.NOT_RUN]
    if idle:
        yield _counted(idle, "check", "not run")


def _nothing_passed(checks: Sequence[Check]) -> Iterator[str]:
    if not any(check.verdict is Verdict.PASS for check in checks):
        yield "no check passed"


def _counted(names: Sequence[str], noun: str, fate: str) -> str:
    shown = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
    return f"{len(names)} {noun}{'s were' if len(names) > 1 else ' was'} {fate} ({shown})"
