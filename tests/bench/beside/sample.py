"""A sample of faults: of each protocol as many, half of them written by hand and half derived from tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final

from emulator.faults import Fault, registry
from emulator.registry import registered
from tests.kill_matrix.collected import LATEST

PROTOCOLS: Final = {"CHK": "checkout", "HPP": "checkout", "HPF": "checkout", "S2C": "s2s_card", "APM": "s2s_apm"}
"""The protocol by the first letters of a requirement. Faults that break requirements of callbacks or of all protocols
are not in the population: they touch no protocol of its own, and of the tools only this suite gets callbacks."""


@dataclass(frozen=True)
class Sampled:
    """One fault of the sample.

    Attributes:
        fault: name.
        protocol: that it breaks.
        kind: ``by hand`` or ``derived``.
        summary: what is wrong.
    """

    fault: str
    protocol: str
    kind: str
    summary: str


def protocol_of(fault: Fault) -> str | None:
    """Return the one protocol that a fault breaks, if it breaks one alone."""
    found = {PROTOCOLS.get(name.partition("-")[0]) for name in fault.requirements}
    return found.pop() if len(found) == 1 else None


def population() -> Iterator[Sampled]:
    """Yield all faults of one protocol in the latest release; rare ones too, which only generated requests find."""
    derived = registered("emulator.faults.derived", "FAULTS", Fault)
    for name, fault in sorted(registry().items()):
        protocol = protocol_of(fault)
        if protocol and not fault.scripted and LATEST in fault.releases:
            yield Sampled(name, protocol, "derived" if name in derived else "by hand", fault.summary)


def sample(count: int, seed: int) -> list[Sampled]:
    """Return a stratified sample. Its beginnings are stratified as well; another size is another sample."""
    strata: dict[tuple[str, str], list[Sampled]] = {}
    for one in population():
        strata.setdefault((one.protocol, one.kind), []).append(one)
    chosen = random.Random(seed)  # noqa: S311 - no secret
    each = -(-count // len(strata))
    drawn = [chosen.sample(strata[key], min(each, len(strata[key]))) for key in sorted(strata)]
    return [one for one in chain.from_iterable(zip_longest(*drawn)) if one][:count]
