"""The page of the payer's bank or wallet, played by the gateway: two buttons, and the way back to the shop."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmGateway
from emulator.protocols.s2s_apm.outcomes import approve, decline
from emulator.wire.replies import Kind, Reply

_HTML: Final = "text/html; charset=utf-8"
# Without form-action: browsers would apply it to the way back to the shop as well.
_HEADERS: Final = (
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
)
_BUTTONS: Final = (
    '<form method="post">\n'
    '<button name="challenge" value="pass" data-challenge="pass">Pay</button>\n'
    '<button name="challenge" value="fail" data-challenge="fail">Refuse</button>\n'
    "</form>"
)


def show(gateway: ApmGateway, token: str) -> Reply:
    """The page where the payer decides, or says that there is nothing to decide any more."""
    payment = gateway.payer_pages.find(token)
    if payment is None:
        return _page("No such payment", "<p>There is no payment at this address.</p>", status=404)
    amount = escape(f"{payment.amount_text} {payment.currency}".strip())
    description = gateway.apm.written(str(payment.request.get("order_description", "")))
    order = f"<p>Order {escape(payment.order_number)}: {amount}</p>\n<p>{description}</p>"
    if payment.state is not State.REDIRECTED:
        return _page("Payment", f"{order}\n<p>This payment is decided. {_link(payment)}</p>")
    asked = gateway.apm.bank_asks(token, {})
    return _page("Payment", f"{order}\n{asked or _BUTTONS}")


def decide(gateway: ApmGateway, token: str, form: Mapping[str, str]) -> Reply:
    """Take in what the payer decided, once, and send them back to the shop."""
    payment = gateway.payer_pages.find(token)
    asked = "" if payment is None else gateway.apm.bank_asks(token, form)
    if asked:
        return _page("Payment", asked)
    if payment is None or form.get("challenge") not in {"pass", "fail"}:
        return show(gateway, token)
    if payment.state is State.REDIRECTED:
        _report(gateway, approve if gateway.apm.approves(form["challenge"]) else decline, payment)
    back = gateway.apm.way_back(str(payment.request.get("return_url", "")))
    if not back:
        return show(gateway, token)
    if text := gateway.apm.page_back(back):
        return Reply(Kind.ROUTE, 200, {}, content_type=_HTML, headers=(("referrer-policy", "no-referrer"),), text=text)
    return Reply(Kind.ROUTE, 303, {}, content_type=_HTML, headers=(*_HEADERS, ("location", _ascii(back))), text="")


def _report(gateway: ApmGateway, decision: Callable[[ApmGateway, Payment], None], payment: Payment) -> None:
    """Let the bank report what its payer decided, at once or some real time later."""
    if seconds := gateway.apm.bank_reports_after:
        gateway.agenda.really_after(seconds, lambda: decision(gateway, payment))
    else:
        decision(gateway, payment)


def _link(payment: Payment) -> str:
    back = str(payment.request.get("return_url", ""))
    safe = back.partition(":")[0].lower() in {"http", "https"}
    return f'<a href="{escape(back)}" rel="noreferrer">Back to the shop</a>' if safe else ""


def _ascii(url: str) -> str:
    return "".join(sign if "!" <= sign <= "~" else "".join(f"%{byte:02X}" for byte in _utf8(sign)) for sign in url)


def _utf8(sign: str) -> bytes:
    return sign.encode("utf-8", "surrogatepass")


def _page(title: str, content: str, status: int = 200) -> Reply:
    text = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n{content}\n</main>\n</body>\n</html>\n"
    )
    return Reply(Kind.ROUTE, status, {}, content_type=_HTML, headers=_HEADERS, text=text)
