"""Turns the rows of a field table into a tree, once, and walks a request along it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from emulator.rules.keywords import CHECKS, wording
from emulator.rules.model import BreakdownError, Check, Condition, Context, JsonObject, Rule, Violations
from emulator.wire.values import INVALID, Converter

_Step = tuple[Check, str, Condition | None]
_Absent = tuple[Condition | None, str]


@dataclass(slots=True)
class _Node:
    """One field: what it has to be, and the fields below it."""

    name: str
    convert: Converter | None = None
    type_text: str = ""
    absent: list[_Absent] = field(default_factory=list)
    ignored_outside: frozenset[str] | None = None
    before: list[_Step] = field(default_factory=list)
    steps: list[_Step] = field(default_factory=list)
    children: "dict[str, _Node]" = field(default_factory=dict)
    items: "_Node | None" = None


def _outside(operations: frozenset[str]) -> Check:
    def check(value: object, _parent: JsonObject, context: Context) -> bool:
        return not value or not context.operation or context.operation in operations

    return check


def _refused(value: object, _parent: JsonObject, _context: Context) -> bool:
    return value is None


def _breakdown(test: Check) -> Check:
    def check(value: object, parent: JsonObject, context: Context) -> bool:
        if test(value, parent, context):
            raise BreakdownError
        return True

    return check


def _absence_breaks(when: Condition | None) -> Condition:
    def condition(context: Context, parent: JsonObject) -> bool:
        if when is None or when(context, parent):
            raise BreakdownError
        return False

    return condition


def _always(_value: object, _parent: JsonObject, _context: Context) -> bool:
    return True


def _broken(steps: list[_Step], value: object, parent: JsonObject, context: Context) -> str | None:
    for check, text, when in steps:
        if (when is None or when(context, parent)) and not check(value, parent, context):
            return text
    return None


class Table:
    """The compiled rows of one request."""

    def __init__(
        self, rows: Iterable[Rule], converters: Mapping[str, Converter], *, null_is_absent: bool = True
    ) -> None:
        """Compile ``rows``; the order of rows is the order of violations."""
        self._converters = converters
        self._null_is_absent = null_is_absent
        self._root = _Node("")
        for row in rows:
            self._add(row)

    def violations(self, context: Context) -> list[tuple[str, str]]:
        """Every field of ``context.body`` that breaks a rule, with the text of the first rule that it breaks."""
        found = Violations()
        self._visit_children(self._root, context.body, "", context, found)
        return found.found

    def _node(self, path: str) -> _Node:
        node = self._root
        for part in path.split("."):
            name = part.removesuffix("[]")
            node = node.children.setdefault(name, _Node(name))
            if part.endswith("[]"):
                node.items = node.items or _Node("")
                node = node.items
        return node

    def _add(self, row: Rule) -> None:
        node = self._node(row.path)
        text = row.text or wording(row.keyword, row.bound)
        match row.keyword:
            case "required":
                node.absent.append((row.when, text))
            case "type":
                node.convert, node.type_text = self._converters[cast("str", row.bound)], text
            case "ignoredOutside":
                node.ignored_outside = cast("frozenset[str]", row.bound)
            case "refusedOutside":
                node.steps.append((_outside(cast("frozenset[str]", row.bound)), text, row.when))
            case "refused":
                test = cast("Check | None", row.bound)
                refuses = (
                    _refused if test is None else (lambda value, parent, context: not test(value, parent, context))
                )
                node.steps.append((refuses, text, row.when))
            case "breakdown":
                node.before.append((_breakdown(cast("Check | None", row.bound) or _always), text, row.when))
            case "breakdownWithout":
                node.absent.append((_absence_breaks(row.when), text))
            case "accepted" | "optional" | "handled" | "handledWithout":
                pass
            case keyword:
                node.steps.append((CHECKS[keyword](row.bound), text, row.when))

    def _visit_children(self, node: _Node, value: JsonObject, path: str, context: Context, found: Violations) -> None:
        for name, below in node.children.items():
            item = value.get(name)
            if item is None:
                self._visit_absent(below, value, path + name, context, found)
            else:
                self._visit(below, item, value, path + name, context, found)

    def _visit_absent(self, node: _Node, parent: JsonObject, path: str, context: Context, found: Violations) -> None:
        if not self._null_is_absent and node.convert is not None and node.name in parent:
            found.add(path, node.type_text)
            return
        for when, text in node.absent:
            if when is None or when(context, parent):
                found.add(path, text)
                return

    def _visit(  # noqa: PLR0913, PLR0917 - one frame of a walk
        self, node: _Node, value: object, parent: JsonObject, path: str, context: Context, found: Violations
    ) -> None:
        _broken(node.before, value, parent, context)
        outside = node.ignored_outside
        if outside is not None and context.operation and context.operation not in outside:
            return
        if node.convert is not None:
            value = node.convert(value)
            if value is INVALID:
                found.add(path, node.type_text)
                return
        broken = _broken(node.steps, value, parent, context)
        if broken is not None:
            found.add(path, broken)
        elif node.children and isinstance(value, dict):
            self._visit_children(node, value, path + ".", context, found)
        elif node.items is not None and isinstance(value, list):
            for index, item in enumerate(value):
                self._visit(node.items, item, parent, f"{path}[{index}]", context, found)


_COMPILED: Final[dict[tuple[object, ...], tuple[tuple[Rule, ...], Mapping[str, Converter], Table]]] = {}
_MOST_COMPILED: Final = 512


def compiled(rows: tuple[Rule, ...], converters: Mapping[str, Converter], *, null_is_absent: bool = True) -> Table:
    """The table of ``rows``; the very same rows are compiled once, since most gateways share most of their tables."""
    key = (*map(id, rows), id(converters), null_is_absent)
    known = _COMPILED.get(key)
    if known is None:
        if len(_COMPILED) >= _MOST_COMPILED:
            _COMPILED.clear()
        # Rows and converters are kept with their table, so that their identities are not given to others.
        known = _COMPILED[key] = (rows, converters, Table(rows, converters, null_is_absent=null_is_absent))
    return known[2]
