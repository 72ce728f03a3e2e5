"""The commands that have a parser of their own: by name, what each is for and whom it is handed to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

PROGRAM: Final = "gateway-conformance"

Hands = Callable[[Sequence[str], str], int]
"""Takes the arguments and the name by which it was called, and returns the exit status."""


def _emulator(arguments: Sequence[str], name: str) -> int:
    from emulator.__main__ import main as start

    return start(arguments, name=name)


def _sign(arguments: Sequence[str], name: str) -> int:
    from fixtures.signing.__main__ import main as verify

    return verify(arguments, name=name)


def _reports(arguments: Sequence[str], name: str) -> int:
    from reports.__main__ import main as report

    return report([name.rpartition(" ")[2], *arguments], name=PROGRAM)


def _catalogue(arguments: Sequence[str], name: str) -> int:
    from reports.pages.catalogue import main as pages

    return pages(arguments, name=name)


HANDED_ON: Final[Mapping[str, tuple[str, Hands]]] = MappingProxyType(
    {
        "sign": ("Verify the signature of a message and say what is wrong with it.", _sign),
        "emulator": ("Start the reference gateway, for experiments of your own.", _emulator),
        "render": ("Make all reports again from the result stream of a run.", _reports),
        "compare": ("Show what changed between two runs.", _reports),
        "merge": ("Join the result streams of shards and make all reports.", _reports),
        "waive": ("Draft waivers for the failures of a run.", _reports),
        "gaps": ("Draft gaps for what a run could not decide.", _reports),
        "declare": ("Draft [not_offered], [otherwise] and platform_parameters of a profile from a run.", _reports),
        "history": ("Write a page over many runs: what failed when, and what is flaky.", _reports),
        "seal": ("Sign the result stream of a run with a key of SSH.", _reports),
        "verify": ("Return whether a result stream is as it was written.", _reports),
        "catalogue": ("Write the catalogue of requirements as Markdown and HTML.", _catalogue),
    }
)
"""Commands that have a parser, and so a ``--help``, of their own."""
