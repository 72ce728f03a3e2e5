"""Each exit status, from every entry: pytest in the repository, and the command in any directory, as script and module.

``tests/end_to_end/artefacts/test_wheel.py`` has the same for an installed wheel, ``.ci/run`` status 0 of the whole
suite.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from contract.catalogue import load_catalogue
from contract.model import LATEST_RELEASE
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from fixtures.wire.embedded import EmbeddedGateway
from tests.end_to_end.runs import ROOT
from tests.support.output_schemas import misfits_of_output

SECONDS = 900


@dataclass(frozen=True)
class Entry:
    """A way to start a run.

    Attributes:
        words: the command.
        in_repository: whether it works there only.
    """

    words: tuple[str, ...]
    in_repository: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)


ENTRIES: Final[Mapping[str, Entry]] = MappingProxyType(
    {
        "python-m-pytest": Entry((sys.executable, "-m", "pytest"), in_repository=True),
        "pytest": Entry((str(Path(sys.executable).with_name("pytest")),), in_repository=True),
        "command": Entry((sys.executable, str(ROOT / "gateway_conformance"), "run")),
        "console-script": Entry(
            (str(Path(sys.executable).with_name("gateway-conformance")), "run"), variables={"PYTHONPATH": str(ROOT)}
        ),
        "module": Entry((sys.executable, "-m", "gateway_conformance", "run"), variables={"PYTHONPATH": str(ROOT)}),
    }
)
FEW: Final = "suites/checkout/sessions/test_session_response.py"
FAILING: Final = ("suites/checkout/sessions", "-k", "session_expiry", "--fault=session_expiry.maximum.one-laxer", "-n0")
WRONG: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "unknown-option": ("--wrong-option",),
        "option-of-a-plugin": ("-n", "two"),
        "option-without-value": ("--release",),
        "plugin-that-is-not-there": ("-p", "nosuchplugin"),
        "path-that-is-not-there": ("suites/nothing.py",),
        "expression-of-marks": ("-m", "(("),
        "expression-of-names": ("-k", "(("),
        "release-that-nobody-knows": ("--release=9.9.9",),
    }
)
OF_PYTEST: Final = (("--maxfail=many",), ("--tb=fine",), ("--rootdir=no-directory",))
"""Options of pytest itself with wrong values: read before it reads the settings of this project."""


@pytest.fixture(params=ENTRIES)
def entry(request: pytest.FixtureRequest) -> Entry:
    return ENTRIES[request.param]


def of_either_kind(*names: str) -> pytest.MarkDecorator:
    """Return what runs a test by these entries; that each entry hands a status on is shown by other tests.

    One of them is pytest, the other one the command: each has its own way to end a run.
    """
    return pytest.mark.parametrize("entry", [pytest.param(ENTRIES[name], id=name) for name in names])


def started(entry: Entry, directory: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*entry.words, "-q", "-p", "no:cacheprovider", f"--output={directory / 'out'}", *words],
        cwd=ROOT if entry.in_repository else directory,
        env={**os.environ, **entry.variables, **variables},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The options for a target of which a complete run is short: S2S APM only, and all that is open is accepted."""
    known = load_profile(DEFAULT_TARGET)
    main, directory = known.credentials.s2s_apm, tmp_path_factory.mktemp("small")
    assert main is not None
    gateway = EmbeddedGateway.start(release="6.7.0")
    profile, gaps = directory / "profile.toml", directory / "gaps.toml"
    profile.write_text(
        f"""
[target]
name = "a small gateway"
environment = "sandbox"
[endpoints]
s2s_apm = "{gateway.address("s2s_apm")}"
[credentials.s2s_apm]
key = "{main.key}"
password = "{main.password.reveal()}"
[capabilities]
s2s_apm = true
[test_data.apm.success]
brand = "vcard"
identifier = "success@gmail.com"
[run]
clock = "{gateway.control_url}"
fuzz_requests = 0
""",
        encoding="utf-8",
    )
    soon = dt.datetime.now(tz=dt.UTC).date() + dt.timedelta(days=2)
    gaps.write_text(
        f"[[gap]]\nrequirement = {sorted(load_catalogue())!r}\n"
        f'reason = "a small target"\nowner = "the tests"\nexpires = {soon}\n',
        encoding="utf-8",
    )
    yield f"--target={profile}", f"--gaps={gaps}"
    gateway.stop()


