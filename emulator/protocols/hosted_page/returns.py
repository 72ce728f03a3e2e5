"""Where the payer goes when the page is done, and how the address is made."""

from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import quote, urlencode, urlsplit

from emulator.protocols.hosted_page.session import PageSession
from emulator.releases import order_of

End = Literal["paid", "declined", "cancelled", "expired", "error"]

_FIELDS: Final[dict[End, str]] = {
    "paid": "success_url",
    "declined": "cancel_url",
    "cancelled": "cancel_url",
    "expired": "expiry_url",
    "error": "error_url",
}
_SAFE: Final = "!#$%&'()*+,/:;=?@[]~"
# Schemes whose addresses run in the page that links to them.
_RUNNING: Final = frozenset({"javascript", "data", "vbscript"})
_FRAMES: Final = frozenset({"iframe", "frame", "embed", "object"})


def destination(session: PageSession, end: End) -> str:
    """The merchant's address for an end of the session, or nothing where the page informs the payer itself."""
    address = session.given(_FIELDS[end])
    return "" if address.partition(":")[0].lower() in _RUNNING else address


def return_address(address: str, parameters: Mapping[str, str]) -> str:
    """The address with ``parameters`` behind its own, before its fragment."""
    base, mark, fragment = address.partition("#")
    if parameters:
        base += ("&" if "?" in base else "?") + urlencode(dict(parameters))
    return quote(base + mark + fragment, safe=_SAFE)


def link_target(session: PageSession) -> str:
    """The window that return links open in: the account's override, else the merchant's wish."""
    return _forced(session) or session.given("url_target") or "_self"


def _forced(session: PageSession) -> str:
    known = session.account is not None and order_of(session.release) >= order_of("6.7.0")
    return (session.account.override_link_target or "") if known and session.account else ""


def by_link(session: PageSession, fetch_destination: str) -> bool:
    """Whether the payer returns by a link of the page, because a redirect would stay in the wrong window."""
    target = link_target(session)
    framed = fetch_destination in _FRAMES
    return target != "_self" and (framed or (bool(_forced(session)) and target == "_blank"))


def window_of_link(session: PageSession) -> str:
    """The window of the link: a forced ``_top`` in a frame opens a new one."""
    target = link_target(session)
    return "_blank" if _forced(session) == "_top" else target


def origins(session: PageSession) -> tuple[str, ...]:
    """Origins of the merchant's addresses as a content security policy names them; forms end there by redirect."""
    found = dict.fromkeys(_origin(session.given(name)) for name in dict.fromkeys(_FIELDS.values()))
    return tuple(origin for origin in found if origin)


def _origin(address: str) -> str:
    try:
        parts = urlsplit(address)
        origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"}:
        return f"{parts.scheme}:" if parts.scheme else ""
    return origin if origin.isascii() and not set(origin) & set(" ;,'\"") else f"{parts.scheme}:"
