"""``conformance.html``: one self-contained page that a release manager signs off and a gateway engineer acts on."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from markupsafe import Markup

from contract.model import Protocol
from reports.conclusion import Conclusion
from reports.evidence.again import Again, again
from reports.evidence.files import MAX_FINDINGS, ticket
from reports.findings.grouping import Finding
from reports.findings.story import Step, story_of, what_was_sent
from reports.judging.gaps import GAP_SENTENCES
from reports.judging.verdicts import RequirementResult
from reports.judging.waivers import STATE_SENTENCES
from reports.learned.ledger import NO_READINGS, Former, former_readings
from reports.model import VERDICT_WORDS, Check, Verdict
from reports.pages.citing import citing
from reports.pages.learned import former_document, learned
from reports.templating import TEMPLATES, pages

LISTED_CHECKS = 50
"""How many failing checks of a finding are listed."""
MAX_STORIES = 60
"""How many findings are reported with all their exchanges; the rest keep expected and received."""
MAX_CARDS = 150
"""How many findings have a card; the rest are a line in the list, and whole in the files for tools."""
BODY_CHARACTERS = 3_000
_AGAIN = "\n## Do it again"
"""Begins what the page shows beside the text for a ticket."""


@dataclass(frozen=True, kw_only=True)
class ShownFinding:
    """A finding as the page shows it.

    Attributes:
        weight: how it counts, in words.
        kind: gating, quiet or waived.
        results: the requirements that fail because of it.
        steps: the exchanges of the check that shows it best.
        omitted: how many more were not kept.
        again: ways to do it again.
        ticket: what is wrong, for somebody who has only this text.
        fingerprints: of each failing check, by requirement, for waivers of a single failure.
    """

    finding: Finding
    title: str
    weight: str
    kind: str
    results: tuple[RequirementResult, ...]
    steps: tuple[Step, ...]
    omitted: int
    again: Again
    ticket: str
    listed: tuple[tuple[Check, tuple[str, ...]], ...]

    @property
    def sent(self) -> tuple[str, ...]:
        """The fields that the check is about, as they were sent."""
        return what_was_sent(self.steps)

    @property
    def unlisted(self) -> int:
        """How many failing checks are not listed."""
        return len(self.finding.checks) - len(self.listed)


@dataclass(frozen=True, kw_only=True)
class SectionOfMatrix:
    """The requirements of one section of the contract, in one protocol."""

    name: str
    results: tuple[RequirementResult, ...]


@dataclass(frozen=True, kw_only=True)
class ProtocolOfMatrix:
    """The requirements of one protocol."""

    protocol: Protocol
    counts: dict[str, int]
    sections: tuple[SectionOfMatrix, ...]

    @property
    def slug(self) -> str:
        """Its anchor."""
        return f"protocol-{self.protocol.name.lower().replace('_', '-')}"


def write_page(conclusion: Conclusion, file: Path) -> None:
    """Write ``conformance.html``."""
    file.write_text(page(conclusion, former_readings(former_document(file))), encoding="utf-8")


def page(conclusion: Conclusion, former: Former = NO_READINGS) -> str:
    """Return the page.

    Args:
        conclusion: what it shows.
        former: the readings that the run before showed.
    """
    style, script = _inlined("conformance.css"), _inlined("conformance.js")
    return (
        pages()
        .get_template("conformance.html.jinja")
        .render(
            conclusion=conclusion,
            run=conclusion.run,
            header=conclusion.run.header,
            footer=conclusion.run.footer,
            coverage=conclusion.coverage,
            findings=tuple(_shown(conclusion)),
            finding_of=_finding_of_requirement(conclusion),
            broken=[check for check in conclusion.run.checks if check.verdict is Verdict.ERROR],
            cite=citing(conclusion.run.header.target.contract_url),
            learned=learned(conclusion, former),
            matrix=tuple(_matrix(conclusion)),
            verdicts=[verdict for verdict in Verdict if conclusion.requirement_counts[verdict] or _usual(verdict)],
            words=VERDICT_WORDS,
            waiver_sentences=STATE_SENTENCES,
            gap_sentences=GAP_SENTENCES,
            body_characters=BODY_CHARACTERS,
            max_listed=LISTED_CHECKS,
            max_cards=MAX_CARDS,
            max_files=MAX_FINDINGS,
            style=style,
            style_digest=_digest(style),
            script=script,
            script_digest=_digest(script),
        )
    )


def _usual(verdict: Verdict) -> bool:
    return verdict not in {Verdict.ERROR, Verdict.NOT_COVERED}


def _inlined(name: str) -> Markup:
    # The files are ours; nothing of the target is in them.
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(conclusion: Conclusion) -> Iterator[ShownFinding]:
    for finding in conclusion.findings:
        exchanges = conclusion.run.exchanges_of(finding.witness) if finding.number <= MAX_STORIES else ()
        steps = story_of(finding.witness, exchanges, finding.cause)
        weight = conclusion.weight_of(finding)
        yield ShownFinding(
            finding=finding,
            title=conclusion.title(finding),
            weight=weight,
            kind="waived" if "waived" in weight else "quiet" if "does not gate" in weight else "gating",
            results=tuple(conclusion.results[name] for name in finding.requirements),
            steps=steps,
            omitted=conclusion.run.omitted_of(finding.witness),
            again=again(finding, steps, conclusion.title(finding)),
            ticket=ticket(conclusion, finding, steps).partition(_AGAIN)[0],
            listed=tuple((check, _fingerprints(conclusion, check)) for check in finding.checks[:LISTED_CHECKS]),
        )


def _fingerprints(conclusion: Conclusion, check: Check) -> tuple[str, ...]:
    return tuple(
        conclusion.fingerprint(conclusion.results[name], check)
        for name in check.requirements
        if name in conclusion.results
    )


def _finding_of_requirement(conclusion: Conclusion) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for finding in conclusion.findings:
        for name in finding.requirements:
            found[name] = (*found.get(name, ()), finding.id)
    return found


def _matrix(conclusion: Conclusion) -> Iterator[ProtocolOfMatrix]:
    protocols = list(Protocol)
    ordered = sorted(conclusion.results.values(), key=lambda result: protocols.index(result.requirement.protocol))
    for protocol, of_protocol in groupby(ordered, key=lambda result: result.requirement.protocol):
        results = list(of_protocol)
        sections = dict.fromkeys(result.requirement.section for result in results)
        yield ProtocolOfMatrix(
            protocol=protocol,
            counts={str(verdict): [result.verdict for result in results].count(verdict) for verdict in Verdict},
            sections=tuple(
                SectionOfMatrix(
                    name=name, results=tuple(result for result in results if result.requirement.section == name)
                )
                for name in sections
            ),
        )
