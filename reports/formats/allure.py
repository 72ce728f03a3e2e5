"""``allure-results/``: the checks as Allure reads them. Written in one go from the conclusion, not while checks run.

Allure knows no *inconclusive* and no *not applicable*: both are *skipped*, distinguished by ``categories.json``.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from allure_commons.model2 import (
    TEST_CASE_PATTERN,
    Attachment,
    Label,
    Link,
    Parameter,
    Status,
    StatusDetails,
    TestResult,
    TestStepResult,
)
from allure_commons.types import LabelType, Severity
from attr import asdict

from contract.model import Level, Requirement
from reports.conclusion import Conclusion, moment
from reports.findings.grouping import weighs_money
from reports.findings.story import story_of
from reports.formats.ci import executor
from reports.formats.flaky import flaky_checks
from reports.formats.placing import claimed_requirements, place_of
from reports.model import VERDICT_WORDS, Check, Exchange, Verdict
from reports.text import one_line, visible

_PREFIX = "conformance-"
"""Marks our files, so that the directory can be shared with results of other tools."""
_WRITTEN = (f"{_PREFIX}*.json", "categories.json", "environment.properties", "executor.json")
_STATUS: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.PASS: Status.PASSED,
        Verdict.FAIL: Status.FAILED,
        Verdict.ERROR: Status.BROKEN,
        Verdict.INCONCLUSIVE: Status.SKIPPED,
        Verdict.NOT_APPLICABLE: Status.SKIPPED,
        Verdict.NOT_RUN: Status.SKIPPED,
        Verdict.NOT_COVERED: Status.SKIPPED,
    }
)
_OTHER_CATEGORIES: tuple[tuple[str, Verdict], ...] = (
    ("Could not decide", Verdict.INCONCLUSIVE),
    ("Not applicable", Verdict.NOT_APPLICABLE),
    ("Not run", Verdict.NOT_RUN),
    ("Suite error", Verdict.ERROR),
)
_MESSAGE = 1_000


def clear_allure(directory: Path) -> None:
    """Remove what a former run wrote into the directory, and nothing else."""
    for pattern in _WRITTEN:
        for file in directory.glob(pattern):
            file.unlink()


def write_allure(conclusion: Conclusion, directory: Path) -> None:
    """Write the results, the evidence, and what Allure shows about the run."""
    directory.mkdir(parents=True, exist_ok=True)
    clear_allure(directory)
    flaky = flaky_checks(conclusion.run, directory.parent)
    for check in conclusion.run.checks:
        attachments = list(_attach(directory, conclusion.run.exchanges_of(check)))
        _write_result(directory, _result(conclusion, check, attachments, is_flaky=check.id in flaky))
    _write_json(directory / "categories.json", _categories(conclusion))
    _write_json(directory / "executor.json", _executor(conclusion))
    (directory / "environment.properties").write_text("\n".join(_environment(conclusion)) + "\n", encoding="ascii")


def _executor(conclusion: Conclusion) -> dict[str, object]:
    """Return who ran it, with the verdict: Allure counts checks, and a run that is not green looks 99 % good there."""
    found: dict[str, object] = dict(executor(os.environ))
    verdict, coverage = conclusion.gate.verdict.replace("_", " "), conclusion.coverage
    said = f"{verdict}: {coverage.kept} of {coverage.concerned} requirements are kept"
    return {**found, "buildName": f"{found['buildName']}: {said}" if found.get("buildName") else said}


def _categories(conclusion: Conclusion) -> list[dict[str, object]]:
    """Return one category for each finding, and those of what did not fail; a message begins with its finding."""
    findings = [
        _category(f"{found.id} {conclusion.title(found)}", Verdict.FAIL, f"{found.id}: ")
        for found in conclusion.findings
    ]
    return [*findings, *(_category(name, verdict, "") for name, verdict in _OTHER_CATEGORIES)]


def _category(name: str, verdict: Verdict, begins: str) -> dict[str, object]:
    return {
        "name": one_line(name, 200),
        "matchedStatuses": [_STATUS[verdict]],
        "messageRegex": f"(?s)^{VERDICT_WORDS[verdict]}: {begins}.*",
    }


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _write_result(directory: Path, result: TestResult) -> None:
    # As allure_commons.logger writes it, in one go: json.dump writes member by member, which takes five times as long.
    written = asdict(result, filter=lambda _, value: bool(value) or value is False)
    file = directory / result.file_pattern.format(prefix=uuid.uuid4())
    file.write_text(json.dumps(written, ensure_ascii=False), encoding="utf-8")


def _attach(directory: Path, exchanges: Sequence[Exchange]) -> Iterator[Attachment]:
    if not exchanges:
        return
    # One file for all: thousands of small files are what takes longest.
    source = f"{_PREFIX}{uuid.uuid4()}-attachment.json"
    bodies = ",\n".join(exchange.model_dump_json(indent=1) for exchange in exchanges)
    (directory / source).write_text(f"[\n{bodies}\n]\n", encoding="utf-8")
    last = exchanges[-1]
    answer = "no reply" if last.status is None else f"HTTP {last.status}"
    name = f"Exchanges ({len(exchanges)}), the last: {last.method} {last.url}: {answer}"
    yield Attachment(name=one_line(name, 300), source=source, type="application/json")


def _result(conclusion: Conclusion, check: Check, attachments: list[Attachment], *, is_flaky: bool) -> TestResult:
    started = round(moment(check.started or conclusion.run.header.started).timestamp() * 1000)
    place = place_of(conclusion, check)
    path, _, rest = check.id.partition("::")
    without_parameters, _, parameters = check.id.partition("[")
    result = TestResult(
        uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{conclusion.run.header.run_id}/{check.id}")),
        name=one_line(check.title or rest or check.id, 300),
        fullName=check.id,
        testCaseId=_digest(without_parameters),
        historyId=_digest(check.id),
        titlePath=[place.protocol, place.section],
        status=_STATUS[check.verdict],
        statusDetails=_details(conclusion, check, is_flaky=is_flaky),
        stage="finished",
        description="\n\n".join(_description(conclusion, check)),
        labels=list(_labels(conclusion, check, path)),
        links=[_link(requirement) for requirement in claimed_requirements(conclusion, check)],
        parameters=[Parameter(name="case", value=repr(parameters.removesuffix("]")))] if parameters else [],
        attachments=attachments,
        steps=list(_steps(conclusion, check)),
        start=started,
        stop=started + round(check.duration_s * 1000),
    )
    result.file_pattern = f"{_PREFIX}{TEST_CASE_PATTERN}"
    return result


def _steps(conclusion: Conclusion, check: Check) -> Iterator[TestStepResult]:
    """Return the story of a failing check, each exchange a step; the one that decides failed."""
    found = conclusion.finding_of.get(check.id)
    if found is None:
        return
    for step in story_of(check, conclusion.run.exchanges_of(check), found.cause):
        yield TestStepResult(
            name=f"{step.number}. {step.title}",
            status=Status.FAILED if step.decisive else Status.PASSED,
            stage="finished",
        )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _details(conclusion: Conclusion, check: Check, *, is_flaky: bool) -> StatusDetails | None:
    flaky = True if is_flaky else None
    if check.verdict is Verdict.PASS:
        return StatusDetails(flaky=flaky) if flaky else None
    decides = f"\nDecided by: {check.decides}" if check.decides else ""
    failure = check.failure
    trace = f"{failure.explanation}\nAgain: {failure.reproduce}" if failure else None
    found = conclusion.finding_of.get(check.id)
    cause = f"{found.id}: {conclusion.title(found)}\n" if found else ""
    return StatusDetails(
        message=visible(f"{VERDICT_WORDS[check.verdict]}: {cause}{check.reason}{decides}", _MESSAGE),
        trace=visible(trace, _MESSAGE) if trace else None,
        flaky=flaky,
        known=True if check.id in conclusion.waived_checks else None,
    )


def _description(conclusion: Conclusion, check: Check) -> Iterator[str]:
    for requirement in claimed_requirements(conclusion, check):
        lines = ", ".join(map(str, requirement.lines))
        yield (
            f"{requirement.id} ({requirement.level}, {requirement.basis}): {requirement.sentence} "
            f"({requirement.section}, {lines})"
        )
        result = conclusion.results[requirement.id]
        if check.verdict is Verdict.FAIL:
            yield f"Fingerprint: {conclusion.fingerprint(result, check)}"


def _labels(conclusion: Conclusion, check: Check, path: str) -> Iterator[Label]:
    claimed = claimed_requirements(conclusion, check)
    place = place_of(conclusion, check)
    yield Label(name=LabelType.EPIC, value=place.protocol)
    yield Label(name=LabelType.FEATURE, value=place.section)
    yield Label(name=LabelType.PARENT_SUITE, value=place.protocol)
    yield Label(name=LabelType.SUITE, value=path)
    for requirement in claimed:
        yield Label(name=LabelType.STORY, value=f"{requirement.id} {requirement.sentence}")
        yield Label(name="requirement", value=requirement.id)
    if claimed:
        yield Label(name=LabelType.SEVERITY, value=min(map(_severity, claimed), key=list(Severity).index).value)
    tags = dict.fromkeys(str(tag) for requirement in claimed for tag in (requirement.level, requirement.basis))
    for tag in (*tags, str(check.verdict)):
        yield Label(name=LabelType.TAG, value=tag)
    yield Label(name=LabelType.FRAMEWORK, value="pytest")
    yield Label(name=LabelType.LANGUAGE, value="python")


def _severity(requirement: Requirement) -> Severity:
    """What harms somebody blocks; what the contract demands is normal, as most of it is neither more nor less."""
    if requirement.safety:
        return Severity.BLOCKER
    if requirement.level is Level.MAY:
        return Severity.TRIVIAL
    if requirement.level is Level.SHOULD:
        return Severity.MINOR
    return Severity.CRITICAL if weighs_money(requirement) else Severity.NORMAL


def _link(requirement: Requirement) -> Link:
    # The Allure report is generated beside conformance.html.
    return Link(
        type="requirement",
        url=f"../conformance.html#{requirement.id}",
        name=f"{requirement.id}: {requirement.section}",
    )


def _environment(conclusion: Conclusion) -> Iterator[str]:
    header = conclusion.run.header
    facts = {
        "Target": header.target.name,
        "Environment": header.target.environment,
        "Release": header.release,
        "Profile": f"{header.profile} {header.profile_digest}",
        "Suite": header.suite_version,
        "Run": header.run_id,
        "Seed": header.seed,
        "Verdict": conclusion.gate.verdict,
        **{f"Endpoint.{name}": address for name, address in header.target.endpoints.items()},
    }
    for name, value in facts.items():
        # As Java reads it: a backslash begins an escape, and what is not ASCII is one.
        key, text = (json.dumps(one_line(str(part), 500))[1:-1] for part in (name, value))
        yield f"{key.replace(' ', '_')} = {text}"
