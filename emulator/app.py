"""The gateway as an ASGI application: addresses, and what answers at each."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from emulator import offers
from emulator.design import Design, standard
from emulator.gateway import Gateway
from emulator.protocols.checkout import requests
from emulator.protocols.checkout.session import open_session
from emulator.protocols.hosted_fields import routes as hosted_fields
from emulator.protocols.hosted_page import routes as hosted_page
from emulator.protocols.s2s_apm import bank_page
from emulator.protocols.s2s_apm.actions import perform as perform_apm
from emulator.protocols.s2s_card import issuer
from emulator.protocols.s2s_card.dispatch import perform
from emulator.releases import RELEASES
from emulator.settings import Settings, SettingsError
from emulator.wire import bodies, start_page
from emulator.wire.bodies import RefusedError
from emulator.wire.control import advance, clock_state
from emulator.wire.distance import DistanceMiddleware
from emulator.wire.front import FrontMiddleware
from emulator.wire.replies import Kind, Refusal, Reply, breakdown

_HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?")
JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
_LONGEST_SETTLING: Final = 0.5
_UNSUPPORTED: Final = "Route or parameters is not supported"
_NO_ROUTE: Final = Refusal(Kind.NOWHERE, _UNSUPPORTED, code=0, status=404)
_NO_METHOD: Final = Refusal(Kind.METHOD, _UNSUPPORTED, code=0, status=405)


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


def create_app(settings: Settings | None = None) -> Starlette:
    """Build the gateway; raises SettingsError when a setting names something that does not exist."""
    chosen = settings or Settings()
    gateway = Gateway(chosen, design_of(chosen))
    answering = _Answering(gateway)
    application = Starlette(
        routes=answering.routes(),
        middleware=list(_middleware(gateway.design, chosen.latency)),
        exception_handlers={
            RefusedError: answering.refused,
            HTTPException: answering.nowhere,
            Exception: answering.failed,
        },
    )
    # An address with a slash too many is another address, not a reason to send the merchant elsewhere.
    application.router.redirect_slashes = False
    application.state.gateway = gateway
    return application


def _middleware(design: Design, latency: float) -> Iterator[Middleware]:
    if latency:
        yield Middleware(DistanceMiddleware, mean=latency)
    if design.answers.compressed:
        yield Middleware(GZipMiddleware, minimum_size=1)
    if design.fronts:
        yield Middleware(FrontMiddleware, fronts=design.fronts)


class _Answering:
    """What answers at each address."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def routes(self) -> list[Route]:
        """The addresses with their methods; HEAD goes with GET."""
        routes = [
            Route(self._gateway.session.path, self._session, methods=["POST"]),
            Route("/post", self._card, methods=list(self._gateway.card.methods)),
            Route("/issuer/{token}", self._issuer, methods=["GET", "POST"]),
            Route("/issuer/{token}/outcome", self._issuer_outcome, methods=["POST"]),
            *(Route(path, self._alternative_method, methods=["POST"]) for path in start_page.APM_PATHS),
            Route("/apm/redirect/{token}", self._payer, methods=["GET", "POST"]),
            *(self._checkout(name) for name in self._gateway.checkout.operations),
            *hosted_fields.routes(self._gateway, self._written),
            *hosted_page.routes(self._gateway),
            Route("/", self._start, methods=["GET"]),
            Route("/health", self._health, methods=["GET"]),
        ]
        if self._gateway.settings.control:
            routes.append(Route(self._gateway.settings.control_path, self._clock, methods=["GET", "POST"]))
        return routes

    async def refused(self, _request: Request, error: Exception) -> Response:
        """Answer a request whose body cannot be worked with."""
        return await self._written(self._gateway.answers.refuse(cast("RefusedError", error).refusal))

    async def nowhere(self, request: Request, error: Exception) -> Response:
        """Answer a request to an address that does not exist, or that takes another method."""
        try:
            await bodies.read(request.receive)
        except RefusedError as refused:
            return await self.refused(request, refused)
        allowed = cast("HTTPException", error).headers
        reply = self._gateway.answers.refuse(_NO_METHOD if allowed else _NO_ROUTE)
        return await self._written(replace(reply, headers=tuple((allowed or {}).items())))

    async def failed(self, _request: Request, _error: Exception) -> Response:
        """Answer where the gateway itself failed; the server logs what happened."""
        return await self._written(breakdown())

    async def _session(self, request: Request) -> Response:
        body = await bodies.read(request.receive)
        if self._gateway.session.checks_content_type and bodies.media_type(request.scope["headers"]) != JSON:
            raise bodies.wrong_media_type(JSON)
        reply = open_session(self._gateway, bodies.json_object(body), _client(request), self._base(request))
        return await self._written(reply)

    def _checkout(self, name: str) -> Route:
        operation = self._gateway.checkout.operations[name]

        async def answer(request: Request) -> Response:
            body = await bodies.read(request.receive)
            if bodies.media_type(request.scope["headers"]) != JSON:
                raise bodies.wrong_media_type(JSON)
            sent, client, base = bodies.json_object(body), _client(request), self._base(request)
            return await self._written(requests.perform(self._gateway, operation, sent, client, base))

        return Route(operation.path, answer, methods=["POST"])

    async def _card(self, request: Request) -> Response:
        body = await bodies.read(request.receive)
        content_type = bodies.header(request.scope["headers"], b"content-type")
        form, base = self._gateway.card.read_body(body, content_type), self._base(request)
        return await self._written(perform(self._gateway, form, _client(request), base))

    async def _issuer(self, request: Request) -> Response:
        await bodies.read(request.receive)
        return await self._written(issuer.page(self._gateway, request.path_params["token"]))

    async def _issuer_outcome(self, request: Request) -> Response:
        form = bodies.form(await bodies.read(request.receive))
        browser = issuer.browser_of(request.headers)
        token = request.path_params["token"]
        return await self._written(issuer.conclude(self._gateway, token, form, browser))

    def _base(self, request: Request) -> str:
        self._gateway.address = public_address(request, self._gateway.settings)
        return self._gateway.address

    async def _alternative_method(self, request: Request) -> Response:
        body = await bodies.read(request.receive)
        kind = bodies.header(request.scope["headers"], b"content-type")
        return await self._written(perform_apm(self._gateway, kind, body, _client(request), self._base(request)))

    async def _payer(self, request: Request) -> Response:
        token = request.path_params["token"]
        if request.method != "POST":
            return await self._written(bank_page.show(self._gateway, token))
        form = bodies.form(await bodies.read(request.receive))
        return await self._written(bank_page.decide(self._gateway, token, form))

    async def _start(self, request: Request) -> Response:
        paths = [operation.path for operation in self._gateway.checkout.operations.values()]
        page = start_page.start(self._gateway.settings, self._base(request), paths, offers.tables())
        return await self._written(page)

    async def _health(self, _request: Request) -> Response:
        body: dict[str, object] = {"status": "ok", "release": self._gateway.release}
        return await self._written(Reply(Kind.ROUTE, 200, body))

    async def _clock(self, request: Request) -> Response:
        clock = self._gateway.clock
        if request.method != "POST":
            return await self._written(clock_state(clock))
        reply = advance(clock, bodies.json_object(await bodies.read(request.receive)))
        self._gateway.agenda.run_due()
        # Who moves the clock has the callbacks of what fell due when the move is answered.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._gateway.callbacks.settled(), _LONGEST_SETTLING)
        return await self._written(reply)

    async def _written(self, reply: Reply) -> Response:
        answers = self._gateway.answers
        if reply.kind is not Kind.ROUTE and reply.kind is not Kind.BREAKDOWN:
            reply = answers.finish(reply)
        if reply.delay:
            await asyncio.sleep(reply.delay)
        text = answers.written(reply)
        headers = {"content-type": reply.content_type, **dict(reply.headers)}
        response = Response(text.encode("utf-8", "replace"), reply.status, headers)
        if not reply.sized:
            del response.headers["content-length"]
        return response


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def public_address(request: Request, settings: Settings) -> str:
    """The address under which payers and merchants reach the gateway."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = request.headers.get("x-forwarded-host", "").partition(",")[0].strip()
    if settings.trusts_proxy and _HOST.fullmatch(host):
        scheme = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip()
        return f"{scheme if scheme in ('http', 'https') else 'https'}://{host}"
    return base_address(request)


def base_address(request: Request) -> str:
    """The address under which the gateway listens; what the request's Host header says is not believed."""
    scope = request.scope
    host, port = scope.get("server") or ("127.0.0.1", None)
    shown = f"[{host}]" if ":" in host else host
    return f"{scope.get('scheme', 'http')}://{shown}" + (f":{port}" if port else "")
