"""A gateway that says the secrets of its merchants again, in all ways to write one: a few in each answer and page."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from emulator import Settings
from emulator.app import create_app
from emulator.serving import Running, serve_in_thread

WAYS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "plain": str,
        "upper case": str.upper,
        "reversed": lambda text: text[::-1],
        "percent-encoded": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
        "base64": lambda text: base64.b64encode(text.encode()).decode().rstrip("="),
        "JSON-escaped": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
        "quoted": lambda text: quote(text, safe=""),
        "hex": lambda text: text.encode().hex(),
    }
)
"""Ways to write a secret, by name."""


A_FEW = 12


class Echoing:
    """An application of a gateway whose answers hold secrets besides.

    Args:
        application: the gateway.
        secrets: what it says again.
    """

    def __init__(self, application: ASGIApp, secrets: Sequence[str]) -> None:
        self._application = application
        self._written = [(f"{way} {at}", write(one)) for at, one in enumerate(secrets) for way, write in WAYS.items()]
        self._next = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the gateway does, and more."""
        if scope["type"] != "http" or scope["path"].startswith("/-/"):
            await self._application(scope, receive, send)
            return
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self._application(scope, receive, keep)
        for message in self._said(messages):
            await send(message)

    def _said(self, messages: Sequence[Message]) -> Iterator[Message]:
        start = next(message for message in messages if message["type"] == "http.response.start")
        body = b"".join(message.get("body", b"") for message in messages)
        headers = {name.lower(): value for name, value in start["headers"]}
        echo = dict(self._written[self._next : self._next + A_FEW])
        self._next = (self._next + A_FEW) % len(self._written)
        kind = headers.get(b"content-type", b"")
        if b"json" in kind and body[:1] == b"{":
            body = json.dumps(json.loads(body) | {"echo": echo}).encode()
        elif b"html" in kind:
            body += f"<!-- {json.dumps(echo)} -->".encode()
        headers[b"content-length"] = str(len(body)).encode()
        headers[b"x-echo"] = next(iter(echo.values())).encode()
        yield {**start, "headers": list(headers.items())}
        yield {"type": "http.response.body", "body": body}


@contextmanager
def echoing_gateway(secrets: Sequence[str], callback_url: str) -> Iterator[Running]:
    """Serve one on loopback."""
    settings = Settings(control=True, callback_url=callback_url)
    application = create_app(settings)
    with serve_in_thread(settings, Echoing(application, secrets)) as running:
        yield running
        application.state.gateway.retire()
