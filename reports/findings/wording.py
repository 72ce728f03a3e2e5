"""What is wrong, in one sentence: the title of a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from reports.findings.cause import SIGNATURE_ACCEPTED, Cause, Deviation, field_accepted, wants_refusal
from reports.findings.grouping import Finding
from reports.judging.verdicts import RequirementResult
from reports.text import one_line

WIDTH = 200


def title_of(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    """Return what is wrong, in one sentence without a full stop.

    Args:
        finding: the finding.
        results: gives the sentences of its requirements, where the evidence has no better words.
    """
    received = _TITLES[finding.cause.deviation](finding, results)
    return one_line(received, WIDTH)


def _accepted(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    cause = finding.cause
    if cause.subject == SIGNATURE_ACCEPTED:
        return f"{cause.place} takes a wrong signature"
    fields = _wrong_fields(finding)
    if not fields:
        return f"{cause.place} carries out what it must refuse (not kept: {_demand(finding, results)})"
    some = ", ".join(fields[:3]) + (f" and {len(fields) - 3} more" if len(fields) > 3 else "")
    return f"{cause.place} takes values that it must refuse, of {some}"


def _wrong_fields(finding: Finding) -> Sequence[str]:
    """Return the fields whose wrong values were accepted, with what was wrong where the checks say so."""
    wrongs: dict[str, dict[str, None]] = {}
    for check in finding.checks:
        if field := field_accepted(check):
            said = wrongs.setdefault(field, {})
            said.update({check.change.violation: None} if check.change else {})
    return [f"{field} ({', '.join(said)})" if said else field for field, said in wrongs.items()]


def _refused(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    cause = finding.cause
    if all(check.failure and (check.failure.refused or wants_refusal(check.failure)) for check in finding.checks):
        return f"{_place(cause)} is refused otherwise than it must be: {cause.subject}"
    return f"{_place(cause)} is refused: {cause.subject}"


def _missing(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    names = finding.cause.subject.split(", ")
    some = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"{some} {_be(finding.cause)} missing in {_answer(finding.cause)}"


def _different(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    cause = finding.cause
    if " is " in cause.subject and ": " not in cause.subject:
        return f"{cause.place}: {cause.subject}"
    return f"{cause.place} does not keep: {_demand(finding, results)}"


def _signature(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    said = Counter(check.failure.explanation.split("\n")[0] for check in finding.checks if check.failure)
    mistakes = [text for text, _ in said.most_common() if text.startswith("The callback's hash")]
    return f"The hash of the {finding.cause.place} is wrong: {(mistakes or [*said, ''])[0]}".rstrip(" .")


def _no_callback(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    place = finding.cause.place
    return f"No callback comes after {place}" if place else f"A callback does not come: {_demand(finding, results)}"


def _shown(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    return f"{finding.cause.place or 'The target'} shows a {finding.cause.subject}"


def _unclear(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    return f"{_place(finding.cause)} neither accepts nor refuses a request ({finding.cause.subject})"


def _server_error(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    return f"{_place(finding.cause)} is answered with a server error (HTTP {finding.cause.subject})"


def _silent(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    return f"{_place(finding.cause)} gets no reply"


def _other(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    place = finding.cause.place or "The target"
    return f"{place} does not keep: {_demand(finding, results)}"


_Title = Callable[[Finding, Mapping[str, RequirementResult]], str]
_TITLES: Mapping[Deviation, _Title] = MappingProxyType(
    {
        Deviation.ACCEPTED: _accepted,
        Deviation.REFUSED: _refused,
        Deviation.MISSING: _missing,
        Deviation.DIFFERENT: _different,
        Deviation.SIGNATURE: _signature,
        Deviation.NO_CALLBACK: _no_callback,
        Deviation.SHOWN: _shown,
        Deviation.UNCLEAR: _unclear,
        Deviation.SERVER_ERROR: _server_error,
        Deviation.SILENT: _silent,
        Deviation.OTHER: _other,
    }
)


def _demand(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    failing = sorted((results[name] for name in finding.requirements if name in results), key=lambda each: each.rank)
    named = [each.requirement.sentence.rstrip(".") for each in failing]
    more = f" (and {len(named) - 1} more)" if len(named) > 1 else ""
    return f"{named[0]}{more}" if named else finding.witness.reason


def _place(cause: Cause) -> str:
    return cause.place or "A request"


def _be(cause: Cause) -> str:
    return "are" if ", " in cause.subject else "is"


def _answer(cause: Cause) -> str:
    whole = cause.place.endswith((" callback", " refusals"))
    return f"the {cause.place}" if whole else f"the answer to {cause.place}"
