"""Puts other code in the place of that of the emulator, in memory: nothing of it is written to the disk."""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import CodeType, FunctionType, ModuleType

from tests.mutants.mutations import mutated_tree
from tests.mutants.sample import EMULATOR, Mutant, module_of
from tests.support import suite_in_process

_ANEW = ("emulator", "tests.support.listening_gateway")


class _Rewritten(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives modules of the emulator with other code."""

    def __init__(self, trees: Mapping[str, ast.Module], names: Mapping[str, object]) -> None:
        self._trees = {module_of(file): (EMULATOR / file, tree) for file, tree in trees.items()}
        self._names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where the module comes from; ``None`` for all others."""
        del path, target
        if fullname not in self._trees:
            return None
        file, _ = self._trees[fullname]
        places = [str(file.parent)] if file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(fullname, file, loader=self, submodule_search_locations=places)

    def exec_module(self, module: ModuleType) -> None:
        """Carry out the code that takes the place of the module's own."""
        file, tree = self._trees[module.__name__]
        vars(module).update(self._names)
        exec(compile(tree, str(file), "exec"), vars(module))  # noqa: S102 - code of this repository


def read_anew(trees: Mapping[str, ast.Module], names: Mapping[str, object] | None = None) -> None:
    """Import the emulator again, some of its files with other code.

    Args:
        trees: the code, by file relative to the emulator.
        names: what that code finds in its modules from the beginning.
    """
    for name in [name for name in sys.modules if name.startswith(_ANEW)]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Rewritten(trees, names or {}))
    for name, module in (("Settings", "emulator"), ("listening_gateway", "tests.support.listening_gateway")):
        setattr(suite_in_process, name, getattr(import_module(module), name))


_Key = tuple[str, str, int]


class Functions:
    """The functions of the emulator as they are in memory, so that one can be given other code."""

    def __init__(self) -> None:
        self._found: dict[_Key, list[FunctionType]] = defaultdict(list)
        # What is frozen is not listed.
        gc.unfreeze()
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(EMULATOR)):
                self._found[_key(one.__code__)].append(one)
        gc.freeze()

    def give(self, mutant: Mutant) -> bool:
        """Give the functions of a mutant's file its code; return whether every place of it could be reached."""
        file = EMULATOR / mutant.file
        source = file.read_text(encoding="utf-8")
        before = dict(_codes(compile(source, str(file), "exec")))
        after = dict(_codes(compile(mutated_tree(source, mutant.mutation.number), str(file), "exec")))
        changed = [key for key in after if key in before and before[key] != after[key]]
        if before.keys() != after.keys() or any(before[key].co_freevars != after[key].co_freevars for key in changed):
            return False
        for key in changed:
            for function in self._found.get(key, ()):
                function.__code__ = after[key]
        return bool(changed) and all(key in self._found for key in changed)


def _codes(code: CodeType) -> Iterator[tuple[_Key, CodeType]]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield _key(inner), inner
            yield from _codes(inner)


def _key(code: CodeType) -> _Key:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def plant(mutant: Mutant, functions: Functions | None) -> None:
    """Make the emulator of this process a mutant.

    Args:
        mutant: which.
        functions: of the emulator, where the mistake is in a function that was not called when it was imported;
            else all of the emulator is imported again.
    """
    if functions is None or not functions.give(mutant):
        plant_together([mutant])


def plant_together(mutants: Iterable[Mutant]) -> None:
    """Make the emulator of this process several mutants at once."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for mutant in mutants:
        numbers[mutant.file].append(mutant.mutation.number)
    sources = {file: (EMULATOR / file).read_text(encoding="utf-8") for file in numbers}
    read_anew({file: mutated_tree(source, *numbers[file]) for file, source in sources.items()})
