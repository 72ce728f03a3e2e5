"""``gateway-conformance run``: pytest with the settings, plugins and checks of this project, from any directory."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from gateway_conformance import usage
from gateway_conformance.place import packages
from gateway_conformance.usage import BROKEN

OUTPUT: Final = Path("reports", "out")


def run(options: Sequence[str], *, output: Path | None = None) -> int:
    """Run checks and return the exit status: 0 to 4 as documented, 5 when nothing was selected.

    Args:
        options: options of pytest and of the suite, and paths of checks, as in
            ``suites/checkout/sessions/test_order.py``.
        output: where the reports go; by default ``reports/out`` below the current directory.
    """
    try:
        # Named here as well as in pyproject.toml, it also sees the options that are read before that file.
        return int(pytest.main([*_settings(output or OUTPUT, options), *_placed(options)], plugins=[usage.__name__]))
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else BROKEN
    except Exception:
        # Python would end with status 1, which is a verdict.
        traceback.print_exc()
        return BROKEN


def _settings(output: Path, options: Sequence[str]) -> Iterator[str]:
    root = packages()
    yield from ("-c", str(root / "pyproject.toml"), f"--rootdir={root}")
    if not any("no:cacheprovider" in option for option in options):
        # pytest's own memory of the last run belongs to who runs it, not into site-packages.
        yield from ("-o", f"cache_dir={Path.cwd() / '.pytest_cache'}")
    yield f"--output={output.absolute()}"


def _placed(options: Sequence[str]) -> Iterator[str]:
    """Give checks their place, and name the whole suite where none is named."""
    named = False
    for option in options:
        path, mark, rest = option.partition("::")
        is_check = _is_of_suites(path) and not Path(path).exists()
        named = named or is_check or _is_of_suites(_from_root(path))
        yield f"{packages() / path}{mark}{rest}" if is_check else option
    if not named:
        yield str(packages() / "suites")


def _is_of_suites(path: str) -> bool:
    return Path(path).parts[:1] == ("suites",) and (packages() / path).exists()


def _from_root(path: str) -> str:
    place = Path(path).absolute()
    return str(place.relative_to(packages())) if place.is_relative_to(packages()) else ""
