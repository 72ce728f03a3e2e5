"""The words of the contract as types: requirement, level, basis, reading and release.

Everything here is an immutable value. The files under ``contract/requirements`` are read into these
types by :mod:`contract.catalogue`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import total_ordering
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

RELEASES = ("6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.0")
"""The releases of the change history, oldest first."""
FIRST_RELEASE = RELEASES[0]
LATEST_RELEASE = RELEASES[-1]

RequirementId = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{2}-[A-Z0-9]{2,4}-[0-9]{2,3}$")]


class Level(StrEnum):
    """How binding a requirement is (RFC 2119)."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Basis(StrEnum):
    """Who says so."""

    SPECIFICATION = "specification"
    """The contract says so."""
    PLATFORM = "platform"
    """The contract leaves it open; public documents of this family of gateways say so."""
    PROFILE = "profile"
    """Only the operator of the target can say."""


class Observer(StrEnum):
    """Where the outcome of a requirement can be seen."""

    API = "api"
    CALLBACK = "callback"
    BROWSER = "browser"
    TIME = "time"


class NotTestable(StrEnum):
    """Why nobody can test a requirement from outside. The list is closed."""

    INTERNAL = "internal"
    """It concerns the inside of the gateway and leaves no trace on the wire."""
    ADMINISTRATION = "administration"
    """It concerns the administration panel, which is not an interface of the contract."""
    THIRD_PARTY = "third-party"
    """Only an acquirer, a wallet scheme or a bank can bring it about."""
    MERCHANT_SIDE = "merchant-side"
    """It binds the merchant, not the gateway."""
    NO_CONDITION = "no-condition"
    """The contract names it without saying when it must happen."""
    INFORMATION = "information"
    """It explains or records history and demands nothing."""


class Protocol(StrEnum):
    """The part of the interface that a requirement belongs to, known by the first part of its id."""

    CHECKOUT = "Checkout"
    HOSTED_PAGE = "Hosted page"
    HOSTED_FIELDS = "Hosted Payment Fields"
    S2S_CARD = "S2S CARD"
    S2S_APM = "S2S APM"
    CALLBACKS = "Callbacks"
    GENERAL = "General"


CALLBACKS_OF = {"CBK-ATT": Protocol.CHECKOUT, "CBK-S2C": Protocol.S2S_CARD, "CBK-APM": Protocol.S2S_APM}
"""The protocol whose callbacks requirements of that beginning speak of."""
PROTOCOL_OF_PREFIX = {
    "CHK": Protocol.CHECKOUT,
    "HPP": Protocol.HOSTED_PAGE,
    "HPF": Protocol.HOSTED_FIELDS,
    "S2C": Protocol.S2S_CARD,
    "APM": Protocol.S2S_APM,
    "CBK": Protocol.CALLBACKS,
    "GEN": Protocol.GENERAL,
}


@total_ordering
class Release:
    """A release number such as ``6.6.5``; orders by its parts as numbers.

    Raises:
        ValueError: the text is not three numbers joined by dots.
    """

    __slots__ = ("parts",)

    def __init__(self, text: str) -> None:
        if not re.fullmatch(r"\d+\.\d+\.\d+", text):
            raise ValueError(f"{text!r} is not a release; write three numbers, for example {LATEST_RELEASE}")
        self.parts = tuple(int(part) for part in text.split("."))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Release) and self.parts == other.parts

    def __lt__(self, other: Release) -> bool:
        return self.parts < other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __str__(self) -> str:
        return ".".join(map(str, self.parts))

    def __repr__(self) -> str:
        return f"Release({str(self)!r})"


def _released(text: str) -> str:
    if text not in RELEASES:
        raise ValueError(f"{text!r} is not one of the releases {', '.join(RELEASES)}")
    return text


def _without_ranges(value: object) -> object:
    if not isinstance(value, list):
        return value
    numbers: list[object] = []
    for item in value:
        if isinstance(item, str) and (match := re.fullmatch(r"(\d+)-(\d+)", item)):
            numbers.extend(range(int(match[1]), int(match[2]) + 1))
        else:
            numbers.append(item)
    return numbers


ReleaseNumber = Annotated[str, AfterValidator(_released)]
LineNumbers = Annotated[tuple[int, ...], BeforeValidator(_without_ranges), Field(min_length=1)]
SOURCE_KEY = r"^[a-z0-9][a-z0-9.-]*$"
SourceName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*(: .+)?$")]
Need = Annotated[str, Field(pattern=r"^(capability|account|test_data):[a-z0-9_]+(\.[a-z0-9_]+)*$")]


