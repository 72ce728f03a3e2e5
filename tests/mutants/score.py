"""The score of a sample, by protocol."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.mutants.sample import Mutant
from tests.mutants.trial import Fate, Trial

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
COLUMNS = ("check", "watcher", "sanity", "undecided", "survived", "equivalent", "stillborn")


@dataclass(frozen=True)
class Equivalents:
    """The mutants that behave like the original, or use a freedom of the contract, with the reason.

    Attributes:
        reasons: by lasting name, in which ``*`` stands for any text.
    """

    reasons: Mapping[str, str]

    def entry(self, mutant: Mutant) -> str:
        """Return the entry that a mutant is listed by; empty: it is not."""
        name = mutant.lasting_name
        return next((entry for entry, pattern in self._patterns.items() if pattern.fullmatch(name)), "")

    @cached_property
    def _patterns(self) -> Mapping[str, re.Pattern[str]]:
        return {entry: re.compile(".*".join(map(re.escape, entry.split("*"))), re.DOTALL) for entry in self.reasons}


def equivalent() -> Equivalents:
    """Return what is listed in the file beside this one."""
    return Equivalents(tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"])


def column(trial: Trial, known: Equivalents) -> str:
    """Return where a trial is counted."""
    return "equivalent" if trial.fate is Fate.SURVIVED and known.entry(trial.mutant) else trial.kind


def score(trials: Sequence[Trial], known: Equivalents) -> list[str]:
    """Return a table of the counts by protocol, in Markdown.

    What is noticed counts against what could be: neither equivalent nor stillborn mutants are among that.
    """
    lines = [f"| protocol | tried | {' | '.join(COLUMNS)} | noticed |", "| --- " * (len(COLUMNS) + 3) + "|"]
    for protocol in (*sorted({trial.mutant.protocol for trial in trials}), "all"):
        own = [trial for trial in trials if protocol in (trial.mutant.protocol, "all")]
        counts = Counter(column(trial, known) for trial in own)
        noticed = sum(counts[name] for name in ("check", "watcher", "sanity", "undecided"))
        could = noticed + counts["survived"]
        share = f"{noticed} of {could}: {noticed / could:.1%}" if could else "none"
        cells = " | ".join(str(counts[name]) for name in COLUMNS)
        lines.append(f"| {protocol} | {len(own)} | {cells} | {share} |")
    return lines


def as_json(trial: Trial) -> str:
    """Return a trial as one line."""
    return json.dumps(
        {
            "mutant": trial.mutant.name,
            "line": trial.mutant.mutation.line,
            "fate": trial.fate,
            "by": trial.by,
            "checks": trial.checks,
            "seconds": trial.seconds,
            "whole": trial.whole,
        }
    )


def kept(file: Path, every: Sequence[Mutant]) -> Iterator[Trial]:
    """Yield the trials of mutants that there still are, as lines of a file have them; the last of each."""
    if not file.is_file():
        return
    mutants = {mutant.name: mutant for mutant in every}
    rows = {row["mutant"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
    for name, row in rows.items():
        if name in mutants:
            yield Trial(mutants[name], Fate(row["fate"]), row["by"], row["checks"], row["seconds"], row["whole"])
