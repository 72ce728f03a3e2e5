"""Targets that misbehave on purpose, each named after what it does: a few lines of raw HTTP on a loopback port."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
        "claims-a-bad-length": says("200 OK", OPEN, extra="X-Note: \x1b[31mred\r\n"),
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
            _read_request(connection)
            answer(connection)
        except OSError:
            return


def _read_request(connection: socket.socket) -> None:
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
