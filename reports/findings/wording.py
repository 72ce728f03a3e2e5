"""What is wrong, in one sentence: the title of a finding."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from reports.findings.cause import (
    SIGNATURE_ACCEPTED,
    Cause,
    Deviation,
    action_in,
    field_accepted,
    observed,
    wants_refusal,
)
from reports.findings.grouping import Finding
from reports.judging.verdicts import RequirementResult
from reports.model import Change, Check
from reports.text import one_line

WIDTH = 200
_DEMAND = 120
_PAGE = "Hosted page"
"""How much of a requirement's sentence stands before what was seen instead."""
_MAX_OPERATIONS = 2


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
    place, takes, carries = _asked(finding)
    fields = _wrong_fields(finding)
    who = "it" if takes == "takes" else "they"
    if not fields:
        return f"{place} {carries} out what {who} must refuse (not kept: {_demand(finding, results)})"
    some = ", ".join(fields[:3]) + (f" and {len(fields) - 3} more" if len(fields) > 3 else "")
    return f"{place} {takes} values that {who} must refuse, of {some}"


def _asked(finding: Finding) -> tuple[str, str, str]:
    """Return the operations that were asked for, where these are few and of one protocol, and the verbs behind them."""
    protocol = finding.cause.place
    asked = dict.fromkeys(filter(None, (_operation(check, protocol) for check in finding.checks)))
    ours = [name.removeprefix(f"{protocol} ") for name in asked if name.startswith(f"{protocol} ")]
    if not 0 < len(ours) == len(asked) <= _MAX_OPERATIONS:
        return protocol, "takes", "carries"
    return f"{protocol} {' and '.join(ours)}", *(("takes", "carries") if len(ours) == 1 else ("take", "carry"))


def _operation(check: Check, protocol: str) -> str:
    if check.answer:
        return check.answer.operation
    action = action_in(check.failure) if check.failure else ""
    return f"{protocol} {action}" if action else ""


def _wrong_fields(finding: Finding) -> Sequence[str]:
    """Return the fields whose wrong values were accepted, with what was wrong where the checks say so."""
    wrongs: dict[str, dict[Change, None]] = {}
    for check in finding.checks:
        if field := field_accepted(check):
            wrongs.setdefault(field, {}).update({check.change: None} if check.change else {})
    return [f"{field} ({_in_words(tuple(said))})" if said else field for field, said in wrongs.items()]


def _in_words(changes: Sequence[Change]) -> str:
    """Return what is wrong with the values of a field; where it is one value only, which."""
    violations = ", ".join(dict.fromkeys(change.violation for change in changes))
    values = {change.written or change.value.replace("-", " ") for change in changes}
    one = values.pop() if len(values) == 1 else ""
    return f"{violations}: {one}" if one and one != violations else violations


def _refused(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    cause = finding.cause
    if all(check.failure and (check.failure.refused or wants_refusal(check.failure)) for check in finding.checks):
        due = next((pair for check in finding.checks if (pair := _pair(check))), "")
        came = cause.subject.removesuffix(".") if due else cause.subject
        return f"{_place(cause)} is refused otherwise than it must be: {came}{due}"
    return f"{_place(cause)} is refused: {cause.subject}"


def _pair(check: Check) -> str:
    """Return the code or message that a refusal must have, where a check demands one."""
    failure = check.failure
    if failure is None:
        return ""
    if lacked := _ERRORS.search(failure.expected):
        return f", and not {lacked[0]}"
    found = [code or text for code, text in _DUE.findall(failure.expected)]
    if found and any(text.strip('"') not in failure.received for text in found):
        return f", and not {' '.join(found)}"
    came, due = (_STATUS.search(text) for text in (failure.received, failure.expected))
    return f" with {came[0]}, and not {due[0]}" if came and due and came[0] != due[0] else ""


def _missing(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    names = finding.cause.subject.split(", ")
    some = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"{some} {_be(finding.cause)} missing in {_answer(finding.cause)}"


def _different(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    cause = finding.cause
    if " is " in cause.subject and ": " not in cause.subject:
        return f"{cause.place}: {cause.subject}"
    return _not_kept(cause.place, finding, results)


def _signature(finding: Finding, _: Mapping[str, RequirementResult]) -> str:
    said = Counter(observed(check.failure) for check in finding.checks if check.failure)
    explained = [text for text, _ in said.most_common() if _EXPLAINS.search(text)]
    return f"The hash of the {finding.cause.place} is wrong: {(explained or [*said, ''])[0]}".rstrip(" .:")


def _no_callback(finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    place = finding.cause.place
    if place.startswith(_PAGE):
        return f"No callback comes after what the payer does on the {place.replace(_PAGE, _PAGE.lower(), 1)}"
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
    return _not_kept(finding.cause.place or "The target", finding, results)


_EXPLAINS = re.compile(r"\bhash (?:is|of|carries|made)\b|explains")
_STATUS = re.compile(r"HTTP \d{3}")
_ERRORS = re.compile(r"with errors, .*")
_DUE = re.compile(r"error_code (\d+)|the message (\"[^\"]+\")")
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


def _not_kept(place: str, finding: Finding, results: Mapping[str, RequirementResult]) -> str:
    """Return the requirement that is not kept, and what was seen instead, where somebody said that in words."""
    failure = finding.witness.failure
    seen = observed(failure) if failure else ""
    demand = _demand(finding, results)
    return f"{place} does not keep: {one_line(demand, _DEMAND)}. {seen}" if seen else f"{place} does not keep: {demand}"


def _place(cause: Cause) -> str:
    return cause.place or "A request"


def _be(cause: Cause) -> str:
    return "are" if ", " in cause.subject else "is"


def _answer(cause: Cause) -> str:
    whole = cause.place.endswith((" callback", " refusals"))
    return f"the {cause.place}" if whole else f"the answer to {cause.place}"
