"""The faults of the field tables: each row that restates a requirement, broken in every way that its rule can be."""

from collections.abc import Callable, Iterator
from typing import Final

from emulator.design import Design
from emulator.faults.derived import RowChange, derived
from emulator.faults.model import Fault
from emulator.rules.session import SESSION
from emulator.s2s_card.posts import POSTS


def _rows_of(action: str) -> Callable[[Design, RowChange], Design]:
    return lambda design, change: design.with_post_rows(change, action)


def _of_posts() -> Iterator[Fault]:
    for action, conduct in POSTS.items():
        yield from derived(conduct.rows, _rows_of(action), f"{action.lower().replace('_', '-')}.")


FAULTS: Final = (*derived(SESSION, Design.with_rows), *_of_posts())
