"""Groups the failures of a run by cause, and orders them: what matters most first, what follows behind its cause."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import takewhile

from contract.model import Protocol, Requirement
from reports.findings.bodies import CALLBACK, fields_from_target
from reports.findings.cause import Cause, Deviation, cause_of, decisive_exchange, essence, is_refusal
from reports.findings.places import place_of_exchange
from reports.findings.reuse import SESSION, meets, reused
from reports.judging.fingerprint import LENGTH
from reports.judging.verdicts import RequirementResult
from reports.model import Check, Exchange, Failure, Run, Verdict


class Weight(IntEnum):
    """What a finding is about; the smallest matters most."""

    SAFETY = 0
    MONEY = 1
    SIGNATURE = 2
    OTHER = 3


_MONEY = frozenset(
    {"AMT", "AUT", "C2V", "CAP", "CRD", "CVD", "DEB", "DUP", "LIF", "MID", "PAY", "REC", "RFD", "SCP", "TRN", "VOI"}
)
"""Subjects of requirements that are about money: the second part of their ids."""
_PAGES = frozenset({Protocol.HOSTED_PAGE, Protocol.HOSTED_FIELDS})
_LOOSE = frozenset({Deviation.OTHER, Deviation.NO_CALLBACK})
"""Deviations whose evidence says little: what they break says as much."""
_LEADING = frozenset({Deviation.MISSING, Deviation.REFUSED})
"""Deviations from which others can follow."""
_PROOFS = frozenset({"redirect_url", "trans_id", "payment_id"})
"""Members without which no later step can be taken."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One cause, with all that fails because of it.

    Attributes:
        number: 1 for the one that matters most.
        fingerprint: 12 hex digits that stay the same from run to run; a waiver of the finding names them.
        requirements: ids of those that fail because of it, in the order of the catalogue.
        checks: the failing checks, in the order of the run.
        witness: the check whose evidence shows it best: the one with the shortest.
        follows: numbers of the findings that it follows from.
    """

    number: int
    cause: Cause
    weight: Weight
    fingerprint: str
    requirements: tuple[str, ...]
    checks: tuple[Check, ...]
    witness: Check
    follows: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """What it is called in this run, such as ``F-3``."""
        return f"F-{self.number}"


Groups = Mapping[Cause, Sequence[Check]]
"""Failing checks by cause."""


def by_cause(run: Run) -> Groups:
    """Group the failing checks of a run by what they have in common."""
    groups: dict[Cause, list[Check]] = {}
    for check in run.checks:
        if check.verdict is Verdict.FAIL:
            groups.setdefault(cause_of(check, run.exchanges_of(check)), []).append(check)
    return _joined(groups)


def findings_of(
    groups: Groups, run: Run, results: Mapping[str, RequirementResult], gating: Container[str]
) -> tuple[Finding, ...]:
    """Make findings of the failing checks of a run, what holds the gate first, then by weight.

    Args:
        groups: the failing checks by cause.
        run: the run.
        results: what it says of each requirement.
        gating: ids of the failing checks that hold the gate.
    """
    unordered = [_finding(cause, checks, run, results) for cause, checks in groups.items()]
    shared = reused(run.exchanges_of(check) for found in unordered for check in found.checks)
    unordered.sort(
        key=lambda found: (
            # What explains others is read before them, whether or not it holds the gate itself.
            not (_gates(found, gating) or _is_reuse(found, shared)),
            found.weight is not Weight.SAFETY and not _is_reuse(found, shared),
            found.weight,
            -len(found.checks),
        )
    )
    numbered = [replace(found, number=number) for number, found in enumerate(unordered, start=1)]
    return tuple(replace(found, follows=_followed(found, numbered, run, shared)) for found in numbered)


def _is_reuse(found: Finding, shared: frozenset[str]) -> bool:
    """Return whether a finding says that sessions share an address."""
    failure = found.witness.failure
    speaks_of_sessions = found.cause.place == SESSION and found.cause.deviation in {
        Deviation.DIFFERENT,
        Deviation.OTHER,
    }
    return speaks_of_sessions and failure is not None and any(address in failure.received for address in shared)


def _gates(found: Finding, gating: Container[str]) -> bool:
    return any(check.id in gating for check in found.checks)


def _joined(groups: Groups) -> Groups:
    """Join groups of one place that have more in common than their causes say.

    Where the evidence says little, they break the same requirement; where members are missing, it is the same member;
    where only the form of a hash was looked at, the mistake is taken for the one that is known of that place.
    """
    joined: dict[Cause, list[Check]] = {}
    # What says more comes first, so that what says less has something to join.
    for cause, checks in sorted(groups.items(), key=lambda group: not group[0].subject):
        breaks = {name for check in checks for name in check.requirements}
        other = next((each for each, theirs in joined.items() if _is_same(cause, breaks, each, theirs)), None)
        if other is None:
            joined[cause] = [*checks]
        else:
            joined[_both(other, cause)] = [*joined.pop(other), *checks]
    return joined


def _is_same(cause: Cause, breaks: set[str], other: Cause, theirs: Sequence[Check]) -> bool:
    if other.deviation is not cause.deviation:
        return False
    if cause.deviation is Deviation.MISSING:
        return cause.place == other.place and bool(members_of(cause) & members_of(other))
    if cause.deviation is Deviation.SIGNATURE:
        return cause.place == other.place and not (cause.subject and other.subject)
    if cause.deviation is Deviation.DIFFERENT:
        # What no member names is one rule for all answers of a protocol.
        return cause.subject == other.subject and ": " in cause.subject and bool(_common(cause.place, other.place))
    same_place = cause.place == other.place or not cause.place or not other.place
    return cause.deviation in _LOOSE and same_place and any(breaks.intersection(check.requirements) for check in theirs)


def _both(one: Cause, other: Cause) -> Cause:
    if one.deviation is Deviation.DIFFERENT:
        return replace(one, place=_common(one.place, other.place))
    if one.deviation is not Deviation.MISSING:
        return replace(one, place=one.place or other.place, subject=one.subject or other.subject)
    return replace(one, subject=", ".join(sorted(members_of(one) | members_of(other))))


def _common(one: str, other: str) -> str:
    """Return the words with which both of two places begin."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one.split(), other.split(), strict=False))
    return " ".join(word for word, _ in pairs)


