"""Payments of Checkout: how they are made from a session, decided, and what follows from the decision."""

import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Final, cast

from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.checkout.behaviour import DECLINED, CheckoutGateway, Instrument
from emulator.protocols.checkout.callback_bodies import notify, notify_outcome
from emulator.protocols.checkout.payment_record import CheckoutRecord, record_of, remember
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.countries import STATE_COUNTRIES
from emulator.wire.values import Object, child

EVENTS: Final[Mapping[str, str]] = {"purchase": "sale", "debit": "debit", "credit": "credit", "transfer": "transfer"}
# Attribute of the payer: where the session gives it, and the field of the page that asks for it.
_PAYER: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "payer_birth_date": (("customer", "birth_date"), "birth_date"),
    "payer_address": (("billing_address", "address"), "address"),
    "payer_house_number": (("billing_address", "house_number"), ""),
    "payer_phone_country_code": (("billing_address", "phone_country_code"), ""),
    "payer_country": (("billing_address", "country"), "country"),
    "payer_state": (("billing_address", "state"), "state"),
    "payer_city": (("billing_address", "city"), "city"),
    "payer_district": (("billing_address", "district"), ""),
    "payer_zip": (("billing_address", "zip"), "zip"),
    "payer_email": (("customer", "email"), "email"),
    "payer_phone": (("billing_address", "phone"), "phone"),
}
_CUSTOMER: Final[Mapping[str, str]] = {
    "customer_email": "payer_email",
    "customer_country": "payer_country",
    "customer_state": "payer_state",
    "customer_city": "payer_city",
    "customer_address": "payer_address",
}
_PAYEE: Final = ("country", "state", "city", "address")


def intended(session: PageSession) -> State:
    """Where approval leads: to an authorization where the session or the account asks for one, for purchases only."""
    account = session.account
    if session.operation != "purchase" or account is None or account.mode == "SMS":
        return State.SETTLED
    authorize = session.asks("auth") and session.release >= "6.7.0"
    return State.AUTHORIZED if authorize or account.mode == "DMS" else State.SETTLED


def _payer(session: PageSession, name: str, details: Mapping[str, str], ip: str) -> dict[str, str]:
    first, _, last = name.strip().rpartition(" ")
    known = {"payer_first_name": first or last, "payer_last_name": last if first else ""}
    known |= {field: details.get(asked) or session.given(*path) for field, (path, asked) in _PAYER.items()}
    if session.release >= "6.7.0" and known["payer_country"] not in STATE_COUNTRIES:
        # Line 106: a state is ignored elsewhere.
        known["payer_state"] = ""
    return {field: value for field, value in (known | {"payer_ip": ip}).items() if value}


def _payee(session: PageSession, instrument: Instrument) -> dict[str, str]:
    if session.operation not in {"transfer", "credit"}:
        return {}
    named = f"{session.given('payee_first_name')} {session.given('payee_last_name')}".strip()
    both = session.given("payee_first_name") and session.given("payee_last_name")
    of_token = instrument.card.holder if instrument.card and instrument.token else ""
    found = {
        "payee_name": (named if both and instrument.token else "") or of_token or session.given("payee", "name"),
        "payee_email": session.given("payee", "email"),
        "payee_card": instrument.card.masked if instrument.card and session.operation == "credit" else "",
        **{f"payee_{name}": session.given("payee_billing_address", name) for name in _PAYEE},
    }
    return {name: value for name, value in found.items() if value}


def _on_file(session: PageSession, instrument: Instrument) -> tuple[str, str, str]:
    recurring = session.asks("recurring_init")
    if not (session.asks("req_token") or recurring or instrument.token):
        return "", "", ""
    source = "recurring" if recurring else "unscheduled"
    return "cardholder", source, "subsequent" if instrument.token else "initial"


def _custom_data(session: PageSession) -> Object:
    given = child(dict(session.request), "custom_data")
    return cast("Object", given) if isinstance(given, dict) else {}


def new_payment(
    gateway: CheckoutGateway, session: PageSession, instrument: Instrument, *, holder: str, details: Mapping[str, str]
) -> Payment:
    """The payment that a payer makes in a session, not yet decided."""
    account = session.account
    if account is None:
        message = "a session belongs to a merchant"
        raise LookupError(message)
    amount = details.get("amount", "") if session.payer_enters_amount else session.amount
    ip = session.client
    name = session.given("customer", "name") or holder
    payer = _payer(session, name, details, ip)
    payment = Payment(
        protocol=Protocol.CHECKOUT,
        account=account,
        action=session.operation,
        order_number=session.given("order", "number"),
        amount=Decimal(amount or 0),
        amount_text=amount,
        currency=session.currency,
        description=session.given("order", "description"),
        created=gateway.clock.now(),
        state=State.PREPARED,
        intended=gateway.checkout.intended(session),
        approves=instrument.approved,
        card=instrument.card,
        email=payer.get("payer_email", ""),
        payer=payer,
        brand=instrument.card.brand if instrument.card else "",
        card_token=instrument.token,
    )
    initiator, source, sequence = _on_file(session, instrument)
    customer = {"customer_name": name} | {name: payer.get(source, "") for name, source in _CUSTOMER.items()}
    record = CheckoutRecord(
        event=EVENTS.get(session.operation, "sale"),
        method=instrument.method,
        customer_ip=ip,
        customer={name: value for name, value in customer.items() if value},
        payee=_payee(session, instrument),
        browser=session.browser,
        custom_data=_custom_data(session),
        wants_token=session.asks("req_token") and not session.tokens,
        sent_token=instrument.token,
        recurring=session.asks("recurring_init"),
        wallet=instrument.wallet,
        initiator=initiator,
        source=source,
        sequence=sequence,
        schedule_start_date=session.given("schedule_start_date"),
        schedule_amount=session.given("payment_schedule_amount"),
        vat_amount=session.vat[1] if session.vat else "",
    )
    if record.recurring:
        payment.schedule_id = session.given("schedule_id")
    remember(payment, record)
    return payment


