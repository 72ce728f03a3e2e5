"""A check that leaves out a rare case relies on others: each of its requirements has a check that leaves out none."""

from __future__ import annotations

import inspect

import pytest

from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.requirement import claimed_by
from tests.kill_matrix.collected import suite


def is_of_a_rare_case(check: pytest.Item) -> bool:
    return f"{where_it_comes_about.__name__}(" in inspect.getsource(getattr(check, "function"))  # noqa: B009


def test_other_checks_decide_what_a_rare_case_leaves_out() -> None:
    rare = [check for check in suite().items if is_of_a_rare_case(check)]
    claimed = {name for check in rare for name in claimed_by(check)}

    assert rare
    assert not [name for name in claimed if all(check in rare for check in suite().by_requirement[name])]
