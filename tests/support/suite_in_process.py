"""Runs checks of the suites inside a test: collected once, run as often as wanted, each time against another target.

A kill matrix runs thousands of checks against hundreds of emulators. Starting pytest and the emulator as processes for
each would take hours; here the collection is shared, and one thread plays all emulators.
"""

from __future__ import annotations

import gc
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from _pytest.config import _prepareconfig
from _pytest.main import Session
from _pytest.mark import MARK_GEN
from _pytest.runner import runtestprotocol

from contract.model import LATEST_RELEASE, Release
from emulator import Settings
from fixtures.callbacks import Callback, Inbox
from fixtures.callbacks.inbox import Wanted
from fixtures.plugin import RUN, SANITY, open_notes
from fixtures.profile import Profile
from fixtures.profile.model import PROTOCOLS
from fixtures.requirement import claimed_by
from fixtures.run import Run
from fixtures.sanity import probe_one
from fixtures.watchers.seen import Seen
from fixtures.watchers.watch import Watch
from fixtures.wire.clock import ControlledClock, RealClock
from fixtures.wire.embedded import EmbeddedGateway
from tests.support.listening_gateway import listening_gateway

CALLBACK_SECONDS = 0.3
"""How long a callback is waited for where faults make many of them missing; the emulator delivers in milliseconds.

While it is still delivering one it is waited for longer, so that nothing depends on how busy this machine is.
"""
LATER_CALLBACK_SECONDS = 1.5
"""The same where nothing is broken and hardly one is missing: some variations carry out later what they take on."""
LONGEST_DELIVERY = 600.0
ANSWER_SECONDS = 120.0
"""The emulator answers always; on a busy machine a browser needs more than the usual ten seconds for a page."""
STEP_SECONDS = 0.05
LONGEST_LAST_DELIVERY = 5.0
LAST_STEP_SECONDS = 0.005
GARBAGE_AFTER = 50_000
"""Objects that are made before the youngest are looked through."""

WATCHERS = "watchers::"
"""Begins the names of what watchers say, where those of checks have a file."""

RANK = ("error", "fail", "inconclusive", "not_applicable", "pass", "not_run")


@dataclass(frozen=True)
class Outcome:
    """What one check said of one target."""

    check: str
    requirements: tuple[str, ...]
    verdict: str
    reason: str
    details: str = ""
    requests: int = 0
    decides: str = ""


@dataclass(frozen=True)
class Outcomes:
    """What a set of checks said of one target."""

    checks: tuple[Outcome, ...]
    sanity: Mapping[str, bool] = field(default_factory=dict)

    def requirements(self, verdict: str) -> set[str]:
        """Return the requirements that have at least one check with that verdict."""
        return {claimed for check in self.checks if check.verdict == verdict for claimed in check.requirements}

    def named(self, verdict: str) -> set[str]:
        """Return the checks with that verdict."""
        return {check.check for check in self.checks if check.verdict == verdict}

    def details(self, *verdicts: str) -> str:
        """Return what the checks with one of the verdicts said, for the message of a failing test."""
        return "\n".join(
            f"{check.check}: {check.verdict}: {check.reason}" for check in self.checks if check.verdict in verdicts
        )


Until = Callable[[Outcome, Run], bool]
"""Whether enough is known after a check."""


