"""Where a check stands in reports that have no requirements: under the first requirement that it claims."""

from __future__ import annotations

from dataclasses import dataclass

from contract.model import Requirement
from reports.conclusion import Conclusion
from reports.model import Check


@dataclass(frozen=True)
class Place:
    """Protocol and section of a check."""

    protocol: str
    section: str


def place_of(conclusion: Conclusion, check: Check) -> Place:
    """Return where a check stands."""
    claimed = claimed_requirements(conclusion, check)
    return Place(str(claimed[0].protocol), claimed[0].section) if claimed else Place("Suite", "Claims no requirement")


def claimed_requirements(conclusion: Conclusion, check: Check) -> tuple[Requirement, ...]:
    """Return the requirements that a check claims, as far as the catalogue has them."""
    return tuple(conclusion.results[name].requirement for name in check.requirements if name in conclusion.results)
