"""One row of a field table, and what a row may look at while it is applied."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from emulator.accounts import Account

JsonObject = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many decimals an amount may be written with, and which amounts are too small."""

    decimals: Mapping[str, tuple[int, ...]]
    """Allowed numbers of decimals by exponent class: "0", "2", "3", "4"."""
    crypto_slack: tuple[int, ...] = (0,)
    """Allowed differences from the decimals of a crypto asset."""
    whole_units: bool = True
    """Whether the decimals of a currency without minor unit have to be zeros."""
    zero_when: tuple[str, ...] = ("auth", "recurring_init")
    """Fields that allow a zero amount while they are true."""
    zero_needs_provider: frozenset[str] = frozenset({"auth", "recurring_init"})
    """Those of them that need a provider with zero-value transactions."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of a request while its fields are checked."""

    body: JsonObject
    account: Account | None
    amounts: Amounts
    release: str
    operation: str = ""


class Condition(Protocol):
    """When a row applies; ``parent`` is the object that the field belongs to."""

    def __call__(self, context: Context, parent: JsonObject, /) -> bool:
        """Whether the row applies."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of one field.

    ``path`` is dotted, with ``[]`` behind the name of an array whose items are meant. ``keyword`` is a key of
    ``emulator.rules.keywords.CHECKS`` or one that the compiler knows itself. ``requirement`` is the requirement that
    is broken when the rule is not kept, ``accepts`` the one that is broken when it is kept too strictly (the same one
    unless given). ``faults`` names the kinds of faults that are derived from the row; None stands for all that fit.
    ``hidden_by`` are labels of rows that refuse the same values anyway: faults that let such values through leave
    them out as well.
    """

    path: str
    keyword: str
    bound: object = None
    requirement: str = ""
    accepts: str = ""
    text: str = ""
    when: Condition | None = None
    since: str | None = None
    until: str | None = None
    tag: str = ""
    faults: tuple[str, ...] | None = None
    hidden_by: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The row's name in fault names: path, keyword and tag."""
        return _label(self.path, self.keyword, self.tag)


@cache
def _label(path: str, keyword: str, tag: str) -> str:
    keyword = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in keyword)
    path = path.replace("[]", "").replace("[", "-").replace("]", "")
    return ".".join(part for part in (path, keyword, tag) if part)


@dataclass(slots=True)
class Violations:
    """What is wrong with a request: pairs of field path and text, in the order of the tables."""

    found: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: str, text: str) -> None:
        """Note one violation."""
        self.found.append((path, text))


class BreakdownError(Exception):
    """Raised by the fault that turns a request into a server error."""


Check = Callable[[object, JsonObject, Context], bool]
