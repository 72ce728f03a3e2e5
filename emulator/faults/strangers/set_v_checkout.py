"""Faults of strangers that the suite did not notice at first (set V, Checkout), and others of their classes."""

from collections.abc import Callable
from typing import Final, cast

from emulator.changes import s2s_card
from emulator.changes.checkout import NOTICES, Handler, around
from emulator.changes.checkout_sessions import refusing
from emulator.changes.hosted_fields import hosted
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Value
from emulator.engine.duplicates import WindowRule
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.behaviour import PageGateway
from emulator.protocols.hosted_page.outcomes import Approved, Declined, Outcome
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Reply
from emulator.wire.values import Object, child, text_of


def _debit_of_nothing(body: Object) -> bool:
    nothing = not text_of(child(body, "order", "amount")).strip("0.")
    return nothing and body.get("operation") == "debit"


def _by_beginning(merchant: str, number: str) -> object:
    return merchant, number[:191]


def _without_hashes(value: Value) -> Value:
    if not isinstance(value, dict):
        return value
    return {name: _without_hashes(below) for name, below in value.items() if name != "hash"}


def _unhashed(fields: Fields) -> Fields:
    """Custom data without the members that are called as the signature of the callback is."""
    return fields | {"custom_data": _without_hashes(fields["custom_data"])} if "custom_data" in fields else fields


def _closed_by_the_wrong_address(operation: str) -> Change:
    """A payment at the wrong address ends a session of an operation."""

    def serves_and_closes(session: HostedSession, wanted: str) -> bool:
        is_served = serves(session, wanted)
        if not is_served and session.request.get("operation") == operation:
            session.closes = 0
        return is_served

    return hosted(serves=serves_and_closes)


def _one_request(design: Design) -> Design:
    """A session of hosted fields takes one request to pay it, whatever came of that."""
    asked = set[str]()

    def serves_once(session: HostedSession, wanted: str) -> bool:
        is_first = session.token not in asked
        asked.add(session.token)
        return is_first and serves(session, wanted)

    return design.in_hosted_fields(serves=serves_once)


def _window_begun(begins: Callable[[float], float]) -> Change:
    """A look-up says when the window of its order's number began; it is given the time."""

    def look_up(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        number = child(reply.body, "order", "number")
        if isinstance(number, str):
            now = attempt.gateway.clock.seconds()
            attempt.gateway.session_window.take(str(attempt.body.get("merchant_key")), number, begins(now))
        return reply

    return around(look_up, "status")


def _sessions_renewed(handler: Handler, attempt: PostAttempt) -> Reply:
    """A look-up lets the open sessions of its order last as long as they were asked to last, from then on."""
    reply, gateway = handler(attempt), attempt.gateway
    number = child(reply.body, "order", "number")
    for token in gateway.sessions_of(str(attempt.body.get("merchant_key")), str(number)):
        kept = cast("PageGateway", gateway).kept_session(token)
        if kept is not None and kept.closes > gateway.clock.seconds():
            gateway.keep_session(token, dict(kept.request))
    return reply


def _sent_on_when_expired(design: Design) -> Design:
    """The payer of an expired session is sent on in the frame itself."""
    inner, by_link = design.page.destination, design.page.by_link
    ended: list[End] = []

    def destination(session: PageSession, end: End) -> str:
        ended[:] = [end]
        return inner(session, end)

    def shown_by_link(session: PageSession, fetch: str) -> bool:
        return ended != ["expired"] and by_link(session, fetch)

    return design.in_page(destination=destination, by_link=shown_by_link)


def _method_of_the_first(design: Design) -> Design:
    """The payer who paid after a decline comes back with the payment method that was declined."""
    declined: dict[str, str] = {}

    def outcome(because: object, decided: Outcome) -> Outcome:
        found = design.page.outcome(because, decided)
        if not isinstance(found, Approved | Declined) or "payment_method" not in found.parameters:
            return found
        number, method = found.parameters["order_id"], found.parameters["payment_method"]
        if isinstance(found, Declined):
            declined.setdefault(number, method)
            return found
        return Approved({**found.parameters, "payment_method": declined.get(number, method)})

    return design.in_page(outcome=outcome)


FAULTS: Final = faults(
    {
        "v-session-of-zero-refused-on-debits": breaks(
            "CHK-ORD-21",
            "A debit of nothing that starts a chain is refused, and a purchase that does is taken (lines 60 and 71).",
            refusing("order.amount", _debit_of_nothing),
            since="6.7.0",
        ),
        "v-custom-data-without-hash": breaks(
            "CBK-ATT-13", "Members of custom_data that are called hash do not come back.", NOTICES.fields(_unhashed)
        ),
        "v-card-custom-data-without-hash": breaks(
            "CBK-S2C-13",
            "Members of custom_data that are called hash do not come back.",
            s2s_card.NOTICES.fields(_unhashed),
        ),
        "v-purchase-closed-by-the-address-of-debits": breaks(
            "HPF-PAY-23",
            "A purchase that was refused at the address of debits is refused at its own one, too (lines 334 and 335).",
            _closed_by_the_wrong_address("purchase"),
        ),
        "v-debit-closed-by-the-address-of-purchases": breaks(
            "HPF-PAY-23",
            "A debit that was refused at the address of purchases is refused at its own one, too (lines 334 and 335).",
            _closed_by_the_wrong_address("debit"),
            since="6.7.0",
        ),
        "v-hosted-session-takes-one-request": breaks(
            "HPF-PAY-23",
            "A session of hosted fields is not paid any more once a request to pay it was refused (line 334).",
            _one_request,
        ),
        "v-look-up-renews-the-window-of-duplicates": breaks(
            "CHK-STA-16",
            "An order number is a duplicate for 15 seconds after each look-up (lines 344 and 472).",
            _window_begun(lambda now: now),
        ),
        "v-look-up-ends-the-window-of-duplicates": breaks(
            "CHK-DUP-01",
            "An order number that was looked up is no duplicate any more (lines 344 and 472).",
            _window_begun(lambda now: now - 60),
        ),
        "v-session-duplicates-by-the-beginning-of-numbers": breaks(
            "CHK-DUP-06",
            "Order numbers with the same 191 characters at first are duplicates (lines 77 and 472).",
            lambda design: design.in_session(window=WindowRule(key=_by_beginning)),
        ),
        "v-payer-of-an-expired-session-stays-in-the-frame": breaks(
            "CHK-LNK-04",
            "In a frame with _top forced, the payer of an expired session is sent to expiry_url in it (line 496).",
            _sent_on_when_expired,
            since="6.7.0",
        ),
        "v-return-names-the-method-that-was-declined": breaks(
            "CHK-URL-08",
            "A payer declined by card who then pays by wallet comes back with payment_method=card (line 418).",
            _method_of_the_first,
            since="6.7.0",
        ),
        "v-look-up-renews-sessions": breaks(
            "CHK-LIF-02",
            "A session lasts longer when its order is looked up (lines 47 and 344).",
            around(_sessions_renewed, "status"),
        ),
    }
)
