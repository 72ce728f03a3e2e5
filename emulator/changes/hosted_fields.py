"""Ways to change Hosted Payment Fields: their settings, and the stages and rows of the request for a session token."""

from collections.abc import Callable
from typing import Final

from emulator.changes.stages import Stages, StagesChange
from emulator.design import Change, Design
from emulator.protocols.checkout.session import HashTest
from emulator.protocols.hosted_fields.behaviour import HostedAttempt
from emulator.rules.model import Rule


def hosted(**changes: object) -> Change:
    """Other settings."""
    return lambda design: design.in_hosted_fields(**changes)


def _reach(design: Design, change: StagesChange[HostedAttempt], _names: tuple[str, ...]) -> Design:
    return design.in_hosted_fields(stages=change(design.hosted_fields.stages))


_STAGES: Final[Stages[HostedAttempt]] = Stages(_reach)
without, first, last, instead = _STAGES.without, _STAGES.first, _STAGES.last, _STAGES.instead


def rows(change: Callable[[Rule], Rule | None]) -> Change:
    """Every row of the request for a session token is changed, or dropped where ``change`` returns None."""
    return lambda design: design.with_token_rows(change)


def any_operation(row: Rule) -> Rule | None:
    """No row says which operations there are."""
    return None if row.path == "operation" and row.keyword == "enum" else row


def also_hashed(accepts: Callable[[HashTest], bool]) -> Change:
    """A session may have further hashes."""

    def change(design: Design) -> Design:
        before = design.hosted_fields.accepts_hash
        return design.in_hosted_fields(accepts_hash=lambda test: before(test) or accepts(test))

    return change
