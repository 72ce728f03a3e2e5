"""What a run consists of, as frozen values: header, checks, evidence, footer.

They are the lines of the result stream (:mod:`reports.stream.lines`), and all that a report is made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from contract.gating import Gap, Gate

SCHEMA = 1
"""The version of the result stream and of ``conformance.json``."""

Json = Any


class Verdict(StrEnum):
    """How a check ended, or what its checks say of a requirement; worst first.

    Only requirements are *not covered*: they are inconclusive, and a gap accepts that.
    """

    FAIL = "fail"
    ERROR = "error"
    INCONCLUSIVE = "inconclusive"
    NOT_RUN = "not_run"
    NOT_COVERED = "not_covered"
    PASS = "pass"  # noqa: S105 - a verdict, not a password
    NOT_APPLICABLE = "not_applicable"


VERDICT_WORDS = MappingProxyType(
    {
        Verdict.FAIL: "failed",
        Verdict.ERROR: "suite error",
        Verdict.INCONCLUSIVE: "could not be decided",
        Verdict.NOT_RUN: "not run",
        Verdict.NOT_COVERED: "not covered (accepted)",
        Verdict.PASS: "passed",
        Verdict.NOT_APPLICABLE: "not applicable",
    }
)
"""How a verdict is called in text for people."""


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the worst of one or more verdicts."""
    order = list(Verdict)
    return min(verdicts, key=order.index)


class Record(BaseModel):
    """A frozen value; keys that it does not know are left out, so that newer streams stay readable."""

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="null")


class Target(Record):
    """The gateway under test.

    Attributes:
        contract_url: where the contract can be read, with ``{line}`` in place of a line number; empty: nowhere.
    """

    name: str = "unnamed target"
    environment: str = ""
    contract_url: str = ""
    endpoints: Mapping[str, str] = Field(default_factory=dict)


class Header(Record):
    """What the run is about; the first line of the stream.

    Attributes:
        started: ISO 8601, UTC.
        profile: file name of the profile.
        strict: the run was started with ``--strict``.
        gate: which requirements hold a release, as the profile says.
        gaps: what the profile accepts as not covered.
        unchecked: what the target offers and no check asks for, each in a sentence.
        faults: faults that the embedded gateway was started with.
        variations: variations that it was started with.
        commit: what was tested, as the environment of a CI system names it; empty: not known.
        shard: which part of the suite was chosen, as in ``2/5``; empty: no shard.
        depth: how much of the suite was asked for: ``smoke``, ``standard``, ``full`` or ``budget of 90s``.
    """

    kind: Literal["header"] = "header"
    schema_version: Annotated[int, Field(alias="schema")] = SCHEMA
    run_id: str
    started: str
    suite_version: str = ""
    target: Target = Target()
    release: str
    profile: str = ""
    profile_digest: str = ""
    seed: int | str | None = None
    capabilities: tuple[str, ...] = ()
    account: Mapping[str, Json] = Field(default_factory=dict)
    faults: tuple[str, ...] = ()
    variations: tuple[str, ...] = ()
    commit: str = ""
    shard: str = ""
    depth: str = ""
    strict: bool = False
    gate: Gate = Gate()
    gaps: tuple[Gap, ...] = ()
    unchecked: tuple[str, ...] = ()


class Exchange(Record):
    """One request and its reply, redacted and bounded.

    Attributes:
        at: when it began, in seconds since the epoch; 0 where that is not known.
    """

    protocol: str = ""
    method: str = ""
    url: str = ""
    request_headers: Mapping[str, str] = Field(default_factory=dict)
    request_body: str = ""
    status: int | None = None
    response_headers: Mapping[str, str] = Field(default_factory=dict)
    response_body: str = ""
    truncated: bool = False
    duration_ms: float = 0.0
    signed_with: str = ""
    note: str = ""
    at: float = 0.0


class Failure(Record):
    """Why a check failed, in words, and the command that does it again.

    Attributes:
        refused: the request was refused, as it should be; only the words of the refusal are others.
    """

    expected: str = ""
    received: str = ""
    explanation: str = ""
    reproduce: str = ""
    refused: bool = False


class FollowedReading(Record):
    """Which reading of an ambiguous requirement the target was seen to follow."""

    requirement: str
    reading: str


class Change(Record):
    """What a check changes of a valid request, where that is one field.

    Attributes:
        violation: what is wrong with the value, in words that are the same for all fields; ``none``: nothing is.
        value: the name of the value.
        written: the value in quotes, where its name had to spell it.
        accepted: the contract wants the changed request accepted.
        also: what else it changes, to see which of two wrongs is reported.
    """

    field: str
    violation: str
    value: str = ""
    accepted: bool = False
    also: tuple[Change, ...] = ()
    written: str = ""


class Answer(Record):
    """How the target answered the request that a check is about.

    Attributes:
        operation: the place in the interface, such as ``S2S CARD SALE``.
        refused: it refused the request.
        items: what it says of single fields.
    """

    operation: str
    refused: bool
    status: int | None = None
    code: str = ""
    message: str = ""
    items: tuple[str, ...] = ()


