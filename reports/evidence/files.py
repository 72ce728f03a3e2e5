"""``evidence/``: for each finding its exchanges as HAR, a script that sends them again, and a text for a ticket."""

from __future__ import annotations

import json
from pathlib import Path

from reports.conclusion import Conclusion
from reports.evidence.again import again
from reports.evidence.har import har
from reports.findings.grouping import Finding
from reports.findings.story import Step, story_of, what_was_sent
from reports.model import VERDICT_WORDS
from reports.templating import documents

EVIDENCE_DIRECTORY = "evidence"
MAX_FINDINGS = 100
"""How many findings have files of their own; results.jsonl has the evidence of all."""


def write_evidence(conclusion: Conclusion, directory: Path) -> None:
    """Write the files of each finding; those of a former run are removed."""
    clear_evidence(directory)
    for found in conclusion.findings[:MAX_FINDINGS]:
        directory.mkdir(parents=True, exist_ok=True)
        steps = story_of(found.witness, conclusion.run.exchanges_of(found.witness), found.cause)
        (directory / f"{found.id}.md").write_text(ticket(conclusion, found, steps), encoding="utf-8")
        if steps:
            header = conclusion.run.header
            document = har(steps, started=found.witness.started or header.started, version=header.suite_version)
            if text := again(found, steps, conclusion.title(found)).script:
                (directory / f"{found.id}.py").write_text(text, encoding="utf-8")
            (directory / f"{found.id}.har").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def clear_evidence(directory: Path) -> None:
    """Remove what a former run left, and nothing else."""
    for pattern in ("F-*.md", "F-*.har", "F-*.py"):
        for file in directory.glob(pattern):
            file.unlink()
    if directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()


def ticket(conclusion: Conclusion, found: Finding, steps: tuple[Step, ...]) -> str:
    """Return a text in Markdown that says what is wrong to somebody who has only this text."""
    ways = again(found, steps, conclusion.title(found))
    return (
        documents()
        .get_template("ticket.md.jinja")
        .render(
            conclusion=conclusion,
            found=found,
            header=conclusion.run.header,
            results=[conclusion.results[name] for name in found.requirements],
            steps=steps,
            sent=what_was_sent(steps),
            again=ways.curl,
            masked=ways.is_masked,
            has_script=bool(ways.script),
            words=VERDICT_WORDS,
        )
    )
