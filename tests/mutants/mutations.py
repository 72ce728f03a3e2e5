"""Mutations of Python source: each is one small mistake that a programmer could make, found in the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

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
TYPES = ("Callable", "Final", "Mapping")
LEFT_ALONE = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)


@dataclass(frozen=True)
class Mutation:
    """One mistake at one place.

    Attributes:
        line: of the source, from 1.
        kind: what is done.
        was: the piece of the source that it is done to, cut.
        number: which of the mutations of the source it is, from 0.
    """

    line: int
    kind: str
    was: str
    number: int


def mutations_of(source: str) -> list[Mutation]:
    """Return every mutation of a source, in order."""
    lines = source.splitlines()
    return [
        Mutation(node.lineno, kind, _piece(lines[node.lineno - 1], node), number)
        for number, (node, kind, _) in enumerate(_places(ast.parse(source)))
    ]


def _piece(line: str, node: ast.expr | ast.stmt) -> str:
    """Return the piece of a line that a node stands for, or begins with."""
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return line.encode()[node.col_offset : end].decode("utf-8", "replace")[:80]


def mutated(source: str, number: int) -> str:
    """Return the source with one of its mutations."""
    tree = ast.parse(source)
    for place, (_, _, change) in enumerate(_places(tree)):
        if place == number:
            change()
            return ast.unparse(ast.fix_missing_locations(tree))
    raise IndexError(number)


_Place = tuple[ast.expr | ast.stmt, str, Change]


def _places(tree: ast.Module) -> Iterator[_Place]:
    quoted = _annotations(tree)
    for node in ast.walk(tree):
        if id(node) in quoted:
            continue
        yield from _in_expression(node)
        yield from _in_display(node)
        yield from _in_body(node)


def _in_expression(node: ast.AST) -> Iterator[_Place]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            yield node, "another comparison", partial(setattr, node, "ops", [COMPARED[type(operator)]()])
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


def _in_display(node: ast.AST) -> Iterator[_Place]:
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


def _another_text(node: ast.expr | None) -> Iterator[_Place]:
    match node:
        case ast.Constant(value=str(value)) if value:
            yield node, "another text", partial(setattr, node, "value", f"{value}~")


def _in_body(node: ast.AST) -> Iterator[_Place]:
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
    return not is_docstring and not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.If, ast.With, ast.Try))


def _annotations(tree: ast.Module) -> set[int]:
    """Return the nodes of annotations and docstrings, in which a mistake does nothing."""
    found: set[int] = set()
    for node in ast.walk(tree):
        notes = [getattr(node, name, None) for name in ("annotation", "returns")]
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("Callable", "Final")
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
