"""Which checks a mutant meets, and in which order: those that reach the mistake, the likeliest to notice it first."""

from __future__ import annotations

import ast
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from tests.mutants.places import Places
from tests.mutants.reach import Known, Reach, Step
from tests.mutants.sample import EMULATOR, Mutant, files

SUITES_OF_ROOM: Mapping[str, tuple[str, ...]] = {
    "checkout": ("checkout", "hosted_page", "hosted_fields", "general"),
    "hosted_page": ("hosted_page", "checkout"),
    "hosted_fields": ("hosted_fields", "checkout"),
    "s2s_card": ("s2s_card", "general"),
    "s2s_apm": ("s2s_apm", "general", "checkout", "hosted_page"),
}
"""The suites whose checks meet a table of a room of the emulator; of the other rooms every suite does."""
READ_ONCE: Mapping[str, str] = {
    "rules/compiler.py": "a field table is compiled when it is first asked for, and kept",
    "protocols/hosted_page/languages.py": "texts of a language are read once",
    "protocols/hosted_page/markup.py": "a template is read once",
}
"""Files whose statements say little about who needs what they did, with the reason."""
LESSON = 6.0
"""What it counts that a check noticed an earlier mutant of the same function; of the same file it is a quarter."""
FEW = 20
"""Checks that reach what was made ready before the first of them: so few, and it is not for them alone."""
WEIGHT_OF_NOTHING = math.log(12)
"""Of a word that more than a twelfth of all checks have."""
HEIRS = 200
"""Checks that are tried though they were not seen to reach a mistake: payments are shared, and of two checks that look
at one only the first made it."""
STEM = 6
"""Letters by which words are alike: schedule, schedules and scheduled are."""
TOO_COMMON = frozenset({"test", "suites", "py", "the", "is", "of", "a", "in", "and", "none", "self", "return", "that"})


class Order:
    """Chooses checks for mutants, and learns from what noticed the ones before.

    Args:
        reach: the record of what checks reach.
        seed: mixes checks that are as likely as each other.
    """

    def __init__(self, reach: Reach, seed: int) -> None:
        self._reach = reach
        self._mixed = random.Random(seed)  # noqa: S311 - no secret
        self._words = {one.check: words_of(f"{one.check} {' '.join(one.requirements)}") for one in reach.checks}
        spread = Counter(word for words in self._words.values() for word in words)
        self._weight = {word: math.log(len(reach.checks) / count) for word, count in spread.items()}
        self._noticed: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def learn(self, mutant: Mutant, check: str) -> None:
        """Note which check noticed a mutant."""
        self._noticed[mutant.file, mutant.mutation.owner][check] += 1
        self._noticed[mutant.file, ""][check] += 1

    def checks_for(self, mutant: Mutant) -> list[Known]:
        """Return the checks that can matter to a mutant, the likeliest and cheapest first."""
        mutation = mutant.mutation
        own = words_of(f"{mutation.was} {mutation.within} {mutation.owner}")
        around = words_of(f"{mutation.where.about} {mutant.file}") - own
        here, file = self._noticed[mutant.file, mutation.owner], self._noticed[mutant.file, ""]

        def rank(one: Known) -> float:
            words = self._words[one.check]
            alike = sum(map(self._weight.__getitem__, own & words))
            alike += sum(map(self._weight.__getitem__, around & words)) / 2
            learned = LESSON * min(here[one.check], 3) + LESSON / 4 * min(file[one.check], 3)
            dear = math.log(max(one.seconds, 0.002) / 0.002)
            return alike + learned - dear + self._mixed.random() * 2

        found = sorted(self.that_matter(mutant), key=rank, reverse=True)
        rare = (own | around) - self._everywhere
        if self.reached_by(mutant):
            met = {one.check for one in found}
            others = [one for one in self._reach.checks if one.check not in met and rare & self._words[one.check]]
            return found + sorted(others, key=rank, reverse=True)[:HEIRS]
        # Of a table those come first that speak of it: the others only may need what it says.
        return sorted(found, key=lambda one: not rare & self._words[one.check])

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """Words that say nothing, since too many checks have them."""
        return frozenset(word for word, weight in self._weight.items() if weight < WEIGHT_OF_NOTHING)

    def that_matter(self, mutant: Mutant) -> list[Known]:
        """Return the checks that reach the mistake; of a table that many functions read: those of its protocol."""
        bits = self.reached_by(mutant)
        if bits:
            return [one for one in self._reach.checks if one.steps & bits]
        suites = SUITES_OF_ROOM.get(mutant.protocol)
        if suites is None:
            return list(self._reach.checks)
        return [one for one in self._reach.checks if one.check.startswith(tuple(f"suites/{name}/" for name in suites))]

    def reached_by(self, mutant: Mutant) -> int:
        """Return the statements one of which has to be carried out for a mistake to matter; 0: that is not known."""
        bits, where = self._reach.bits, mutant.mutation.where
        early = self._reach.when_imported
        if mutant.file in READ_ONCE:
            return 0
        if where.step:
            bit = bits.get((mutant.file, where.step), 0)
            return 0 if bit & (early | self._prepares) else bit
        readers = _readers(mutant.file, where.names) or _members_read(where.member)
        found = sum(bits.get(step, 0) for step in readers)
        return 0 if found & (early | self._prepares) else found

    @cached_property
    def _prepares(self) -> int:
        """The statements that were carried out before the first check, and for few of them again."""
        met = Counter(place for one in self._reach.checks for place in _places(one.steps & self._reach.when_started))
        return sum(1 << place for place in _places(self._reach.when_started) if met[place] < FEW)


@cache
def _readers(file: str, names: tuple[str, ...]) -> frozenset[Step]:
    """Return the statements that read one of the names; none where others than functions of the file may."""
    if not names or any(not name.startswith("_") for name in names):
        return frozenset()
    source = (EMULATOR / file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    places, found = Places(source, tree), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            step = places.step(node)
            if not step:
                return frozenset()
            found.add((file, step))
    return frozenset(found)


@cache
def _members_read(member: str) -> frozenset[Step]:
    """Return the statements of functions that read a member of that name, of whatever object."""
    return _reading_members().get(member, frozenset())


@cache
def _reading_members() -> Mapping[str, frozenset[Step]]:
    found: dict[str, set[Step]] = defaultdict(set)
    for file in files():
        source = (EMULATOR / file).read_text(encoding="utf-8")
        tree = ast.parse(source)
        places = Places(source, tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                found[node.attr].add((file, places.step(node)))
    return {name: frozenset(steps) for name, steps in found.items() if all(step for _, step in steps)}


def words_of(text: str) -> frozenset[str]:
    whole = re.findall(r"[a-z][a-z0-9_]+|[A-Z0-9]{2,4}-[A-Z0-9]{2,4}-[0-9]{2}", text)
    parts = [part[:STEM] for name in whole for part in name.split("_") if len(part) > 2]
    return frozenset({*whole, *parts, *re.findall(r"[A-Z]{3,}", text)} - TOO_COMMON)


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
