"""What stands in front of the gateway: it sees a request before anything reads it, and may answer in its place.

The gateway itself has nothing there; faults put there what careless servers, parsers and frameworks do.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emulator.wire.bodies import BOUND, RefusedError, read
from emulator.wire.replies import Reply, compact


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request as it came in; header names are in lower case."""

    path: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str:
        """The first value of a header, or an empty text."""
        return next((value for key, value in self.headers if key == name), "")

    def with_body(self, body: bytes) -> "Arrival":
        """The same with another body."""
        return replace(self, body=body)


Front = Callable[[Arrival], Arrival | Reply]
"""Lets a request pass, as it is or changed, or answers it."""

_HTTP: Final = "http"


class FrontMiddleware:
    """Leads every request past the fronts."""

    def __init__(self, app: ASGIApp, fronts: tuple[Front, ...]) -> None:
        """Stand in front of ``app``."""
        self._app = app
        self._fronts = fronts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the request, show it to the fronts, and hand on what is left of it."""
        if scope["type"] != _HTTP or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await read(receive)
        except RefusedError:
            body = b" " * (BOUND + 1)
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
        arrival: Arrival | Reply = Arrival(scope["path"], headers, body)
        for front in self._fronts:
            arrival = front(arrival) if isinstance(arrival, Arrival) else arrival
        if isinstance(arrival, Reply):
            await _response(arrival)(scope, receive, send)
        else:
            await self._app(scope, _once(arrival.body), send)


def _response(reply: Reply) -> Response:
    text = compact(reply.body) if reply.text is None else reply.text
    headers = {"content-type": reply.content_type, **dict(reply.headers)}
    return Response(text.encode("utf-8", "replace"), reply.status, headers)


def _once(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
