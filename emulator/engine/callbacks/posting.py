"""Posts over connections that stay open.

A gateway posts a callback for nearly every request that it takes. A general client of HTTP takes more than half of the
gateway's time for that, and does nothing here that these lines do not.
"""

import asyncio
import re
import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import urlsplit

_TIMEOUT_SECONDS: Final = 5.0
_LONGEST_ANSWER: Final = 65_536
"""Bytes of an answer that are read so that its connection can be used again; after a longer one it is closed."""
_STATUS: Final = re.compile(r"HTTP/1\.([01]) ([1-5][0-9]{2})(?: |$)")
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_FINAL: Final = 200
"""The first status that is no interim one."""


class NotPostedError(Exception):
    """Nobody answered what was posted."""


@cache
def _trusted() -> ssl.SSLContext:
    """Which certificates are trusted: read once, for it takes longer than many deliveries."""
    from httpx import create_ssl_context  # noqa: PLC0415 - read only where a merchant listens with TLS

    return create_ssl_context(trust_env=False)


@dataclass(frozen=True, slots=True)
class _Connection:
    """A connection to a merchant."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def is_open(self) -> bool:
        """Whether the merchant has not closed it, as far as is known."""
        return not (self.reader.at_eof() or self.writer.is_closing())


@dataclass(slots=True)
class Poster:
    """Posts bodies; used by one event loop only."""

    _idle: dict[tuple[str, str, int], list[_Connection]] = field(default_factory=dict)
    _is_closed: bool = False

    async def post(self, address: str, content_type: str, body: bytes) -> int:
        """Post a body to an address; return the status of the answer.

        Raises:
            NotPostedError: nobody listens there, or what answered does not speak HTTP, or nothing came in time.
        """
        try:
            return await self._posted(address, content_type, body)
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise NotPostedError(str(error) or type(error).__name__) from error

    async def aclose(self) -> None:
        """Close the connections."""
        self._is_closed = True
        for connections in self._idle.values():
            for connection in connections:
                connection.writer.close()
        self._idle.clear()

    async def _posted(self, address: str, content_type: str, body: bytes) -> int:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode()
        place = (parts.scheme, host, parts.port or _USUAL_PORTS[parts.scheme])
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        head = (
            f"POST {target} HTTP/1.1\r\nHost: {parts.netloc.rpartition('@')[2]}\r\nAccept: */*\r\n"
            f"Connection: keep-alive\r\nUser-Agent: gateway-emulator\r\n"
            f"Content-Length: {len(body)}\r\nContent-Type: {content_type}\r\n\r\n"
        )
        connection = await self._connected(place)
        stays = False
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                connection.writer.write(head.encode() + body)
                await connection.writer.drain()
                status, stays = await _answer(connection.reader)
        finally:
            if stays and not self._is_closed:
                self._idle.setdefault(place, []).append(connection)
            else:
                connection.writer.close()
        return status

    async def _connected(self, place: tuple[str, str, int]) -> _Connection:
        # The loop notices here what was closed meanwhile.
        await asyncio.sleep(0)
        idle = self._idle.get(place, [])
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
            connection.writer.close()
        scheme, host, port = place
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            return _Connection(
                *await asyncio.open_connection(host, port, ssl=_trusted() if scheme == "https" else None)
            )


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """Return the status of an answer, and whether the connection can be used again."""
    while True:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        match = _STATUS.match(first)
        if match is None:
            message = f"answered {first[:40]!r}"
            raise ValueError(message)
        status = int(match[2])
        if status >= _FINAL:
            break
    members = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = members.get("content-length", "")
    is_short = length.isdecimal() and int(length[:9]) <= _LONGEST_ANSWER and "transfer-encoding" not in members
    stays = match[1] == "1" and is_short and "close" not in members.get("connection", "").lower()
    if stays:
        await reader.readexactly(int(length))
    return status, stays
