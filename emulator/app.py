"""The gateway as an ASGI application: addresses, and what answers at each."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs

from emulator import bodies, pages
from emulator.bodies import Message, Receive, RefusedError
from emulator.checkout.session import open_session
from emulator.control import advance, clock_state
from emulator.design import Design, standard
from emulator.gateway import Gateway
from emulator.releases import RELEASES
from emulator.replies import Kind, Refusal, Reply, breakdown
from emulator.s2s_apm import NOT_SERVED
from emulator.s2s_card.actions import perform
from emulator.settings import Settings, SettingsError

Scope = Mapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
_LOG: Final = logging.getLogger("emulator")
_NO_ROUTE: Final = Refusal(Kind.NOWHERE, "Route or parameters is not supported", code=0, status=404)
_PAY: Final = "/pay/"
_TOKEN_END: Final = re.compile("[./]")


def design_of(settings: Settings) -> Design:
    """The design that ``settings`` ask for; raises SettingsError for names that do not exist."""
    if settings.release not in RELEASES:
        message = f"There is no release {settings.release}: choose one of {', '.join(RELEASES)}."
        raise SettingsError(message)
    design = standard(settings.release)
    if settings.variations:
        from emulator.variations import applied as varied  # noqa: PLC0415 - read only when one is asked for

        design = varied(design, settings.variations)
    if settings.faults:
        from emulator.faults import applied as broken  # noqa: PLC0415 - read only when one is asked for

        design = broken(design, settings.faults)
    return design


def create_app(settings: Settings | None = None) -> Application:
    """Build the gateway; raises SettingsError when a setting names something that does not exist."""
    chosen = settings or Settings()
    gateway = Gateway(chosen, design_of(chosen))
    roads = _Roads(gateway).table()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        method, path = scope["method"], scope["path"]
        road = roads.get(("GET" if method == "HEAD" else method, path if not path.startswith(_PAY) else _PAY))
        try:
            reply = await road(scope, receive) if road else await _nowhere(gateway, receive)
        except RefusedError as refused:
            reply = gateway.design.answers.refuse(refused.refusal)
        except Exception:
            _LOG.exception("the gateway itself failed on %s %s", method, path)
            reply = breakdown()
        await _write(gateway, reply, send, with_body=method != "HEAD")

    return application


Route = Callable[[Scope, Receive], Awaitable[Reply]]


class _Roads:
    """What answers at each address."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def table(self) -> dict[tuple[str, str], Route]:
        """The roads by HTTP method and path."""
        roads: dict[tuple[str, str], Route] = {
            ("POST", "/api/v1/session"): self._session,
            ("POST", "/post"): self._card,
            ("POST", "/apm/post"): self._alternative_method,
            ("GET", _PAY): self._pay,
            ("GET", "/"): self._start,
            ("GET", "/health"): self._health,
        }
        if self._gateway.settings.control:
            roads |= {("GET", "/-/clock"): self._read_clock, ("POST", "/-/clock"): self._move_clock}
        return roads

    async def _session(self, scope: Scope, receive: Receive) -> Reply:
        body = await bodies.read(receive)
        if self._gateway.design.session.checks_content_type and bodies.media_type(scope["headers"]) != JSON:
            raise bodies.wrong_media_type(JSON)
        return open_session(self._gateway, bodies.json_object(body), _client(scope), base_address(scope))

    async def _card(self, scope: Scope, receive: Receive) -> Reply:
        body = await bodies.read(receive)
        if bodies.media_type(scope["headers"]) != FORM:
            raise bodies.wrong_media_type(FORM)
        return perform(self._gateway, bodies.form(body), _client(scope))

    async def _alternative_method(self, _scope: Scope, receive: Receive) -> Reply:
        await bodies.read(receive)
        return self._gateway.design.answers.refuse(NOT_SERVED)

    async def _pay(self, scope: Scope, _receive: Receive) -> Reply:
        found = self._gateway.session(_page_token(scope))
        return pages.payment(found.request) if found else pages.no_session()

    async def _start(self, scope: Scope, _receive: Receive) -> Reply:
        return pages.start(self._gateway.settings, base_address(scope))

    async def _health(self, _scope: Scope, _receive: Receive) -> Reply:
        return Reply(Kind.ROUTE, 200, {"status": "ok", "release": self._gateway.design.release})

    async def _read_clock(self, _scope: Scope, _receive: Receive) -> Reply:
        return clock_state(self._gateway.clock)

    async def _move_clock(self, _scope: Scope, receive: Receive) -> Reply:
        return advance(self._gateway.clock, bodies.json_object(await bodies.read(receive)))


async def _nowhere(gateway: Gateway, receive: Receive) -> Reply:
    await bodies.read(receive)
    return gateway.design.answers.refuse(_NO_ROUTE)


def _page_token(scope: Scope) -> str:
    token = _TOKEN_END.split(scope["path"].removeprefix(_PAY), maxsplit=1)[0]
    return token or parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session", [""])[0]


def _client(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def base_address(scope: Scope) -> str:
    """The address under which the gateway listens; what the request's Host header says is not believed."""
    host, port = scope.get("server") or ("127.0.0.1", None)
    shown = f"[{host}]" if ":" in host else host
    return f"{scope.get('scheme', 'http')}://{shown}" + (f":{port}" if port else "")


async def _write(gateway: Gateway, reply: Reply, send: Send, *, with_body: bool) -> None:
    answers = gateway.design.answers
    if reply.kind is not Kind.ROUTE and reply.kind is not Kind.BREAKDOWN:
        reply = answers.finish(reply)
    if reply.delay:
        await asyncio.sleep(reply.delay)
    text = answers.write(reply.body) if reply.text is None else reply.text
    body = text.encode("utf-8", "replace")
    headers = [
        (b"content-type", reply.content_type.encode("latin-1")),
        *([(b"content-length", str(len(body)).encode("latin-1"))] if reply.sized else []),
        *((name.encode("latin-1"), value.encode("latin-1")) for name, value in reply.headers),
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": body if with_body else b""})
