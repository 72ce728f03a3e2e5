"""Which checks reach which statements of the emulator: recorded once, so that a mutant meets only those that matter.

The emulator is read with a mark before every statement of its functions, and all checks are run once against it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fixtures.run import Run
from tests.mutants.places import step_of
from tests.mutants.planting import read_anew
from tests.mutants.sample import EMULATOR, files
from tests.support.suite_in_process import InProcessSuite, Outcome

ROOT = EMULATOR.parent
RECORD = ROOT / "build" / "mutants" / "reach.json"
"""Where the record is kept; git ignores the folder."""
MARKS = "__reached__"
MAKE_THEIR_OWN = (
    "suites/checkout/sessions/test_session",
    "suites/checkout/sessions/test_order",
    "suites/checkout/sessions/test_method_parameters",
    "suites/checkout/changes/test_operation_signatures",
    "suites/s2s_card/sales/test_fields",
    "suites/s2s_card/messages/test_wrong_signatures",
    "suites/s2s_card/messages/test_signatures",
    "suites/s2s_card/messages/test_action_names",
    "suites/s2s_apm/sales/test_fields",
    "suites/s2s_apm/messages/test_operation_signatures",
)
"""Checks that share no payment with others worth speaking of, and are many."""
Step = tuple[str, str]
"""A file relative to the emulator, and a statement of it."""


@dataclass(frozen=True)
class Known:
    """What is known of one check.

    Attributes:
        check: its id.
        requirements: that it claims.
        verdict: what it says of the gateway without a mistake.
        seconds: of processor time that it takes.
        steps: the statements that it reaches, as bits of a number.
    """

    check: str
    requirements: tuple[str, ...]
    verdict: str
    seconds: float
    steps: int


@dataclass(frozen=True)
class Reach:
    """The record of a run.

    Attributes:
        steps: every statement of the emulator's functions; the place of one is its bit.
        when_imported: the statements that are carried out when the emulator is imported, as bits.
        when_started: those carried out before the first check, as bits.
        checks: what is known of each.
    """

    steps: tuple[Step, ...]
    when_imported: int
    when_started: int
    checks: tuple[Known, ...]

    @cached_property
    def bits(self) -> Mapping[Step, int]:
        """The bit of each statement."""
        return {step: 1 << place for place, step in enumerate(self.steps)}


def marked(tree: ast.Module, first: int) -> list[str]:
    """Put a mark before every statement of the functions of a tree, and into every lambda; return what was marked.

    Args:
        tree: is changed.
        first: the number of the first mark.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    inside = {id(node): node for function in functions for node in ast.walk(function)}
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    blocks = [block for node in inside.values() for block in _blocks(node)]
    steps: list[str] = []

    def numbered(node: ast.stmt | ast.Lambda) -> ast.Constant:
        steps.append(step_of(node))
        return ast.Constant(first + len(steps) - 1)

    for node in lambdas:
        place = ast.Attribute(ast.Name(MARKS, ast.Load()), "__setitem__", ast.Load())
        node.body = ast.BoolOp(ast.Or(), [ast.Call(place, [numbered(node), ast.Constant(1)], []), node.body])
    for block in blocks:
        block[:] = [one for statement in block for one in (*_mark(statement, numbered), statement)]
    ast.fix_missing_locations(tree)
    return steps


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _mark(statement: ast.stmt, numbered: Callable[[ast.stmt], ast.Constant]) -> Iterator[ast.stmt]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # A docstring has to stay the first.
    yield ast.Assign([ast.Subscript(ast.Name(MARKS, ast.Load()), numbered(statement), ast.Store())], ast.Constant(1))


def recorded(suite: InProcessSuite) -> Reach:
    """Return the record of this state of the repository; it is made where there is none."""
    state = _state()
    if not RECORD.is_file() or json.loads(RECORD.read_text(encoding="utf-8"))["state"] != state:
        sys.stdout.write("Running every check once, to see what it reaches\n")
        sys.stdout.flush()
        RECORD.parent.mkdir(parents=True, exist_ok=True)
        child = os.fork()
        if child == 0:
            _in_child(suite, state)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
            raise RuntimeError("the run that records what checks reach broke")
    kept = json.loads(RECORD.read_text(encoding="utf-8"))
    return Reach(
        tuple((file, step) for file, step in kept["steps"]),
        int(kept["imported"], 16),
        int(kept["started"], 16),
        tuple(
            Known(check, tuple(claims), verdict, seconds, int(bits, 16))
            for check, claims, verdict, seconds, bits in kept["checks"]
        ),
    )


def _state() -> str:
    found = hashlib.sha256()
    for room in ("emulator", "fixtures", "suites", "contract"):
        for file in sorted((ROOT / room).rglob("*")):
            if file.suffix in {".py", ".toml", ".yaml", ".html"}:
                found.update(file.read_bytes())
    return found.hexdigest()


def _in_child(suite: InProcessSuite, state: str) -> None:
    """Never returns."""
    broken = 1
    try:
        RECORD.write_text(json.dumps({"state": state, **_record(suite)}), encoding="utf-8")
        broken = 0
    except Exception:
        traceback.print_exc()
    finally:
        os._exit(broken)


def _record(suite: InProcessSuite) -> dict[str, object]:
    steps: list[Step] = []
    trees = {}
    for file in files():
        trees[file] = ast.parse((EMULATOR / file).read_text(encoding="utf-8"))
        steps += [(file, step) for step in marked(trees[file], len(steps))]
    marks = bytearray(len(steps))
    read_anew(trees, {MARKS: marks})
    imported = _taken(marks)
    suite.run([])
    started = _taken(marks)
    checks: list[list[object]] = []
    began = [time.process_time()]

    def keep(outcome: Outcome, _run: Run) -> bool:
        taken = time.process_time() - began[0]
        checks.append([outcome.check, outcome.requirements, outcome.verdict, round(taken, 4), f"{_taken(marks):x}"])
        began[0] = time.process_time()
        return False

    suite.run(suite.items, until=keep)
    _add_alone(suite, checks, marks, started)
    return {"steps": steps, "imported": f"{imported:x}", "started": f"{started:x}", "checks": checks}


def _add_alone(suite: InProcessSuite, checks: list[list[object]], marks: bytearray, started: int) -> None:
    """Add what checks reach that are run alone: in company a payment that several look at is made by the first."""
    items = {item.nodeid: item for item in suite.items if not item.nodeid.startswith(MAKE_THEIR_OWN)}
    for known in checks:
        item = items.get(str(known[0]))
        if item is not None:
            _taken(marks)
            suite.run([item])
            known[4] = f"{int(str(known[4]), 16) | (_taken(marks) & ~started):x}"


def _taken(marks: bytearray) -> int:
    """Return the marks that are set as bits of a number, and clear them."""
    bits = int(bytes(marks[::-1]).translate(_AS_DIGITS), 2)
    marks[:] = bytes(len(marks))
    return bits


_AS_DIGITS = bytes([ord("0"), ord("1"), *range(2, 256)])
