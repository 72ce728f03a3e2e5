"""The addresses of the page: one for everything that a session shows, and one for its style and script."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from emulator.protocols.hosted_page.behaviour import PageGateway
from emulator.protocols.hosted_page.browser import browser_of
from emulator.protocols.hosted_page.flow import Flow, Shown
from emulator.protocols.hosted_page.forms.country_names import STATES
from emulator.protocols.hosted_page.languages import Wishes
from emulator.protocols.hosted_page.session import KeptSession, PageSession
from emulator.protocols.hosted_page.view import View, render
from emulator.protocols.hosted_page.visits import Visits
from emulator.protocols.shared import find_account
from emulator.wire import bodies
from emulator.wire.bodies import RefusedError

_SCRIPT: Final = "page.js"
_STATIC: Final = Path(__file__).parent / "static"
_HTML: Final = "text/html; charset=utf-8"
_SAFE: Final = "%/:@!$&'()*+,;=?~"


def routes(gateway: PageGateway) -> list[Route]:
    """The addresses of the page."""
    page = _Page(gateway)
    return [
        Route("/pay/{page:path}", page.answer, methods=["GET", "POST"]),
        Route("/pay-assets/{name}", page.asset, methods=["GET"]),
    ]


class _Page:
    def __init__(self, gateway: PageGateway) -> None:
        self._gateway = gateway
        self._behaviour = gateway.page
        self._payments = gateway.page_payments
        self._visits = Visits()

    async def answer(self, request: Request) -> Response:
        """Answer the payer's browser."""
        token = _page_token(request)
        kept = self._gateway.kept_session(token)
        if kept is None:
            return self._missing(request)
        session = self._seen(token, kept, request)
        closed = self._gateway.clock.seconds() >= kept.closes
        view = View(self._behaviour, self._language(request, session, closed=closed), _here(request), session)
        flow = Flow(view, session, self._visits.of(token), self._payments)
        if self._behaviour.lasts_anew and not closed:
            self._gateway.keep_session(token, dict(kept.request))
        from_frame = request.headers.get("sec-fetch-dest", "")
        if request.method != "POST":
            return self._written(flow.show(closed=closed, fetch_destination=from_frame), session)
        try:
            form = bodies.form(await bodies.read(request.receive))
        except RefusedError as refused:
            text = render(view, "message.html", title=view.text("error_title"), text=view.text("error_text"))
            return self._written(Shown(text, refused.refusal.status), session)
        seen = replace(session, browser=browser_of(request.headers, form), is_posted=True)
        flow = Flow(replace(view, session=seen), seen, self._visits.of(token), self._payments)
        return self._written(flow.take(form, closed=closed, fetch_destination=from_frame), session)

    async def asset(self, request: Request) -> Response:
        """The style or the script of the page."""
        name = request.path_params["name"]
        found = _assets().get(name)
        if found is None:
            return Response(status_code=404)
        text, media_type = found
        text = self._behaviour.markup.script(text) if name == _SCRIPT else text
        headers = {"content-type": media_type, "cache-control": "max-age=300", "x-content-type-options": "nosniff"}
        return Response(text.encode(), 200, headers)

    def _seen(self, token: str, kept: KeptSession, request: Request) -> PageSession:
        account = find_account(kept.request.get("merchant_key"))
        gateway = self._gateway
        client = request.client.host if request.client else ""
        return PageSession(
            token,
            kept.request,
            account,
            gateway.release,
            gateway.clock.now(),
            client=client,
            browser=browser_of(request.headers, {}),
            cookies=request.cookies,
            declines=self._visits.of(token).declines,
        )

    def _language(self, request: Request, session: PageSession | None, *, closed: bool = False) -> str:
        given = session.given if session else lambda *_names: ""
        accepted = request.headers.get("accept-language", "")
        is_posted = request.method == "POST"
        return self._behaviour.language(
            Wishes(
                given("checkout_language"),
                given("billing_address", "language"),
                accepted,
                is_posted=is_posted,
                operation=session.operation if session else "",
                declines=session.declines if session else 0,
                waits=session is not None and self._visits.of(session.token).pending is not None,
                own_form=bool(given("form_id")),
                closed=closed,
            )
        )

    def _missing(self, request: Request) -> Response:
        view = View(self._behaviour, self._language(request, None), _here(request))
        text = render(view, "message.html", title=view.text("expired_title"), text=view.text("expired_text"))
        return self._written(Shown(text, 404), None)

    def _written(self, shown: Shown, session: PageSession | None) -> Response:
        headers = {"content-type": _HTML, **self._behaviour.headers(session)}
        if shown.location:
            headers["location"] = shown.location
        return Response(shown.text.encode("utf-8", "replace"), shown.status, headers)


def _page_token(request: Request) -> str:
    token = request.path_params["page"].partition("/")[0].partition(".")[0]
    return token or request.query_params.get("session", "")


def _here(request: Request) -> str:
    query = request.scope.get("query_string", b"").decode("latin-1")
    return quote(request.scope["path"] + (f"?{query}" if query else ""), safe=_SAFE)


@cache
def _assets() -> Mapping[str, tuple[str, str]]:
    states = json.dumps(STATES, ensure_ascii=False)
    script = (_STATIC / _SCRIPT).read_text(encoding="utf-8").replace("/* states */ {}", states)
    style = (_STATIC / "page.css").read_text(encoding="utf-8")
    return {_SCRIPT: (script, "text/javascript; charset=utf-8"), "page.css": (style, "text/css; charset=utf-8")}
