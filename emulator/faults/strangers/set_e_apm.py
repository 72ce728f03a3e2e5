"""Faults of S2S APM: instant QR codes, authorizations of one payer, payouts; and one of all callbacks (fifth set).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.s2s_apm import NOTICES, around, instead, payment_made
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.callback_bodies import notify
from emulator.protocols.s2s_apm.outcomes import decline, facts, number_of
from emulator.protocols.s2s_apm.stages import check_duplicate
from emulator.rules.currencies import EXPONENTS
from emulator.rules.s2s_apm.brands import BANK_REPORTS, INSTANT_QR, SALES
from emulator.rules.s2s_apm.payout import operator_of
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import child, text_of

_NEW: Final = "6.7.0"
_PAYOUT: Final = "CREDIT2VIRTUAL"
_EXPIRED: Final = "The QR code expired"
_NEVER: Final = 1e9
_TOO_MUCH_A_DAY: Final = Refusal(
    Kind.APM_FIELDS, INVALID_DATA, violations=(("order_amount", "This value is not valid."),)
)


def _by_code(payment: Payment) -> bool:
    return SALES.get(payment.brand) == INSTANT_QR


def _open_of_payer(payment: Payment, gateway: ApmGateway) -> list[Payment]:
    """The other authorizations of a payer that wait, the newest first."""
    return [
        one
        for one in gateway.payments.latest(500)
        if one.protocol is Protocol.S2S_APM
        and one.account is payment.account
        and one.email == payment.email
        and one is not payment
        and one.state is State.AUTHORIZED
    ]


# --- order ids ---


def _last_of_order(attempt: ApmAttempt) -> Payment | None:
    account, order = cast("Account", attempt.account), attempt.form.get("order_id", "")
    found = attempt.gateway.payments.of_order(account, order)
    return next((one for one in found if one.protocol is Protocol.S2S_APM), None)


def _free_once_voided(attempt: ApmAttempt) -> Refusal | None:
    newest = _last_of_order(attempt)
    return None if newest is not None and newest.state is State.VOIDED else check_duplicate(attempt)


def _by_brand(attempt: ApmAttempt) -> Refusal | None:
    newest = _last_of_order(attempt)
    other = newest is not None and newest.action == "SALE" and newest.brand != attempt.form.get("brand")
    return None if other else check_duplicate(attempt)


# --- instant QR ---


def _pending_expires(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)

    def expire() -> None:
        if payment is not None and payment.state is State.AWAITING_BANK:
            decline(gateway, payment, _EXPIRED)

    if payment is not None and _by_code(payment) and payment.state is State.AWAITING_BANK:
        gateway.agenda.after(gateway.apm.qr_seconds, expire)
    return reply


def _notified_as_expired(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)

    def expire() -> None:
        if payment is not None and payment.state is State.SETTLED:
            fields = facts(gateway, payment) | {"decline_reason": _EXPIRED}
            payment.state = State.DECLINED
            notify(gateway, payment, "SALE", "DECLINED", fields)
            payment.state = State.SETTLED

    if payment is not None and _by_code(payment) and payment.state is State.SETTLED:
        gateway.agenda.after(gateway.apm.qr_seconds, expire)
    return reply


def _renewed_by_look_ups(design: Design) -> Design:
    """A look-up starts the minute of a code anew."""
    seconds = design.apm.qr_seconds
    seen: dict[str, float] = {}

    def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        payment = payment_made(attempt, gateway, reply)

        def expire() -> None:
            if payment is None or payment.state is not State.REDIRECTED:
                return
            left = seen.get(payment.id, -_NEVER) + seconds - gateway.clock.seconds()
            if left > 0:
                gateway.agenda.after(left, expire)
            else:
                decline(gateway, payment, _EXPIRED)

        waits = attempt.form.get("identifier", "") not in BANK_REPORTS
        if payment is not None and _by_code(payment) and waits:
            gateway.agenda.after(seconds, expire)
        return reply

    def looking(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        if attempt.payment is not None:
            seen[attempt.payment.id] = gateway.clock.seconds()
        return handler(attempt, gateway)

    own = design.in_apm(qr_seconds=_NEVER)
    return around(looking, "GET_TRANS_STATUS")(around(selling, "SALE")(own))


# --- authorizations ---


def _auth_of_sale_before(design: Design) -> Design:
    """What a payer's SALE said of auth holds for the next one, too, where that says nothing."""
    asked: set[tuple[str, str]] = set()

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        form = attempt.form
        key = form.get("client_key", ""), form.get("payer_email", "")
        if "auth" not in form and key in asked and key[1]:
            asked.discard(key)
            return handler(replace(attempt, form={**form, "auth": "Y"}), gateway)
        reply = handler(attempt, gateway)
        if form.get("auth") == "Y" and not reply.is_error:
            asked.add(key)
        return reply

    return around(act, "SALE")(design)