class Value(BaseModel):
    """A frozen value that refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Reading(Value):
    """One of several legitimate interpretations of an ambiguous requirement."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    sentence: str


class ReleaseRange(Value):
    """What holds for some releases only.

    Attributes:
        since: first release that it holds for; ``None``: all up to ``until``.
        until: last release that it holds for; ``None``: still holds.
    """

    since: ReleaseNumber | None = None
    until: ReleaseNumber | None = None

    @model_validator(mode="after")
    def _begins_before_it_ends(self) -> Self:
        if self.since and self.until and Release(self.until) < Release(self.since):
            raise ValueError(f"it ends with {self.until} before it begins with {self.since}")
        return self

    def holds_for(self, release: Release) -> bool:
        """Return whether it applies to a target of that release."""
        after_start = self.since is None or Release(self.since) <= release
        before_end = self.until is None or release <= Release(self.until)
        return after_start and before_end


class Requirement(ReleaseRange):
    """One normative statement of the contract.

    Attributes:
        id: stable and readable, ``<protocol>-<subject>-<number>``.
        sentence: the statement in one sentence.
        section: a heading of the contract (see ``contract/sections.toml``).
        lines: the line numbers of the contract that it restates; a range is written out or as ``"315-318"``.
        source: the public document that states a requirement of basis ``platform``: a key of
            ``contract/sources.toml``, and the place in it after a colon.
        needs: what a target must have for it to apply: ``capability:<name>``, ``account:<setting>`` or
            ``test_data:<name>``, names as in the profile.
        safety: no gateway may break it, whatever a document says: money, signatures, other merchants' data, secrets,
            refused requests carried out.
        parameter_list: it is about parameters of S2S that public documents alone list or require, or whose lengths
            and forms they alone state: of payment methods, brands, sets of card parameters, payers, payees and orders.
        observed_by: where the outcome can be seen.
        readings: the legitimate interpretations, two or more, when the passage is ambiguous.
        not_testable: why it cannot be tested from outside.
    """

    id: RequirementId
    sentence: Annotated[str, Field(min_length=12)]
    level: Level
    basis: Basis
    section: str
    lines: LineNumbers
    safety: bool = False
    source: SourceName | None = None
    needs: tuple[Need, ...] = ()
    parameter_list: bool = False
    observed_by: tuple[Observer, ...] = (Observer.API,)
    readings: tuple[Reading, ...] = ()
    not_testable: NotTestable | None = None

    @model_validator(mode="after")
    def _is_coherent(self) -> Self:
        if self.prefix not in PROTOCOL_OF_PREFIX:
            raise ValueError(f"the id must begin with one of {', '.join(PROTOCOL_OF_PREFIX)}")
        if self.source and self.basis is not Basis.PLATFORM:
            raise ValueError("a source belongs to the basis platform")
        if self.parameter_list and (self.basis is not Basis.PLATFORM or self.safety):
            raise ValueError("a parameter list that an operator may deny belongs to the basis platform, without safety")
        if len(self.readings) == 1:
            raise ValueError("an ambiguous requirement has at least two readings")
        if len({reading.id for reading in self.readings}) != len(self.readings):
            raise ValueError("two readings have the same id")
        return self

    @property
    def families(self) -> tuple[str, ...]:
        """The capabilities it needs that stand for a family of payment methods or a set of card parameters."""
        capabilities = (need.partition(":")[2] for need in self.needs if need.startswith("capability:"))
        return tuple(name for name in capabilities if name.startswith(("method_", "card_set_")))

    @property
    def prefix(self) -> str:
        """The first part of the id."""
        return self.id.split("-", 1)[0]

    @property
    def source_key(self) -> str | None:
        """The key of its source in ``contract/sources.toml``."""
        return self.source.partition(":")[0] if self.source else None

    @property
    def must_name_a_source(self) -> bool:
        """Whether it binds though the contract is silent and leaves no choice: then a public document must say so."""
        return self.basis is Basis.PLATFORM and self.level is Level.MUST and not self.readings

    @property
    def protocol(self) -> Protocol:
        """The part of the interface that it belongs to."""
        return PROTOCOL_OF_PREFIX[self.prefix]
