"""POST /api/v1/processing/purchase/card and .../debit/card: the payment of a session of hosted fields."""

from collections.abc import Mapping
from typing import Final, cast

from emulator.protocols.checkout.page_payments import CheckoutPayments
from emulator.protocols.hosted_fields.behaviour import HostedGateway, PaymentRead
from emulator.protocols.hosted_fields.frames import wrong
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.entries import CardEntry, Entry, TokenEntry
from emulator.protocols.hosted_page.forms.rules import expiry_of
from emulator.protocols.hosted_page.outcomes import Approved, Challenge, Declined, Outcome
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit
from emulator.rules.model import BreakdownError, Context
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply, breakdown
from emulator.wire.values import Object, child, text_of

CHALLENGES: Final = "/sdk/hosted-fields/challenges"
_DECLINED: Final = "Declined by processing."
# What the merchant's page says of the payer's browser, and the name of the attribute in callbacks.
_BROWSER: Final = {
    "accept_header": "browser_accept_headers",
    "user_agent": "browser_user_agent",
    "language": "browser_language",
    "screen_width": "browser_screen_width",
    "screen_height": "browser_screen_height",
    "color_depth": "browser_color_depth",
    "java_enabled": "browser_java_enabled",
    "javascript_enabled": "browser_javascript_enabled",
    "timezone_offset": "browser_timezone_offset",
    "time_zone": "browser_timezone_offset",
    "platform": "browser_platform",
}


def pay(  # noqa: PLR0913, PLR0917 - the parts of a payment
    gateway: HostedGateway, operation: str, token: str, body: Object, browser: Mapping[str, str], base: str
) -> Reply:
    """Answer the payment of a session; ``browser`` is what the headers of the request say."""
    read = gateway.hosted_fields.read_payment(token, body)
    token, body = read.token, read.body
    session = gateway.hosted_sessions.find(token)
    try:
        refusal = _refusal(gateway, operation, session, read)
    except BreakdownError:
        return breakdown()
    if refusal is not None or session is None:
        return gateway.answers.refuse((refusal if token else None) or gateway.hosted_fields.no_token)
    page = page_session(gateway, session, body, {**browser, **_browser_of(body)})
    outcome = CheckoutPayments(gateway).pay(page, _entry(session, page, str(body.get("name", ""))))
    session.typed.clear()
    return Reply(Kind.HOSTED_PAYMENT, 200, _answer(gateway, session, outcome, base))


def _refusal(
    gateway: HostedGateway, operation: str, session: HostedSession | None, read: PaymentRead
) -> Refusal | None:
    behaviour = gateway.hosted_fields
    if session is None or not behaviour.is_open(session, gateway.clock.seconds()):
        return behaviour.wrong_token
    if not behaviour.serves(session, operation):
        return behaviour.wrong_address
    context = Context(read.body, session.account, gateway.amounts, gateway.release, operation)
    found = tuple(gateway.hosted_payment_table.violations(context))
    if found:
        return Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=found)
    if behaviour.is_paid(session):
        return behaviour.paid
    if read.typed and (unlikely := wrong(gateway, read.typed)):
        return unlikely
    session.typed.update(read.typed)
    return None if behaviour.has_card(session) else behaviour.no_card


def page_session(
    gateway: HostedGateway, session: HostedSession, body: Object, browser: Mapping[str, str]
) -> PageSession:
    """The session as payments see it: what the payment adds fills in what the session leaves out."""
    customer = {"name": body.get("name"), "email": body.get("email")} | _object(session.request, "customer")
    address = _object(body, "billing_address") | _object(session.request, "billing_address")
    request = session.request | {"customer": customer, "billing_address": address}
    back = str(session.request.get("return_url", ""))
    ends: Object = dict.fromkeys(("success_url", "cancel_url", "error_url", "expiry_url"), back)
    release, now = gateway.release, gateway.clock.now()
    return PageSession(
        session.token, request | ends, session.account, release, now, client=session.client, browser=browser
    )


def _object(body: Object, name: str) -> Object:
    value = child(body, name)
    return cast("Object", value) if isinstance(value, dict) else {}


def _browser_of(body: Object) -> dict[str, str]:
    given = _object(body, "browser_info")
    scalars = {name: value for name, value in given.items() if isinstance(value, str | int | float)}
    return {
        _BROWSER[name]: str(value).lower() if isinstance(value, bool) else text_of(value)
        for name, value in scalars.items()
        if name in _BROWSER
    }


def _entry(session: HostedSession, page: PageSession, holder: str) -> Entry:
    typed = session.typed
    code = typed.get("cvv", "")
    if page.tokens:
        return TokenEntry(page.tokens[0], code=code)
    month, year = expiry_of(typed["expiry"]) if "expiry" in typed else (0, 0)
    return CardEntry(typed.get("card_number", ""), month, year, code, holder)


def _answer(gateway: HostedGateway, session: HostedSession, outcome: Outcome, base: str) -> Object:
    behaviour = gateway.hosted_fields
    back = str(session.request.get("return_url", ""))
    match outcome:
        case Approved(parameters):
            session.paid = True
            return {
                "result": "success",
                "public_id": parameters["payment_id"],
                "redirect_url": str(session.request.get("success_url") or back),
                "return_url_query_params": dict(behaviour.return_parameters(parameters)),
            }
        case Declined(parameters, message):
            return {
                "result": "decline",
                "public_id": parameters.get("payment_id", ""),
                "decline_message": message or _DECLINED,
            }
        case Challenge(reference):
            session.visit = Visit(pending=outcome)
            address = gateway.hosted_sessions.challenge(session)
            return {
                "result": "redirect",
                "public_id": reference,
                "redirect_url": f"{base}{CHALLENGES}/{address}",
                "redirect_params": [],
            }
        case _:
            return {"result": "undefined"}
