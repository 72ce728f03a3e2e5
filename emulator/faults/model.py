"""A fault: a named deviation that breaks a known requirement."""

from dataclasses import dataclass

from emulator.design import Change
from emulator.releases import RELEASES, holds


@dataclass(frozen=True, slots=True)
class Fault:
    """A named change of the design.

    ``requirements`` are broken by it, each observably; ``related`` are patterns of requirements whose checks cannot
    but suffer with them. It exists from ``since`` to ``until``. A ``rare`` one shows on few requests only, which nobody
    thinks of beforehand: generated requests find it. A ``scripted`` one is done by the script of a page, whose HTML is
    right: payers with a browser find it.
    """

    name: str
    requirements: tuple[str, ...]
    summary: str
    change: Change
    related: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    rare: bool = False
    scripted: bool = False

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
