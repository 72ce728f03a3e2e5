"""The wheel, in an environment and a directory of its own: what somebody gets who installs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.end_to_end.runs import ROOT

LIBRARIES = Path(pytest.__file__).parents[1]
SECONDS = 600


def do(*command: str | Path, directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], cwd=directory, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dist")
    built = do(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", directory, directory=ROOT)
    assert built.returncode == 0, built.stderr
    return next(directory.glob("*.whl"))


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script of an environment with the wheel, and of this environment nothing but the libraries."""
    place = tmp_path_factory.mktemp("environment")
    do(sys.executable, "-m", "venv", "--without-pip", place, directory=place)
    python = place / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", "--quiet")
    installed = do(*pip, wheel, directory=place)
    assert installed.returncode == 0, installed.stderr
    site = next((place / "lib").glob("python*/site-packages"))
    # Names at the top that are not of the wheel would show, were they there.
    assert sorted(path.name for path in site.iterdir() if not path.name.endswith(".dist-info")) == [
        "gateway_conformance"
    ]
    (site / "libraries.pth").write_text(f"{LIBRARIES}\n", encoding="utf-8")
    return place / "bin" / "gateway-conformance"


def test_wheel_holds_what_the_repository_holds(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name.removeprefix("gateway_conformance/_packages/") for name in archive.namelist()}
    tracked = do("git", "ls-files", "contract", "fixtures", "suites", "reports", "emulator", "profiles", directory=ROOT)

    assert set(tracked.stdout.split()) <= held
    assert "conftest.py" in held
    assert not [name for name in held if name.startswith("reports/out/")]


def test_part_of_the_suite_runs_from_an_empty_directory(command: Path, tmp_path: Path) -> None:
    ended = do(command, "run", "-q", "suites/checkout/sessions/test_session_response.py", directory=tmp_path)

    report = json.loads((tmp_path / "reports" / "out" / "conformance.json").read_text(encoding="utf-8"))
    # A part of the suite is never green.
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert {check["verdict"] for check in report["checks"]} == {"pass"}
    assert "+g" in report["suite_version"]


def test_command_shows_its_version(command: Path, tmp_path: Path) -> None:
    ended = do(command, "--version", directory=tmp_path)

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("gateway-conformance ")
    assert "+g" in ended.stdout


@pytest.mark.parametrize("words", [["--target", "profile.toml"], ["--target=profile.toml"]])
def test_target_is_named_with_a_space_or_an_equals_sign(command: Path, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "profile.toml").write_text("[target]\nname = 'x'\nenvironment = 'sandbx'\n", encoding="utf-8")

    ended = do(command, "run", *words, directory=tmp_path)

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "profile.toml: target.environment" in ended.stdout + ended.stderr


@pytest.mark.parametrize("option", ["--taget=x.toml", "--release", "-n=two"])
def test_wrong_option_ends_with_2(command: Path, option: str, tmp_path: Path) -> None:
    ended = do(command, "run", option, directory=tmp_path)

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


def test_workers_and_options_of_pytest_go_through(command: Path, tmp_path: Path) -> None:
    words = ("-n", "2", "-k", "test_session_response and not missing", "-v", "suites/checkout/sessions")
    ended = do(command, "run", *words, directory=tmp_path)

    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert "2 workers" in ended.stdout
    assert "worker process" not in ended.stdout


@pytest.mark.parametrize(
    "name",
    ["run", "init", "check", "sign", "emulator", "render", "compare", "merge", "verify", "waive", "gaps", "catalogue"],
)
def test_every_command_explains_itself(command: Path, name: str, tmp_path: Path) -> None:
    ended = do(command, name, "--help", directory=tmp_path)

    assert ended.returncode == 0, ended.stderr
    assert f"gateway-conformance {name}" in ended.stdout.replace("\n", " ")
    assert "python -m" not in ended.stdout


def test_suite_that_cannot_be_loaded_ends_with_4(command: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['bs4'] = None\n", encoding="utf-8")
    ended = subprocess.run(
        [command, "run"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )

    assert ended.returncode == 4, ended.stdout + ended.stderr


def test_emulator_lists_its_faults(command: Path, tmp_path: Path) -> None:
    ended = do(command, "emulator", "--list-faults", directory=tmp_path)

    assert ended.returncode == 0, ended.stderr
    assert len(ended.stdout.splitlines()) > 1000
