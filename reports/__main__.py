"""``python -m reports``: render a stream again, compare two runs, merge shards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from contract.catalogue import load_catalogue
from reports.compare import CompareError, compare, read_judged, told_comparison
from reports.conclusion import conclude
from reports.gate import EXIT_STATUS, WRONG_USAGE, RunVerdict
from reports.merge import MergeError, merge
from reports.model import Run
from reports.renderings import ALLURE_DIRECTORY, clear, render
from reports.stream import STREAM_FILE, StreamError, read_stream
from reports.terminal import told
from reports.waivers import WaiverError, read_waivers

_STATUSES = "Exit status: 0 conforming, 1 not conforming, 2 wrong usage, 3 could not decide, 4 the suite broke."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reports", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    again = commands.add_parser("render", help="make all reports from a result stream", epilog=_STATUSES)
    again.add_argument("results", type=Path, metavar="RESULTS.jsonl")
    again.add_argument("--output", type=Path, metavar="DIR", help="default: the directory of the stream")
    _gate_options(again)

    joined = commands.add_parser("merge", help="join the streams of shards and make all reports", epilog=_STATUSES)
    joined.add_argument("results", type=Path, nargs="+", metavar="RESULTS.jsonl")
    joined.add_argument("--output", type=Path, metavar="DIR", required=True)
    _gate_options(joined)

    difference = commands.add_parser(
        "compare", help="tell what changed between two runs", epilog="Exit status: 0 nothing is worse, 1 something is."
    )
    difference.add_argument("old", type=Path, metavar="OLD.json", help="conformance.json of the run before")
    difference.add_argument("new", type=Path, metavar="NEW.json", help="conformance.json of the run after")
    return parser


def _gate_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--waivers", type=Path, metavar="FILE", help="known failures that are accepted for a time")
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
    conclusion = conclude(run, catalogue, waivers, strict=options.strict)
    allure = options.alluredir or output / ALLURE_DIRECTORY
    clear(output, allure)
    unwritten = render(conclusion, output, allure)
    _say(told(conclusion, output, allure))
    _complain(f"The suite broke: {problem}" for problem in unwritten)
    if unwritten and conclusion.gate.verdict is not RunVerdict.NOT_CONFORMING:
        return EXIT_STATUS[RunVerdict.BROKEN]
    return conclusion.gate.exit_status


def _compare(options: argparse.Namespace) -> int:
    comparison = compare(read_judged(options.old), read_judged(options.new))
    _say(told_comparison(comparison))
    return int(comparison.regressed)


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = MappingProxyType(
    {"render": _render, "merge": _merge, "compare": _compare}
)


def _say(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _complain(lines: Iterable[str]) -> None:
    sys.stderr.writelines(f"{line}\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except (StreamError, WaiverError, CompareError, MergeError) as error:
        _complain([str(error)])
    except OSError as error:
        _complain([f"{error.filename}: {error.strerror}"])
    return WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
