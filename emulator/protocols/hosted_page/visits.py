"""What the page remembers of a payer's visit."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from emulator.protocols.hosted_page.outcomes import Parameters, Pending
from emulator.protocols.hosted_page.returns import End

_KEPT: Final = 5_000


@dataclass(slots=True)
class Visit:
    """One session on its way; ``attempt`` numbers the forms, so that a form counts once however often it is sent."""

    attempt: int = 1
    declines: int = 0
    method: str = ""
    step: int = 0
    values: dict[str, str] = field(default_factory=dict, repr=False)
    message: str | None = None
    pending: Pending | None = None
    ended: End | None = None
    parameters: Parameters = field(default_factory=dict)

    def forget_entry(self) -> None:
        """Start the form anew."""
        self.values = {}
        self.step = 0
        self.attempt += 1

    def keep(self, values: Mapping[str, str]) -> None:
        """Keep the values of one step and go to the next."""
        self.values.update(values)
        self.step += 1


class Visits:
    """The visits by the tokens of their sessions; the oldest are forgotten."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, Visit] = OrderedDict()

    def of(self, token: str) -> Visit:
        """The visit of a session, begun when it is asked for first."""
        visit = self._visits.setdefault(token, Visit())
        if len(self._visits) > _KEPT:
            self._visits.popitem(last=False)
        return visit
