"""A target of which every member that a check reads may be hostile: the value is exchanged where it is read.

``hostile_values`` spoils one member of an answer, whether anybody reads it or not. Here it is the members that a check
asks for, so that each look of each check meets hostile values within a few runs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fixtures.callbacks.callback import Callback
from fixtures.wire.exchange import MAX_NESTING, Reply
from fixtures.wire.hostile import json_in
from tests.support.hostile_values import VALUES

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_values

Json = Any

MORE = (
    '"9999-12-31 00:00:00"', '"0001-01-01T00:00:00+14:00"', '"sNaN"', '"99999999"', '"\\u00b2"', '"/"', '":"', '"-"',
    '"."', '" "', '"http://["', '"411111****1111"', '"{\\"a\\": 1}"', f'"{"[" * 50_000}"', "[]", "{}", "[null]",
    "[1, 2]", '[[["a"]], {}]', "-5",
)  # fmt: skip
"""Further values, as they are written in JSON."""
READ = tuple(
    found["a"]
    for raw in (*VALUES.values(), *MORE)
    if (found := json_in(f'{{"a": {raw}}}'.encode("utf-8", "surrogatepass"))) is not None
)
"""What is left of all values once they are read as JSON."""


class _Spoiled(dict[str, Json]):
    """An object whose members are exchanged, or not, when they are read for the first time."""

    def __init__(self, members: dict[str, Json], exchange: Callable[[Json], Json]) -> None:
        super().__init__(members)
        self._exchange = exchange
        self._settled: set[str] = set()

    def _settle(self, *names: str) -> None:
        for name in set(names) & self.keys() - self._settled:
            self._settled.add(name)
            self[name] = self._exchange(super().__getitem__(name))

    def get(self, name: str, default: Json = None) -> Json:
        self._settle(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Json:
        self._settle(name)
        return super().__getitem__(name)

    def items(self) -> dict_items[str, Json]:
        self._settle(*self.keys())
        return super().items()

    def values(self) -> dict_values[str, Json]:
        self._settle(*self.keys())
        return super().values()


@contextmanager
def hostile_members(is_on: Callable[[], bool], *, seed: int, share: float) -> Iterator[None]:
    """Exchange members of answers and callbacks as they are read.

    Args:
        is_on: says at each reading whether members are exchanged; baselines and payments may need a sane target.
        seed: which members and values.
        share: how many of all that is read.
    """
    choose = random.Random(seed)  # noqa: S311 - no secret

    def exchange(value: Json) -> Json:
        return wrapped(choose.choice(READ)) if is_on() and choose.random() < share else value

    def wrapped(value: Json, depth: int = 0) -> Json:
        if depth > MAX_NESTING:
            return None
        if isinstance(value, dict):
            return _Spoiled({name: wrapped(inner, depth + 1) for name, inner in value.items()}, exchange)
        return [wrapped(inner, depth + 1) for inner in value] if isinstance(value, list) else value

    with _wrapping(Reply, "json", wrapped), _wrapping(Callback, "fields", wrapped):
        yield


@contextmanager
def _wrapping(owner: type, name: str, wrapped: Callable[[Json], Json]) -> Iterator[None]:
    usual: cached_property[Json] = vars(owner)[name]
    spoiled = cached_property(lambda self: wrapped(usual.func(self)))
    spoiled.__set_name__(owner, name)
    setattr(owner, name, spoiled)
    try:
        yield
    finally:
        setattr(owner, name, usual)
