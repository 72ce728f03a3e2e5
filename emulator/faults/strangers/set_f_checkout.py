"""Faults of Checkout: look-ups that are kept, charges of one chain, order numbers, several tokens (sixth set).

Numbers of lines are those of the interface description.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import NOTICES, Handler, around, instead
from emulator.changes.checkout_sessions import refusing
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.duplicates import WindowRule
from emulator.engine.payments import Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits, recurring
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, PostAttempt, PostStage
from emulator.protocols.checkout.callback_bodies import as_value
from emulator.protocols.checkout.instruments import issuer_says
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.entries import Entry, TokenEntry
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import PageContext, PageRule, expiry_of, month_and_year
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Refusal, Reply
from emulator.wire.values import Object, child, text_of

_NEW: Final = "6.7.0"
_CENTS: Final = Decimal("0.01")
_DECEMBER: Final = 12
_LANGUAGE: Final = "browser_language"


# --- look-ups ---


def _list_kept(design: Design) -> Design:
    """An array of payments stays as it was until the order gets another payment."""
    kept: dict[tuple[object, object, int], tuple[Object, ...]] = {}

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        if reply.is_error or not reply.listed:
            return reply
        number, size = attempt.body.get("order_id"), attempt.body.get("size")
        first = kept.setdefault((number, str(size), len(reply.listed)), tuple(reply.listed))
        return replace(reply, listed=first)

    return around(act, "status")(design)


def _last_touched(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, body, account = handler(attempt), attempt.body, attempt.account
    if reply.is_error or account is None or body.get("payment_id") is not None or body.get("size") is not None:
        return reply
    found = attempt.gateway.payments.of_order(account, str(body.get("order_id")))
    own = [payment for payment in found if payment.protocol is Protocol.CHECKOUT]
    newest = max(own, key=lambda one: one.transactions[-1].date if one.transactions else one.created)
    return replace(reply, body=payment_object(attempt.gateway, newest))


# --- chains ---


def _piled_up(design: Design) -> Design:
    piles: dict[str, Object] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment, shown = notice.payment, record_of(notice.payment).custom_data
        if not payment.chain or not shown:
            return [notice]
        pile = piles[payment.chain] = {**piles.get(payment.chain, {}), **shown}
        return [replace(notice, fields={**notice.fields, "custom_data": as_value(pile)})]

    return NOTICES.changed(changed)(design)


def _in_cents(handler: Handler, attempt: PostAttempt) -> Reply:
    order = attempt.body.get("order")
    if not isinstance(order, dict):
        return handler(attempt)
    amount = Decimal(text_of(child(attempt.body, "order", "amount")))
    rounded = {**order, "amount": str(amount.quantize(_CENTS))}
    return handler(replace(attempt, body={**attempt.body, "order": rounded}))


def _names_the_charge_before(design: Design) -> Design:
    latest: dict[str, str] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if not payment.chain:
            return [notice]
        named = latest.get(payment.chain, payment.chain)
        latest[payment.chain] = payment.id
        return [replace(notice, fields={**notice.fields, "recurring_init_trans_id": named})]

    return NOTICES.changed(changed)(design)


def _declined_charge(notice: Notice) -> bool:
    return bool(notice.payment.chain) and notice.payment.state is State.DECLINED


# --- order numbers ---


def _by_amount_as_well(inner: PostStage, name: str, amount: str) -> Change:
    """The same order is another one where its amount is another."""

    def change(design: Design) -> Design:
        taken: dict[tuple[str, str], str] = {}

        def lenient(attempt: PostAttempt) -> Refusal | None:
            number = str(attempt.body.get("order_id") or child(attempt.body, "order", "number"))
            asked = str(attempt.body.get(amount) or child(attempt.body, "order", "amount"))
            refusal, key = inner(attempt), (str(attempt.body.get("merchant_key")), number)
            if refusal is not None and taken.get(key) == asked:
                return refusal
            taken[key] = asked
            return None

        return instead(inner, lenient, name)(design)

    return change


def _first_64(_merchant: str, number: str) -> object:
    return _merchant, number[:64]


def _before_the_epoch(body: Object) -> bool:
    born = child(body, "customer", "birth_date")
    return isinstance(born, str) and born[:4].isdigit() and born < "1970"


def _nothing_for_two_reasons(body: Object) -> bool:
    nothing = not text_of(child(body, "order", "amount")).strip("0.")
    return nothing and body.get("auth") is True and body.get("recurring_init") is True


# --- the page ---


def _december_expired(value: str, context: PageContext) -> bool:
    """A card that expires in December is looked at as if it did in the January before."""
    if not month_and_year(value, context) or expiry_of(value)[0] != _DECEMBER:
        return True
    return expiry_of(value)[1] > context.today.year + 1


def _facts_by_number(design: Design) -> Design:
    """The QR page shows what it showed first for an order number, whoever's it was."""
    inner, seen = design.page.qr_facts, dict[str, Mapping[str, str]]()

    def qr_facts(session: PageSession) -> Mapping[str, str]:
        return seen.setdefault(session.given("order", "number"), inner(session))

    return design.in_page(qr_facts=qr_facts)


