"""The addresses of hosted fields."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from emulator.accounts import Account
from emulator.protocols.hosted_fields import frames, session_tokens
from emulator.protocols.hosted_fields import payments as paying
from emulator.protocols.hosted_fields.behaviour import HostedGateway
from emulator.protocols.hosted_page.browser import browser_of
from emulator.protocols.hosted_page.flow import Flow, Shown
from emulator.protocols.hosted_page.markup import same_address
from emulator.protocols.hosted_page.view import View
from emulator.wire import bodies
from emulator.wire.replies import Reply

_STATIC: Final = Path(__file__).parent / "static"
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json"
_FORM: Final = "application/x-www-form-urlencoded"
_AS_A_CLASS: Final = (
    "return { init, submit: () => current.submit() };",
    "return class { constructor(options) { Object.assign(this, init(options)); } };",
)
"""What the script gives to the merchant's page, and what it gives in its place."""
_ANYWHERE: Final = ("access-control-allow-origin", "*")
_ASKED_FIRST: Final = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type, token",
}
Written = Callable[[Reply], Awaitable[Response]]


def routes(gateway: HostedGateway, written: Written) -> list[Route]:
    """The addresses; ``written`` puts an answer on the wire."""
    answering = _Answering(gateway, written)
    behaviour = gateway.hosted_fields
    payments = [
        Route(path, answering.paying(operation), methods=["POST", "OPTIONS"])
        for path, (operation, _) in behaviour.addresses.items()
    ]
    return [
        Route(behaviour.session_path, answering.token, methods=["POST"]),
        *payments,
        Route(behaviour.script_path, answering.script, methods=["GET"]),
        Route("/sdk/hosted-fields/frames/{name}", answering.frame, methods=["GET"]),
        *([Route(frames.CARD_PATH, answering.card, methods=["POST"])] if behaviour.fields_hand_over else []),
        Route(f"{paying.CHALLENGES}/{{address}}", answering.challenge, methods=["GET", "POST"]),
        Route("/sdk/hosted-fields/{name}", _asset, methods=["GET"]),
    ]


class _Answering:
    def __init__(self, gateway: HostedGateway, written: Written) -> None:
        self._gateway = gateway
        self._written = written

    async def token(self, request: Request) -> Response:
        """Answer a request for a session token."""
        body = await _json(request)
        return await self._written(session_tokens.open_hosted(self._gateway, body, _client(request)))

    def paying(self, operation: str) -> Callable[[Request], Awaitable[Response]]:
        """What answers at the address that pays sessions of ``operation``."""

        async def answer(request: Request) -> Response:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=_ASKED_FIRST)
            body = await _json(request)
            scope, gateway = request.scope, self._gateway
            host, port = scope.get("server") or ("127.0.0.1", None)
            base = f"{scope.get('scheme', 'http')}://{f'[{host}]' if ':' in host else host}:{port or 80}"
            browser = browser_of(request.headers, {})
            token = request.headers.get(gateway.hosted_fields.header, "")
            reply = paying.pay(gateway, operation, token, body, browser, base)
            return await self._written(replace(reply, headers=(*reply.headers, _ANYWHERE)))

        return answer

    async def script(self, _request: Request) -> Response:
        """Deliver the script that puts the fields into the merchant's page."""
        behaviour = self._gateway.hosted_fields
        changes = [('["card", "expiry", "cvv"]', json.dumps(behaviour.frames))]
        if behaviour.constructed:
            changes.append(_AS_A_CLASS)
        return _static("plain-fields.js" if behaviour.plain_fields else "hosted-fields.js", *changes)

    async def frame(self, request: Request) -> Response:
        """Show one field."""
        name = request.path_params["name"]
        if name not in self._gateway.hosted_fields.frames:
            return Response(status_code=404)
        query = request.query_params
        said, behaviour = query.get("placeholder", "")[:64], self._gateway.hosted_fields
        ways = {"is_mute": behaviour.mute_fields, "is_sent_when_left": behaviour.sent_when_left}
        reply = frames.frame(name, query.get("token", ""), said, **ways)
        return await self._written(reply)

    async def card(self, request: Request) -> Response:
        """Take in what was typed."""
        body = await bodies.read(request.receive)
        if bodies.media_type(request.scope["headers"]) != _FORM:
            raise bodies.wrong_media_type(_FORM)
        reply = frames.take(self._gateway, bodies.form(body))
        behaviour = self._gateway.hosted_fields
        if behaviour.plain_fields:
            reply = replace(reply, headers=(*reply.headers, _ANYWHERE))
        return await self._written(behaviour.card_answer(reply))

    async def challenge(self, request: Request) -> Response:
        """Let the payer pass or fail the challenge, and go back to the merchant."""
        gateway = self._gateway
        session = gateway.hosted_sessions.challenged(request.path_params["address"])
        if session is None:
            return Response("There is no challenge at this address.", 404, media_type="text/plain")
        page = paying.page_session(gateway, session, {}, browser_of(request.headers, {}))
        # Forms of the challenge go where they came from, wherever the hosted page sends its own.
        markup = replace(gateway.page.markup, post_address=same_address)
        behaviour = replace(gateway.page, declines_allowed=_one, markup=markup)
        view = View(behaviour, "en", request.url.path, page)
        flow = Flow(view, page, session.visit, gateway.page_payments)
        if request.method == "POST":
            form = gateway.hosted_fields.challenge_answer(bodies.form(await bodies.read(request.receive)))
            shown = flow.take(form, closed=False, fetch_destination="")
        else:
            shown = flow.show(closed=False, fetch_destination="")
        return _page(shown, behaviour.headers(page))


def _one(_account: Account | None) -> int:
    return 1


def _page(shown: Shown, headers: Mapping[str, str]) -> Response:
    location = {"location": shown.location} if shown.location else {}
    return Response(shown.text.encode("utf-8", "replace"), shown.status, {"content-type": _HTML, **headers, **location})


async def _json(request: Request) -> dict[str, object]:
    body = await bodies.read(request.receive)
    if bodies.media_type(request.scope["headers"]) != _JSON:
        raise bodies.wrong_media_type(_JSON)
    return bodies.json_object(body)


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


@cache
def _assets() -> Mapping[str, tuple[str, str]]:
    kinds = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
    return {one.name: (one.read_text(encoding="utf-8"), kinds[one.suffix]) for one in _STATIC.iterdir()}


def _static(name: str, *changes: tuple[str, str]) -> Response:
    if name not in _assets():
        return Response(status_code=404)
    text, kind = _assets()[name]
    for before, after in changes:
        text = text.replace(before, after)
    headers = {"content-type": kind, "cache-control": "max-age=300", "x-content-type-options": "nosniff"}
    return Response(text.encode(), 200, headers)


async def _asset(request: Request) -> Response:
    return _static(request.path_params["name"])
