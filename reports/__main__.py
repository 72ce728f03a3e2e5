"""``python -m reports``: render a stream again, compare two runs, merge shards, draft waivers and gaps."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from contract.catalogue import load_catalogue
from reports.comparing.compare import CompareError, compare, lines_of_comparison, read_judged
from reports.comparing.differential import differential, lines_of_differential
from reports.comparing.history import read_history
from reports.comparing.pages import write_differential, write_history
from reports.conclusion import conclude
from reports.declarations import HEADING, NOTHING, as_toml, declarations_of
from reports.drafts import Acceptance, days_after, draft_gaps, draft_waivers
from reports.evidence.seal import SealError, seal, verify_seal
from reports.judging.accepted import AcceptedError
from reports.judging.gaps import read_gaps
from reports.judging.gate import EXIT_STATUS, WRONG_USAGE, RunVerdict
from reports.judging.waivers import read_waivers
from reports.model import Run
from reports.recording.merge import MergeError, merge
from reports.renderings import ALLURE_DIRECTORY, clear, render
from reports.stream.chain import verify_file
from reports.stream.lines import STREAM_FILE, StreamError, read_stream
from reports.terminal import lines_of

_STATUSES = "Exit status: 0 conforming, 1 not conforming, 2 wrong usage, 3 could not decide, 4 the suite broke."


_SEALED = "Exit status: 0 signed, 2 it cannot be. The signature lies beside the stream, as results.jsonl.sig."
_DIFFERS = "Exit status: 0 nothing is worse, 1 something that was kept is broken, 2 wrong usage."

_DRAFTS: Mapping[str, str] = MappingProxyType(
    {
        "waive": "draft a file of waivers of what fails in a run",
        "gaps": "draft a file of gaps of what is undecided in a run",
    }
)


_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name


def _command(commands: _Commands, name: str, help: str, *, epilog: str = "") -> argparse.ArgumentParser:  # noqa: A002
    """Add a command whose own help begins with what the list of commands says of it."""
    what = f"{help[:1].upper()}{help[1:]}."
    return commands.add_parser(name, help=help, description=what, epilog=epilog)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=name, description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    again = _command(commands, "render", help="make all reports from a result stream", epilog=_STATUSES)
    again.add_argument("results", type=Path, metavar="RESULTS.jsonl", help="the stream of a run, or of each shard")
    again.add_argument("--output", type=Path, metavar="DIR", help="default: the directory of the stream")
    _gate_options(again)

    joined = _command(commands, "merge", help="join the streams of shards and make all reports", epilog=_STATUSES)
    joined.add_argument(
        "results", type=Path, nargs="+", metavar="RESULTS.jsonl", help="the stream of a run, or of each shard"
    )
    joined.add_argument("--output", type=Path, metavar="DIR", required=True, help="where the reports go")
    _gate_options(joined)

    for draft, what in _DRAFTS.items():
        drafted = _command(commands, draft, help=what, epilog="Exit status: 0 drafted, 2 wrong usage.")
        drafted.add_argument("run", type=Path, metavar="RUN", help="results.jsonl, or the directory that it is in")
        drafted.add_argument("--reason", default="", help="why it is accepted (default: left empty, to be written)")
        drafted.add_argument("--owner", default="", help="who accepts it (default: left empty, to be written)")
        drafted.add_argument("--expires", type=date.fromisoformat, metavar="DAY", help="default: 90 days after the run")
        drafted.add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: print it)")

    declared = _command(
        commands,
        "declare",
        help="draft [not_offered] and [otherwise] of a profile from a run",
        epilog="Exit status: 0 drafted, 2 wrong usage.",
    )
    declared.add_argument("run", type=Path, metavar="RUN", help="results.jsonl, or the directory that it is in")
    declared.add_argument("--reason", default="", help="of each line (default: left empty, to be written)")
    declared.add_argument("--into", type=Path, metavar="PROFILE", help="add the lines to it (default: print them)")

    proof = _command(
        commands,
        "verify",
        help="say whether a result stream is as it was written",
        epilog="Exit status: 0 it is, 1 it is not.",
    )
    proof.add_argument("run", type=Path, metavar="RUN", help="results.jsonl, or the directory that it is in")

    proof.add_argument(
        "--signers", type=Path, metavar="FILE", help="allowed signers: the detached signature counts too"
    )
    proof.add_argument("--signer", metavar="NAME", help="who must have signed, as that file names them")

    sealed = _command(commands, "seal", help="sign a result stream with a key of SSH", epilog=_SEALED)
    sealed.add_argument("run", type=Path, metavar="RUN", help="results.jsonl, or the directory that it is in")
    sealed.add_argument(
        "--key", type=Path, metavar="FILE", required=True, help="private key, or the public one of an agent"
    )

    differing = _command(commands, "differ", help="show two runs side by side", epilog=_DIFFERS)
    differing.add_argument("old", type=Path, metavar="OLD", help="results.jsonl of the first run, or its directory")
    differing.add_argument("new", type=Path, metavar="NEW", help="those of the second")
    differing.add_argument(
        "--output", type=Path, metavar="FILE", help="default: differential.html beside the second run"
    )

    past = _command(
        commands, "history", help="write a page over many runs", epilog="Exit status: 0, or 2 without runs."
    )
    past.add_argument("directory", type=Path, metavar="DIR", help="where the runs are, at any depth")
    past.add_argument("--output", type=Path, metavar="FILE", help="default: DIR/history.html")

    difference = _command(
        commands,
        "compare",
        help="show what changed between two runs",
        epilog="Exit status: 0 nothing is worse, 1 something is.",
    )
    difference.add_argument("old", type=Path, metavar="OLD.json", help="conformance.json of the run before")
    difference.add_argument("new", type=Path, metavar="NEW.json", help="conformance.json of the run after")
    return parser


def _gate_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--waivers", type=Path, metavar="FILE", help="known failures that are accepted for a time")
    parser.add_argument("--gaps", type=Path, metavar="FILE", help="what the target cannot show, accepted for a time")
    parser.add_argument("--strict", action="store_true", help="count recommendations and platform facts too")
    parser.add_argument("--alluredir", type=Path, metavar="DIR", help=f"default: OUTPUT/{ALLURE_DIRECTORY}")


def _render(options: argparse.Namespace) -> int:
    return _conclude(read_stream(options.results), options.output or options.results.parent, options)


def _merge(options: argparse.Namespace) -> int:
    runs = [read_stream(file) for file in options.results]
    stream = options.output / STREAM_FILE
    if stream.resolve() in {file.resolve() for file in options.results}:
        raise MergeError(f"{stream}: is one of the shards and would be overwritten; choose another --output")
    merge(runs, stream)
    return _conclude(read_stream(stream), options.output, options)


def _conclude(run: Run, output: Path, options: argparse.Namespace) -> int:
    catalogue = load_catalogue()
    waivers = read_waivers(options.waivers, catalogue) if options.waivers else ()
    gaps = read_gaps(options.gaps, catalogue) if options.gaps else ()
    conclusion = conclude(run, catalogue, waivers, gaps, strict=options.strict)
    allure = options.alluredir or output / ALLURE_DIRECTORY
    clear(output, allure)
    unwritten = render(conclusion, output, allure)
    _say(lines_of(conclusion, output, allure))
    _complain(f"The suite broke: {problem}" for problem in unwritten)
    if unwritten and conclusion.gate.verdict is not RunVerdict.NOT_CONFORMING:
        return EXIT_STATUS[RunVerdict.BROKEN]
    return conclusion.gate.exit_status


def _stream_of(run: Path) -> Path:
    return run / STREAM_FILE if run.is_dir() else run


def _verify(options: argparse.Namespace) -> int:
    stream = _stream_of(options.run)
    found = verify_file(stream)
    if found.broken:
        _say([f"{stream}: is not as it was written: {found.broken}; {found.lines} lines before it hold together"])
        return 1
    if options.signers and options.signer:
        try:
            _say([verify_seal(stream, options.signers, options.signer)])
        except SealError as error:
            _say([str(error)])
            return 1
    elif options.signers or options.signer:
        raise SealError("--signers and --signer go together")
    ended = "" if read_stream(stream).footer else ", but the run did not come to its end"
    _say([f"{stream}: {found.lines} lines hold together{ended}; the last link is {found.last}"])
    return 0


def _draft(options: argparse.Namespace) -> int:
    conclusion = conclude(read_stream(_stream_of(options.run)), load_catalogue())
    by = Acceptance(reason=options.reason, owner=options.owner, expires=options.expires or days_after(conclusion))
    text = {"waive": draft_waivers, "gaps": draft_gaps}[options.command](conclusion, by)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        _say(text.splitlines())
    return 0


def _declare(options: argparse.Namespace) -> int:
    found = declarations_of(conclude(read_stream(_stream_of(options.run)), load_catalogue()))
    if options.into is not None:
        before = options.into.read_text(encoding="utf-8")
        options.into.write_text(as_toml(found, options.reason, before), encoding="utf-8")
        _say([f"{options.into}: {len(found)} lines are declared{'' if options.reason else '; give each its reason'}"])
        return 0
    text = as_toml(found, options.reason) if found else NOTHING
    _say([*HEADING[bool(options.reason or not found)].splitlines(), *text.splitlines()])
    return 0


def _compare(options: argparse.Namespace) -> int:
    comparison = compare(read_judged(options.old), read_judged(options.new))
    _say(lines_of_comparison(comparison))
    return int(comparison.regressed)


def _seal(options: argparse.Namespace) -> int:
    _say([f"{seal(_stream_of(options.run), options.key)}: the signature"])
    return 0


def _differ(options: argparse.Namespace) -> int:
    catalogue = load_catalogue()
    runs = [read_stream(_stream_of(run)) for run in (options.old, options.new)]
    found = differential(*(conclude(run, catalogue) for run in runs))
    page = options.output or _stream_of(options.new).with_name("differential.html")
    write_differential(found, page)
    _say([*lines_of_differential(found), f"report: {page}"])
    return int(found.regressed)


def _history(options: argparse.Namespace) -> int:
    history = read_history(options.directory)
    page = options.output or options.directory / "history.html"
    write_history(history, page)
    flaky = sum(line.is_flaky for line in history.lines)
    failing = sum(line.first_failing is not None for line in history.lines)
    _say([f"{len(history.runs)} runs: {failing} requirements fail, {flaky} are flaky", f"report: {page}"])
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = MappingProxyType(
    {
        "render": _render,
        "merge": _merge,
        "compare": _compare,
        "waive": _draft,
        "gaps": _draft,
        "declare": _declare,
        "verify": _verify,
        "seal": _seal,
        "differ": _differ,
        "history": _history,
    }
)


def _say(lines: Iterable[str]) -> None:
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads, such as head, has enough; the exit status still says the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(lines: Iterable[str]) -> None:
    sys.stderr.writelines(f"{line}\n" for line in lines)


def main(arguments: Sequence[str] | None = None, *, name: str = "python -m reports") -> int:
    """Run the command, by whatever name it was called; return the exit status."""
    options = _parser(name).parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except (StreamError, AcceptedError, CompareError, MergeError, SealError) as error:
        _complain([str(error)])
    except OSError as error:
        _complain([f"{error.filename}: {error.strerror}"])
    return WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
