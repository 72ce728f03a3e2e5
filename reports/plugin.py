"""The pytest plugin of the reports: records every check as it ends, and judges the run when it is over.

Facts arrive as plain JSON types: ``config.conformance_facts`` before the first check, user properties of each test
report, ``config.conformance_results`` (or the worker's output) after the last. Without facts the run is no
conformance run, and nothing here happens.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from reports.conclusion import Conclusion
from reports.formats.annotations import annotated
from reports.judging.accepted import AcceptedError, AcceptedFiles
from reports.judging.gate import EXIT_STATUS, WRONG_USAGE, RunVerdict
from reports.recording.phases import Phase, facts_in
from reports.recording.recorder import FactsError, Recorder
from reports.recording.selection import Collected, selection_of
from reports.renderings import ALLURE_DIRECTORY, render
from reports.terminal import lines_of

DEFAULT_OUTPUT = Path("reports", "out")
BROKEN = EXIT_STATUS[RunVerdict.BROKEN]
_WATCH = "conformance-watch"
_KEEPER = "conformance-keeper"
_FROM_WORKER = "conformance_collected"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the reports; ``--strict`` is pytest's own, and the gate heeds it too."""
    group = parser.getgroup("reports", "conformance reports")
    group.addoption(
        "--output",
        metavar="DIR",
        type=Path,
        help=f"where the reports go, written --output=DIR (default: {DEFAULT_OUTPUT})",
    )
    group.addoption("--waivers", metavar="FILE", type=Path, help="known failures that are accepted for a time (TOML)")
    group.addoption("--gaps", metavar="FILE", type=Path, help="what the target cannot show, accepted for a time (TOML)")
    group.addoption(
        "--alluredir", metavar="DIR", type=Path, help=f"where Allure results go (default: OUTPUT/{ALLURE_DIRECTORY})"
    )


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, Any, Any]:
    """Translate how pytest ends besides the verdict: wrong paths are wrong usage, a crash is broken."""
    try:
        status = yield
    except pytest.UsageError as error:
        if not hasattr(config, "conformance_facts"):
            raise
        sys.stderr.writelines(f"ERROR: {message}\n" for message in error.args)
        return WRONG_USAGE
    except Exception:
        # A crash while pytest winds up would end Python with status 1, which is a verdict.
        if not hasattr(config, "conformance_facts"):
            raise
        traceback.print_exc()
        return _after_crash(config)
    crashed = status == pytest.ExitCode.INTERNAL_ERROR and isinstance(status, pytest.ExitCode)
    return BROKEN if crashed and hasattr(config, "conformance_facts") else status


def _after_crash(config: pytest.Config) -> int:
    keeper: Keeper | None = config.pluginmanager.get_plugin(_KEEPER)
    judged = keeper.conclusion.gate if keeper and keeper.conclusion else None
    proven = judged is not None and judged.verdict is RunVerdict.NOT_CONFORMING
    return EXIT_STATUS[RunVerdict.NOT_CONFORMING] if proven else BROKEN


def pytest_sessionstart(session: pytest.Session) -> None:
    """Open the result stream; wrong waivers or gaps, or an output that cannot be written end the run with status 2."""
    config = session.config
    facts = getattr(config, "conformance_facts", None)
    # A list of checks judges nothing, and editors ask for it all the time: it touches nothing.
    if facts is None or config.option.collectonly:
        return
    watch = Watch(config)
    config.pluginmanager.register(watch, _WATCH)
    if hasattr(config, "workerinput"):
        return
    output = _output(config)
    try:
        recorder = Recorder.open(
            facts,
            output=output,
            allure=config.getoption("alluredir") or output / ALLURE_DIRECTORY,
            accepted=AcceptedFiles(waivers=config.getoption("waivers"), gaps=config.getoption("gaps")),
            strict=bool(config.getoption("strict")),
        )
    except (AcceptedError, OSError) as error:
        pytest.exit(f"Cannot run: {error}", returncode=WRONG_USAGE)
    except FactsError as error:
        pytest.exit(f"The suite broke: {error}", returncode=BROKEN)
    config.pluginmanager.register(Keeper(config, recorder, watch.collected), _KEEPER)


class Entry(Protocol):
    """One frame of a traceback, as pytest shows it."""

    @property
    def lineno(self) -> int:
        """Its line in the file, counted from 0; without one, Python raises TypeError."""


def _has_a_line(entry: Entry) -> bool:
    try:
        return entry.lineno >= 0
    except TypeError:
        return False


def _output(config: pytest.Config) -> Path:
    chosen: Path = config.getoption("output") or config.rootpath / DEFAULT_OUTPUT
    return chosen.absolute()


