"""Listening: as a process, and in a thread for tests."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from emulator.app import create_app
from emulator.settings import Settings

_LONGEST_START: Final = 60.0
_POLL: Final = 0.002


class ListeningError(OSError):
    """The gateway cannot listen where it was asked to."""


@dataclass(frozen=True, slots=True)
class Running:
    """A gateway that listens at ``url``; ``control`` is the address of its clock, where there is one."""

    url: str
    control: str | None


class _Server(uvicorn.Server):
    """Says when it listens, and leaves the signals of a thread alone."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def _bind(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay (40 ms an answer) only for sockets that say it.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        message = (
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}; choose another --host or --port"
        )
        raise ListeningError(message) from error
    listener.listen(256)
    return listener


def _running(settings: Settings, listener: socket.socket) -> Running:
    host, port = listener.getsockname()[:2]
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - an address that is read, not bound
    url = f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"
    return Running(url, f"{url}{settings.control_path}" if settings.control else None)


def _server(application: ASGIApp, ready: Callable[[], None]) -> _Server:
    config = uvicorn.Config(
        application,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
    )
    return _Server(config, ready)


def serve(settings: Settings, announce: Callable[[Running], None], stop: threading.Event | None = None) -> None:
    """Listen until the process is asked to end, or ``stop`` is set; ``announce`` is called once it listens."""
    listener = _bind(settings)
    running = _running(settings, listener)
    server = _server(create_app(settings), lambda: announce(running))
    if stop is not None:
        threading.Thread(target=_stop_when, args=(server, stop), daemon=True).start()
    with listener:
        server.run(sockets=[listener])


def _stop_when(server: uvicorn.Server, stop: threading.Event) -> None:
    stop.wait()
    server.should_exit = True


@contextmanager
def serve_in_thread(settings: Settings | None = None, application: ASGIApp | None = None) -> Iterator[Running]:
    """Run a gateway in a thread of this process while the context is open; ``application`` answers in its place."""
    chosen = settings or Settings()
    ready = threading.Event()
    server = _server(application or create_app(chosen), ready.set)
    listener = _bind(chosen)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + _LONGEST_START
        while not ready.wait(_POLL) and thread.is_alive():
            if time.monotonic() > deadline:
                break
        if not ready.is_set():
            message = "the gateway did not start to listen"
            raise ListeningError(message)
        yield _running(chosen, listener)
    finally:
        server.should_exit = True
        thread.join(_LONGEST_START)
        listener.close()