def _first_card_charged(design: Design) -> Design:
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        if not isinstance(entry, TokenEntry) or len(session.tokens) < 2 or session.account is None:
            return inner(gateway, session, entry)
        card = gateway.vault.card(session.account, session.tokens[0])
        return issuer_says(session, card, entry.token) if card is not None else inner(gateway, session, entry)

    return design.in_checkout(instrument=instrument)


def _code_with_two_tokens(design: Design) -> Design:
    inner = design.page.asked

    def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
        found = inner(session, method, values)
        several = session.operation == "credit" and len(session.tokens) > 1
        return tuple("cvv" if several and name == "expiry" else name for name in found)

    return design.in_page(asked=asked)


def _language_of_payer_before(design: Design) -> Design:
    last: list[str] = []

    def changed(notice: Notice) -> list[Notice]:
        own = record_of(notice.payment).browser.get(_LANGUAGE, "")
        last[:] = [own] if own else last
        if own or not last or _LANGUAGE not in notice.fields:
            return [notice]
        return [replace(notice, fields={**notice.fields, _LANGUAGE: last[0]})]

    return NOTICES.changed(changed)(design)


FAULTS: Final = faults(
    {
        "f-list-of-payments-kept": breaks(
            "CHK-CAP-03 CHK-RFD-07",
            "A look-up by order with size goes on to show the status of before a change, if it was asked before"
            " (line 344).",
            _list_kept,
            since=_NEW,
        ),
        "f-newest-means-last-touched": breaks(
            "CHK-STA-04",
            "A look-up by order answers the older of two payments once that was given back (line 344).",
            around(_last_touched, "status"),
        ),
        "f-custom-data-of-charges-pile-up": breaks(
            "CBK-ATT-16",
            "The callback of a charge carries custom_data of an earlier charge of the chain as well (line 420).",
            _piled_up,
            since=_NEW,
        ),
        "f-charge-rounded-to-cents": breaks(
            "CHK-REC-15",
            "A charge of 10.235 KWD is made of 10.24 (line 88).",
            around(_in_cents, "recurring"),
        ),
        "f-second-charge-names-the-first-one": breaks(
            "CHK-REC-02",
            "The callback of the second charge of a chain has the id of the first charge as recurring_init_trans_id"
            " (line 288).",
            _names_the_charge_before,
        ),
        "f-declined-charge-of-chain-without-custom-data": breaks(
            "CBK-ATT-16",
            "The callback of a declined charge lacks the custom_data of its request (line 420).",
            NOTICES.lacking(_declined_charge, "custom_data"),
            since=_NEW,
        ),
        "f-session-duplicates-by-64-characters": breaks(
            "CHK-DUP-06",
            "Two order numbers that begin with the same 64 characters count as one (line 438).",
            lambda design: design.in_session(window=WindowRule(key=_first_64)),
        ),
        "f-card-credit-repeats-with-another-amount": breaks(
            "CHK-CRD-22",
            "The same order is credited twice within 15 seconds where the amount is another (line 437).",
            _by_amount_as_well(card_credits.check_duplicate, "card_credit", "order_amount"),
        ),
        "f-charge-repeats-with-another-amount": breaks(
            "CHK-REC-13",
            "A chain is charged twice for one order within 15 seconds where the amount is another (line 437).",
            _by_amount_as_well(recurring.check_duplicate, "recurring", "amount"),
        ),
        "f-session-births-before-1970-refused": breaks(
            "CHK-CUS-05",
            "Sessions of payers who were born before 1970 are refused (line 98).",
            refusing("customer.birth_date", _before_the_epoch),
        ),
        "f-session-of-zero-for-one-reason-only": breaks(
            "CHK-ORD-20 CHK-ORD-21",
            "A session of nothing that is an authorization and starts a chain is refused, each alone is taken"
            " (line 71).",
            refusing("order.amount", _nothing_for_two_reasons),
            since=_NEW,
        ),
        "f-page-december-is-expired": breaks(
            "HPP-EXP-03",
            "The page calls a card expired that expires in December of this year or of the next (line 121).",
            lambda design: design.in_page(
                rules=(*design.page.rules, PageRule("expiry", _december_expired, "expired")),
            ),
        ),
        "f-qr-facts-by-order-number": breaks(
            "HPP-OUT-05",
            "The QR page shows amount and description of another merchant with the same order number (line 235).",
            _facts_by_number,
        ),
        "f-second-token-charges-first-card": breaks(
            "CBK-ATT-23",
            "The payer chooses the second of two stored cards, and the first one is charged (line 419).",
            _first_card_charged,
            since=_NEW,
        ),
        "f-code-on-credit-with-two-tokens": breaks(
            "HPP-TOK-02",
            "The page of a credit with two tokens asks for the security code (line 58).",
            _code_with_two_tokens,
            since=_NEW,
        ),
        "f-language-of-the-payer-before": breaks(
            "CBK-ATT-51",
            "The callback of a payer whose browser names no language has that of the payer before (line 288).",
            _language_of_payer_before,
        ),
    }
)
