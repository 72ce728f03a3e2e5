"""The engine makes the mistakes that it says, one at a time; and a mutant with an obvious one is noticed."""

from __future__ import annotations

import ast
import gc
import time
from typing import Any

import pytest

from emulator.engine import calendar
from tests.mutants import children
from tests.mutants.company import companies
from tests.mutants.mutations import Mutation, mutated, mutated_tree, mutations_of
from tests.mutants.order import Order
from tests.mutants.planting import Functions
from tests.mutants.reach import MARKS, Known, Reach, marked
from tests.mutants.sample import Mutant, mutants, sampled
from tests.mutants.score import Equivalents, equivalent, score
from tests.mutants.trial import Fate, Trial

SOURCE = '''
LIMITS = {"name": 32, "city": 40}
WORDS = ("SALE", "DEBIT")

def f(a: int, b: str) -> bool:
    """Says something."""
    if not a == 3 and b in WORDS:
        log(a + 1, level="low")
        state.city = b
    return a > 0 if b else False
'''


def made(kind: str) -> list[str]:
    return [mutated(SOURCE, each.number) for each in mutations_of(SOURCE) if each.kind == kind]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("another comparison", "a != 3"),
        ("another comparison", "b not in WORDS"),
        ("another comparison", "a >= 0"),
        ("and and or", "not a == 3 or b in WORDS"),
        ("not is left out", "not not a == 3 and"),
        ("another operator", "log(a - 1, level="),
        ("branches are swapped", "return False if b else a > 0"),
        ("the other truth value", "else True"),
        ("one more", '"name": 33'),
        ("one less", '"city": 39'),
        ("another text", "'SALE~'"),
        ("another text", "'city~'"),
        ("a row is missing", "WORDS = ('DEBIT',)"),
        ("a row is missing", "LIMITS = {'name': 32}"),
        ("the condition is turned round", "if not (not a == 3 and b in WORDS)"),
        ("a statement is dropped", "        pass"),
        ("a statement is dropped", "level='low')\n        pass"),
        ("another text", "level='low~'"),
        ("an argument is left out", "log(a + 1)"),
    ],
)
def test_mistake_is_made(kind: str, expected: str) -> None:
    wanted = expected.replace('"', "'")
    assert any(wanted in source for source in made(kind)), made(kind)


def test_every_mutation_changes_the_source_and_can_be_compiled() -> None:
    plain = ast.unparse(ast.parse(SOURCE))
    for each in mutations_of(SOURCE):
        changed = mutated(SOURCE, each.number)
        assert changed != plain
        compile(changed, "mutant", "exec")


def test_nothing_is_done_to_annotations_docstrings_and_imports() -> None:
    assert (
        mutations_of('"""Text."""\nfrom a import b\nx: "Final[int]"\ndef f(a: Mapping[str, int]) -> None: ...\n') == []
    )


def test_sample_follows_from_its_seed_and_spares_what_no_merchant_meets() -> None:
    every = mutants()
    assert sampled(every, 50, 7) == sampled(every, 50, 7) != sampled(every, 50, 8)
    assert not any(mutant.file.startswith(("faults/", "variations/")) for mutant in every)
    assert {"checkout", "s2s_card", "s2s_apm", "hosted_page", "hosted_fields", "shared"} == {
        mutant.protocol for mutant in every
    }


def test_name_of_a_mutant_stays_when_lines_move() -> None:
    names = [each.name for each in mutations_of(SOURCE)]
    moved = [each.name for each in mutations_of(f"\n\n{SOURCE}")]

    assert names == moved
    assert len(set(names)) == len(names)
    assert (
        'f: another comparison: a == 3 in if not a == 3 and b in WORDS: log(a + 1, level="low") state.city = b' in names
    )
    assert 'LIMITS: one more: 32 in {"name": 32, "city": 40}' in names


def test_several_mistakes_are_made_at_once() -> None:
    rows = [each.number for each in mutations_of(SOURCE) if each.kind == "a row is missing" and "DEBIT" in each.was]
    others = [each.number for each in mutations_of(SOURCE) if each.kind == "another text" and "SALE" in each.was]
    more = [each.number for each in mutations_of(SOURCE) if each.kind == "one more" and "32" in each.was]

    changed = ast.unparse(mutated_tree(SOURCE, *rows, *others, *more))

    assert "WORDS = ('SALE~',)" in changed
    assert "'name': 33" in changed


