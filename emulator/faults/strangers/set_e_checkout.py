"""Faults of Checkout: what depends on time, on the request before, on one spelling (fifth set).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast
from urllib.parse import unquote

from emulator.changes import checkout_sessions as sessions
from emulator.changes.checkout import NOTICES, around, by_payment, looking_up, operation
from emulator.changes.hosted_page import without_override
from emulator.changes.interleaving import IN_FLIGHT_SECONDS
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Fields
from emulator.engine.duplicates import WindowRule
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CAPTURE_REFUSALS, CheckoutGateway, Instrument, PostAttempt
from emulator.protocols.checkout.session import Attempt, check_duplicate
from emulator.protocols.hosted_page.entries import Entry
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit
from emulator.rules.currencies import CRYPTO
from emulator.rules.keywords import DECIMAL
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object, text_of

_NEW: Final = "6.7.0"
_SMALL: Final = Decimal("0.000001")
Handler = Callable[[PostAttempt], Reply]


# --- sessions ---


def _third_time(design: Design) -> Design:
    """A repetition that is refused takes the number off the list."""
    refused: set[tuple[str, str]] = set()

    def check(attempt: Attempt) -> Refusal | None:
        refusal, key = check_duplicate(attempt), (attempt.key, attempt.number)
        if refusal is None or key in refused:
            refused.discard(key)
            return None
        refused.add(key)
        return refusal

    return sessions.instead(check_duplicate, check)(design)


def _in_flight(attempt: Attempt) -> Refusal | None:
    gateway = attempt.gateway
    age = gateway.session_window.age(attempt.key, attempt.number, gateway.clock.seconds())
    return None if age is not None and age < IN_FLIGHT_SECONDS * 0.9 else check_duplicate(attempt)


def _slowly(reply: Reply) -> Reply:
    return replace(reply, delay=IN_FLIGHT_SECONDS) if reply.kind is Kind.SESSION and not reply.is_error else reply


# --- ways back ---


def _bare_when_cancelled(design: Design) -> Design:
    """The button of the page forgets what was appended to the address before."""
    ends: list[End] = []
    to, address = design.page.destination, design.page.return_address

    def destination(session: PageSession, end: End) -> str:
        ends[:] = [end]
        return to(session, end)

    def return_address(base: str, parameters: Parameters) -> str:
        return address(base, {} if ends == ["cancelled"] else parameters)

    return design.in_page(destination=destination, return_address=return_address)


def _own_window_when_cancelled(design: Design) -> Design:
    ends: list[End] = []
    to, by_link, window = design.page.destination, design.page.by_link, design.page.window

    def destination(session: PageSession, end: End) -> str:
        ends[:] = [end]
        return to(session, end)

    def seen(session: PageSession) -> PageSession:
        return without_override(session) if ends == ["cancelled"] else session

    return design.in_page(
        destination=destination,
        by_link=lambda session, fetch: by_link(seen(session), fetch),
        window=lambda session: window(seen(session)),
    )


# --- amounts ---


def _shortest(amount: str) -> str:
    """The way in which a number is written by whoever does not care how it is written."""
    small = DECIMAL.fullmatch(amount) is not None and 0 < Decimal(amount) < _SMALL
    return str(Decimal(amount).normalize()) if small else amount


def _notified_shortest(fields: Fields) -> Fields:
    if fields.get("order_currency") not in CRYPTO:
        return fields
    return {**fields, "order_amount": _shortest(str(fields.get("order_amount", "")))}


def _object_shortest(body: Object) -> Object:
    order = body.get("order")
    if not isinstance(order, dict) or order.get("currency") not in CRYPTO:
        return body
    known = cast("Object", order)
    return body | {"order": known | {"amount": _shortest(str(known.get("amount", "")))}}


def _looked_up_shortest(_attempt: PostAttempt, reply: Reply) -> Reply:
    listed = None if reply.listed is None else tuple(map(_object_shortest, reply.listed))
    return replace(reply, body=_object_shortest(reply.body), listed=listed)


def _filled_in_before(design: Design) -> Design:
    """The empty field for an amount holds what was entered into the last one."""
    entered: list[str] = []
    inner, admits = design.checkout.instrument, design.page.admits

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        if session.payer_enters_amount:
            entered[:] = [entry.details.get("amount", "")]
        return inner(gateway, session, entry)

    def filled(visit: Visit, *, closed: bool) -> End | None:
        if entered and not visit.values:
            visit.values = {"amount": entered[0]}
        return admits(visit, closed=closed)

    return design.in_checkout(instrument=instrument).in_page(admits=filled)


def _in_binary(design: Design) -> Design:
    """What is left to be refunded is worked out in binary fractions."""
    inner = design.moves.obstacle

    def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
        refund = wanted is Move.REFUND and payment.protocol is Protocol.CHECKOUT
        if refund and float(amount) > float(payment.captured) - float(payment.refunded):
            return Obstacle.TOO_MUCH
        return inner(payment, wanted, amount)

    return replace(design, moves=replace(design.moves, obstacle=obstacle))


def _compared_as_text(handler: Handler, attempt: PostAttempt) -> Reply:
    payment, amount = attempt.payment, attempt.body.get("amount")
    authorized = payment is not None and payment.state is State.AUTHORIZED
    if payment is not None and authorized and amount is not None and text_of(amount) > payment.amount_text:
        return attempt.gateway.answers.refuse(CAPTURE_REFUSALS[Obstacle.TOO_MUCH])
    return handler(attempt)


def _counted_apart(design: Design) -> Design:
    """Each of the two addresses knows what was refunded by itself only."""
    own: dict[tuple[str, str], Decimal] = {}

    def counting(name: str) -> Change:
        def act(handler: Handler, attempt: PostAttempt) -> Reply:
            payment = attempt.payment
            if payment is None or payment.protocol is not Protocol.CHECKOUT:
                return handler(attempt)
            if payment.state not in {State.SETTLED, State.REFUNDED}:
                return handler(attempt)
            whole, before = payment.refunded, own.get((payment.id, name), Decimal(0))
            payment.refunded = before
            payment.state = State.SETTLED if before < payment.captured else State.REFUNDED
            reply = handler(attempt)
            own[payment.id, name] = payment.refunded
            payment.refunded = min(payment.captured, whole + payment.refunded - before)
            payment.state = State.SETTLED if payment.held > 0 else State.REFUNDED
            return reply

        return around(act, name)

    return all_of(counting("refund"), counting("card_credit"))(design)


# --- look-ups ---


def _size_remembered(design: Design) -> Design:
    sizes: dict[tuple[str, str], object] = {}

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        body = attempt.body
        if by_payment(attempt):
            return handler(attempt)
        key = str(body.get("merchant_key")), str(body.get("order_id"))
        if body.get("size") is None:
            return handler(replace(attempt, body=body | {"size": sizes[key]}) if key in sizes else attempt)
        reply = handler(attempt)
        if not reply.is_error:
            sizes[key] = body["size"]
        return reply

    return around(act, "status")(design)


def _percent_decoded(handler: Handler, attempt: PostAttempt) -> Reply:
    if by_payment(attempt):
        return handler(attempt)
    order = unquote(str(attempt.body.get("order_id")))
    return handler(replace(attempt, body=attempt.body | {"order_id": order}))


FAULTS: Final = faults(
    {
        "e-repeated-session-opens-the-third-time": breaks(
            "CHK-DUP-01",
            "A session that was refused as a repetition is opened when it is sent once more within the 15 seconds"
            " (line 438).",
            _third_time,
        ),
        "e-sessions-at-once-both-opened": breaks(
            "CHK-DUP-01",
            "Of two sessions with one order number that are posted at the same time both are opened (line 438).",
            all_of(sessions.instead(check_duplicate, _in_flight), lambda design: design.filtering(_slowly)),
        ),
        "e-cancel-button-after-decline-bare": breaks(
            "CHK-URL-05",
            "Nothing is appended to cancel_url where the payer presses cancel after a declined attempt (line 418).",
            _bare_when_cancelled,
        ),
        "e-small-coins-in-scientific-notation": breaks(
            "CBK-ATT-02",
            "Look-ups and callbacks report crypto amounts below 0.000001 as numbers like 2.5E-7 (line 90).",
            all_of(NOTICES.where(lambda _notice: True, _notified_shortest), looking_up(_looked_up_shortest)),
        ),
        "e-amount-field-filled-by-payer-before": breaks(
            "HPP-AMT-01",
            "The empty amount field of a transfer with amount -1 holds what the last payer entered (line 78).",
            _filled_in_before,
        ),
        "e-rest-of-refund-lost-to-binary-fractions": breaks(
            "CHK-RFD-05",
            "After refunds of parts the rest is refused as too much where binary fractions make it so, such as 0.20 of"
            " 0.30 after 0.10 (line 319).",
            _in_binary,
        ),
        "e-refunds-counted-per-address": breaks(
            "CHK-RFD-02",
            "A payment that was refunded at the refund address is refunded once more by a card credit (line 456).",
            _counted_apart,
        ),
        "e-size-remembered-for-order": breaks(
            "CHK-STA-03",
            "Once an order was looked up with size, a look-up of it without size answers an array, too (line 344).",
            _size_remembered,
            since=_NEW,
        ),
        "e-look-up-decodes-percent-in-order": breaks(
            "CHK-STA-23",
            "Look-ups decode percent escapes in order_id: A%41 finds the order AA, and not its own (line 449).",
            around(_percent_decoded, "status"),
            since=_NEW,
        ),
        "e-card-credit-order-taken-by-other-merchant": breaks(
            "CHK-CRD-01",
            "A card credit is a duplicate where another merchant sent its order id within 15 seconds (line 437).",
            operation("card_credit", window=WindowRule(key=lambda _merchant, number: number)),
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "e-override-link-target-not-when-cancelled": breaks(
            "CHK-LNK-02",
            "The account's Override Link Target has no effect on the way to cancel_url by the button (line 496).",
            _own_window_when_cancelled,
            since=_NEW,
        ),
        "e-capture-amount-compared-as-text": breaks(
            "CHK-CAP-01",
            "The capture of 9.50 of an authorization of 10.00 is refused as too much (line 315).",
            around(_compared_as_text, "capture"),
            since="6.6.3",
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
