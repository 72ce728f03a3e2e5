"""Faults of another author that the suite did not notice at first (set S), and others of their classes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_DOWN, ROUND_UP, Decimal
from typing import Final, TypeVar

from emulator.changes import checkout_sessions, s2s_apm, s2s_card
from emulator.changes.checkout import NOTICES as OF_CHECKOUT
from emulator.changes.checkout import Handler, around, by_payment
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.calendar import Terms, number
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.moves import Move, Obstacle, largest
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import ascii_upper, hex_digest
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler, ApmHashTest
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.rules.amounts import is_zero
from emulator.rules.countries import STATE_COUNTRIES
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object, child

T = TypeVar("T")
_NEW: Final = "6.7.0"
_THREE: Final = 3
_SIGNED: Final = ("id", "order_number", "order_amount", "order_currency", "order_description")
_NOTHING: Final = ("0", "false", "")
_ZERO: Final = Refusal(
    Kind.FIELDS, INVALID_DATA, violations=(("order_amount", "This value should be greater than 0."),)
)


def _short_lists(value: Value) -> Value:
    if isinstance(value, list):
        return [_short_lists(below) for below in value if below not in _NOTHING]
    return {name: _short_lists(below) for name, below in value.items()} if isinstance(value, dict) else value


def _lists_without_nothing(fields: Fields) -> Fields:
    return fields | {"custom_data": _short_lists(fields["custom_data"])} if "custom_data" in fields else fields


def _remembering(accepts: Callable[[T], bool], hash_of: Callable[[T], tuple[str, str]]) -> Callable[[T], bool]:
    """What a hash is right for once, it is right for ever after."""
    known: set[tuple[str, str]] = set()

    def remembered(test: T) -> bool:
        if accepts(test):
            known.add(hash_of(test))
        return hash_of(test) in known

    return remembered


def _known_session_hashes(design: Design) -> Design:
    accepts = _remembering(design.session.accepts_hash, lambda test: (test.account.key, str(test.given)))
    return design.in_session(accepts_hash=accepts)


def _known_card_hashes(design: Design) -> Design:
    def hash_of(test: CardHashTest) -> tuple[str, str]:
        return test.account.key, test.given

    accepts = _remembering(design.posts["GET_TRANS_STATUS"].accepts_hash, hash_of)
    return s2s_card.post("GET_TRANS_STATUS", accepts_hash=accepts)(design)


def _known_apm_hashes(action: str) -> Change:
    def hash_of(test: ApmHashTest) -> tuple[str, str]:
        return test.account.key, test.given

    def change(design: Design) -> Design:
        right = design.apm.accepts_hash
        remembered = _remembering(right, hash_of)
        return design.in_apm(accepts_hash=lambda test: (remembered if test.action == action else right)(test))

    return change


def _payee_where_the_payer_is(body: Object) -> Object:
    """The rules of a payee's state are those of the payer's country."""
    country, payee = child(body, "billing_address", "country"), body.get("payee_billing_address")
    if country not in STATE_COUNTRIES or not isinstance(payee, dict):
        return body
    return {**body, "payee_billing_address": {**payee, "country": country}}


def _ten_items(body: Object) -> Object:
    items = child(body, "parameters", "card", "cart", "items")
    if not isinstance(items, list):
        return body
    return checkout_sessions.put(body, items[:10], "parameters", "card", "cart", "items")


def _newest_is_what_was_captured(design: Design) -> Design:
    """A look-up of an order answers the payment that was captured last."""
    captured: dict[tuple[str, str], Payment] = {}

    def capture(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, account = handler(attempt), attempt.account
        found = attempt.gateway.payments.find(account, str(attempt.body.get("payment_id"))) if account else None
        if found is not None and not reply.is_error:
            captured[found.account.key, found.order_number] = found
        return reply

    def look_up(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, account = handler(attempt), attempt.account
        last = captured.get((account.key, str(attempt.body.get("order_id")))) if account else None
        if last is None or by_payment(attempt) or reply.is_error or attempt.body.get("size") is not None:
            return reply
        return Reply(Kind.CHECKOUT_STATUS, 200, payment_object(attempt.gateway, last))

    return all_of(around(capture, "capture"), around(look_up, "status"))(design)


def _on_the_day_of_the_schedule(design: Design) -> Design:
    inner = design.schedules.anchor_day

    def anchor_day(terms: Terms, start: datetime, due: datetime) -> int:
        usual = inner(terms, start, due)
        is_delayed = terms.get("delayed_first_payment") == "to_day_of_month"
        return number(terms, "first_payment_day_of_month", usual) if is_delayed else usual

    return design.in_schedules(anchor_day=anchor_day)


def _only_the_first_flag(attempt: CardAttempt) -> bool:
    form = attempt.form
    return is_zero(form.get("order_amount", "")) and {form.get("auth"), form.get("recurring_init")} == {"Y", "N"}


def _only_one_true(body: Object) -> bool:
    amount = child(body, "order", "amount")
    flags = [body.get("auth"), body.get("recurring_init")]
    return isinstance(amount, str) and is_zero(amount) and True in flags and False in flags


def _of_the_declined_after_a_challenge(design: Design) -> Design:
    inner = design.checkout.return_parameters

    def parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
        attempts = gateway.payments.of_order(payment.account, payment.order_number)
        return inner(gateway, attempts[-1] if record_of(payment).challenged else payment, method)

    return design.in_checkout(return_parameters=parameters)


def _refunds_by_the_inner_digest(design: Design) -> Design:
    sign = design.callbacks.signs[Protocol.CHECKOUT]

    def signed(notice: Notice) -> str:
        account = notice.payment.account
        if notice.event != "refund":
            return sign(notice)
        values = (str(notice.fields.get(name, "")) for name in _SIGNED)
        return hex_digest(account.hash, ascii_upper("".join(values) + account.password))

    return OF_CHECKOUT.signed(signed)(design)


def _second_void_releases(design: Design) -> Design:
    """VOID of an authorization is refused once."""
    refused: set[str] = set()

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or payment.state is not State.AUTHORIZED:
            return handler(attempt, gateway)
        if payment.id in refused:
            payment.state, payment.captured = State.SETTLED, payment.amount
        refused.add(payment.id)
        return handler(attempt, gateway)

    return s2s_apm.around(act, "VOID")(design)


def _rest_of_two_decimals(rounding: str) -> Change:
    """What is left of a payment for refunds is rounded to two decimals."""

    def change(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
            is_later = move is Move.REFUND and payment.protocol is Protocol.CHECKOUT and payment.refunded > 0
            if not is_later or EXPONENTS.get(payment.currency) != _THREE:
                return inner(payment, move, amount)
            rest = largest(payment, move).quantize(Decimal("0.01"), rounding)
            return Obstacle.TOO_MUCH if amount > rest else None

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return change


FAULTS: Final = faults(
    {
        "s-custom-data-lists-without-nothing": breaks(
            "CBK-ATT-13",
            "Members of lists in custom_data that are 0, false or empty do not come back (line 55).",
            OF_CHECKOUT.fields(_lists_without_nothing),
        ),
        "s-session-hash-known": breaks(
            "CHK-SIG-02",
            "A hash that was right for one session is right for every other one (lines 389 and 407).",
            _known_session_hashes,
        ),
        "s-card-look-up-hash-known": breaks(
            "S2C-SIG-48",
            "A hash that was right for one look-up is right for every other one (line 407).",
            _known_card_hashes,
        ),
        "s-apm-sale-hash-known": breaks(
            "APM-SIG-18",
            "A hash that was right for one SALE is right for every other one (line 407).",
            _known_apm_hashes("SALE"),
        ),
        "s-apm-look-up-hash-known": breaks(
            "APM-SIG-14",
            "A hash that was right for one look-up is right for every other one (line 407).",
            _known_apm_hashes("GET_TRANS_STATUS"),
        ),
        "s-state-of-payee-by-country-of-payer": breaks(
            "CHK-BIL-10",
            "The state of a payee elsewhere is looked at where the payer's country has states (line 106).",
            checkout_sessions.rules_see(_payee_where_the_payer_is),
            since=_NEW,
        ),
        "s-eleventh-item-not-looked-at": breaks(
            "CHK-EXT-04",
            "Rules of cart items hold for the first ten (line 175).",
            checkout_sessions.rules_see(_ten_items),
        ),
        "s-newest-by-last-capture": breaks(
            "CHK-STA-04",
            "A look-up of an order answers the payment that was captured last, and not the newest (line 344).",
            _newest_is_what_was_captured,
            since=_NEW,
        ),
        "s-day-of-month-after-start-date": breaks(
            "S2C-SCP-11",
            "The second charge comes on the day of the month of the schedule, whatever the start date was (line 62).",
            _on_the_day_of_the_schedule,
        ),
        "s-sale-of-zero-refused-beside-n": breaks(
            "S2C-AMT-05",
            "A SALE of nothing is refused where the other of auth and recurring_init is N (line 352).",
            s2s_card.last(refusal_if(_only_the_first_flag, _ZERO), "SALE"),
            since=_NEW,
        ),
        "s-initial-sale-of-zero-refused-beside-n": breaks(
            "S2C-AMT-06",
            "A SALE of nothing that starts a chain is refused with auth=N (line 352).",
            s2s_card.last(
                refusal_if(lambda attempt: _only_the_first_flag(attempt) and attempt.form.get("auth") == "N", _ZERO),
                "SALE",
            ),
            since=_NEW,
        ),
        "s-initial-debit-of-zero-refused-with-auth-n": breaks(
            "S2C-AMT-09",
            "A DEBIT of nothing that starts a chain is refused with auth=N (line 352).",
            s2s_card.last(refusal_if(_only_the_first_flag, _ZERO), "DEBIT"),
            since=_NEW,
        ),
        "s-session-of-zero-refused-beside-false": breaks(
            "CHK-ORD-20",
            "A zero amount is refused where one of auth and recurring_init is true and the other false (line 71).",
            checkout_sessions.refusing("order.amount", _only_one_true),
            since=_NEW,
        ),
        "s-return-of-the-declined-after-a-challenge": breaks(
            "CHK-URL-03",
            "Who was declined and then challenged returns with the parameters of the declined payment (line 418).",
            _of_the_declined_after_a_challenge,
        ),
        "s-refund-callback-of-the-inner-digest": breaks(
            "CBK-SIG-02 CBK-SIG-03",
            "The hash of callbacks of refunds is the inner digest, without the outer SHA1 (line 406).",
            _refunds_by_the_inner_digest,
        ),
        "s-apm-second-void-of-an-authorization": breaks(
            "APM-VOI-04 APM-VOI-05",
            "VOID of an authorization is refused, and carried out when it is asked for once more (line 318).",
            _second_void_releases,
            since=_NEW,
        ),
        "s-rest-of-refunds-rounded-down": breaks(
            "CHK-RFD-05",
            "What is left after a refund is cut to two decimals, and the rest cannot be given back (line 319).",
            _rest_of_two_decimals(ROUND_DOWN),
        ),
        "s-rest-of-refunds-rounded-up": breaks(
            "CHK-RFD-09",
            "What is left after a refund is rounded up to two decimals, and more is given back (line 456).",
            _rest_of_two_decimals(ROUND_UP),
        ),
    }
)
