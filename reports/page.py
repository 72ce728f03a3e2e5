"""``conformance.html``: one self-contained page that a release manager signs off and a gateway engineer acts on."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from markupsafe import Markup

from contract.model import Protocol, Reading
from reports.conclusion import Conclusion
from reports.model import VERDICT_WORDS, Check, Exchange, Verdict
from reports.templating import TEMPLATES, pages
from reports.verdicts import RequirementResult
from reports.waivers import STATE_SENTENCES, WaiverState

SHOWN_CHECKS = 3
"""How many failing checks of a requirement are shown with all that belongs to them."""
LISTED_CHECKS = 50
"""How many more are listed."""
SHOWN_EXCHANGES = 3
MAX_EVIDENCE = 300
"""How many checks of the whole page are shown with their exchanges."""
BODY_CHARACTERS = 4_000
_KINDS = (
    ("gating", "Failures that decide the verdict"),
    ("quiet", "Failures that do not decide the verdict"),
    ("waived", "Waived failures"),
)


@dataclass(frozen=True, kw_only=True)
class ShownFailure:
    """A failing check as the page shows it.

    Attributes:
        exchanges: the last few; ``first`` is the number of the first one shown.
        total: how many were kept in the result stream.
    """

    check: Check
    fingerprint: str
    exchanges: tuple[Exchange, ...]
    first: int
    total: int


@dataclass(frozen=True, kw_only=True)
class FailedRequirement:
    """A failing requirement as the page shows it."""

    result: RequirementResult
    kind: str
    shown: tuple[ShownFailure, ...]
    listed: tuple[ShownFailure, ...]
    unlisted: int


@dataclass(frozen=True, kw_only=True)
class FollowedRow:
    """One line of the ambiguity ledger."""

    result: RequirementResult
    followed: tuple[Reading, ...]
    others: tuple[Reading, ...]


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
    file.write_text(page(conclusion), encoding="utf-8")


def page(conclusion: Conclusion) -> str:
    """Return the page."""
    style, script = _inlined("conformance.css"), _inlined("conformance.js")
    failed = tuple(_failed(conclusion))
    return (
        pages()
        .get_template("conformance.html.jinja")
        .render(
            conclusion=conclusion,
            run=conclusion.run,
            header=conclusion.run.header,
            footer=conclusion.run.footer,
            failed=[(title, [each for each in failed if each.kind == kind]) for kind, title in _KINDS],
            broken=[check for check in conclusion.run.checks if check.verdict is Verdict.ERROR],
            ledger=tuple(_ledger(conclusion)),
            matrix=tuple(_matrix(conclusion)),
            verdicts=list(Verdict),
            words=VERDICT_WORDS,
            waiver_sentences=STATE_SENTENCES,
            covers=WaiverState.COVERS,
            body_characters=BODY_CHARACTERS,
            max_listed=LISTED_CHECKS,
            style=style,
            style_digest=_digest(style),
            script=script,
            script_digest=_digest(script),
        )
    )


def _inlined(name: str) -> Markup:
    # The files are ours; nothing of the target is in them.
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _failed(conclusion: Conclusion) -> Iterator[FailedRequirement]:
    room = MAX_EVIDENCE
    for result in conclusion.with_verdict(Verdict.FAIL):
        with_evidence = min(SHOWN_CHECKS, room)
        room -= min(with_evidence, len(result.failures))
        failures = [
            _failure(conclusion, result, check, with_evidence=at < with_evidence)
            for at, check in enumerate(result.failures[: SHOWN_CHECKS + LISTED_CHECKS])
        ]
        yield FailedRequirement(
            result=result,
            kind=_kind(conclusion, result),
            shown=tuple(failures[:with_evidence]),
            listed=tuple(failures[with_evidence:]),
            unlisted=len(result.failures) - len(failures),
        )


def _kind(conclusion: Conclusion, result: RequirementResult) -> str:
    if result.id in conclusion.waived:
        return "waived"
    return "gating" if conclusion.gates(result) else "quiet"


def _failure(conclusion: Conclusion, result: RequirementResult, check: Check, *, with_evidence: bool) -> ShownFailure:
    kept = conclusion.run.exchanges_of(check) if with_evidence else ()
    return ShownFailure(
        check=check,
        fingerprint=conclusion.fingerprint(result, check),
        exchanges=kept[-SHOWN_EXCHANGES:],
        first=max(1, len(kept) - SHOWN_EXCHANGES + 1),
        total=len(kept),
    )


def _ledger(conclusion: Conclusion) -> Iterator[FollowedRow]:
    for result in conclusion.results.values():
        if not result.readings:
            continue
        known = {reading.id: reading for reading in result.requirement.readings}
        followed = tuple(known.get(name) or Reading.model_construct(id=name, sentence="") for name in result.readings)
        others = tuple(reading for name, reading in known.items() if name not in result.readings)
        yield FollowedRow(result=result, followed=followed, others=others)


def _matrix(conclusion: Conclusion) -> Iterator[ProtocolOfMatrix]:
    protocols = list(Protocol)
    ordered = sorted(conclusion.results.values(), key=lambda result: protocols.index(result.requirement.protocol))
    for protocol, of_protocol in groupby(ordered, key=lambda result: result.requirement.protocol):
        results = list(of_protocol)
        sections = dict.fromkeys(result.requirement.section for result in results)
        verdicts = [result.verdict for result in results]
        yield ProtocolOfMatrix(
            protocol=protocol,
            counts={str(verdict): verdicts.count(verdict) for verdict in Verdict},
            sections=tuple(
                SectionOfMatrix(
                    name=name, results=tuple(result for result in results if result.requirement.section == name)
                )
                for name in sections
            ),
        )