def test_no_company_has_two_mutants_of_one_function() -> None:
    some = mutants()[:60]
    groups = list(companies(some, 7))

    assert sorted(one.name for group in groups for one in group) == sorted(one.name for one in some)
    for group in groups:
        places = [(one.file, one.mutation.owner) for one in group]
        assert len(group) <= 7
        assert len(set(places)) == len(places)


def test_functions_in_memory_get_the_code_of_a_mutant_though_they_are_frozen() -> None:
    mutant = next(one for one in mutants() if one.name.startswith("engine/calendar.py:number: branches are swapped"))
    code = calendar.number.__code__
    gc.freeze()
    try:
        assert calendar.number({"count": "3"}, "count", 1) == 3
        assert Functions().give(mutant)
        assert calendar.number({"count": "3"}, "count", 1) == 1
    finally:
        gc.unfreeze()
        calendar.number.__code__ = code


def test_child_that_waits_for_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "IDLE_SECONDS", 0.4)
    monkeypatch.setattr(children, "LOOK_SECONDS", 0.2)

    def hang() -> children.Found:
        time.sleep(60)
        return {}

    assert children.said_by_a_child(hang, seconds=5, longest=50).found is None
    assert children.said_by_a_child(lambda: {"a": 1}, seconds=5, longest=50).found == {"a": 1}


def test_marks_show_which_statements_were_carried_out() -> None:
    tree = ast.parse("def f(a):\n    'Says.'\n    if a:\n        return (lambda: 1)()\n    return 2\n")
    steps = marked(tree, 0)
    marks = bytearray(len(steps))
    space: dict[str, Any] = {MARKS: marks}
    exec(compile(tree, "f", "exec"), space)  # noqa: S102 - what is tested

    assert space["f"](0) == 2
    assert {step for step, mark in zip(steps, marks, strict=True) if mark} == {"3:4", "5:4"}
    assert space["f"](1) == 1
    assert all(marks)
    assert space["f"].__doc__ == "Says."


def test_mutant_meets_only_the_checks_that_reach_it_and_first_those_that_speak_of_it() -> None:
    file = "protocols/s2s_card/stages.py"
    mutant = next(one for one in mutants() if one.file == file and "check_token: another text" in one.name)
    steps = (((file, mutant.mutation.where.step)), (file, "1:1"))
    checks = [
        Known("suites/s2s_card/sales/test_sale.py::test_amount", (), "pass", 0.01, 0b01),
        Known("suites/s2s_card/stored_cards/test_tokens.py::test_card_token", (), "pass", 0.01, 0b01),
        Known("suites/s2s_card/stored_cards/test_tokens.py::test_elsewhere", (), "pass", 0.01, 0b10),
    ]
    chosen = Order(Reach(steps, 0, 0, tuple(checks)), 0).checks_for(mutant)

    assert [one.check for one in chosen] == [checks[1].check, checks[0].check]


def test_score_leaves_out_what_no_check_could_notice() -> None:
    mutant = Mutant("protocols/s2s_apm/sale.py", Mutation(1, "one more", "1", 0))
    trials = [
        Trial(mutant, Fate.NOTICED, "suites/a.py::test_b"),
        Trial(mutant, Fate.NOTICED, "watchers::GEN-ERR-01 in suites/a.py::test_b"),
        Trial(mutant, Fate.NOTICED, "sanity"),
        *(Trial(mutant, fate) for fate in (Fate.SURVIVED, Fate.STILLBORN, Fate.UNDECIDED)),
    ]

    assert "| s2s_apm | 6 | 1 | 1 | 1 | 1 | 1 | 0 | 1 | 4 of 5: 80.0% |" in score(trials, Equivalents({}))
    assert "| s2s_apm | 6 | 1 | 1 | 1 | 1 | 0 | 1 | 1 | 4 of 4: 100.0% |" in score(
        trials, Equivalents({mutant.lasting_name: "not shown"})
    )


def test_equivalent_mutants_exist_and_have_a_reason() -> None:
    known = equivalent()
    used = {known.entry(mutant) for mutant in mutants()}

    assert [entry for entry in known.reasons if entry not in used] == []
    assert all(len(reason) > 10 for reason in known.reasons.values())