def test_gateway_that_keeps_all_that_is_checked_ends_with_0(small: tuple[str, str], tmp_path: Path) -> None:
    ended = started(ENTRIES["python-m-pytest"], tmp_path, *small)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "a small gateway conforms to release 6.7.0" in ended.stdout
    assert misfits_of_output(tmp_path / "out") == []


@of_either_kind("pytest", "console-script")
def test_list_of_checks_ends_with_0(entry: Entry, tmp_path: Path) -> None:
    ended = started(entry, tmp_path, FEW, "--collect-only")

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "test_session_response" in ended.stdout


@of_either_kind("python-m-pytest", "command")
def test_proven_failure_ends_with_1_and_names_the_requirement(entry: Entry, tmp_path: Path) -> None:
    ended = started(entry, tmp_path, *FAILING)

    report = json.loads((tmp_path / "out" / "conformance.json").read_text(encoding="utf-8"))
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert report["verdict"] == "not_conforming"
    assert [each["id"] for each in report["requirements"] if each["verdict"] == "fail"] == ["CHK-SES-26"]
    assert "CHK-SES-26" in ended.stdout
    assert misfits_of_output(tmp_path / "out") == []


CASES: Final = (
    *((entry, "unknown-option") for entry in ENTRIES),
    *((entry, wrong) for entry in ("python-m-pytest", "command") for wrong in list(WRONG)[1:]),
)


@pytest.mark.parametrize(("by", "wrong"), CASES)
def test_wrong_usage_ends_with_2_and_names_it(by: str, wrong: str, tmp_path: Path) -> None:
    words = WRONG[wrong]
    ended = started(ENTRIES[by], tmp_path, *words)

    said = ended.stdout + ended.stderr
    assert ended.returncode == 2, said
    assert words[-1].rpartition("=")[2] in said
    assert wrong != "release-that-nobody-knows" or LATEST_RELEASE in said
    assert "Traceback" not in said


@pytest.mark.parametrize("words", OF_PYTEST, ids=" ".join)
def test_wrong_values_of_options_of_pytest_end_with_2_at_the_command(words: tuple[str, ...], tmp_path: Path) -> None:
    assert started(ENTRIES["command"], tmp_path, *words).returncode == 2
    # pytest ends before it reads of this project; docs/decisions.md says so.
    assert started(ENTRIES["python-m-pytest"], tmp_path, *words).returncode == pytest.ExitCode.USAGE_ERROR


@of_either_kind("pytest", "module")
def test_wrong_profile_ends_with_2(entry: Entry, tmp_path: Path) -> None:
    profile = tmp_path / "profile.toml"
    profile.write_text("[target]\nname = 'x'\nenvironment = 'sandbx'\n", encoding="utf-8")

    ended = started(entry, tmp_path, f"--target={profile}")

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "profile.toml: target.environment" in ended.stdout + ended.stderr


def test_part_of_the_suite_ends_with_3(entry: Entry, tmp_path: Path) -> None:
    ended = started(entry, tmp_path, FEW, "-n", "0")

    report = json.loads((tmp_path / "out" / "conformance.json").read_text(encoding="utf-8"))
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert report["verdict"] == "undecided"
    assert not report["complete"]


@of_either_kind("python-m-pytest", "console-script")
def test_suite_that_cannot_be_loaded_ends_with_4(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['bs4'] = None\n", encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), entry.variables.get("PYTHONPATH", "")])

    ended = started(entry, tmp_path, PYTHONPATH=paths)

    assert ended.returncode == 4, ended.stdout + ended.stderr
