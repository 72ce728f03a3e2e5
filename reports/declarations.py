"""Drafts of the tables [not_offered] and [otherwise] of a profile, and of platform_parameters, made from a run.

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
from reports.judging.verdicts import RequirementResult
from reports.model import Check, Verdict
from reports.text import one_line

KINDS: Final = ("account:", "test_data:")
"""Needs that [not_offered] takes; a capability is declared with false in [capabilities]."""
EVERY_TARGET_HAS: Final = frozenset({"account:second_merchant"})
FEWEST_OF_A_PROTOCOL: Final = 3
"""So many requirements have to fail before the lists of a whole protocol are drafted as foreign."""
_WIDTH: Final = 160
_MOST_NAMED: Final = 6


@dataclass(frozen=True)
class Declaration:
    """A line of a profile.

    Attributes:
        table: ``not_offered``, ``otherwise``, or ``dialect`` for a list of parameters that is not the target's.
        key: a need, the id of a requirement, or the family of a list.
        seen: one line that says what the run saw.
    """

    table: str
    key: str
    seen: str


def declarations_of(conclusion: Conclusion) -> tuple[Declaration, ...]:
    """Return what a target's operator can declare of what a run left undecided or saw to be otherwise."""
    return (*_not_offered(conclusion), *_otherwise(conclusion), *_foreign_lists(conclusion))


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
    foreign = {result.id for every in _of_foreign_protocols(conclusion).values() for result in every}
    for result in sorted(conclusion.with_verdict(Verdict.FAIL), key=lambda result: result.id):
        requirement = result.requirement
        is_of_a_list = requirement.parameter_list and (requirement.families or result.id in foreign)
        if requirement.basis is Basis.PLATFORM and not requirement.safety and not is_of_a_list:
            yield Declaration("otherwise", result.id, _seen(result.failures))


def _foreign_lists(conclusion: Conclusion) -> Iterator[Declaration]:
    failed: dict[str, list[str]] = {}
    for result in sorted(conclusion.with_verdict(Verdict.FAIL), key=lambda result: result.id):
        if result.requirement.parameter_list:
            for family in result.requirement.families:
                failed.setdefault(family, []).append(result.id)
    for protocol, results in _of_foreign_protocols(conclusion).items():
        failed.setdefault(protocol, []).extend(result.id for result in results)
    for family, names in failed.items():
        yield Declaration("dialect", family, f"{', '.join(names)} failed")


def _of_foreign_protocols(conclusion: Conclusion) -> dict[str, list[RequirementResult]]:
    """Return what failed of the lists of a protocol, of no family, by protocols of which more failed than passed."""
    found: dict[str, dict[Verdict, list[RequirementResult]]] = {}
    for verdict in (Verdict.FAIL, Verdict.PASS):
        for result in sorted(conclusion.with_verdict(verdict), key=lambda result: result.id):
            one = result.requirement
            if one.parameter_list and not one.families and not one.safety:
                protocol = one.protocol.lower().replace(" ", "_")
                found.setdefault(protocol, {}).setdefault(verdict, []).append(result)
    return {
        protocol: verdicts[Verdict.FAIL]
        for protocol, verdicts in found.items()
        if len(verdicts.get(Verdict.FAIL, ())) >= max(FEWEST_OF_A_PROTOCOL, len(verdicts.get(Verdict.PASS, ())) + 1)
    }


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
        if declaration.table == "dialect":
            _deny_list(table, declaration)
        elif declaration.key not in table:
            value = tomlkit.string(reason)
            value.comment(one_line(declaration.seen, _WIDTH))
            table[declaration.key] = value
    return tomlkit.dumps(document)


def _deny_list(dialect: Any, declaration: Declaration) -> None:  # noqa: ANN401 - a table of tomlkit
    """Add the family of a list to ``platform_parameters``, which the whole of [dialect] has one line for."""
    lists = dialect.get("platform_parameters", True)
    if isinstance(lists, bool):
        lists = tomlkit.inline_table()
        dialect["platform_parameters"] = lists
    if declaration.key not in lists:
        lists[declaration.key] = False
        noted = lists.trivia.comment.removeprefix("# ")
        lists.comment(one_line("; ".join(filter(None, (noted, declaration.seen))), _WIDTH))


NOTHING: Final = "# There is nothing to declare.\n"
HEADING: Final[Mapping[bool, str]] = MappingProxyType(
    {
        True: "",
        False: "# Give each line its reason, and remove what is not true of the target; an empty reason is refused.\n",
    }
)
"""By whether reasons are given."""
