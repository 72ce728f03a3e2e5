"""A chain of digests over the lines of a result stream: a line that was changed, left out or added breaks it.

Each line ends with the member ``chain``: SHA256, in hex, of the link before and the line without that member. The last
link stands for the whole stream; whoever notes it somewhere else can prove that a stream is the one of that day.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FIRST_LINK = "0" * 64
_LINKED = re.compile(r',"chain":"([0-9a-f]{64})"\}$')


@dataclass(frozen=True)
class Verification:
    """What became of the chain of a stream.

    Attributes:
        lines: how many lines hold together, from the first on.
        last: the link of the last of them.
        broken: what is wrong, in words; empty where the chain is whole.
    """

    lines: int
    last: str
    broken: str = ""


def chained(line: str, link: str) -> tuple[str, str]:
    """Return a line of the stream, a JSON object, with its link, and the link."""
    following = hashlib.sha256(f"{link}\n{line}".encode()).hexdigest()
    return f'{line[:-1]},"chain":"{following}"}}', following


def verify(lines: Iterable[str]) -> Verification:
    """Follow the chain of a stream from its first line on."""
    link, number = FIRST_LINK, 0
    for number, line in enumerate(lines, start=1):
        linked = _LINKED.search(line)
        if linked is None:
            return Verification(number - 1, link, f"line {number} has no link")
        if chained(f"{line[: linked.start()]}}}", link)[1] != linked[1]:
            return Verification(
                number - 1, link, f"line {number} was changed, or a line before it was left out or added"
            )
        link = linked[1]
    return Verification(number, link, "" if number else "there are no lines")


def verify_file(file: Path) -> Verification:
    """Follow the chain of a result stream.

    Raises:
        OSError: the file cannot be read.
    """
    with file.open(encoding="utf-8", errors="replace") as lines:
        return verify(line.removesuffix("\n") for line in lines)
