"""Joins the streams of shards: parts of one suite, run at the same time against the same target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path

from reports.conclusion import moment
from reports.judging.completeness import NO_FOOTER
from reports.judging.left_behind import together
from reports.model import Check, Exchange, Footer, Header, Move, Run, Sanity, Selection, Verdict
from reports.recording.recorder import summed_up
from reports.stream.lines import StreamWriter

_SAME = ("suite_version", "release", "profile_digest", "faults", "variations")


class MergeError(Exception):
    """Streams do not belong together; the message says in what they differ."""


def merge(runs: Sequence[Run], file: Path) -> None:
    """Write one stream made of several.

    A check that one shard left out counts as run when another ran it.

    Args:
        runs: shards, two or more.
        file: where the stream goes.

    Raises:
        MergeError: the shards are of another suite version, target, release or profile, or have different verdicts of
            the same check.
    """
    if differences := tuple(_differences(runs)):
        raise MergeError("\n".join(differences))
    chosen = _chosen(runs)
    with StreamWriter(file, _header(runs)) as writer:
        written = [writer.check(check, run.exchanges_of(check)) for check, run in chosen.values()]
        writer.lifecycle(_moves(runs))
        writer.footer(summed_up(_footer(runs, {check.id for check in written}), written))


def _differences(runs: Sequence[Run]) -> Iterator[str]:
    first = runs[0].header
    for run in runs[1:]:
        for name in _SAME:
            ours, theirs = getattr(first, name), getattr(run.header, name)
            if ours != theirs:
                yield f"the shards have another {name.replace('_', ' ')}: {ours!r} and {theirs!r}"
        if first.target.name != run.header.target.name:
            yield f"the shards have another target: {first.target.name!r} and {run.header.target.name!r}"


def _chosen(runs: Sequence[Run]) -> dict[str, tuple[Check, Run]]:
    chosen: dict[str, tuple[Check, Run]] = {}
    differing = []
    for run in runs:
        for check in run.checks:
            known = chosen.get(check.id, (check, run))[0]
            if known is check or known.verdict is Verdict.NOT_RUN or _outweighs(check, known):
                chosen[check.id] = check, run
            elif check.watched is None and check.verdict not in {known.verdict, Verdict.NOT_RUN}:
                differing.append(f"{check.id}: {known.verdict} in one shard and {check.verdict} in another")
    if differing:
        raise MergeError("\n".join(differing))
    return chosen


def _outweighs(check: Check, known: Check) -> bool:
    """Return whether what watchers say in one shard counts more than in another: each saw exchanges of its own."""
    return check.watched is not None and list(Verdict).index(check.verdict) < list(Verdict).index(known.verdict)


def _moves(runs: Sequence[Run]) -> Iterator[tuple[Move, tuple[Exchange, ...]]]:
    """Yield what happened to payments in any shard, each with the fewest exchanges that show it."""
    joined: dict[tuple[str, ...], tuple[Move, tuple[Exchange, ...]]] = {}
    for run in runs:
        for move in run.moves:
            key = move.protocol, move.state, move.trigger, str(move.accepted), move.next
            exchanges = run.evidence[move.evidence].exchanges if move.evidence in run.evidence else ()
            known, shown = joined.get(key, (move, exchanges))
            best = known if len(shown) <= len(exchanges) else move
            count = move.count + (known.count if key in joined else 0)
            joined[key] = best.model_copy(update={"count": count}), shown if best is known else exchanges
    yield from joined.values()


def _header(runs: Sequence[Run]) -> Header:
    first = min((run.header for run in runs), key=lambda header: moment(header.started))
    return first.model_copy(
        update={
            "run_id": "+".join(dict.fromkeys(run.header.run_id for run in runs)),
            "strict": any(run.header.strict for run in runs),
            "shard": "",
        }
    )


def _footer(runs: Sequence[Run], ran: set[str]) -> Footer:
    footers = [run.footer for run in runs if run.footer]
    problems = [problem for footer in footers for problem in footer.problems]
    problems += _missing_shards(runs)
    problems += [f"{NO_FOOTER} (shard {run.header.run_id})" for run in runs if run.footer is None]
    return Footer(
        requests=sum(footer.requests for footer in footers),
        sanity=reduce(Sanity.joined_with, (footer.sanity for footer in footers), Sanity()),
        selection=_selection([footer.selection for footer in footers], ran),
        problems=tuple(dict.fromkeys(problems)),
        errors=tuple(dict.fromkeys(error for footer in footers for error in footer.errors)),
        left_behind=together(footer.left_behind for footer in footers),
        ended=max((footer.ended for footer in footers), key=moment, default=runs[0].header.started),
    )


def _missing_shards(runs: Sequence[Run]) -> Iterator[str]:
    facts = {run.header.shard for run in runs} - {""}
    for count in sorted({int(shard.partition("/")[2]) for shard in facts}):
        missing = [str(number) for number in range(1, count + 1) if f"{number}/{count}" not in facts]
        if missing:
            yield f"shard {', '.join(missing)} of {count} is missing"


def _selection(found: Sequence[Selection], ran: set[str]) -> Selection:
    seen_by_none = (
        [name for name in found[0].unseen_files if all(name in each.unseen_files for each in found)] if found else []
    )
    deselected = dict.fromkeys(name for each in found for name in each.deselected if name not in ran)
    narrowed = dict.fromkeys(reason for each in found for reason in each.narrowed_by)
    return Selection(unseen_files=tuple(seen_by_none), deselected=tuple(deselected), narrowed_by=tuple(narrowed))
