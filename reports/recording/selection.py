"""Finds out which part of the suite a pytest run leaves out, so that a part is never taken for the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest

from reports.model import Json, Selection

_NARROWING: Mapping[str, str] = MappingProxyType(
    {"lf": "--last-failed", "stepwise": "--stepwise", "stepwise_skip": "--stepwise-skip"}
)
"""Options of pytest that leave checks out without a word to plugins."""
_SETTINGS_OF_COLLECTION = frozenset(
    {"python_files", "python_classes", "python_functions", "testpaths", "norecursedirs", "collect_imported_tests"}
)


@dataclass
class Collected:
    """What one process collected.

    Attributes:
        files: test files that were looked into.
        checks: ids of the checks that stayed.
        deselected: ids of the checks that were taken out.
    """

    files: set[str] = field(default_factory=set)
    checks: dict[str, None] = field(default_factory=dict)
    deselected: dict[str, None] = field(default_factory=dict)

    def add(self, other: Collected) -> None:
        """Take over what another process collected."""
        self.files |= other.files
        self.checks |= other.checks
        self.deselected |= other.deselected

    def as_json(self) -> dict[str, list[str]]:
        """Return plain JSON types, for the way from a worker to the controller."""
        return {"files": sorted(self.files), "checks": list(self.checks), "deselected": list(self.deselected)}

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> Collected:
        """Read what a worker reported."""
        return cls(set(value["files"]), dict.fromkeys(value["checks"]), dict.fromkeys(value["deselected"]))


def selection_of(config: pytest.Config, collected: Collected) -> Selection:
    """Say what a run left out of the suite."""
    parts = {str(argument).split("::", 1)[0] for argument in config.args if "::" in str(argument)}
    partial = {_relative(config, part) for part in parts}
    unseen = [name for name in _suite_files(config) if name not in collected.files or name in partial]
    return Selection(
        unseen_files=tuple(unseen),
        deselected=tuple(collected.deselected),
        narrowed_by=tuple(_narrowed_by(config)),
    )


def _narrowed_by(config: pytest.Config) -> Iterator[str]:
    if not config.getini("testpaths"):
        yield "the settings of pytest name no testpaths, so what the whole suite is cannot be known"
    for setting in config.getoption("override_ini", default=None) or ():
        if setting.split("=", 1)[0].strip() in _SETTINGS_OF_COLLECTION:
            yield f"a setting of pytest that chooses checks was overridden: {setting.split('=', 1)[0].strip()}"
    for option, name in _NARROWING.items():
        if config.getoption(option, default=False):
            yield f"{name} was given"


def _relative(config: pytest.Config, part: str) -> str:
    place = (config.invocation_params.dir / part).resolve()
    root = config.rootpath.resolve()
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else place.as_posix()


def _suite_files(config: pytest.Config) -> list[str]:
    patterns: Iterable[str] = config.getini("python_files")
    found = {
        file
        for path in config.getini("testpaths")
        for place in sorted(config.rootpath.glob(path))
        for pattern in patterns
        for file in _files(place, pattern)
    }
    return sorted(file.relative_to(config.rootpath).as_posix() for file in found)


def _files(place: Path, pattern: str) -> Iterable[Path]:
    return [place] if place.is_file() else place.rglob(pattern)