class Gateway(Protocol):
    """The way to a worker of xdist."""

    id: str


class Worker(Protocol):
    """A worker of xdist, as its controller sees it."""

    gateway: Gateway


class Watch:
    """Watches what a process collects; a worker reports it to the controller."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.collected = Collected()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note that a file was looked into."""
        if report.passed and "::" not in report.nodeid:
            self.collected.files.add(report.nodeid)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Note which checks were taken out."""
        self.collected.deselected |= dict.fromkeys(item.nodeid for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note which checks stayed."""
        self.collected.checks |= dict.fromkeys(item.nodeid for item in session.items)

    def pytest_sessionfinish(self) -> None:
        """Hand over to the controller."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput[_FROM_WORKER] = self.collected.as_json()


class Keeper:
    """Keeps the record of a run in the process that reports it."""

    def __init__(self, config: pytest.Config, recorder: Recorder, collected: Collected) -> None:
        self.config = config
        self.recorder = recorder
        self.collected = collected
        self.conclusion: Conclusion | None = None
        self.unwritten: tuple[str, ...] = ()
        self._wrong_usage = False
        self._heard: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record one phase of a check."""
        self.recorder.phase(
            report.nodeid,
            Phase(
                when=str(report.when),
                outcome=report.outcome,
                facts=facts_in(report.user_properties),
                start=getattr(report, "start", 0.0),
                duration=getattr(report, "duration", 0.0),
            ),
        )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note what could not be collected."""
        if report.failed:
            self.recorder.error(f"{report.nodeid or 'the suite'} could not be collected; pytest's output says why")

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that pytest or a plugin broke."""
        # Its text is left out: it has not gone through redaction.
        self.recorder.error(f"pytest itself broke with {excinfo.typename}; its output says where")

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that the run was stopped, and by whom."""
        # A signal may come between two lines, where Python knows no line number, and pytest would break on showing it.
        excinfo.traceback = excinfo.traceback.filter(_has_a_line)
        ended = excinfo.value
        if isinstance(ended, pytest.exit.Exception):
            self._wrong_usage = ended.returncode == WRONG_USAGE
            self.recorder.problem(f"the run was ended: {ended.msg}")
        else:
            # Of the keyboard it says nothing; pytest and xdist say why they stop.
            self.recorder.problem(f"the run was stopped: {ended}" if str(ended) else "the run was interrupted")

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Note what a worker is going to run, in case that it dies before it reports."""
        self.collected.checks |= dict.fromkeys(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Worker, error: object) -> None:
        """Take over what a worker found, or note that it died."""
        name = node.gateway.id
        output: dict[str, Any] = getattr(node, "workeroutput", None) or {}
        if name not in self._heard and "conformance" in output and _FROM_WORKER in output:
            self._heard.add(name)
            self.recorder.take_over(output["conformance"])
            self.collected.add(Collected.from_json(output[_FROM_WORKER]))
        if error or name not in self._heard:
            self.recorder.problem(f"worker process {name} ended before its work was done")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Close the record, judge the run and set the exit status."""
        try:
            if results := getattr(self.config, "conformance_results", None):
                self.recorder.take_over(results)
            self.recorder.left(getattr(self.config, "conformance_left", {}))
            self.conclusion = self.recorder.close(self.collected.checks, selection_of(self.config, self.collected))
        except Exception as error:
            # Whatever it is, it must not look like a verdict.
            self.recorder.writer.close()
            self.unwritten = (f"the run could not be judged: {type(error).__name__}: {error}",)
            session.exitstatus = BROKEN
            return
        session.exitstatus = self._status(exitstatus, self.conclusion)
        self.unwritten = render(self.conclusion, self.recorder.output, self.recorder.allure)
        if self.unwritten and session.exitstatus != EXIT_STATUS[RunVerdict.NOT_CONFORMING]:
            session.exitstatus = BROKEN

    def _status(self, exitstatus: int, conclusion: Conclusion) -> int:
        if self._wrong_usage:
            return WRONG_USAGE
        nothing_collected = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and not self.recorder.problems
        if nothing_collected and conclusion.gate.verdict is RunVerdict.UNDECIDED:
            return pytest.ExitCode.NO_TESTS_COLLECTED
        return conclusion.gate.exit_status

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the verdict."""
        terminalreporter.section("conformance")
        if self.conclusion is not None:
            for line in lines_of(self.conclusion, self.recorder.output, self.recorder.allure):
                terminalreporter.write_line(line)
            for line in annotated(self.conclusion, os.environ):
                terminalreporter.write_line(line)
        for problem in self.unwritten:
            terminalreporter.write_line(f"The suite broke: {problem}")
