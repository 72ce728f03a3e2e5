"""A fault: a named deviation that breaks a known requirement."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import translate
from functools import cache
from pathlib import Path

from emulator.design import Change
from emulator.releases import RELEASES, holds


@dataclass(frozen=True, slots=True)
class Fault:
    """A named change of the design.

    ``requirements`` are broken by it, each observably. It exists from ``since`` to ``until``. A ``rare`` one shows on
    few requests only, which nobody thinks of beforehand: generated requests find it. A ``scripted`` one is done by the
    script of a page, whose HTML is right: payers with a browser find it.
    """

    name: str
    requirements: tuple[str, ...]
    summary: str
    change: Change
    since: str | None = None
    until: str | None = None
    rare: bool = False
    scripted: bool = False

    @property
    def related(self) -> tuple[str, ...]:
        """Patterns of requirements whose checks cannot but suffer with those that it breaks, from ``related.toml``."""
        shared = (pattern for broken in self.requirements for pattern in _suffering("requirement", broken))
        return tuple(dict.fromkeys((*shared, *_suffering("fault", self.name))))

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases in which the fault can be started."""
        return tuple(release for release in RELEASES if holds(release, self.since, self.until))

    def listing(self) -> dict[str, object]:
        """What a list of faults says about it, ready to be printed as JSON."""
        return {
            "name": self.name,
            "requirements": list(self.requirements),
            "related": list(self.related),
            "summary": self.summary,
            "releases": list(self.releases),
        }


def breaks(  # noqa: PLR0913 - one word for each column of a table
    requirements: str | tuple[str, ...],
    summary: str,
    change: Change,
    *,
    since: str | None = None,
    until: str | None = None,
    rare: bool = False,
) -> Fault:
    """A fault whose name is its key in a table of :func:`faults`; several ``requirements`` are separated by spaces."""
    broken = tuple(requirements.split()) if isinstance(requirements, str) else requirements
    return Fault("", broken, summary, change, since=since, until=until, rare=rare)


def faults(
    table: Mapping[str, Fault], *, prefix: str = "", since: str | None = None, rare: bool = False
) -> tuple[Fault, ...]:
    """The faults of a table by their names without ``prefix``; ``since`` and ``rare`` hold where they say nothing."""
    return tuple(
        replace(fault, name=f"{prefix}{name}", since=fault.since or since, rare=fault.rare or rare)
        for name, fault in table.items()
    )


@cache
def _suffering(section: str, name: str) -> tuple[str, ...]:
    """What suffers with a requirement or a fault: the patterns of all lines that name it."""
    return tuple(pattern for suffering, named in _lines(section) if named(name) for pattern in suffering.split())


@cache
def _lines(section: str) -> tuple[tuple[str, Callable[[str], object]], ...]:
    """The lines of a section: what suffers, and whether a line names something."""
    lines = _related()[section]
    return tuple((suffering, re.compile("|".join(map(translate, names))).match) for suffering, names in lines.items())


@cache
def _related() -> Mapping[str, Mapping[str, list[str]]]:
    """The tables of ``related.toml``."""
    return tomllib.loads((Path(__file__).parent / "related.toml").read_text(encoding="utf-8"))
