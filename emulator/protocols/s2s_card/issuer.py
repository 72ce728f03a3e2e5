"""The page of the simulated issuer: the payer confirms or fails a challenge, and is sent back to the merchant."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import quote, urlsplit

from emulator.engine.payments import Payment
from emulator.protocols.s2s_card.behaviour import CardGateway
from emulator.protocols.s2s_card.charging import decide
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Kind, Reply

_HTML: Final = "text/html; charset=utf-8"
_HOST: Final = re.compile(r"[A-Za-z0-9.\-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?")
_BROWSER: Final = {
    "browser_user_agent": "user-agent",
    "browser_accept_headers": "accept",
    "browser_language": "accept-language",
}
_LONGEST: Final = 512
_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
dt { font-weight: 600 } dd { margin: 0 0 .5rem } form { display: inline }
button { font: inherit; padding: .5rem 1rem; margin: .5rem .5rem .5rem 0 }
"""


def browser_of(headers: Mapping[str, str]) -> dict[str, str]:
    """What the headers of a request say of the payer's browser."""
    return {name: headers[header][:_LONGEST] for name, header in _BROWSER.items() if headers.get(header)}


def encoded(address: str) -> str:
    """An address as it can stand in a header: everything outside ASCII is percent-encoded."""
    return quote(address, safe="%/:=&?~#+!$,;'@()*[]")


def _origin(address: str) -> str:
    """What a content security policy calls the place that an address leads to."""
    try:
        parts = urlsplit(encoded(address))
    except ValueError:
        return ""
    if parts.scheme in {"http", "https"} and _HOST.fullmatch(parts.netloc):
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:" if re.fullmatch(r"[a-z][a-z0-9+.\-]*", parts.scheme) else ""


def _headers(address: str) -> tuple[tuple[str, str], ...]:
    allowed = f"'self' {_origin(address)}".strip()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; form-action {allowed}; base-uri 'none'"
    return (
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    )


def _document(title: str, content: str, status: int = 200, address: str = "") -> Reply:
    text = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n{content}\n</main>\n</body>\n"
        "</html>\n"
    )
    return Reply(Kind.ROUTE, status, {}, content_type=_HTML, headers=_headers(address), text=text)


def _nothing() -> Reply:
    return _document("No such challenge", "<p>This address belongs to no payment.</p>", 404)


def _form(token: str, target: str, outcome: str, label: str) -> str:
    return (
        f'<form method="post" action="/issuer/{escape(token)}/outcome" target="{escape(target)}">'
        f'<button type="submit" name="outcome" value="{outcome}" data-challenge="{outcome}">{label}</button></form>'
    )


def page(gateway: CardGateway, token: str) -> Reply:
    """What the payer sees: who wants which amount, and the two choices."""
    payment = gateway.challenges.find(token)
    if payment is None:
        return _nothing()
    record = record_of(payment)
    facts = (
        ("Merchant", payment.account.name),
        ("Amount", f"{payment.amount_text} {payment.currency}"),
        ("Card", payment.card.masked if payment.card else "none"),
    )
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    content = f"<dl>{listed}</dl>\n" + "\n".join(
        _form(token, record.link_target, outcome, label) for outcome, label in gateway.card.issuer_choices
    )
    return _document("Confirm your payment", content, address=gateway.card.way_back(payment))


def conclude(gateway: CardGateway, token: str, posted: Mapping[str, str], browser: Mapping[str, str]) -> Reply:
    """End the challenge by the payer's choice, once, and send the payer back to the merchant."""
    payment = gateway.challenges.find(token)
    if payment is None:
        return _nothing()
    if gateway.card.is_away(payment):
        if asked := gateway.card.issuer_asks(token, posted):
            return _document("Confirm your payment", asked, address=gateway.card.way_back(payment))
        _decide(gateway, payment, posted.get("outcome", ""), browser)
    address = gateway.card.way_back(payment)
    if text := gateway.card.page_back(address):
        return Reply(Kind.ROUTE, 200, {}, content_type=_HTML, headers=(("cache-control", "no-store"),), text=text)
    headers = (*_headers(address), ("location", encoded(address)))
    return Reply(Kind.ROUTE, 303, {}, content_type=_HTML, headers=headers, text="")


def _decide(gateway: CardGateway, payment: Payment, choice: str, browser: Mapping[str, str]) -> None:
    record = record_of(payment)
    record.browser = browser
    passed = gateway.card.passes(payment, choice)
    if record.challenged:
        record.trans_status = "Y" if passed else "N"
        payment.note("challenge", "success" if passed else "fail", gateway.clock.now(), payment.amount)
    decide(gateway, payment, approved=passed)
