"""A small catalogue, and a small suite in a directory of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import reports.plugin  # noqa: F401 - kept in memory, so that the pytest inside a test does not read it anew each time
from contract.catalogue import Catalogue
from reports.conclusion import Conclusion
from tests.unit.reports.example_runs import hostile_run, mixed_run
from tests.unit.reports.small_run import CONFTEST, FACTS, REQUIREMENTS, SANITY, House, Json, catalogue_of, requirement

ROOT = Path(__file__).parents[3]


@pytest.fixture
def catalogue() -> Catalogue:
    """Five requirements: two that gate, one recommendation, one platform fact, one with readings."""
    return catalogue_of(*(requirement(**each) for each in REQUIREMENTS))


@pytest.fixture
def hostile(catalogue: Catalogue) -> Conclusion:
    """A run in which every text that a target can reach is hostile."""
    return hostile_run(catalogue)


@pytest.fixture
def mixed(catalogue: Catalogue) -> Conclusion:
    """A failure that gates, one that does not, something undecided, and a reading."""
    return mixed_run(catalogue)


@pytest.fixture
def set_up_house(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> Callable[..., House]:
    """Return a function that lays a small suite, with other facts or sanity where they are given."""

    def lay(facts: Mapping[str, Json] | None = FACTS, sanity: Mapping[str, Json] = SANITY) -> House:
        monkeypatch.setattr("reports.recording.recorder.load_catalogue", lambda: catalogue)
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        monkeypatch.syspath_prepend(ROOT)
        pytester.makeconftest(CONFTEST)
        received = None if facts is None else {"facts": facts, "sanity": sanity}
        (pytester.path / "facts.json").write_text(json.dumps(received), encoding="utf-8")
        pytester.makeini("[pytest]\ntestpaths = suites\n")
        return House(pytester)

    return lay


@pytest.fixture
def house(set_up_house: Callable[..., House]) -> House:
    """A small suite that is run against a target."""
    return set_up_house()
