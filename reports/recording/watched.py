"""What watchers saw of all exchanges of a run: reported by each process, joined here, and judged like a check.

A watcher looks at every exchange, whichever check caused it. Its verdict is ``pass`` only when enough kinds of exchange
were seen; a run of a part of the suite leaves open what it has not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from reports.model import Check, Exchange, Failure, Json, Record, Verdict

PREFIX = "watchers::"
"""Begins the ids of what watchers say, where those of checks have a file."""
_MOST_NAMED = 5


class KeptBreach(Record):
    """One exchange that breaks a requirement, and the check that caused it."""

    check: str = ""
    expected: str = ""
    received: str = ""
    explanation: str = ""
    reproduce: str = ""
    exchange: Exchange = Field(default_factory=Exchange)


class Watched(Record):
    """What one process, or several together, saw for one requirement.

    Attributes:
        kinds: how many exchanges of each kind were looked at.
        needed: the kinds that must have been seen before it passes.
        operations: the operations among them, by kind.
        breaches: how many exchanges break it.
        kept: some of these.
        idle: why it does not concern the target; empty where it does.
        sought: the members that it is about; none: it is about no member that need not come.
        shown: which of these came.
        denied: what says that the target rightly does otherwise, as a line of its own; empty: nothing may.
    """

    kinds: Mapping[str, int] = Field(default_factory=dict)
    needed: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    breaches: int = 0
    kept: tuple[KeptBreach, ...] = ()
    idle: str = ""
    sought: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    denied: str = ""

    @property
    def exchanges(self) -> int:
        """How many exchanges were looked at."""
        return sum(self.kinds.values())

    @property
    def is_blank(self) -> bool:
        """Whether it is about members of which none came."""
        return bool(self.sought) and not self.shown

    def joined_with(self, other: Watched) -> Watched:
        """Return what two processes saw together."""
        kinds = {name: self.kinds.get(name, 0) + other.kinds.get(name, 0) for name in {**self.kinds, **other.kinds}}
        return Watched(
            kinds=kinds,
            needed=tuple(dict.fromkeys((*self.needed, *other.needed))),
            operations=tuple(dict.fromkeys((*self.operations, *other.operations))),
            breaches=self.breaches + other.breaches,
            kept=(*self.kept, *other.kept),
            idle=self.idle or other.idle,
            sought=self.sought or other.sought,
            shown=tuple(dict.fromkeys((*self.shown, *other.shown))),
            denied=self.denied or other.denied,
        )


def read_watched(facts: Json) -> dict[str, Watched]:
    """Read what a process hands over, by requirement."""
    return {name: Watched.model_validate(entry) for name, entry in dict(facts or {}).items()}


def judged(
    watched: Mapping[str, Watched], *, whole: bool, accepts: bool
) -> Iterator[tuple[Check, tuple[Exchange, ...]]]:
    """Yield what watchers say of each requirement, as checks with their evidence.

    Args:
        watched: what all processes saw, by requirement.
        whole: the run covers the whole suite; of a part nothing is said of what was not seen.
        accepts: the target accepted a valid request; of one that refuses everything nothing is said to be kept.
    """
    for name, seen in watched.items():
        check = _check(name, seen, accepts=accepts)
        is_blank = check.verdict is Verdict.NOT_APPLICABLE and seen.is_blank and not seen.idle
        if whole or not (is_blank or check.verdict is Verdict.INCONCLUSIVE):
            yield check, tuple(one.exchange for one in seen.kept)


def _check(name: str, seen: Watched, *, accepts: bool) -> Check:
    verdict, reason, decides = _verdict(seen, accepts=accepts)
    return Check(
        id=f"{PREFIX}{name}",
        title=f"{seen.breaches:,} of {seen.exchanges:,} exchanges break it, of {len(seen.operations)} operations",
        requirements=(name,),
        verdict=verdict,
        reason=reason,
        decides=decides,
        failure=_failure(seen) if seen.kept and verdict is Verdict.FAIL else None,
        watched=seen.exchanges,
    )


def _verdict(seen: Watched, *, accepts: bool) -> tuple[Verdict, str, str]:
    if seen.idle:
        return Verdict.NOT_APPLICABLE, seen.idle, ""
    if seen.breaches:
        first = seen.kept[0] if seen.kept else KeptBreach()
        return Verdict.FAIL, f"expected {first.expected}; received {first.received}", ""
    if not accepts:
        reason = "the target accepted no valid request, so that what it keeps cannot be seen"
        return Verdict.INCONCLUSIVE, reason, "a target that accepts a valid request"
    return _verdict_of_what_came(seen)


def _verdict_of_what_came(seen: Watched) -> tuple[Verdict, str, str]:
    if not seen.exchanges and not seen.needed:
        return Verdict.NOT_APPLICABLE, "the profile declares nothing that could break it", ""
    missing = [kind for kind in seen.needed if not seen.kinds.get(kind)]
    if missing:
        reason = f"none of {seen.exchanges:,} exchanges breaks it, but nothing was seen of {', '.join(sorted(missing))}"
        return (
            Verdict.INCONCLUSIVE,
            reason,
            "test data and capabilities of the profile with which such exchanges happen",
        )
    if seen.is_blank:
        members = " or ".join(seen.sought)
        return Verdict.NOT_APPLICABLE, f"none of {seen.exchanges:,} exchanges has {members}: nothing shows of it", ""
    return Verdict.PASS, "", ""


def _failure(seen: Watched) -> Failure:
    first, *others = seen.kept
    causes = ", ".join(one.check or "outside any check" for one in others[: _MOST_NAMED - 1])
    also = f" Also seen in: {causes}." if causes else ""
    return Failure(
        expected=first.expected,
        received=first.received,
        explanation=f"{first.explanation} {seen.breaches:,} of {seen.exchanges:,} exchanges break it; "
        f"the first was caused by {first.check or 'what happened outside any check'}.{also}{seen.denied}",
        reproduce=first.reproduce,
    )
