"""The fields themselves: a page with one input for a frame, and the address that takes what was typed."""

from collections.abc import Mapping
from html import escape
from typing import Final

from emulator.protocols.hosted_fields.behaviour import HostedGateway
from emulator.protocols.hosted_page.forms.rules import PageContext, violations
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

CARD_PATH: Final = "/sdk/hosted-fields/card"
_HTML: Final = "text/html; charset=utf-8"
_OWN: Final = ("style-src", "script-src", "connect-src", "form-action")
_HEADERS: Final = (
    (
        "content-security-policy",
        "; ".join(("default-src 'none'", *(f"{kind} 'self'" for kind in _OWN), "base-uri 'none'")),
    ),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
)
_WRONG: Final = {
    "card_number": "Invalid card",
    "expiry": "The expiration date of card is expired and not valid.",
    "cvv": "Invalid security code",
}
_BLANKS: Final = str.maketrans("", "", " \u00a0")
_NO_SESSION: Final = Refusal(Kind.HOSTED_PAYMENT, "Session token is invalid or expired.", status=401)

# Name of the frame: name and hint of its input, and how many characters it takes.
FRAMES: Final[Mapping[str, tuple[str, str, int]]] = {
    "card": ("card_number", "cc-number", 23),
    "expiry": ("expiry", "cc-exp", 7),
    "cvv": ("cvv", "cc-csc", 4),
}


# What a field is called that says nothing.
_MUTE: Final = {"card_number": "a", "expiry": "b", "cvv": "c"}


def frame(name: str, token: str, placeholder: str, *, is_mute: bool = False, is_sent_when_left: bool = False) -> Reply:
    """The page of one field."""
    sent = ' data-sent="when-left"' if is_sent_when_left else ""
    field, hint, longest = FRAMES[name]
    if is_mute:
        field, hint, placeholder = _MUTE[field], "off", ""
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{escape(field)}</title>\n<link rel="stylesheet" href="/sdk/hosted-fields/frame.css">\n'
        '<script src="/sdk/hosted-fields/frame.js" defer></script>\n</head>\n<body>\n'
        f'<form method="post" action="{CARD_PATH}"{sent}>\n'
        f'<input type="hidden" name="token" value="{escape(token)}">\n'
        f'<input id="{field}" name="{field}" type="text" inputmode="numeric" autocomplete="{hint}" '
        f'maxlength="{longest}" placeholder="{escape(placeholder)}" aria-label="{escape(placeholder or field)}">\n'
        "</form>\n</body>\n</html>\n"
    )
    return Reply(Kind.ROUTE, 200, {}, content_type=_HTML, headers=_HEADERS, text=text)


def take(gateway: HostedGateway, form: Mapping[str, str]) -> Reply:
    """Take in what was typed into fields, once it can be true."""
    behaviour = gateway.hosted_fields
    session = gateway.hosted_sessions.find(form.get("token", ""))
    if session is None or not behaviour.is_open(session, gateway.clock.seconds()):
        return gateway.answers.refuse(_NO_SESSION)
    given = {**form, **{name: form[sent] for name, sent in _MUTE.items() if behaviour.mute_fields and sent in form}}
    typed = {name: given[name].strip().translate(_BLANKS) for name in _WRONG if name in given}
    if not typed:
        none = (("body", "None of card_number, expiry and cvv was sent."),)
        return gateway.answers.refuse(Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=none))
    if refusal := wrong(gateway, typed):
        return gateway.answers.refuse(refusal)
    session.typed.update(typed)
    return Reply(Kind.ROUTE, 200, {"result": "success", "message": "The fields were received."})


def wrong(gateway: HostedGateway, typed: Mapping[str, str]) -> Refusal | None:
    """The refusal of what was typed, where it cannot be true."""
    context = PageContext(gateway.clock.now().date(), gateway.release, "", 2)
    found = tuple((name, _WRONG[name]) for name in violations(gateway.hosted_fields.rules, typed, typed, context))
    return Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=found) if found else None