class InProcessSuite:
    """The checks below a path, collected once.

    Args:
        paths: what to collect, as pytest's arguments.
    """

    def __init__(self, *paths: str) -> None:
        plugins = ("terminal", "cacheprovider", "reports.plugin", "allure_pytest", "schemathesis", "anyio")
        blocked = [argument for name in plugins for argument in ("-p", f"no:{name}")]
        # The options of pyproject.toml speak of plugins that are blocked here.
        arguments = [*paths, "-s", "-o", "addopts=", "--import-mode=importlib", "--assert=plain", *blocked]
        outer = MARK_GEN._config
        self._config = _prepareconfig(arguments)
        # Nobody reads the tracebacks, and to quote the source in them takes longer than the check.
        self._config.option.tbstyle = "native"
        self._config._do_configure()
        self._session = Session.from_config(self._config)
        self._config.hook.pytest_sessionstart(session=self._session)
        self._config.hook.pytest_collection(session=self._session)
        MARK_GEN._config = outer  # test files that are imported from now on know the markers of the tests again
        collected: Sequence[pytest.Item] = self._session.items
        self.generated = [item for item in collected if item.get_closest_marker("fuzz")]
        self.items: Sequence[pytest.Item] = [item for item in collected if not item.get_closest_marker("fuzz")]
        self._places = {item: place for place, item in enumerate(self.items)}
        self.by_requirement: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in collected:
            for claimed in claimed_by(item):
                self.by_requirement[claimed].append(item)
        # All that stays to the end of the process: nobody need look through it for garbage at every run, nor often
        # through what a run makes, most of which is gone by its count.
        gc.freeze()
        gc.set_threshold(GARBAGE_AFTER)

    @property
    def profile(self) -> Profile:
        """The profile of the emulator."""
        return self._config.stash[RUN].profile

    def claiming(self, requirements: Iterable[str]) -> list[pytest.Item]:
        """Return the checks that claim one of the requirements, each once, in the order of the suite.

        Those that send generated requests are left out: they are in ``generated``, and much heavier.
        """
        wanted = {item for claimed in requirements for item in self.by_requirement.get(claimed, ())}
        return sorted(wanted & self._places.keys(), key=self._places.__getitem__)

    def run(
        self,
        items: Sequence[pytest.Item],
        *,
        faults: tuple[str, ...] = (),
        variations: tuple[str, ...] = (),
        release: str = LATEST_RELEASE,
        claimed: str | None = None,
        profile: Profile | None = None,
        until_failed: Iterable[str] = (),
        until: Until | None = None,
        payer_by: str = "http",
        url: str | None = None,
        clock: str | None = None,
        probed: Iterable[str] = PROTOCOLS,
        run_of: type[Run] = Run,
    ) -> Outcomes:
        """Run checks against an emulator of their own and return what they said.

        Args:
            items: which checks.
            faults: faults of the emulator.
            variations: variations of the emulator.
            release: release that the emulator plays.
            claimed: release that it is said to have, when that is another one.
            profile: describes the target, when the emulator's own profile does not.
            until_failed: requirements; once each of them has failed, no further checks are run, and nobody asks what
                the watchers say, which is a quarter of the work.
            until: is given each outcome and the run; no further checks are run once it says so.
            payer_by: ``http`` or ``browser``.
            url: address of another target in place of the emulator; its checks run even if no valid request is taken.
            clock: address of another clock in place of the emulator's; ``real``: none that can be moved; ``alone``: the
                emulator's, of which nobody knows whether its queues follow.
            probed: protocols that are asked for a valid request first.
            run_of: what the checks share.
        """
        template = self._config.stash[RUN]
        settings = Settings(release=release, faults=faults, variations=variations, control=True)
        run = run_of(
            _with_own_waits(profile or template.profile, is_embedded=url is None, is_broken=bool(faults)),
            Release(claimed or release),
            payer_by=payer_by,
        )
        if clock == "real":
            run.__dict__["clock"] = RealClock()
        if profile is None:
            run.__dict__["redactor"] = template.redactor
        receiver = run.receiver.url if run.receiver else None
        if run.receiver is not None and url is None:
            _wait_while_delivering(run.receiver.inbox, lambda: listening_gateway().is_delivering)
        address = url or listening_gateway().play(replace(settings, callback_url=receiver))
        moved_at = f"{address}/-/clock"
        if clock == "alone":
            run.__dict__["clock"] = ControlledClock(moved_at, longest_pause=0.0)
        with _stashed(self._config, run, address, clock or moved_at):
            sanity = {name: probe_one(run, name) for name in probed if getattr(run.profile.endpoints, name)}
            self._config.stash[SANITY] = {"first": dict(sanity), "last": {}}
            run.unusable = {name: found.reason for name, found in sanity.items() if not found.ok and url is None}
            awaited = set(until_failed)
            watch_now = _put_off(run.watch) if awaited else _left
            checks = list(self._outcomes(items, awaited, lambda outcome: until is not None and until(outcome, run)))
            if awaited or not until_failed:
                watch_now()
                checks += _watched(run, _settled if url is None else _left)
        return Outcomes(tuple(checks), {name: found.ok for name, found in sanity.items()})

    def _outcomes(
        self, items: Sequence[pytest.Item], awaited: set[str], until: Callable[[Outcome], bool]
    ) -> Iterator[Outcome]:
        waits = bool(awaited)
        for item, following in _with_next(items):
            outcome = self._outcome(item, following)
            if outcome.verdict == "fail":
                awaited.difference_update(outcome.requirements)
            yield outcome
            if (waits and not awaited) or until(outcome):
                self._session._setupstate.teardown_exact(None)
                return

    def _outcome(self, item: pytest.Item, following: pytest.Item | None) -> Outcome:
        item._initrequest()  # type: ignore[attr-defined]
        item.user_properties.clear()
        verdict, reason, received, decides = "not_run", "no phase of the check gave a verdict", "", ""
        run = self._config.stash[RUN]
        sent = run.requests
        spoken_of = claimed_by(item)
        open_notes(item)
        for report in runtestprotocol(item, nextitem=following, log=False):
            properties: dict[str, Any] = dict(report.user_properties)
            found = properties.get("verdict")
            if properties.get("supplementary"):
                spoken_of = tuple(properties["requirements"])
            elif found and found["verdict"] == "fail":
                # Of what it claims; what a server error breaks besides, any check reports.
                spoken_of = tuple(name for name in properties["requirements"] if name in spoken_of) or spoken_of
            if found and RANK.index(found["verdict"]) <= RANK.index(verdict):
                verdict, reason, received = found["verdict"], found["reason"], str(report.longrepr or "")
                decides = found.get("decides") or ""
        return Outcome(item.nodeid, spoken_of, verdict, reason, received, run.requests - sent, decides)


