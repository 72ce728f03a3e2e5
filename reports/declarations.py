"""Drafts of the tables [not_offered] and [otherwise] of a profile, made from a run.

The reason is left empty unless it is given, and an empty one is refused when the profile is read: nothing is declared
by accident. What the specification or safety demands can be declared by nobody and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import tomlkit
import tomlkit.items

from contract.model import Basis
from reports.conclusion import Conclusion
from reports.model import Check, Verdict
from reports.text import one_line

KINDS: Final = ("account:", "test_data:")
"""Needs that [not_offered] takes; a capability is declared with false in [capabilities]."""
EVERY_TARGET_HAS: Final = frozenset({"account:second_merchant"})
_WIDTH: Final = 160
_MOST_NAMED: Final = 6


@dataclass(frozen=True)
class Declaration:
    """A line of a profile.

    Attributes:
        table: ``not_offered`` or ``otherwise``.
        key: a need, or the id of a requirement.
        seen: one line that says what the run saw.
    """

    table: str
    key: str
    seen: str


def declarations_of(conclusion: Conclusion) -> tuple[Declaration, ...]:
    """Return what a target's operator can declare of what a run left undecided or saw to be otherwise."""
    return (*_not_offered(conclusion), *_otherwise(conclusion))


def _not_offered(conclusion: Conclusion) -> Iterator[Declaration]:
    wanted: dict[str, set[str]] = {}
    for check in conclusion.run.checks:
        if check.verdict is Verdict.INCONCLUSIVE and check.lacks.startswith(KINDS):
            wanted.setdefault(check.lacks, set()).update(check.requirements)
    for need, names in sorted(wanted.items()):
        if need not in EVERY_TARGET_HAS:
            some = ", ".join(sorted(names)[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
            yield Declaration("not_offered", need, f"wanted by {some}")


def _otherwise(conclusion: Conclusion) -> Iterator[Declaration]:
    for result in sorted(conclusion.with_verdict(Verdict.FAIL), key=lambda result: result.id):
        if result.requirement.basis is Basis.PLATFORM and not result.requirement.safety:
            yield Declaration("otherwise", result.id, _seen(result.failures))


def _seen(failures: tuple[Check, ...]) -> str:
    failure = next((check.failure for check in failures if check.failure), None)
    return "" if failure is None else f"expected {failure.expected}; received {failure.received}"


def as_toml(declarations: tuple[Declaration, ...], reason: str, into: str = "") -> str:
    """Return a profile with the declarations added; what it declares already stays.

    Args:
        declarations: what is added.
        reason: of each; empty: it is to be written.
        into: the text of the profile; empty: the tables alone.
    """
    document = tomlkit.parse(into)
    for declaration in declarations:
        if declaration.table not in document:
            document[declaration.table] = tomlkit.table()
        table: Any = document[declaration.table]
        if declaration.key not in table:
            value = tomlkit.string(reason)
            value.comment(one_line(declaration.seen, _WIDTH))
            table[declaration.key] = value
    return tomlkit.dumps(document)


NOTHING: Final = "# There is nothing to declare.\n"
HEADING: Final[Mapping[bool, str]] = MappingProxyType(
    {
        True: "",
        False: "# Give each line its reason, and remove what is not true of the target; an empty reason is refused.\n",
    }
)
"""By whether reasons are given."""
