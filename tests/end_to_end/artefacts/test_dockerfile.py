"""The steps of the Dockerfile, run in a clean root: there is no engine for images where the project's CI runs.

What cannot be shown so: the base image itself, which is another Debian with another Python. ``CLEAN_ROOT=1`` runs it,
as root and with debootstrap on the PATH; it loads some hundred megabytes.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.runs import ROOT

SECONDS = 1800
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
PACKAGES = "python3,python3-pip,python3-venv,ca-certificates"
"""What the base image has, as Debian calls it."""
SETTINGS = ("/etc/pip.conf", "/root/.config/pip/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""How this machine reaches the package registries; a clean root has to reach them the same way."""


def steps() -> list[tuple[str, str]]:
    """Return the instructions of the file, as pairs of name and text."""
    return [(match[1], match[2]) for match in re.finditer(r"^([A-Z]+) (.*)$", DOCKERFILE, flags=re.MULTILINE)]


def mirror() -> list[str]:
    """Return where this machine takes Debian's packages from, when it says so."""
    sources = Path("/etc/apt/sources.list.d/debian.sources")
    said = re.search(r"^URIs: (\S+)$", sources.read_text(encoding="utf-8"), re.MULTILINE) if sources.exists() else None
    return [said[1]] if said else []


def do(command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture
def clean(tmp_path: Path) -> Iterator[Path]:
    """A Debian with Python and nothing else."""
    root = tmp_path / "root"
    made = do(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root), *mirror()])
    assert made.returncode == 0, made.stdout[-2000:] + made.stderr[-2000:]
    for name in (*SETTINGS, "/etc/apt/apt.conf.d", "/etc/resolv.conf"):
        source, place = Path(name), root / name.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, place, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, place)
    do(["mount", "-t", "proc", "proc", str(root / "proc")])
    yield root
    do(["umount", str(root / "proc")])


@pytest.mark.skipif(not os.environ.get("CLEAN_ROOT"), reason="loads a Debian; CLEAN_ROOT=1 runs it, as root")
def test_image_is_built_and_runs_as_a_user_that_is_not_root(clean: Path, tmp_path: Path) -> None:
    context = tmp_path / "context"
    context.mkdir()
    shutil.copy(ROOT / "constraints.txt", context)
    built = do([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(context / "dist")])
    assert built.returncode == 0, built.stderr
    user = "root"
    for name, text in steps():
        if name == "COPY":
            source, place = text.split()
            target = clean / place.lstrip("/")
            target.mkdir(parents=True, exist_ok=True)
            for file in context.glob(source):
                shutil.copy(file, target)
        elif name == "RUN":
            done = do(["chroot", str(clean), "sh", "-c", text], PIP_BREAK_SYSTEM_PACKAGES="1", HOME="/root")
            assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        elif name == "USER":
            user = text
    words = ["chroot", f"--userspec={user}", str(clean), "sh", "-c"]
    ran = do([*words, "cd && gateway-conformance run -q -k test_session_response"], HOME="/home/payer")

    assert user != "root"
    # A part of the suite is never green.
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert "passed" in ran.stdout


def test_every_instruction_is_one_that_is_run_here() -> None:
    assert {name for name, _ in steps()} == {"FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    assert shlex.split(dict(steps())["ENTRYPOINT"].strip("[]")) == ["gateway-conformance"]
