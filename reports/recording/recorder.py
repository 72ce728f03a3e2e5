"""Keeps the record of a run while it goes on, and closes it: the stream, the conclusion, the renderings.

It knows nothing of pytest; :mod:`reports.plugin` reports to it what happens.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from contract.catalogue import Catalogue, load_catalogue
from contract.gating import Gap
from reports.conclusion import Conclusion, conclude
from reports.formats.ci import commit
from reports.judging.accepted import AcceptedFiles
from reports.judging.completeness import incompleteness
from reports.judging.gaps import read_gaps
from reports.judging.left_behind import together
from reports.judging.waivers import Waiver, read_waivers
from reports.learned.answers import answer_in
from reports.learned.tracing import Tracer
from reports.model import Check, Exchange, Footer, Header, Json, Sanity, Selection, Verdict
from reports.recording.phases import Phase, Recording, not_started, timestamp
from reports.recording.watched import Watched, judged, read_watched
from reports.renderings import clear, set_aside
from reports.stream.in_use import must_be_free
from reports.stream.lines import STREAM_FILE, StreamWriter, read_stream
from reports.text import encodable


class FactsError(Exception):
    """What the acting side says of the run is malformed; this is an error of the suite."""


def header_of(facts: Mapping[str, Json], *, strict: bool) -> Header:
    """Return the header of a run that begins now.

    Raises:
        FactsError: a fact is missing or malformed.
    """
    facts = {
        "run_id": uuid.uuid4().hex,
        **encodable(dict(facts)),
        "started": timestamp(time.time()),
        "strict": strict,
        "commit": commit(os.environ),
    }
    try:
        return Header.model_validate(facts)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        raise FactsError(f"conformance_facts: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


@dataclass
class Recorder:
    """The record of a run.

    Attributes:
        output: directory of the reports.
        allure: directory of the Allure results.
        problems: what keeps the run from being complete, in words; the keys of a dictionary, so that each stands once.
        errors: what broke in the suite outside of checks, likewise.
    """

    output: Path
    allure: Path
    header: Header
    waivers: tuple[Waiver, ...]
    gaps: tuple[Gap, ...]
    catalogue: Catalogue
    writer: StreamWriter
    problems: dict[str, None] = field(default_factory=dict)
    errors: dict[str, None] = field(default_factory=dict)
    _recording: Recording = field(default_factory=Recording)
    _checks: list[Check] = field(default_factory=list)
    _started: set[str] = field(default_factory=set)
    _claims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _requests: int = 0
    _sanity: Sanity = field(default_factory=Sanity)
    _left: Mapping[str, float] = field(default_factory=dict)
    _worker_reports: int = 0
    _watched: dict[str, Watched] = field(default_factory=dict)
    _tracer: Tracer = field(default_factory=Tracer)

    @classmethod
    def open(
        cls,
        facts: Mapping[str, Json],
        *,
        output: Path,
        allure: Path,
        accepted: AcceptedFiles,
        strict: bool,
    ) -> Recorder:
        """Begin the record of a run; what former runs left in the output is set aside.

        Raises:
            FactsError: a fact is missing or malformed.
            AcceptedError: the file of waivers or that of gaps is wrong.
            OSError: the output cannot be written.
        """
        catalogue = load_catalogue()
        header = header_of(facts, strict=strict)
        waivers = read_waivers(accepted.waivers, catalogue) if accepted.waivers else ()
        gaps = read_gaps(accepted.gaps, catalogue) if accepted.gaps else ()
        output.mkdir(parents=True, exist_ok=True)
        must_be_free(output / STREAM_FILE)
        set_aside(output)
        clear(output, allure)
        return cls(output, allure, header, waivers, gaps, catalogue, StreamWriter(output / STREAM_FILE, header))

    def phase(self, node_id: str, phase: Phase) -> None:
        """Take one phase of a check; the last one writes it."""
        self._started.add(node_id)
        if finished := self._recording.add(node_id, phase):
            self._write(*finished)

    def _write(self, check: Check, exchanges: tuple[Exchange, ...]) -> None:
        written = self.writer.check(check.model_copy(update={"answer": answer_in(check, exchanges)}), exchanges)
        self._tracer.see(written.id, exchanges)
        self._checks.append(written)

    def problem(self, text: str) -> None:
        """Note what keeps the run from being complete."""
        self.problems[text] = None

    def error(self, text: str) -> None:
        """Note what broke in the suite."""
        self.errors[text] = None

    def take_over(self, results: Mapping[str, Json]) -> None:
        """Take what a process found: its requests, its probes of the target, and what its checks claim."""
        self._worker_reports += 1
        self._requests += int(results.get("requests", 0))
        self._claims |= {item["id"]: tuple(item["requirements"]) for item in results.get("collected", ())}
        for name, watched in read_watched(encodable(results.get("watched"))).items():
            before = self._watched.get(name)
            self._watched[name] = watched if before is None else before.joined_with(watched)
        for problem in results.get("problems", ()):
            self.problem(str(problem))
        for problem in results.get("watchers_broken", ()):
            self.error(str(problem))
        self._sanity = self._sanity.joined_with(Sanity.model_validate(encodable(results.get("sanity", {}))))
        self.left(results.get("left_behind", {}))

    def left(self, numbers: Mapping[str, float]) -> None:
        """Take what a process left on the target."""
        self._left = together((self._left, numbers))

    def close(self, collected: Iterable[str], selection: Selection) -> Conclusion:
        """End the record and judge the run.

        Args:
            collected: ids of all checks that were to run.
            selection: what was left out.
        """
        if not self._worker_reports:
            self.problem("no process reported what it found, so the run was not led to its end")
        for node_id in list(self._recording.open):
            check, exchanges = self._recording.finish(node_id)
            claimed = check.requirements or self._claims.get(node_id, ())
            self._write(check.model_copy(update={"requirements": claimed}), exchanges)
        for node_id in dict.fromkeys((*collected, *self._claims)):
            if node_id not in self._started:
                self._checks.append(self.writer.check(not_started(node_id, self._claims.get(node_id, ()))))
        whole = not (selection.unseen_files or selection.deselected or selection.narrowed_by)
        for check, exchanges in judged(self._watched, whole=whole, accepts=self._sanity.accepts):
            self._checks.append(self.writer.check(check, exchanges))
        footer = Footer(
            requests=self._requests,
            sanity=self._sanity,
            selection=selection,
            problems=tuple(self.problems),
            errors=tuple(self.errors),
            left_behind=self._left,
            ended=timestamp(time.time()),
        )
        self.writer.lifecycle(self._tracer.moves())
        self.writer.footer(summed_up(footer, self._checks))
        self.writer.close()
        return conclude(read_stream(self.output / STREAM_FILE), self.catalogue, self.waivers, self.gaps)


def summed_up(footer: Footer, checks: Sequence[Check]) -> Footer:
    """Return a footer that counts the checks and says whether the run is complete."""
    because = incompleteness(checks, footer.selection, footer.sanity, footer.problems)
    verdicts = [check.verdict for check in checks]
    counts = {str(verdict): verdicts.count(verdict) for verdict in Verdict}
    return footer.model_copy(update={"counts": counts, "complete": not because, "incomplete_because": because})
