"""A check that leaves out a rare case relies on others: each of its requirements has a check that leaves out none.

What is watched on every exchange is decided by its watcher.
"""

from __future__ import annotations

import inspect
import re

import pytest

from contract.watched import load_watched
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.callbacks import before_the_outcome
from fixtures.requirement import claimed_by
from tests.kill_matrix.collected import suite

LEAVES_OUT = re.compile(rf"\b({where_it_comes_about.__name__}|{before_the_outcome.__name__})\(")


def is_of_a_rare_case(check: pytest.Item) -> bool:
    return LEAVES_OUT.search(inspect.getsource(getattr(check, "function"))) is not None  # noqa: B009


def test_other_checks_decide_what_a_rare_case_leaves_out() -> None:
    rare = [check for check in suite().items if is_of_a_rare_case(check)]
    claimed = {name for check in rare for name in claimed_by(check)}

    assert rare
    unwatched = claimed - load_watched().keys()
    assert not [name for name in unwatched if all(check in rare for check in suite().by_requirement[name])]