def members_of(cause: Cause) -> frozenset[str]:
    """Return the members that are missing."""
    return frozenset(cause.subject.split(", "))


def finding_fingerprint(cause: Cause) -> str:
    """Return the short name of a cause."""
    content = json.dumps([cause.deviation, cause.place, cause.subject])
    return hashlib.sha256(content.encode()).hexdigest()[:LENGTH]


def _finding(cause: Cause, checks: Sequence[Check], run: Run, results: Mapping[str, RequirementResult]) -> Finding:
    claimed = {name for check in checks for name in check.requirements}
    requirements = tuple(name for name in results if name in claimed)
    return Finding(
        number=0,
        cause=cause,
        weight=min((_weight(results[name], cause, checks) for name in requirements), default=Weight.OTHER),
        fingerprint=finding_fingerprint(cause),
        requirements=requirements,
        checks=tuple(checks),
        witness=min(checks, key=lambda check: len(run.exchanges_of(check)) or len(run.checks)),
    )


def _weight(result: RequirementResult, cause: Cause, checks: Sequence[Check]) -> Weight:
    requirement = result.requirement
    breaking = [check for check in checks if result.id in check.requirements]
    if requirement.safety and not all(check.failure and check.failure.refused for check in breaking):
        return Weight.SAFETY
    if weighs_money(requirement):
        return Weight.MONEY
    about_signatures = _subject(requirement) == "SIG" or cause.deviation is Deviation.SIGNATURE
    return Weight.SIGNATURE if about_signatures else Weight.OTHER


def weighs_money(requirement: Requirement) -> bool:
    """Return whether a requirement is about money that moves."""
    return requirement.protocol not in _PAGES and _subject(requirement) in _MONEY


def _subject(requirement: Requirement) -> str:
    return requirement.id.split("-")[1]


def _followed(found: Finding, others: Sequence[Finding], run: Run, shared: frozenset[str]) -> tuple[int, ...]:
    """Return the findings whose deviation every failing check of this one shows on its way, before its own.

    What endangers somebody never follows from anything: it must be looked at by itself.
    """
    if found.weight is Weight.SAFETY:
        return ()
    return tuple(
        other.number
        for other in others
        if other is not found
        and (
            _follows(found, other, run)
            or (_is_reuse(other, shared) and all(meets(run.exchanges_of(check), shared) for check in found.checks))
        )
    )


def _follows(found: Finding, other: Finding, run: Run) -> bool:
    return other.cause.deviation in _LEADING and all(
        _suffers(check, run.exchanges_of(check), other.cause) for check in found.checks
    )


def _suffers(check: Check, exchanges: Sequence[Exchange], cause: Cause) -> bool:
    """Return whether a check met a deviation on its way that its own failure can come from."""
    if cause.deviation is Deviation.MISSING:
        names = cause.subject.split(", ")
        failure = check.failure or Failure()
        spoken_of = any(name.split(".")[-1] in f"{failure.expected} {failure.explanation}" for name in names)
        if not spoken_of and (cause.place.endswith(" callback") or not _PROOFS.intersection(names)):
            return False
    elif cause.deviation is not Deviation.REFUSED:
        return False
    return any(_shows(cause, each) for each in _way(check, exchanges))


def _way(check: Check, exchanges: Sequence[Exchange]) -> Sequence[Exchange]:
    """Return the exchanges that led to the one that decides; of a callback, that one as well."""
    decisive = decisive_exchange(check, exchanges)
    if decisive is None:
        return exchanges
    if decisive.protocol == CALLBACK:
        return exchanges[: exchanges.index(decisive) + 1]
    return exchanges[: exchanges.index(decisive)]


def _shows(cause: Cause, exchange: Exchange) -> bool:
    fields = fields_from_target(exchange)
    place = place_of_exchange(exchange)
    if exchange.protocol == CALLBACK:
        same_place = cause.place.endswith(" callback") and cause.place.startswith(place.removesuffix(" callback"))
    else:
        same_place = cause.place == place
    if not same_place:
        return False
    refused = is_refusal(exchange, fields)
    if cause.deviation is Deviation.REFUSED:
        return refused and essence(fields) == cause.subject
    return not refused and not any(name in fields for name in cause.subject.split(", "))
