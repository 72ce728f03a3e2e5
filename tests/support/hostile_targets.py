"""Targets that misbehave on purpose, each named after what it does: a few lines of raw HTTP on a loopback port."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType

Answer = Callable[[socket.socket], None]

OPEN = json.dumps({"redirect_url": "https://checkout.example/pay/1"}).encode()
INVALID = json.dumps(
    {
        "result": "ERROR",
        "error_code": 100000,
        "error_message": "Request data is invalid.",
        "errors": [{"error_code": 100000, "error_message": "order.description: This value should not be blank."}],
    }
).encode()


def says(status: str, body: bytes, content_type: str = "application/json", extra: str = "") -> Answer:
    """Answer every request alike."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return lambda connection: connection.sendall(head.encode() + body)


def raw(*pieces: bytes, times: int = 1, pause: float = 0.0) -> Answer:
    """Answer with the first pieces once and with the last one over and over."""

    def answer(connection: socket.socket) -> None:
        for piece in pieces[:-1]:
            connection.sendall(piece)
        for _ in range(times):
            connection.sendall(pieces[-1])
            time.sleep(pause)

    return answer


def _resets(connection: socket.socket) -> None:
    # Nothing lingers: the connection is reset and not closed.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@cache
def _zeros(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b"\0" * (1 << 20)
    return b"".join([*(packer.compress(piece) for _ in range(size >> 20)), packer.flush()])


def _gzip_bomb(connection: socket.socket) -> None:
    body = _zeros(_BOMB)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)


_BOMB = 1 << 28
"""A quarter of a gigabyte, which is sent in a quarter of a megabyte; it takes a second to make."""
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_MANY = 1_000_000
"""As good as for ever: nobody listens for so long."""


def _never_ends(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"%x\r\n%s\r\n" % (65536, b"a" * 65536)
    for _ in range(2_000):
        connection.sendall(chunk)


def _drips(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(100):
        connection.sendall(b" ")
        time.sleep(0.05)


def _hangs(connection: socket.socket) -> None:
    del connection
    time.sleep(3)


HOSTILE: Mapping[str, Answer] = MappingProxyType(
    {
        "accepts-everything": says("200 OK", OPEN),
        "refuses-everything": says("400 Bad Request", INVALID),
        "fails-at-everything": says("500 Internal Server Error", b"Traceback: line 1"),
        "answers-html": says("200 OK", b"<script>alert(1)</script>", "text/html"),
        "answers-nothing": says("204 No Content", b""),
        "redirects": says("302 Found", b"", extra="Location: http://192.0.2.1/\r\n"),
        "closes": lambda _: None,
        "talks-gibberish": lambda connection: connection.sendall(b"\x00\x01\x02 not http\r\n\r\n"),
        "nests-deeply": says("200 OK", b"[" * 100_000),
        "never-ends": _never_ends,
        "drips": _drips,
        "hangs": _hangs,
        "colours-its-headers": says("200 OK", OPEN, extra="X-Note: \x1b[31mred\r\n"),
        "resets": _resets,
        "drips-its-head": raw(b"HTTP/1.1 200 OK\r\nX: ", b"a", times=_MANY, pause=0.05),
        "floods-interim-answers": raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100, times=_MANY),
        "continues-for-ever": raw(b"HTTP/1.1 100 Continue\r\n\r\n", times=_MANY, pause=0.05),
        "head-never-ends": raw(_HEAD, b"X-More: " + b"a" * 1_000 + b"\r\n", times=_MANY),
        "sets-many-cookies": raw(_HEAD, b"Set-Cookie: a%d=1\r\n" % 1, times=_MANY),
        "sends-100-megabytes": raw(_HEAD + b"Content-Length: 104857600\r\n\r\n", b"a" * 65_536, times=1_600),
        "is-a-gzip-bomb": _gzip_bomb,
        "claims-gzip": says("200 OK", OPEN, extra="Content-Encoding: gzip\r\n"),
        "claims-too-much": raw(_HEAD + b"Content-Length: 1000000\r\n\r\n", OPEN),
        "claims-too-little": raw(_HEAD + b"Content-Length: 3\r\n\r\n", OPEN),
        "claims-two-lengths": raw(_HEAD + b"Content-Length: 3\r\nContent-Length: 5\r\n\r\n", OPEN),
        "claims-a-negative-length": raw(_HEAD + b"Content-Length: -1\r\n\r\n", OPEN),
        "chunks-wrongly": raw(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", OPEN),
        "breaks-off-a-chunk": raw(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nfff\r\n", OPEN),
        "counts-high": says("200 OK", b'{"result": ' + b"9" * 100_000 + b', "redirect_url": 1e999}'),
        "nests-objects": says("200 OK", b'{"a":' * 50_000),
        "has-no-status": raw(b"HTTP/1.1 9999999999 \r\n\r\n"),
        "has-an-odd-status": says("799 Odd", OPEN),
        "switches-protocols": raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", b"\0" * 1_000),
        "puts-off-for-ever": says("429 Too Many Requests", b"", extra="Retry-After: 99999999999\r\n"),
        "puts-off-oddly": raw("HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: ²\r\n\r\n".encode()),
        "redirects-to-itself": says("307 Temporary Redirect", b"", extra="Location: /api/v1/session\r\n"),
        "redirects-nowhere": says("302 Found", b"", extra="Location: http://[::1\r\n"),
        "is-not-utf-8": says("400 Bad Request", b'{"error_message":"\xff\xfe"}'),
    }
)


@contextmanager
def target(name: str) -> Iterator[str]:
    """Serve one hostile target on loopback; yields its address."""
    answer = HOSTILE[name]
    with socket.create_server(("127.0.0.1", 0)) as server:
        stop = threading.Event()
        server.settimeout(0.05)
        thread = threading.Thread(target=_serve, args=(server, answer, stop), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def _serve(server: socket.socket, answer: Answer, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            connection, _ = server.accept()
        except TimeoutError:
            continue
        threading.Thread(target=_one, args=(connection, answer), daemon=True).start()


def _one(connection: socket.socket, answer: Answer) -> None:
    with connection:
        try:
            connection.settimeout(5)
            read_request(connection)
            answer(connection)
        except OSError:
            return


def read_request(connection: socket.socket) -> None:
    """Read a request to its end."""
    data = b""
    while b"\r\n\r\n" not in data:
        received = connection.recv(65536)
        if not received:
            return
        data += received
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(lengths[0].split(b":")[1]) - len(body) if lengths else 0
    while missing > 0:
        missing -= len(connection.recv(65536))
