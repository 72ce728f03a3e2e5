"""Faults of signatures that are looked at carelessly: by their start only, on some requests only, or not as text."""

from collections.abc import Callable
from typing import Final

from emulator.checkout.session import HashTest
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.signing import as_specified


def _also(accepts: Callable[[HashTest], bool]) -> Change:
    def change(design: Design) -> Design:
        before = design.session.accepts_hash
        return design.in_session(accepts_hash=lambda test: before(test) or accepts(test))

    return change


def _right(test: HashTest) -> str:
    return as_specified(test.account.password, test.account.hash, test.order)


def _start(test: HashTest) -> bool:
    return isinstance(test.given, str) and bool(test.given) and _right(test).startswith(test.given)


def _untyped(accepts: Callable[[HashTest], bool]) -> Change:
    def change(design: Design) -> Design:
        rows = design.with_rows(lambda row: None if (row.path, row.keyword) == ("hash", "type") else row)
        return _also(accepts)(rows)

    return change


LOOSE_SIGNATURES: Final = (
    Fault(
        "session-hash-start-accepted",
        ("CHK-SIG-20",),
        "The start of the hash is taken for the hash.",
        _also(_start),
    ),
    Fault(
        "session-hash-true-accepted",
        ("CHK-SIG-25",),
        "true equals every hash.",
        _untyped(lambda test: test.given is True),
    ),
    Fault(
        "session-hash-list-accepted",
        ("CHK-SIG-25",),
        "An array equals every hash.",
        _untyped(lambda test: isinstance(test.given, list)),
    ),
)
