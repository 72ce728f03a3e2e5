"""Files of waivers and gaps that cannot be used: status 2, the file and what is allowed, whatever is wrong with them.

All rows are read as a run reads them; a few go through the command.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from contract.catalogue import load_catalogue
from reports.judging.accepted import AcceptedError
from reports.judging.gaps import read_gaps
from reports.judging.waivers import read_waivers
from tests.end_to_end.runs import run, sandbox

LARGE: Final = 50 << 20
MOST_MEMORY: Final = 16 << 20
DUE: Final = 'reason = "none of this is so"\nowner = "somebody"\nexpires = 2099-01-01\n'


def _sparse(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(LARGE)


def _text(text: str) -> Callable[[Path], object]:
    return lambda file: file.write_text(text, encoding="utf-8")


WRONG: Final[Mapping[str, tuple[Callable[[Path], object], str]]] = MappingProxyType(
    {
        "missing": (lambda _: None, "cannot be read"),
        "directory": (Path.mkdir, "cannot be read"),
        "binary": (lambda file: file.write_bytes(bytes(range(256)) * 40), "is not TOML"),
        "zeros": (lambda file: file.write_bytes(bytes(5_000)), "is not TOML"),
        "utf-16": (lambda file: file.write_bytes("[[waiver]]".encode("utf-16")), "is not TOML"),
        "large": (_sparse, "larger than"),
        "deep": (_text("a = " + "[" * 50_000), "is not TOML"),
        "long-number": (_text("a = " + "9" * 5_000), "is not TOML"),
        "profile": (_text('[target]\nname = "x"\n'), "tables are allowed"),
        "table-of-texts": (_text('waiver = ["a"]\ngap = ["a"]\n'), "allowed"),
        "empty-entry": (_text("[[waiver]]\n"), "requirement"),
        "wildcard": (_text(f'[[waiver]]\nrequirement = "CHK-*"\nfingerprint = "5f3a9c21d407"\n{DUE}'), "'CHK-\\*'"),
    }
)
"""What is done to the file, and words of what is said; rows that name ``waiver`` are none of gaps."""


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("kind", ["waivers", "gaps"])
def test_wrong_file_is_named_and_read_within_bounds(kind: str, name: str, tmp_path: Path) -> None:
    spoil, says = WRONG[name]
    file = tmp_path / f"{kind}.toml"
    spoil(file)
    catalogue = load_catalogue()
    says = says if kind == "waivers" or "waiver" not in _read(file) else "allowed"

    tracemalloc.start()
    try:
        with pytest.raises(AcceptedError, match=says) as raised:
            read_waivers(file, catalogue.requirements) if kind == "waivers" else read_gaps(file, catalogue)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert file.name in str(raised.value)
    assert len(str(raised.value)) < 1_000
    assert most < MOST_MEMORY


def _read(file: Path) -> str:
    return file.read_bytes()[:1_000].decode("latin-1") if file.is_file() else ""


@pytest.mark.parametrize("name", ["binary", "large"])
@pytest.mark.parametrize("kind", ["waivers", "gaps"])
def test_run_with_a_wrong_file_ends_with_2(kind: str, name: str, tmp_path: Path) -> None:
    spoil, says = WRONG[name]
    file = tmp_path / f"{kind}.toml"
    spoil(file)

    ended = run(tmp_path / "out", f"--target={sandbox(tmp_path, 'http://127.0.0.1:9')}", f"--{kind}={file}", "-n0")

    assert ended.status == 2, ended.said
    assert str(file) in ended.said
    assert says in ended.said
    assert "Traceback" not in ended.said
