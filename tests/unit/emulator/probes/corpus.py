"""All requests that show whether a gateway deviates in anything that is not a field rule."""

from typing import Any

from tests.unit.emulator.probes.gateway_probes import gateway_corpus
from tests.unit.emulator.probes.probe import BY_NAME, sale_form, session_request
from tests.unit.emulator.probes.sale_corpus import SALES
from tests.unit.emulator.probes.session_corpus import session_corpus


def corpus() -> list[tuple[str, Any]]:
    """Requests as (road, what)."""
    return [("session", request) for request in session_corpus()] + _others() + gateway_corpus()


def _others() -> list[tuple[str, Any]]:
    sale = sale_form()
    refused = sale_form(payer_ip="nowhere")
    return [
        ("session", b"{"),
        ("session", b'{"a": "' + b"x" * (1024 * 1024) + b'"}'),
        ("text/plain", session_request()),
        ("POST", "/api/v1/unheard-of"),
        ("PUT", "/api/v1/session"),
        *(("form", form) for form in SALES),
        ("form", sale),
        ("form", sale),
        ("form", sale | {"client_key": BY_NAME["second"].key, "hash": sale_form(BY_NAME["second"])["hash"]}),
        *((f"session, then after {seconds}", session_request()) for seconds in (12, 14.9, 15.5, 28)),
        ("session, then after 9, then after 9", session_request()),
        ("form", refused),
        ("form", sale_form(order_id=refused["order_id"])),
        *((f"form, then after {seconds}", sale_form()) for seconds in (12, 28)),
    ]
