"""One emulator that listens as long as the process lives, and plays one gateway after the other.

To start and to stop a server takes a hundred times longer than to answer a request.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from functools import cache

from starlette.types import Receive, Scope, Send

from emulator import Settings
from emulator.app import create_app
from emulator.serving import serve_in_thread


class ListeningGateway:
    """Listens on a free port; what answers can be exchanged between two requests."""

    def __init__(self) -> None:
        self._plays = create_app(Settings())
        stack = ExitStack()
        self.url = stack.enter_context(serve_in_thread(application=self)).url
        atexit.register(stack.close)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to the gateway that is played."""
        await self._plays(scope, receive, send)

    def play(self, settings: Settings) -> str:
        """Become a fresh gateway that has seen nothing yet; return its address."""
        self._plays.state.gateway.retire()
        self._plays = create_app(settings)
        return self.url

    @property
    def is_delivering(self) -> bool:
        """Whether a callback of it is under way."""
        return bool(self._plays.state.gateway.callbacks.is_delivering)


@cache
def listening_gateway() -> ListeningGateway:
    """Return the one of this process."""
    return ListeningGateway()
