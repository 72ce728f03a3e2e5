"""Where a piece of source stands: in which function, row and statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_PIECE = 80
LONGEST_ABOUT = 600
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ROWS = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Call, ast.stmt)


def step_of(node: ast.stmt | ast.Lambda) -> str:
    """Return how a statement of a function, or the value of a lambda, is called in records."""
    return f"{node.lineno}:{node.col_offset}"


@dataclass(frozen=True)
class Where:
    """How a piece of source is reached.

    Attributes:
        step: the statement of a function that it is carried out with, as ``line:column``; empty for what is read once,
            when the module is.
        names: what gets its value there, or the function that it is in.
        argument: the argument of a call that it is in; empty: in none that is named.
        about: the statement that it is in, or the whole row of a table.
        member: the member of a class that gets its value there, outside of functions; empty: none does.
    """

    step: str = ""
    names: tuple[str, ...] = ()
    argument: str = ""
    member: str = ""
    about: str = ""


NOWHERE = Where()
"""Of what is read once, and has no name."""


class Places:
    """The places of one source.

    Args:
        source: the text.
        tree: what it was read as, still without any change.
    """

    def __init__(self, source: str, tree: ast.Module) -> None:
        self._lines = source.splitlines()
        self._above: dict[int, ast.AST] = {}
        for node in ast.walk(tree):
            for below in ast.iter_child_nodes(node):
                self._above[id(below)] = node
        self._values = {
            name: self.piece(statement, LONGEST_ABOUT)
            for statement in tree.body
            if isinstance(statement, (ast.Assign, ast.AnnAssign))
            for name in self.names(statement)
        }

    def piece(self, node: ast.AST, longest: int = LONGEST_PIECE) -> str:
        """Return the text that a node stands for, cut, on one line."""
        if not isinstance(node, (ast.expr, ast.stmt)) or node.end_lineno is None:
            return ""
        lines = [line.encode() for line in self._lines[node.lineno - 1 : node.end_lineno]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())[:longest]

    def within(self, node: ast.AST) -> str:
        """Return the row, call or statement that holds a node, cut."""
        row = next((above for above in self._climb(node) if isinstance(above, _ROWS)), None)
        return "" if row is None or isinstance(row, _SCOPES) else self.piece(row)

    def about(self, node: ast.AST) -> str:
        """Return the statement that a node is in, or of a table the whole row, and the constants that it names."""
        row = self._row(node)
        named = {inner.id for inner in ast.walk(row) if isinstance(inner, ast.Name)}
        constants = [text for name, text in self._values.items() if name in named]
        return " ".join([self.piece(row, LONGEST_ABOUT), *constants])

    def _row(self, node: ast.AST) -> ast.AST:
        below = node
        for above in self._climb(node):
            if isinstance(above, ast.stmt):
                return above
            is_table = isinstance(above, (ast.Tuple, ast.List, ast.Set, ast.Dict))
            if is_table and isinstance(self._above.get(id(above)), ast.stmt):
                return below
            below = above
        return below

    def owner(self, node: ast.AST) -> str:
        """Return the function that a node is in, with its class; else what is given a value there."""
        scopes = [above.name for above in self._climb(node) if isinstance(above, _SCOPES)]
        functions = any(isinstance(above, _FUNCTIONS[:2]) for above in self._climb(node))
        return ".".join([*reversed(scopes), *(() if functions else self.names(node))])

    def names(self, node: ast.AST) -> tuple[str, ...]:
        """Return the names that get their value where a node is; of a function that it is a part of: its name."""
        for above in (node, *self._climb(node)):
            match above:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    return (name,)
                case ast.Assign(targets=targets):
                    return tuple(part for target in targets for part in _named(target))
                case ast.AnnAssign(target=target):
                    return tuple(_named(target))
                case ast.ClassDef(name=name):
                    return (name,)
        return ()

    def step(self, node: ast.AST) -> str:
        """Return the statement, or lambda, of a function that a node is carried out with; empty: it is in none."""
        below, chain = node, (node, *self._climb(node))
        found = ""
        for above in chain:
            if isinstance(above, ast.Lambda) and above is not node:
                if below is above.body:
                    return found or step_of(above)
            elif isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if any(below is statement for statement in above.body):
                    return found
                found = ""
            elif isinstance(above, ast.stmt):
                found = found or step_of(above)
            below = above
        return ""

    def member(self, node: ast.AST) -> str:
        """Return the member of a class that gets its value where a node is; empty: none does."""
        for above in (node, *self._climb(node)):
            if isinstance(above, _FUNCTIONS):
                break
            if isinstance(above, ast.AnnAssign) and isinstance(self._above.get(id(above)), ast.ClassDef):
                return next(_named(above.target), "")
        return ""

    def argument(self, node: ast.AST) -> str:
        """Return the named argument of a call that a node is in; empty: none."""
        for above in (node, *self._climb(node)):
            if isinstance(above, ast.keyword):
                return above.arg or ""
            if isinstance(above, (ast.stmt, ast.Lambda)):
                break
        return ""

    def _climb(self, node: ast.AST) -> Iterator[ast.AST]:
        above = self._above.get(id(node))
        while above is not None:
            yield above
            above = self._above.get(id(above))


def _named(target: ast.AST) -> Iterator[str]:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _named(element)