def _settled() -> None:
    """Wait for the callbacks that are under way: what the last check caused is watched too."""
    deadline = time.monotonic() + LONGEST_LAST_DELIVERY
    while listening_gateway().is_delivering and time.monotonic() < deadline:
        time.sleep(LAST_STEP_SECONDS)


def _left() -> None:
    """Wait for nothing: nobody knows what another target still sends."""


def _put_off(watch: Watch) -> Callable[[], None]:
    """Keep what a watch is to look at until the returned function is called."""
    looks = watch._look
    kept: list[tuple[str, Callable[[], Seen]]] = []

    def keep(sees: Callable[[], Seen]) -> None:
        kept.append((watch.check, sees))

    def look_now() -> None:
        del watch.__dict__["_look"]
        for watch.check, sees in kept:
            looks(sees)

    watch._look = keep  # type: ignore[method-assign]
    return look_now


def _watched(run: Run, waits: Callable[[], None]) -> Iterator[Outcome]:
    """Yield what the watchers of a run found broken, and where one of them broke itself."""
    waits()
    run.watch.settle()
    for name, kept in run.watch.breaches():
        received = f"expected {kept.expected}; received {kept.received}; {kept.explanation}"
        yield Outcome(f"{WATCHERS}{name} in {kept.check}", (name,), "fail", received)
    for problem in run.watch.broken:
        yield Outcome(WATCHERS, (), "error", problem)


def _wait_while_delivering(inbox: Inbox, is_delivering: Callable[[], bool]) -> None:
    """Let nobody take a callback for missing that is under way."""
    wait = inbox.wait

    def longer(wanted: Wanted, *, seconds: float, count: int = 1, after: int = 0) -> list[Callback]:
        deadline = time.monotonic() + LONGEST_DELIVERY
        found = wait(wanted, seconds=seconds, count=count, after=after)
        while len(found) < count and is_delivering() and time.monotonic() < deadline:
            found = wait(wanted, seconds=STEP_SECONDS, count=count, after=after)
        return wait(wanted, seconds=0.0, count=count, after=after)

    inbox.wait = longer  # type: ignore[method-assign]


def _with_own_waits(profile: Profile, *, is_embedded: bool, is_broken: bool) -> Profile:
    wait = CALLBACK_SECONDS if is_broken else LATER_CALLBACK_SECONDS
    callbacks = profile.callbacks.model_copy(update={"wait_seconds": wait})
    seconds = ANSWER_SECONDS if is_embedded else profile.run.timeout_seconds
    run = profile.run.model_copy(update={"timeout_seconds": seconds})
    return profile.model_copy(update={"callbacks": callbacks, "run": run})


@contextmanager
def _stashed(config: pytest.Config, run: Run, url: str, clock: str) -> Iterator[None]:
    template = config.stash[RUN]
    run.__dict__["embedded"] = EmbeddedGateway(url, clock, None)  # type: ignore[arg-type]
    config.stash[RUN] = run
    try:
        yield
    finally:
        config.stash[RUN] = template
        # The gateway goes on listening: only what belongs to this run is closed, and nobody waits for it.
        del run.__dict__["embedded"]
        threading.Thread(target=run.close, daemon=True).start()


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    yield from zip(items, (*items[1:], None)[: len(items)], strict=True)
