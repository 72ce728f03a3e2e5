"""The recipes of CI systems: valid by their public schemas, and their commands do what they say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from fixtures.plugin import DEFAULT_TARGET
from tests.end_to_end.runs import ROOT

CI = ROOT / "docs" / "ci"
SCHEMAS = {
    ROOT / "action.yml": ("vendor.github-actions",),
    ROOT / ".github" / "workflows" / "ci.yml": ("vendor.github-workflows",),
    CI / "github.yml": ("vendor.github-workflows",),
    CI / "gitlab-ci.yml": ("vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
    # The schema of Azure has patterns that are no Unicode ones.
    CI / "azure-pipelines.yml": (
        *("vendor.azure-pipelines", "--data-transform", "azure-pipelines"),
        *("--regex-variant", "nonunicode"),
    ),
}
VARIABLES = {
    "${{ matrix.shard }}": "1",
    "$CI_NODE_INDEX": "1",
    "$CI_NODE_TOTAL": "3",
    "$CI_PIPELINE_IID": "7",
    "$(System.JobPositionInPhase)": "1",
    "$(Build.BuildId)": "7",
    "$BUILD_NUMBER": "7",
    ".local/bin/": "",
}
"""What the systems put in place of their variables."""
RECIPES = [CI / name for name in ("github.yml", "gitlab-ci.yml", "azure-pipelines.yml", "Jenkinsfile")]
SECONDS = 600


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.name)
def test_recipe_is_valid_by_the_schema_of_its_system(file: Path) -> None:
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *SCHEMAS[file], str(file)]
    checked = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)

    assert checked.returncode == 0, checked.stdout + checked.stderr


def commands() -> list[str]:
    """Return every command of the suite in the recipes, with values in place of variables, each once."""
    found = [
        match[0]
        for file in RECIPES
        for match in re.finditer(r"(?:\.local/bin/)?gateway-conformance (?:run|merge)[^\n'|]*", file.read_text("utf-8"))
    ]
    for variable, value in VARIABLES.items():
        found = [command.replace(variable, value) for command in found]
    return sorted({command.strip() for command in found})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that releases a gateway: its profile and its waivers; the gateway is the embedded one."""
    shutil.copy(DEFAULT_TARGET, tmp_path / "staging.toml")
    (tmp_path / "waivers.toml").write_text("", encoding="utf-8")
    return tmp_path


def do(command: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """Do a command of a recipe, a run with few checks."""
    _, *words = shlex.split(command)
    few = ["suites/checkout/sessions/test_session_response.py"] if words[0] == "run" else []
    return subprocess.run(
        [sys.executable, str(ROOT / "gateway_conformance"), *words, *few],
        cwd=directory,
        env={**os.environ, "PYTEST_ADDOPTS": "-q -p no:cacheprovider -n 0"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_recipes_have_the_commands_that_are_tried_here() -> None:
    kinds = {(command.split()[1], "--shard" in command, "--fuzz-seconds" in command) for command in commands()}

    assert kinds == {
        *{("run", False, False), ("run", True, False), ("run", False, True)},
        ("merge", False, False),
    }
    assert not [command for command in commands() if "$" in command]


@pytest.mark.parametrize("command", [command for command in commands() if " run " in command])
def test_run_of_a_recipe_takes_its_options(command: str, project: Path) -> None:
    ended = do(command, project)

    # A part of the suite is never green, and nothing of it fails.
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert "passed" in ended.stdout


@pytest.mark.parametrize("command", [command for command in commands() if " merge " in command])
def test_merge_of_a_recipe_joins_all_shards(command: str, project: Path) -> None:
    for number in (1, 2, 3):
        shard = f"gateway-conformance run --target staging.toml --shard {number}/3 --output shard-{number}"
        assert do(shard, project).returncode in (3, 5)

    ended = do(command, project)

    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert "is missing" not in ended.stdout
    assert (project / "reports" / "out" / "summary.md").exists()


def step(name: str) -> dict[str, Any]:
    """Return a step of the action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    found: dict[str, Any] = next(each for each in action["runs"]["steps"] if each.get("name") == name)
    return found


@pytest.mark.parametrize(
    ("inputs", "status"),
    [
        ({"TARGET": "staging.toml", "OPTIONS": "--shard=1/3\n--seed=7\n"}, "3"),
        ({"TARGET": "none.toml", "OPTIONS": ""}, "2"),
        ({"TARGET": "", "OPTIONS": "--taget=x;>broken-out"}, "2"),
    ],
)
def test_action_runs_the_checks_and_says_their_status(inputs: dict[str, str], status: str, project: Path) -> None:
    """The step is run by bash as the runner does; an input is never a part of the script."""
    place = project / "conformance" / "bin"
    place.mkdir(parents=True)
    command = place / "gateway-conformance"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "gateway_conformance"} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (project / "script.sh").write_text(step("Run the checks")["run"], encoding="utf-8")
    environment = {
        **os.environ,
        "WAIVERS": "",
        "OUTPUT": "reports/out",
        **inputs,
        "RUNNER_TEMP": str(project),
        "GITHUB_OUTPUT": str(project / "output"),
        "GITHUB_STEP_SUMMARY": str(project / "step.md"),
        "PYTEST_ADDOPTS": "-q -p no:cacheprovider -n 0 -k test_session_response",
    }

    ended = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "script.sh"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )

    assert str(ended.returncode) == status, ended.stdout + ended.stderr
    assert f"status={status}" in (project / "output").read_text(encoding="utf-8")
    assert not (project / "broken-out").exists()
    assert (project / "step.md").exists() is (status == "3")


def test_action_and_recipes_put_no_input_into_a_script() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))

    scripts = [each["run"] for each in action["runs"]["steps"] if "run" in each]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]
