"""The questions of ``gateway-conformance init``: asked on a terminal, and answered by their defaults elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import click

from fixtures.profile.draft import Answers
from fixtures.profile.model import PROTOCOLS


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        words: as it is asked.
        default: the answer where none is given; ``None``: there must be one.
    """

    words: str
    default: str | None = ""


QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        "name": Question("Name of the gateway", "my sandbox"),
        "environment": Question("Environment", "sandbox"),
        "checkout": Question("Address of Checkout (empty: none)"),
        "s2s_card": Question("Address of S2S CARD (empty: none)"),
        "s2s_apm": Question("Address of S2S APM (empty: none)"),
        "key": Question("Merchant key or client key", None),
        "password": Question("Password, or where it is (env:NAME, file:PATH)", "env:GATEWAY_PASSWORD"),
        "card": Question("Test card that pays (empty: none)"),
    }
)
"""By the name of the option."""


class MissingError(Exception):
    """Something has no default, is not given, and nobody can be asked for it."""


def answers(given: Mapping[str, str | None], *, is_terminal: bool) -> Answers:
    """Return what somebody says of a gateway.

    Args:
        given: by option; ``None``: not given.
        is_terminal: whether somebody can be asked.

    Raises:
        MissingError: an answer is missing, or nobody wants to give it.
    """
    try:
        known = {name: _answer(name, given.get(name), is_terminal=is_terminal) for name in QUESTIONS}
    except click.Abort:
        raise MissingError("nothing was written") from None
    endpoints = {protocol: known[protocol] for protocol in PROTOCOLS if known[protocol]}
    if not endpoints:
        raise MissingError("no address is given: give at least one of --checkout, --s2s-card and --s2s-apm")
    return Answers(
        name=known["name"],
        environment=known["environment"],
        release="",
        endpoints=endpoints,
        key=known["key"],
        password=known["password"],
        card=known["card"] or None,
    )


def _answer(name: str, given: str | None, *, is_terminal: bool) -> str:
    question = QUESTIONS[name]
    if given is not None:
        return given
    if is_terminal:
        return str(click.prompt(question.words, default=question.default, show_default=bool(question.default)))
    if question.default is None:
        raise MissingError(f"--{name} is not given, and there is no terminal to ask at")
    return question.default
