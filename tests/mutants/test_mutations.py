"""The engine makes the mistakes that it says, one at a time; and a mutant with an obvious one is noticed."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.__main__ import EQUIVALENT, equivalent, lines_of
from tests.mutants.mutations import Mutation, mutated, mutations_of
from tests.mutants.sample import Mutant, mutants, sampled
from tests.mutants.trial import Fate, Trial

SOURCE = '''
LIMITS = {"name": 32, "city": 40}
WORDS = ("SALE", "DEBIT")

def f(a: int, b: str) -> bool:
    """Says something."""
    if not a == 3 and b in WORDS:
        log(a + 1)
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
        ("another operator", "log(a - 1)"),
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


def test_score_leaves_out_what_no_check_could_notice() -> None:
    mutant = Mutant("protocols/s2s_apm/sale.py", Mutation(1, "one more", "1", 0))
    fates = (Fate.NOTICED, Fate.SURVIVED, Fate.STILLBORN, Fate.UNDECIDED)
    trials = [Trial(mutant, fate) for fate in fates]

    assert "1 of     2 noticed (50.0%); 0 equivalent, 1 stillborn, 1 undecided" in lines_of(trials, {})[0]
    assert "1 of     1 noticed (100.0%); 1 equivalent" in lines_of(trials, {mutant.name: "it is only logged"})[0]


def test_equivalent_mutants_exist_and_have_a_reason() -> None:
    known = {mutant.name for mutant in mutants()}

    assert EQUIVALENT.is_file()
    assert [name for name in equivalent() if name not in known] == []
    assert all(len(reason) > 10 for reason in equivalent().values())
