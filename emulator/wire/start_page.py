"""The start page. Self-contained HTML."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from emulator.accounts import ACCOUNTS, CHANNELS, FORM_ID, METHODS, SCHEDULE_ID
from emulator.engine.signing import Order, as_specified
from emulator.settings import Settings
from emulator.wire.replies import Kind, Reply

_HTML: Final = "text/html; charset=utf-8"
_HEADERS: Final = (
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
)
_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border: 1px solid; padding: .25rem .6rem; text-align: left }
caption { text-align: left; font-weight: 600 } pre { overflow-x: auto; padding: .6rem; border: 1px solid }
"""
APM_PATHS: Final = ("/apm/post", "/apm/post-va", "/post-va")
"""Where S2S APM is served: public clients of this family of gateways post to /post-va."""
_ADDRESSES: Final = (
    ("POST", "/api/v1/session", "open a Checkout session (JSON)"),
    ("GET, POST", "/pay/{token}", "the page that the payer is sent to"),
    ("POST", "/post", "S2S CARD actions (form)"),
    ("GET", "/issuer/{token}", "the page on which a payer confirms or fails a challenge"),
    *(("POST", path, "S2S APM actions (form)") for path in APM_PATHS),
    ("GET", "/apm/redirect/{token}", "the page of the payer's bank or wallet"),
    ("GET", "/health", "says that the gateway runs"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the start page."""

    caption: str
    heads: tuple[str, ...]
    rows: Iterable[Iterable[str]]


def _page(title: str, content: str, status: int = 200) -> Reply:
    text = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n{content}\n</main>\n</body>\n</html>\n"
    )
    return Reply(Kind.ROUTE, status, {}, content_type=_HTML, headers=_HEADERS, text=text)


def _table(caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td><code>{escape(cell)}</code></td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        f'<div role="region" aria-label="{escape(caption)}" tabindex="0"><table><caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _list(names: Iterable[str], nothing: str) -> str:
    items = "".join(f"<li><code>{escape(name)}</code></li>" for name in names)
    return f"<ul>{items}</ul>" if items else f"<p>{nothing}</p>"


def example(base: str) -> str:
    """A command that opens a session with the account ``main``, signed and ready to be sent."""
    account = ACCOUNTS[0]
    order = Order("order-1", "10.00", "USD", "Important gift")
    body = {
        "merchant_key": account.key,
        "operation": "purchase",
        "success_url": "https://merchant.example/success",
        "order": {
            "number": order.number,
            "amount": order.amount,
            "currency": order.currency,
            "description": order.description,
        },
        "hash": as_specified(account.password, account.hash, order),
    }
    return f"curl -s {base}/api/v1/session -H 'Content-Type: application/json' \\\n  -d '{json.dumps(body)}'"


def start(settings: Settings, base: str, paths: Iterable[str], tables: Iterable[Table]) -> Reply:
    """What this gateway is, how it was started, and how it is used; ``paths`` are further addresses."""
    named = {path for _, path, _ in _ADDRESSES}
    addresses = [*_ADDRESSES, *(("POST", path, "") for path in paths if path not in named)]
    if settings.control:
        # Its token stands in the line that the gateway prints when it starts, and on no page.
        path = "/-/clock/…" if settings.control_token else settings.control_path
        addresses += [("GET", path, "read the clock"), ("POST", path, 'move it: {"advance_seconds": 16}')]
    accounts = (
        (account.name, account.key, account.password, account.hash, account.mode, _special(account.name))
        for account in ACCOUNTS
    )
    content = "\n".join(
        (
            (
                "<p>This is a reference gateway to try checks against. It moves no money, knows no real merchant, and "
                "every key and password on this page is a public test value.</p>"
            ),
            f"<p>It keeps the interface of release <strong>{escape(settings.release)}</strong>.</p>",
            "<h2>Deviations</h2>",
            "<h3>Faults</h3>",
            _list(settings.faults, "None: no requirement is broken on purpose."),
            "<h3>Variations</h3>",
            _list(settings.variations, "None: everything is done the usual way."),
            "<h2>Addresses</h2>",
            _table("Addresses", ("method", "path", "purpose"), addresses),
            "<h2>Try it</h2>",
            "<p>The same order number again within 15 seconds is refused as a duplicate.</p>",
            f'<pre tabindex="0"><code>{escape(example(base))}</code></pre>',
            "<h2>Accounts and test data</h2>",
            _table("Accounts", ("name", "key", "password", "digest", "mode", "special"), accounts),
            *(_table(each.caption, each.heads, each.rows) for each in tables),
            (
                f"<p>Schedule <code>{SCHEDULE_ID}</code>, form <code>{FORM_ID}</code>, channels "
                f"<code>{escape(', '.join(CHANNELS))}</code>. Methods: <code>{escape(', '.join(METHODS))}</code>.</p>"
            ),
        )
    )
    return _page("Reference payment gateway", content)


_SPECIALS: Final = {
    "second": "another merchant",
    "sha256": "signs with SHA256",
    "sms": "takes no authorizations",
    "dms": "takes authorizations only",
    "options": "payer fields and card-on-file data in callbacks; no card data in look-ups",
    "declines": "the payer goes back after two declines",
    "connector_refunds": "refunds in the acquirer's portal only",
    "soft_declines": "recurring charges are declined",
    "unroutable": "CARD2CARD cannot be routed",
    "payer_required": "asks for all customer data",
    "wallet_cards": "wallet tokens are decrypted and the card is stored",
    "no_refunds": "refunds are not allowed",
    "ip_allowlist": "takes requests from 192.0.2.10 only",
    "live_key": "a key of production: always refused",
    "payer_address_required": "S2S CARD asks for the payer's address",
    "no_zero_amount": "its provider has no zero-value transactions",
    "link_target": "its payers return to the top window, whatever url_target says",
}


def _special(name: str) -> str:
    return _SPECIALS.get(name, "")
