"""A certificate authority of a test's own, and a server on loopback whose certificate it issued."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.hostile_targets import read_request

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"


@dataclass(frozen=True)
class Authority:
    """A certificate authority, and what it issued for 127.0.0.1.

    Attributes:
        certificate: of the authority, in PEM.
        issued: certificate of the server, in PEM.
        key: of the server, in PEM.
    """

    certificate: Path
    issued: Path
    key: Path


def authority(directory: Path) -> Authority:
    """Make one with the program openssl."""
    root, root_key, issued, key = (directory / name for name in ("root.pem", "root.key", "issued.pem", "issued.key"))
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    _openssl("req", "-x509", *new_key, "-keyout", root_key, "-out", root, "-subj", "/CN=authority of a test")
    extensions = ("-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE")
    signed = ("-CA", root, "-CAkey", root_key, "-subj", "/CN=server of a test")
    _openssl("req", "-x509", *new_key, "-keyout", key, "-out", issued, *signed, *extensions)
    return Authority(root, issued, key)


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=600)


@contextmanager
def tls_server(own: Authority) -> Iterator[str]:
    """Serve ``{}`` over TLS; yields the address."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own.issued, own.key)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stop = threading.Event()
        listening.settimeout(0.05)
        thread = threading.Thread(target=_serve, args=(listening, context, stop), daemon=True)
        thread.start()
        try:
            yield f"https://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            stop.set()
            thread.join()


def _serve(listening: socket.socket, context: ssl.SSLContext, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            continue
        connection.settimeout(5)
        try:
            with context.wrap_socket(connection, server_side=True) as secured:
                read_request(secured)
                secured.sendall(ANSWER)
        except OSError:
            connection.close()
