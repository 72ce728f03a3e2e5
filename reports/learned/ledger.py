"""The ambiguity ledger: which reading the target follows, what shows it, what to ask, and what the last run showed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from contract.model import Reading, Requirement
from reports.judging.verdicts import RequirementResult
from reports.model import Check, Exchange, Json, Run


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """One requirement that can be read in more than one way.

    Attributes:
        followed: what the target was seen to do; several where it does now this, now that.
        others: what would be as legitimate.
        check: the check that showed it; ``None`` where none is known.
        shown_by: the exchange of that check that came last, where it was kept.
        question: what to ask the owner of the contract.
        former: what the run before showed; ``None``: there was none, or it did not say.
    """

    result: RequirementResult
    followed: tuple[Reading, ...]
    others: tuple[Reading, ...]
    check: Check | None
    shown_by: Exchange | None
    question: str
    former: tuple[str, ...] | None

    @property
    def has_changed(self) -> bool:
        """The run before showed another reading."""
        return self.former is not None and set(self.former) != {reading.id for reading in self.followed}


Former = Mapping[str, tuple[str, ...]]
"""Readings that an earlier run showed, by requirement."""
NO_READINGS: Former = MappingProxyType({})


def ledger_of(run: Run, results: Iterable[RequirementResult], former: Former) -> Iterator[LedgerRow]:
    """Yield a row for each requirement of which a reading was seen, in the order of the catalogue."""
    for result in results:
        if not result.readings:
            continue
        known = {reading.id: reading for reading in result.requirement.readings}
        followed = tuple(known.get(name) or Reading.model_construct(id=name, sentence="") for name in result.readings)
        check = _showing(run, result)
        exchanges = run.exchanges_of(check) if check else ()
        yield LedgerRow(
            result=result,
            followed=followed,
            others=tuple(reading for name, reading in known.items() if name not in result.readings),
            check=check,
            shown_by=exchanges[-1] if exchanges else None,
            question=question_about(result.requirement),
            former=former.get(result.id),
        )


def _showing(run: Run, result: RequirementResult) -> Check | None:
    seen = [check for check in result.checks if any(followed.requirement == result.id for followed in check.readings)]
    return next((check for check in seen if run.exchanges_of(check)), seen[0] if seen else None)


def question_about(requirement: Requirement) -> str:
    """Return what to ask the owner of the contract."""
    lines = ", ".join(map(str, requirement.lines))
    choices = "; or: ".join(reading.sentence.rstrip(".") for reading in requirement.readings)
    return f'"{requirement.section}", line {lines}: {requirement.sentence} Which is meant: {choices}?'


def former_readings(document: Path) -> Former:
    """Return the readings of an earlier ``conformance.json``; none where it is not there or is none."""
    try:
        found: Json = json.loads(document.read_text(encoding="utf-8"))
        return {str(row["requirement"]): tuple(map(str, row["followed"])) for row in found["readings"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}