class Check(Record):
    """One finished check.

    Attributes:
        id: pytest's node id.
        title: what it checks, in words.
        decides: what would decide it, where the verdict is inconclusive.
        lacks: the need that the profile does not meet, such as ``account:live_key``, where that is why.
        duration_s: seconds from the start of its set-up to the end of its tear-down.
        started: ISO 8601, UTC; empty where it never started.
        evidence: ids of evidence lines.
        supplementary: it looks for more than other checks decide; undecided, it leaves their requirements to them.
        watched: how many exchanges were looked at, where it is no check but what watchers say of all exchanges.
        change: what it changes of a valid request.
        answer: how the target answered that, or the refusal that it ends with.
    """

    kind: Literal["check"] = "check"
    id: str
    title: str = ""
    requirements: tuple[str, ...] = ()
    verdict: Verdict
    reason: str = ""
    decides: str = ""
    lacks: str = ""
    readings: tuple[FollowedReading, ...] = ()
    duration_s: float = 0.0
    started: str = ""
    failure: Failure | None = None
    evidence: tuple[str, ...] = ()
    supplementary: bool = False
    watched: int | None = None
    change: Change | None = None
    answer: Answer | None = None


class Evidence(Record):
    """The exchanges of one check, oldest first.

    Attributes:
        omitted: how many exchanges in the middle were left out.
    """

    kind: Literal["evidence"] = "evidence"
    id: str
    check: str
    exchanges: tuple[Exchange, ...] = ()
    omitted: int = 0


class Move(Record):
    """What a trigger did to payments in a state, as it was seen in a run.

    Attributes:
        state: name of a state of the contract's table, or the word of the target where it has none.
        accepted: the target carried it out.
        next: the state after it; empty where nothing showed it.
        count: how often it was seen.
        check: the check that shows it with the fewest exchanges.
        evidence: id of those exchanges.
    """

    protocol: str
    state: str
    trigger: str
    accepted: bool
    next: str = ""
    count: int = 1
    check: str = ""
    evidence: str = ""


class Lifecycle(Record):
    """What happened to the payments of a run; a line before the footer."""

    kind: Literal["lifecycle"] = "lifecycle"
    moves: tuple[Move, ...] = ()


class Probe(Record):
    """Whether a valid request of one protocol was accepted."""

    ok: bool
    reason: str = ""


class Sanity(Record):
    """The probes before the first check and after the last, by protocol."""

    first: Mapping[str, Probe] = Field(default_factory=dict)
    last: Mapping[str, Probe] = Field(default_factory=dict)

    @property
    def accepts(self) -> bool:
        """Whether a valid request of any protocol was accepted before the first check."""
        return any(probe.ok for probe in self.first.values())

    def joined_with(self, other: Sanity) -> Sanity:
        """Return what two processes saw together; a probe that failed in one of them failed."""
        return Sanity(first=_joined(self.first, other.first), last=_joined(self.last, other.last))


def _joined(ours: Mapping[str, Probe], theirs: Mapping[str, Probe]) -> dict[str, Probe]:
    failed = {name: probe for probes in (theirs, ours) for name, probe in probes.items() if not probe.ok}
    return {**ours, **theirs, **failed}


class Selection(Record):
    """Which part of the suite was left out.

    Attributes:
        unseen_files: test files of the suite that were not collected whole, relative to its root.
        deselected: ids of checks that were collected and taken out.
        narrowed_by: other reasons why the run is a part only, in words.
    """

    unseen_files: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    narrowed_by: tuple[str, ...] = ()


class Footer(Record):
    """How the run ended; its absence says that the run was killed.

    Attributes:
        problems: what kept the run from being complete, other than the selection, in words.
        errors: what broke in the suite outside of checks, in words.
        complete: nothing is missing; written for readers of the stream and derived anew when it is read.
        left_behind: what the run made on the target, and under ``…_left`` and ``clock_ahead_s`` what of it stays.
    """

    kind: Literal["footer"] = "footer"
    counts: Mapping[str, int] = Field(default_factory=dict)
    requests: int = 0
    sanity: Sanity = Sanity()
    selection: Selection = Selection()
    problems: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    left_behind: Mapping[str, float] = Field(default_factory=dict)
    complete: bool = False
    incomplete_because: tuple[str, ...] = ()
    ended: str


class Run(Record):
    """A run as it is read from a result stream.

    Attributes:
        moves: what happened to its payments.
        footer: ``None`` when the run was killed or is still going.
        torn: the last line of the stream is cut off.
    """

    header: Header
    checks: tuple[Check, ...] = ()
    evidence: Mapping[str, Evidence] = Field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    footer: Footer | None = None
    torn: bool = False

    def exchanges_of(self, check: Check) -> tuple[Exchange, ...]:
        """Return what was sent and received in a check, as far as it was kept."""
        kept = (self.evidence[ref] for ref in check.evidence if ref in self.evidence)
        return tuple(exchange for evidence in kept for exchange in evidence.exchanges)

    def omitted_of(self, check: Check) -> int:
        """Return how many exchanges of a check were not kept."""
        return sum(self.evidence[ref].omitted for ref in check.evidence if ref in self.evidence)

    @property
    def counts(self) -> dict[str, int]:
        """How many checks ended with each verdict."""
        found = [check.verdict for check in self.checks]
        return {str(verdict): found.count(verdict) for verdict in Verdict}
