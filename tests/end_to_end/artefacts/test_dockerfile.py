"""The steps of the Dockerfile: there is no engine for images where the project's CI runs.

Every run takes each step in a folder of its own, without root: what Debian's commands are asked for is looked at, and
pip, the wheel and the entry do what they do in an image. ``CLEAN_ROOT=1`` takes the steps in a clean Debian, as root
and with debootstrap on the PATH; it loads some hundred megabytes. The base image itself, which is another Debian with
another Python, is shown by neither.
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


STUB = """#!/bin/sh
echo "${0##*/} $*" >> "$CALLS"
"""
PIP = """#!/bin/sh
echo "pip $*" >> "$CALLS"
case "$*" in
  *--require-hashes*) exec "$PYTHON" -m pip "$@" --dry-run --no-index --quiet ;;
  *) exec "$PYTHON" -m pip --python "$IMAGE/bin/python" "$@" ;;
esac
"""
"""Libraries are looked up by their hashes and not loaded anew: this environment has them from the same file."""


@pytest.fixture
def folder(tmp_path: Path) -> dict[str, str]:
    """The variables for steps that are taken in a folder: what needs root is written down in CALLS."""
    commands, image = tmp_path / "commands", tmp_path / "image"
    commands.mkdir()
    for name, text in {"apt-get": STUB, "useradd": STUB, "pip": PIP}.items():
        (commands / name).write_text(text, encoding="utf-8")
        (commands / name).chmod(0o755)
    made = do([sys.executable, "-m", "venv", "--without-pip", str(image)])
    assert made.returncode == 0, made.stderr
    site = next((image / "lib").glob("python*/site-packages"))
    (site / "libraries.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n", encoding="utf-8")
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    return {"CALLS": str(tmp_path / "calls"), "IMAGE": str(image), "PYTHON": sys.executable, "PATH": path}


def test_every_step_is_taken_in_a_folder_without_root(folder: dict[str, str], tmp_path: Path) -> None:
    context, root = tmp_path / "context", tmp_path / "root"
    context.mkdir()
    shutil.copy(ROOT / "constraints.txt", context)
    built = do([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(context / "dist")])
    assert built.returncode == 0, built.stderr
    directory = root
    for name, text in steps():
        if name == "COPY":
            source, place = text.split()
            target = root / place.lstrip("/")
            target.mkdir(parents=True, exist_ok=True)
            found = list(context.glob(source))
            assert found, f"COPY {source}: the context has no such file"
            for file in found:
                shutil.copy(file, target)
        elif name == "RUN":
            # No step may touch this machine: whatever is absolute lies in the folder.
            inside = re.sub(r"(?<![\w.])/(?=\w)", f"{root}/", text)
            done = do(["sh", "-e", "-c", inside], **folder)
            assert done.returncode == 0, f"{text}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        elif name == "WORKDIR":
            directory = root / text.lstrip("/")
            directory.mkdir(parents=True, exist_ok=True)

    calls = Path(folder["CALLS"]).read_text(encoding="utf-8").splitlines()
    assert [call.partition(" ")[0] for call in calls] == ["apt-get", "apt-get", "pip", "pip", "useradd"]
    assert calls[0] == "apt-get update"
    assert {"install", "--yes", "chromium-headless-shell"} <= set(calls[1].split())

    entry, words = (shlex.split(dict(steps())[name].strip("[]").replace(",", " ")) for name in ("ENTRYPOINT", "CMD"))
    ran = subprocess.run(
        [str(Path(folder["IMAGE"]) / "bin" / entry[0]), *words],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "payment gateway keeps its interface contract" in " ".join(ran.stdout.split())


def test_every_instruction_is_one_that_is_run_here() -> None:
    assert {name for name, _ in steps()} == {"FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    assert shlex.split(dict(steps())["ENTRYPOINT"].strip("[]")) == ["gateway-conformance"]
