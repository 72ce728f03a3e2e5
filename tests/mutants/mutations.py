"""Mutations of Python source: each is one small mistake that a programmer could make, found in the syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tests.mutants.places import NOWHERE, Places, Where

Change = Callable[[], None]

COMPARED = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
"""The comparison that takes the place of another."""
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult}
"""The operator that takes the place of another; on texts it breaks at once and counts for nothing."""
LEFT_ALONE = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)
TYPING = frozenset({"cast", "TypeVar", "NewType", "ParamSpec"})
"""Calls whose texts say something to a type checker only."""


@dataclass(frozen=True)
class Mutation:
    """One mistake at one place.

    Attributes:
        line: of the source, from 1.
        kind: what is done.
        was: the piece of the source that it is done to, cut.
        number: which of the mutations of the source it is, from 0.
        owner: the function that it is in, else the class or the name that is given a value.
        within: the row, call or statement around the piece, cut.
        again: how many mutations of the source with the same kind, piece, owner and context come before it.
        where: how it is reached.
    """

    line: int
    kind: str
    was: str
    number: int
    owner: str = ""
    within: str = ""
    again: int = 0
    where: Where = NOWHERE

    @property
    def name(self) -> str:
        """How it is called in lists: it stays the same when lines move."""
        repeated = f" ({self.again + 1})" if self.again else ""
        around = f" in {self.within}" if self.within and self.within != self.was else ""
        return f"{self.owner}: {self.kind}: {self.was}{around}{repeated}"


def mutations_of(source: str) -> list[Mutation]:
    """Return every mutation of a source, in order."""
    tree = ast.parse(source)
    places, seen, found = Places(source, tree), Counter[tuple[str, ...]](), []
    for number, (node, kind, _) in enumerate(_changes(tree)):
        was, within, owner = places.piece(node), places.within(node), places.owner(node)
        key = (kind, was, within, owner)
        where = Where(
            places.step(node), places.names(node), places.argument(node), places.member(node), places.about(node)
        )
        found.append(Mutation(node.lineno, kind, was, number, owner, within, seen[key], where))
        seen[key] += 1
    return found


def mutated_tree(source: str, *numbers: int) -> ast.Module:
    """Return the syntax tree of the source with some of its mutations; lines are those of the source."""
    tree = ast.parse(source)
    changes = [change for _, _, change in _changes(tree)]
    # From the last to the first, since what is taken out of a list moves what follows it.
    for number in sorted(numbers, reverse=True):
        changes[number]()
    return ast.fix_missing_locations(tree)


def mutated(source: str, number: int) -> str:
    """Return the source with one of its mutations."""
    return ast.unparse(mutated_tree(source, number))


_Change = tuple[ast.expr | ast.stmt, str, Change]


def _changes(tree: ast.Module) -> Iterator[_Change]:
    quoted = _annotations(tree)
    for node in ast.walk(tree):
        if id(node) in quoted:
            continue
        yield from _in_expression(node)
        yield from _in_display(node)
        yield from _in_call(node)
        yield from _in_body(node)


def _in_expression(node: ast.AST) -> Iterator[_Change]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            yield node, "another comparison", partial(setattr, node, "ops", [COMPARED[type(operator)]()])
            for side in (node.left, *node.comparators):
                yield from _another_text(side)
        case ast.BoolOp(op=operator):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield node, "and and or", partial(setattr, node, "op", other)
        case ast.BinOp(op=operator) if type(operator) in COMPUTED:
            yield node, "another operator", partial(setattr, node, "op", COMPUTED[type(operator)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node, "not is left out", partial(_truth, node)
        case ast.IfExp():
            yield node, "branches are swapped", partial(_swap, node)
        case ast.Constant(value=bool(value)):
            yield node, "the other truth value", partial(setattr, node, "value", not value)
        case ast.Constant(value=int(value)):
            yield node, "one more", partial(setattr, node, "value", value + 1)
            yield node, "one less", partial(setattr, node, "value", value - 1)


def _in_display(node: ast.AST) -> Iterator[_Change]:
    """Yield what can happen to a table or a list: a text of it is another, a row of it is missing."""
    match node:
        case (
            ast.Tuple(elts=elements, ctx=ast.Load()) | ast.List(elts=elements, ctx=ast.Load()) | ast.Set(elts=elements)
        ):
            for place, element in enumerate(elements):
                yield from _another_text(element)
                if len(elements) > 1:
                    yield element, "a row is missing", partial(elements.__delitem__, place)
        case ast.Dict():
            for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
                yield from _another_text(key)
                yield from _another_text(value)
                if key is not None:
                    yield value, "a row is missing", partial(_without, node, place)


def _in_call(node: ast.AST) -> Iterator[_Change]:
    """Yield what can happen to the arguments of a call, and to a name that something is looked up by."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in TYPING:
            return
        case ast.Call():
            for argument in node.args:
                yield from _another_text(argument)
            for place, keyword in enumerate(node.keywords):
                yield from _another_text(keyword.value)
                if keyword.arg is not None:
                    yield keyword.value, "an argument is left out", partial(node.keywords.__delitem__, place)
        case ast.Subscript(slice=ast.Constant(value=str()) as key):
            yield from _another_text(key)


def _another_text(node: ast.expr | None) -> Iterator[_Change]:
    match node:
        case ast.Constant(value=str(value)) if value:
            yield node, "another text", partial(setattr, node, "value", f"{value}~")


def _in_body(node: ast.AST) -> Iterator[_Change]:
    for name in ("body", "orelse"):
        body = getattr(node, name, None)
        if not isinstance(body, list):
            continue
        for place, statement in enumerate(body):
            if isinstance(statement, ast.If):
                yield statement, "the condition is turned round", partial(_negate, statement)
            if _can_be_dropped(statement, node):
                yield statement, "a statement is dropped", partial(body.__setitem__, place, ast.Pass())


def _can_be_dropped(statement: ast.stmt, holder: ast.AST) -> bool:
    if isinstance(statement, LEFT_ALONE) or isinstance(holder, (ast.Module, ast.ClassDef)):
        return False
    is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    # A name that is missing afterwards breaks at once; what only hides a line from readers proves nothing.
    names_something = isinstance(statement, (ast.Assign, ast.AnnAssign)) and not _changes_an_object(statement)
    return not is_docstring and not names_something and not isinstance(statement, (ast.If, ast.With, ast.Try))


def _changes_an_object(statement: ast.Assign | ast.AnnAssign) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)


def _annotations(tree: ast.Module) -> set[int]:
    """Return the nodes of annotations, in which a mistake does nothing."""
    found: set[int] = set()
    for node in ast.walk(tree):
        notes = [getattr(node, name, None) for name in ("annotation", "returns")]
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("Callable", "Final", "Literal", "Mapping", "Annotated")
        ):
            notes.append(node)
        for note in notes:
            if isinstance(note, ast.AST):
                found |= {id(inner) for inner in ast.walk(note)}
    return found


def _truth(node: ast.UnaryOp) -> None:
    """Turn ``not x`` into ``not not x``."""
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _swap(node: ast.IfExp) -> None:
    node.body, node.orelse = node.orelse, node.body


def _negate(node: ast.If) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _without(node: ast.Dict, place: int) -> None:
    del node.keys[place]
    del node.values[place]
