"""Drafts of the files that accept something, made from a run: waivers of what fails, gaps of what is undecided.

Owner and reason are left empty unless they are given, and an empty one is refused when the file is read: nothing is
accepted by accident.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from reports.conclusion import Conclusion, moment
from reports.findings.grouping import Finding
from reports.model import Check, Verdict
from reports.text import one_line

_DAYS = 90
_WIDTH = 200


@dataclass(frozen=True, kw_only=True)
class Acceptance:
    """Who accepts what a draft lists.

    Attributes:
        expires: the last day on which it is accepted.
    """

    expires: date
    reason: str = ""
    owner: str = ""


def days_after(conclusion: Conclusion, days: int = _DAYS) -> date:
    """Return the day so many days after the run."""
    return moment(conclusion.run.header.started).date() + timedelta(days=days)


def draft_waivers(conclusion: Conclusion, by: Acceptance) -> str:
    """Return ``[[waiver]]`` tables, one for each finding that is not waived yet; worst first."""
    open_findings = [
        found
        for found in conclusion.findings
        if any(check.id not in conclusion.waived_checks for check in found.checks)
    ]
    tables = [_waiver(conclusion, found, by) for found in open_findings]
    return _document(conclusion, "Waivers of what fails", tables)


def draft_gaps(conclusion: Conclusion, by: Acceptance) -> str:
    """Return ``[[gap]]`` tables for what is undecided: by need where the profile lacks one, else by requirements."""
    undecided = [check for check in conclusion.run.checks if check.verdict is Verdict.INCONCLUSIVE]
    open_ids = {result.id for result in conclusion.with_verdict(Verdict.INCONCLUSIVE)}
    needs: dict[str, set[str]] = {}
    others: dict[str, set[str]] = {}
    for check in undecided:
        groups, key = (needs, check.lacks) if check.lacks else (others, check.decides or check.reason)
        if named := open_ids.intersection(check.requirements):
            groups.setdefault(key, set()).update(named)
    tables = [
        *(_gap(f"need = {_text(need)}", names, decides, by) for need, names, decides in _described(needs, undecided)),
        *(_gap(f"requirement = {_list(sorted(names))}", names, key, by) for key, names in others.items()),
    ]
    return _document(conclusion, "Gaps of what could not be decided", tables)


def _described(needs: dict[str, set[str]], undecided: Iterable[Check]) -> Iterator[tuple[str, set[str], str]]:
    decides = {check.lacks: check.decides for check in undecided}
    yield from ((need, names, decides[need]) for need, names in needs.items())


def _document(conclusion: Conclusion, title: str, tables: list[str]) -> str:
    header = conclusion.run.header
    about = f"{title} in the run of {header.started[:10]} against {header.target.name}, release {header.release}."
    heading = one_line(about, _WIDTH)
    if not tables:
        return f"# {heading}\n# There is nothing to accept.\n"
    hint = "# Give reason and owner, and remove what is not to be accepted; an empty one is refused."
    return "\n\n".join([f"# {heading}\n{hint}", *tables]) + "\n"


def _waiver(conclusion: Conclusion, found: Finding, by: Acceptance) -> str:
    weight = conclusion.weight_of(found)
    lines = [
        f"# {found.id}{f' ({weight})' if weight else ''}: {one_line(conclusion.title(found), _WIDTH)}",
        "[[waiver]]",
        f"finding = {_text(found.fingerprint)}",
        f"requirement = {_list(found.requirements)}",
        *_accepting(by),
    ]
    return "\n".join(lines)


def _gap(names: str, requirements: set[str], decides: str, by: Acceptance) -> str:
    some = ", ".join(sorted(requirements)[:8]) + (", …" if len(requirements) > 8 else "")
    lines = [f"# Leaves open: {some}", f"# Decided by: {one_line(decides, _WIDTH)}", "[[gap]]", names]
    return "\n".join([*lines, *_accepting(by)])


def _accepting(by: Acceptance) -> list[str]:
    return [f"reason = {_text(by.reason)}", f"owner = {_text(by.owner)}", f"expires = {by.expires.isoformat()}"]


def _text(text: str) -> str:
    # Strings of JSON in ASCII are strings of TOML.
    return json.dumps(text)


def _list(names: Iterable[str]) -> str:
    return json.dumps(list(names))
