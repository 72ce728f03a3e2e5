"""The sessions of hosted fields: what merchants asked for, and what payers typed, until it is paid."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from emulator.accounts import Account
from emulator.protocols.hosted_page.visits import Visit
from emulator.wire.values import Object

_KEPT: Final = 5_000


@dataclass(slots=True, repr=False)
class HostedSession:
    """One session: ``client`` is the address that asked for the token, ``closes`` in seconds of the clock.

    ``typed`` are the values of the fields by their names, and never leave the gateway. ``visit`` is the payer's visit
    at the challenge, where there is one.
    """

    token: str
    request: Object
    account: Account
    client: str
    closes: float
    typed: dict[str, str] = field(default_factory=dict)
    visit: Visit = field(default_factory=Visit)
    paid: bool = False


class HostedSessions:
    """The sessions by their tokens; the oldest are forgotten."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, HostedSession] = OrderedDict()
        self._challenged: OrderedDict[str, HostedSession] = OrderedDict()

    def add(self, session: HostedSession) -> None:
        """Remember a session."""
        self._sessions[session.token] = session
        if len(self._sessions) > _KEPT:
            self._sessions.popitem(last=False)

    def find(self, token: str) -> HostedSession | None:
        """The session of a token."""
        return self._sessions.get(token)

    def challenge(self, session: HostedSession) -> str:
        """A token for the address at which the payer of a session is challenged."""
        token = secrets.token_urlsafe(24)
        self._challenged[token] = session
        if len(self._challenged) > _KEPT:
            self._challenged.popitem(last=False)
        return token

    def challenged(self, token: str) -> HostedSession | None:
        """The session whose payer is challenged at an address."""
        return self._challenged.get(token)
