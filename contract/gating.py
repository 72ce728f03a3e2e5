"""Which requirements hold a release, and what is accepted in place of a verdict: the words of a profile and of files.

The acting side reads them from a profile and the reports from files of their own; both mean the same by them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Annotated, NamedTuple, Self

from pydantic import BeforeValidator, Field, model_validator

from contract.model import Basis, Level, Need, Requirement, RequirementId, Value


class Policy(StrEnum):
    """The usual answers to the question which failures hold a release."""

    CONTRACT = "contract"
    """What the contract says with MUST. The default."""
    PLATFORM = "platform"
    """What the contract or the public documents of this family of gateways say with MUST."""
    STRICT = "strict"
    """Recommendations as well, and waivers that are no longer needed."""


class _Scope(NamedTuple):
    bases: frozenset[Basis]
    levels: frozenset[Level]


_SCOPES: Mapping[Policy, _Scope] = MappingProxyType(
    {
        Policy.CONTRACT: _Scope(frozenset({Basis.SPECIFICATION}), frozenset({Level.MUST})),
        Policy.PLATFORM: _Scope(frozenset({Basis.SPECIFICATION, Basis.PLATFORM}), frozenset({Level.MUST})),
        Policy.STRICT: _Scope(frozenset(Basis), frozenset({Level.MUST, Level.SHOULD})),
    }
)

RequirementPattern = Annotated[str, Field(pattern=r"^[A-Z0-9*?-]+$")]


class Gate(Value):
    """Which requirements hold a release when they fail. Those marked ``safety`` always do."""

    policy: Policy = Field(
        default=Policy.CONTRACT,
        description="contract: what the specification says with MUST; platform: also what public documents of this "
        "family of gateways say; strict: also recommendations and stale waivers.",
    )
    bases: tuple[Basis, ...] = Field(default=(), description="Bases that gate, in place of the policy's.")
    levels: tuple[Level, ...] = Field(default=(), description="Levels that gate, in place of the policy's.")
    requirements: tuple[RequirementPattern, ...] = Field(
        default=(), description="Requirements that gate as well, by id; * and ? stand for any characters."
    )

    def demands(self, requirement: Requirement) -> bool:
        """Return whether the requirement holds a release when it fails, safety aside."""
        if any(fnmatchcase(requirement.id, pattern) for pattern in self.requirements):
            return True
        scope = _SCOPES[self.policy]
        bases, levels = self.bases or scope.bases, self.levels or scope.levels
        return requirement.basis in bases and requirement.level in levels

    def requires(self, requirement: Requirement) -> bool:
        """Return whether a run is undecided while the requirement is: never where only the operator can say."""
        return (requirement.safety or self.demands(requirement)) and requirement.basis is not Basis.PROFILE

    @property
    def strict(self) -> bool:
        """The policy counts everything but options."""
        return self.policy is Policy.STRICT

    def tightened(self) -> Gate:
        """Return the gate with the policy ``strict``, and what it names beside it."""
        return Gate(policy=Policy.STRICT, requirements=self.requirements)


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Gap(Value):
    """What a target cannot show, accepted for a time: what it covers is *not covered* and does not hold the gate."""

    need: Need | None = Field(
        default=None, description='What the target does not have, as requirements name it, such as "account:live_key".'
    )
    requirement: Annotated[tuple[RequirementId, ...], BeforeValidator(_listed)] = Field(
        default=(),
        description="Requirements that cannot be decided: one id, or a list, no wildcards. Beside need: only those.",
    )
    reason: Annotated[str, Field(min_length=8)] = Field(description="Why it cannot be shown, in a sentence.")
    owner: Annotated[str, Field(min_length=2)] = Field(description="Who accepts that.")
    expires: date = Field(description="The last day on which it is accepted.")
    ticket: str = Field(default="", description="Where it is followed up.")

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.need is None and not self.requirement:
            raise ValueError("give need, requirement, or both")
        return self

    def names(self, requirement_id: str, needs: Iterable[str]) -> bool:
        """Return whether it is about a requirement that lacks these needs; with both keys, both must fit."""
        fits_need = self.need is None or self.need in needs
        return fits_need and (not self.requirement or requirement_id in self.requirement)

    @property
    def subject(self) -> str:
        """What it names, in words."""
        return "; ".join(filter(None, (self.need, ", ".join(self.requirement))))


def findings_of_gap(gap: Gap, catalogue: Mapping[str, Requirement]) -> Iterator[str]:
    """Say what a gap names that the catalogue does not have, as ``key: what is wrong; what is allowed``."""
    needs = sorted({need for requirement in catalogue.values() for need in requirement.needs})
    if gap.need and gap.need not in needs:
        yield f"need: no requirement needs {gap.need!r}{_nearest(gap.need, needs)}"
    for name in gap.requirement:
        if name not in catalogue:
            yield f"requirement: no requirement is called {name!r}{_nearest(name, catalogue)}"


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else "; the catalogue has the ids and what each needs"
