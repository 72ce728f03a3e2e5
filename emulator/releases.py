"""Releases of the interface that the reference gateway can be started as."""

from typing import Final

RELEASES: Final = ("6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.0")
LATEST: Final = RELEASES[-1]


def order_of(release: str) -> int:
    """Position of a release in the history; raises ValueError for a release that does not exist."""
    return RELEASES.index(release)


def holds(release: str, since: str | None, until: str | None) -> bool:
    """Whether ``release`` lies between ``since`` and ``until``, both included; None leaves a side open."""
    position = order_of(release)
    return (since is None or position >= order_of(since)) and (until is None or position <= order_of(until))
