"""A plugin of pytest that comes before all others: wrong usage ends with status 2, and a suite that breaks with 4.

pytest ends with 4 for both, and with Python's 1, which is a verdict, when a plugin cannot be loaded. ``addopts`` in
``pyproject.toml`` names this plugin, so that it counts for ``python -m pytest`` as well as for the command. Wrong
values of options that are pytest's own (``--maxfail=abc``) are found before pytest reads that file: there only the
command, which loads this plugin by itself, can say more than pytest's 4.
"""

from __future__ import annotations

import sys
import traceback
from typing import Final

import pytest
from _pytest.config import ConftestImportFailure
from _pytest.main import resolve_collection_argument
from _pytest.mark.expression import Expression

WRONG_USAGE: Final = 2
BROKEN: Final = 4


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Ask to be called when pytest gives up its configuration, which it does for wrong options as well."""
    config = pluginmanager.get_plugin("pytestconfig")
    if isinstance(config, pytest.Config):
        config.add_cleanup(end_with_status)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Refuse paths and expressions that pytest would refuse later, in each worker by itself.

    Raises:
        pytest.UsageError: one of them is wrong.
    """
    if config.option.help or config.option.version:
        return
    for option, expression in (("-k", config.option.keyword), ("-m", config.option.markexpr)):
        try:
            Expression.compile(expression or "a")
        except SyntaxError as error:
            raise pytest.UsageError(f"{option} {expression}: at column {error.offset}: {error.msg}") from None
    for index, argument in enumerate(config.args):
        resolve_collection_argument(config.invocation_params.dir, argument, index, as_pypath=bool(config.option.pyargs))


def end_with_status() -> None:
    """Say what is wrong and end with a status of ours, when it is an error for which the configuration is given up.

    Raises:
        SystemExit: with 2 for wrong usage, and 4 for a suite that cannot be loaded.
    """
    error = sys.exc_info()[1]
    if isinstance(error, pytest.UsageError):
        sys.stderr.writelines(f"ERROR: {line}\n" for line in error.args)
        raise SystemExit(WRONG_USAGE)
    if isinstance(error, OSError) or _is_plugin_that_is_not_there(error):
        # Who named a file or a plugin that is not there has to name another one.
        sys.stderr.write(f"ERROR: {error}\n")
        raise SystemExit(WRONG_USAGE)
    if isinstance(error, Exception) and not isinstance(error, ConftestImportFailure):
        traceback.print_exception(error)
        raise SystemExit(BROKEN)


def _is_plugin_that_is_not_there(error: BaseException | None) -> bool:
    # A plugin of this project that cannot be loaded is shown in the same words, with another module that is missing.
    missing = error.__cause__ if isinstance(error, ImportError) else None
    return isinstance(missing, ModuleNotFoundError) and f'plugin "{missing.name}"' in str(error)
