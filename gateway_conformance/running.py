"""``gateway-conformance run``: pytest with the settings, plugins and checks of this project, from any directory."""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from gateway_conformance.place import packages

WRONG_USAGE: Final = 2
BROKEN: Final = 4
OUTPUT: Final = Path("reports", "out")


@dataclass
class _Progress:
    """Notes how far pytest came, since its status 4 says that an option is wrong as well as that something broke.

    Attributes:
        configured: every option was taken.
        broken: the plugins of the suite could not be loaded.
    """

    configured: bool = False
    broken: bool = False

    @pytest.hookimpl(wrapper=True)
    def pytest_load_initial_conftests(self) -> Generator[None, object, object]:
        """Load the root conftest.py, which names the plugins."""
        try:
            return (yield)
        except pytest.UsageError:
            raise
        except Exception:
            self.broken = True
            raise

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Begin the run."""
        self.configured = True


def run(options: Sequence[str], *, output: Path | None = None) -> int:
    """Run checks and return the exit status: 0 to 4 as documented, 5 when nothing was selected.

    Args:
        options: options of pytest and of the suite, and paths of checks, as in ``suites/checkout/test_order.py``.
        output: where the reports go; by default ``reports/out`` below the current directory.
    """
    progress = _Progress()
    try:
        status = int(pytest.main([*_settings(output or OUTPUT), *_placed(options)], plugins=[progress]))
    except Exception:
        # Python would end with status 1, which is a verdict.
        traceback.print_exc()
        return BROKEN
    is_wrong_option = status == pytest.ExitCode.USAGE_ERROR and not (progress.configured or progress.broken)
    return WRONG_USAGE if is_wrong_option else status


def _settings(output: Path) -> Iterator[str]:
    root = packages()
    yield from ("-c", str(root / "pyproject.toml"), f"--rootdir={root}")
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