def _lost_on_the_way(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)
    if payment is not None and payment.state is State.REDIRECTED and not _by_code(payment):
        payment.intended = State.SETTLED
    return reply


def _replaced(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)
    if payment is not None and payment.state is State.AUTHORIZED and payment.email:
        for older in _open_of_payer(payment, gateway):
            gateway.moves.make(older, Move.RELEASE, None, gateway.clock.now())
    return reply


def _oldest_first(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED or not payment.email:
        return handler(attempt, gateway)
    if any(one.created < payment.created for one in _open_of_payer(payment, gateway)):
        return gateway.answers.refuse(gateway.apm.obstacle_refusals["CAPTURE", Obstacle.WRONG_STATE])
    return handler(attempt, gateway)


def _notified_before_refused(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment, reply = attempt.payment, handler(attempt, gateway)
    if payment is not None and reply.is_error and payment.state is State.AUTHORIZED:
        members = {"amount": attempt.form.get("amount") or payment.amount_text, "currency": payment.currency}
        payment.state = State.SETTLED
        notify(gateway, payment, "CAPTURE", "SUCCESS", members)
        payment.state = State.AUTHORIZED
    return reply


def _yen_in_parts(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    whole = payment is not None and EXPONENTS.get(payment.currency) == 0
    if payment is not None and whole and payment.state is State.AUTHORIZED:
        return gateway.answers.refuse(gateway.apm.obstacle_refusals["CREDITVOID", Obstacle.PARTIAL])
    return handler(attempt, gateway)


def _part_not_voided(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.SETTLED and payment.captured < payment.amount:
        return gateway.answers.refuse(gateway.apm.obstacle_refusals["VOID", Obstacle.WRONG_STATE])
    return handler(attempt, gateway)


# --- payouts ---


def _most_of_a_day(design: Design) -> Design:
    """The largest amount of an operator is the most that a number gets in a day."""
    paid: dict[tuple[str, str], Decimal] = {}

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        to = text_of(child(attempt.body, "parameters", "mobile_number"))
        key, amount = (to, gateway.clock.now().date().isoformat()), number_of(attempt.form.get("order_amount", ""))
        operator = operator_of(attempt.body)
        whole = paid.get(key, Decimal(0)) + amount
        if operator is not None and whole > operator.most:
            return gateway.answers.refuse(_TOO_MUCH_A_DAY)
        reply = handler(attempt, gateway)
        if reply.body.get("result") == "SUCCESS":
            paid[key] = whole
        return reply

    return around(act, _PAYOUT)(design)


def _in_francs(notice: Notice) -> bool:
    return notice.event == _PAYOUT and notice.payment.currency == "XOF"


def _in_hundredths(fields: Fields) -> Fields:
    amount = fields.get("amount")
    return {**fields, "amount": f"{number_of(amount) / 100:.2f}"} if isinstance(amount, str) else fields


# --- callbacks ---


def _signed_before_void(design: Design) -> Design:
    inner: Callable[[Notice], str] = design.callbacks.signs[Protocol.S2S_APM]

    def sign(notice: Notice) -> str:
        early = notice.event == "VOID"
        return inner(replace(notice, fields={**notice.fields, "status": "SETTLED"}) if early else notice)

    return NOTICES.signed(sign)(design)


def _given_up(status: int) -> bool:
    return 200 <= status < 300 or status == 404


FAULTS: Final = faults(
    {
        "e-apm-order-id-free-after-void": breaks(
            "APM-REQ-11",
            "Once a SALE was voided, its order id is taken again within the 15 seconds (line 437).",
            instead(check_duplicate, _free_once_voided, "SALE"),
        ),
        "e-apm-duplicates-per-brand": breaks(
            "APM-REQ-11",
            "A SALE with the order id of another one within 15 seconds is carried out where its brand differs"
            " (line 437).",
            instead(check_duplicate, _by_brand, "SALE"),
        ),
        "e-apm-qr-of-executed-notified-as-expired": breaks(
            "CBK-APM-08",
            "A minute after an instant QR payment was executed a callback says DECLINED, and look-ups SETTLED"
            " (line 235).",
            around(_notified_as_expired, "SALE"),
        ),
        "e-apm-auth-of-payers-sale-before": breaks(
            "APM-AUT-02",
            "A SALE without auth is held where the payer's SALE before was sent with auth=Y (line 369).",
            _auth_of_sale_before,
            since=_NEW,
        ),
        "e-apm-authorization-settles-after-redirect": breaks(
            "APM-AUT-01",
            "A SALE with auth=Y whose payer is sent elsewhere first is settled, not held (line 369).",
            around(_lost_on_the_way, "SALE"),
            since=_NEW,
        ),
        "e-apm-authorization-released-by-payers-next": breaks(
            "APM-AUT-06",
            "A further authorization of the payer releases the one before (line 316).",
            around(_replaced, "SALE"),
            since=_NEW,
        ),
        "e-apm-capture-of-oldest-only": breaks(
            "APM-CAP-02",
            "CAPTURE is refused with 208003 while an older authorization of the payer is pending (line 316).",
            around(_oldest_first, "CAPTURE"),
            since=_NEW,
        ),
        "e-apm-refused-capture-notified-as-done": breaks(
            "GEN-MON-02",
            "A CAPTURE of too much is refused, and a callback says that it succeeded (line 316).",
            around(_notified_before_refused, "CAPTURE"),
            since=_NEW,
        ),
        "e-apm-release-of-yen-refused": breaks(
            "APM-CVD-01",
            "CREDITVOID of an authorization in a currency without minor unit is refused as one of a part (line 317).",
            around(_yen_in_parts, "CREDITVOID"),
            since=_NEW,
        ),
        "e-apm-void-after-capture-of-part-refused": breaks(
            "APM-VOI-06",
            "VOID of an authorization that was captured in part, and is SETTLED, is refused (line 318).",
            around(_part_not_voided, "VOID"),
            since=_NEW,
        ),
        "e-apm-payout-most-per-number-and-day": breaks(
            "APM-C2V-15",
            "A payout within the limits is refused where the number got more than the maximum that day (line 245).",
            _most_of_a_day,
        ),
        "e-apm-payout-callback-of-francs-in-hundredths": breaks(
            "CBK-APM-11",
            "Callbacks of payouts in XOF report a hundredth of the amount, with two decimals (line 245).",
            NOTICES.where(_in_francs, _in_hundredths),
        ),
        "e-apm-void-callback-signed-before-void": breaks(
            "CBK-SIG-14",
            "The hash of the callback of a VOID is made over the status that the payment had before (line 406).",
            _signed_before_void,
        ),
        "e-callback-answered-with-404-given-up": breaks(
            "CBK-DEL-06",
            "A callback that is answered with 404 is not delivered again (line 424).",
            lambda design: design.in_callbacks(accepted=_given_up),
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "e-apm-qr-of-pending-expires": breaks(
            "APM-QRC-07",
            "An instant QR payment that the bank reported as pending is DECLINED when its minute is over (line 235).",
            around(_pending_expires, "SALE"),
        ),
        "e-apm-qr-renewed-by-look-ups": breaks(
            "APM-QRC-09",
            "Each GET_TRANS_STATUS starts the minute of an instant QR payment anew (line 485).",
            _renewed_by_look_ups,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