def file_card(gateway: CheckoutGateway, payment: Payment) -> None:
    """Put the card of a payment on file where the merchant will see its token."""
    wanted = record_of(payment).wants_token or payment.action == "debit"
    if wanted and payment.card is not None and not payment.card_token:
        payment.card_token = gateway.vault.keep(payment.account, payment.card)


def send_on(gateway: CheckoutGateway, payment: Payment, state: State) -> None:
    """Let the payer go to the issuer or to a provider, and notify the merchant."""
    record = record_of(payment)
    payment.state = state
    if state is State.AWAITING_BANK:
        notify_outcome(gateway, payment)
        return
    record.challenged = state is State.CHALLENGED
    record.trans_status = "C" if record.challenged else ""
    notify(gateway, payment, "3ds" if record.challenged else "redirect", "success")


def decide(gateway: CheckoutGateway, payment: Payment, *, approved: bool, reason: str = DECLINED) -> None:
    """Approve or decline a payment, with all that follows from it, and notify the merchant."""
    record = record_of(payment)
    if record.browser and payment.card is not None and not record.challenged:
        record.trans_status = "Y"
    elif record.challenged:
        record.trans_status = "Y" if approved else "N"
    gateway.moves.make(payment, Move.APPROVE if approved else Move.DECLINE, None, gateway.clock.now())
    if approved:
        start_chain(gateway, payment)
    else:
        payment.decline_reason = reason
    notify_outcome(gateway, payment)


def start_chain(gateway: CheckoutGateway, payment: Payment) -> None:
    """Let a settled payment that initializes a chain start it."""
    if payment.state is State.SETTLED and record_of(payment).recurring and not payment.recurring_token:
        payment.recurring_token = str(uuid.uuid4())
        subscribe(gateway, payment)


def subscribe(gateway: CheckoutGateway, payment: Payment) -> None:
    """Let the schedule of a settled initializing payment charge its payer from now on."""
    schedule = gateway.schedules.find(payment.account, payment.schedule_id) if payment.schedule_id else None
    if schedule is None:
        return
    day = gateway.checkout.first_day(payment)
    subscription = gateway.schedules.start(payment, schedule, day, lambda one: charge_by_schedule(gateway, one.initial))
    record_of(payment).first_recurring_date = subscription.due.date().isoformat()


def secondary(
    gateway: CheckoutGateway, initial: Payment, *, order: Mapping[str, str], custom_data: Object, schedule_id: str = ""
) -> Payment:
    """A further payment of a chain, not yet decided; payer, card and currency are those of the first one."""
    first = record_of(initial)
    is_declined = gateway.checkout.declines_charge(initial, order["amount"])
    payment = Payment(
        protocol=Protocol.CHECKOUT,
        account=initial.account,
        action="debit" if initial.action == "debit" else "recurring",
        order_number=order["number"],
        amount=Decimal(order["amount"]),
        amount_text=order["amount"],
        currency=initial.currency,
        description=order["description"],
        created=gateway.clock.now(),
        state=State.PREPARED,
        approves=not is_declined,
        card=initial.card,
        email=initial.email,
        payer=initial.payer,
        brand=initial.brand,
        chain=initial.id,
        card_token=initial.card_token,
        schedule_id=schedule_id,
    )
    record = CheckoutRecord(
        event="recurring",
        method=first.method,
        customer_ip=first.customer_ip,
        customer=first.customer,
        custom_data=custom_data,
        chain_token=initial.recurring_token,
        wallet=first.wallet,
        initiator="merchant",
        source="recurring",
        sequence="subsequent",
        soft=is_declined,
    )
    remember(payment, record)
    gateway.payments.add(payment)
    decide(gateway, payment, approved=payment.approves)
    return payment


def charge_by_schedule(gateway: CheckoutGateway, initial: Payment) -> None:
    """Make one payment that a schedule asks for, under the order of the payment that started it."""
    first = record_of(initial)
    order = {
        "number": initial.order_number,
        "amount": gateway.checkout.scheduled_amount(initial),
        "description": initial.description,
    }
    secondary(gateway, initial, order=order, custom_data=first.custom_data, schedule_id=initial.schedule_id)
