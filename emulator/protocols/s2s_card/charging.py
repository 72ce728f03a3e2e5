"""Payments by card, token or wallet: SALE, DEBIT, CARD2CARD, and the further payments of a chain."""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.engine.moves import Move
from emulator.engine.payments import PAYER_ATTRIBUTES, Card, Payment, Protocol, State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.s2s_card.messages import callback_bodies
from emulator.protocols.s2s_card.messages.answers import payment_answer
from emulator.protocols.s2s_card.payment_record import CardRecord, record_of, remember
from emulator.protocols.s2s_card.sandbox_cards import DECLINED, GOOD, WALLET_CARD, Outcome, stored
from emulator.rules.amounts import well_formed
from emulator.rules.keywords import DECIMAL, is_date
from emulator.wire.nested_forms import nested
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_YES: Final = "Y"
DECLINE_REASON: Final = "Declined by processing"


@dataclass(frozen=True, slots=True)
class Instrument:
    """What a payment is made with, and what comes of it; ``wallet`` names the wallet, ``token`` is the card token."""

    outcome: Outcome
    card: Card | None = None
    wallet: str = ""
    token: str = ""


def amount_of(text: str) -> Decimal:
    """The amount that a text says; nothing for a text that is none."""
    return Decimal(text) if DECIMAL.fullmatch(text) else Decimal(0)


def _holder(form: Mapping[str, str]) -> str:
    return f"{form.get('payer_first_name', '')} {form.get('payer_last_name', '')}".strip()


def by_card(attempt: CardAttempt, prefix: str = "") -> Instrument:
    """The card whose data were sent."""
    form = attempt.form
    number, month, year = (form.get(prefix + name, "") for name in ("card_number", "card_exp_month", "card_exp_year"))
    overdue = month and year and attempt.behaviour.expired(month, year, attempt.gateway.clock.now().date())
    outcome = DECLINED if overdue else attempt.behaviour.outcome(number, month, year)
    return Instrument(outcome, stored(number, month, year, _holder(form)))


def instrument_of(attempt: CardAttempt, account: Account) -> Instrument:
    """What a SALE or DEBIT is made with: card data win over a token, and both over a wallet."""
    form = attempt.form
    token = form.get("card_token", "")
    if form.get("card_number"):
        return by_card(attempt)
    if token:
        return Instrument(GOOD, attempt.gateway.vault.card(account, token), token=token)
    decrypted = WALLET_CARD if account.wallet_flow == "card" else None
    pays = attempt.gateway.card.is_wallet_token(account, form.get("payment_token", ""))
    outcome = GOOD if pays else DECLINED
    return Instrument(outcome, decrypted, wallet=form.get("digital_wallet", ""))


def _custom_data(form: Mapping[str, str]) -> Object:
    found = nested(form).get("custom_data")
    return cast("Object", found) if isinstance(found, dict) else {}


def new_payment(attempt: CardAttempt, account: Account, instrument: Instrument) -> Payment:
    """The payment that a post asks for, not yet decided."""
    gateway, form = attempt.gateway, attempt.form
    is_sale = attempt.action == "SALE"
    payment = Payment(
        protocol=Protocol.S2S_CARD,
        account=account,
        action=attempt.action,
        order_number=form.get("order_id", ""),
        amount=amount_of(form.get("order_amount", "")),
        amount_text=form.get("order_amount", ""),
        currency=form.get("order_currency", ""),
        description=form.get("order_description", ""),
        created=gateway.clock.now(),
        state=State.PREPARED,
        intended=gateway.card.intended(account, form.get("auth", "")) if is_sale else State.SETTLED,
        approves=instrument.outcome.approved,
        captures=instrument.outcome.captures,
        card=instrument.card,
        email=form.get("payer_email", ""),
        payer={name: form[name] for name in PAYER_ATTRIBUTES if form.get(name)},
        brand=instrument.card.brand if instrument.card else "",
        id=gateway.card.new_id(),
    )
    by_stored = bool(instrument.token)
    is_new = gateway.release >= "6.7.0"
    starts = is_new or attempt.action == "SALE"
    present = form.get("payer_present", "") if is_new else ""
    record = CardRecord(
        term_url=form.get("term_url_3ds", ""),
        link_target=gateway.card.link_target(account, form.get("term_url_target", ""), gateway.release),
        wants_token=form.get("req_token") == _YES and not form.get("card_token"),
        by_token=by_stored,
        recurring=form.get("recurring_init") == _YES and starts,
        wallet=instrument.wallet,
        payer_present=present,
        initiator={"": "", "N": "merchant"}.get(present, "cardholder"),
        source="unscheduled" if present else "",
        sequence=("subsequent" if by_stored else "initial") if present else "",
        schedule_start_date=form.get("schedule_start_date", "") if is_new else "",
        schedule_amount=form.get("payment_schedule_amount", "") if is_new else "",
        custom_data=_custom_data(form) if is_new or attempt.action == "SALE" else {},
    )
    if attempt.schedule is not None and form.get("recurring_init") == _YES and starts:
        payment.schedule_id = attempt.schedule.id
    remember(payment, record)
    payment.card_token = instrument.token
    return payment


def pay(attempt: CardAttempt) -> Reply:
    """Carry out a SALE or DEBIT."""
    if attempt.account is None:
        return attempt.gateway.answers.refuse(attempt.gateway.access.unknown_merchant)
    instrument = instrument_of(attempt, attempt.account)
    return charge(attempt, new_payment(attempt, attempt.account, instrument), instrument.outcome)


def transfer(attempt: CardAttempt) -> Reply:
    """Carry out a CARD2CARD; the card of the payer decides."""
    if attempt.account is None:
        return attempt.gateway.answers.refuse(attempt.gateway.access.unknown_merchant)
    instrument = by_card(attempt, "payer_")
    return charge(attempt, new_payment(attempt, attempt.account, instrument), instrument.outcome)


def charge(attempt: CardAttempt, payment: Payment, outcome: Outcome) -> Reply:
    """Carry out a new payment, whose outcome its instrument decides."""
    gateway = attempt.gateway
    gateway.take_order(attempt.form)
    gateway.payments.add(payment)
    if payment.action == "DEBIT" and payment.card is not None and not payment.card_token:
        payment.card_token = gateway.vault.keep(payment.account, payment.card)
    if outcome.challenge is not None:
        _send_to_issuer(gateway, payment, outcome.challenge)
    else:
        record_of(payment).trans_status = "Y"
        decide(gateway, payment, approved=outcome.approved)
    return Reply(_kind(payment), 200, payment_answer(gateway, payment, attempt.base))


def _kind(payment: Payment) -> Kind:
    return Kind.SALE if payment.action == "SALE" else Kind.CARD_ACTION


def _send_to_issuer(gateway: CardGateway, payment: Payment, state: State) -> None:
    record = record_of(payment)
    payment.state = state
    record.challenged = state is State.CHALLENGED
    record.trans_status = "C" if record.challenged else ""
    record.challenge = secrets.token_hex(16)
    gateway.challenges.add(record.challenge, payment)
    callback_bodies.notify_redirect(gateway, payment)


def decide(gateway: CardGateway, payment: Payment, *, approved: bool) -> None:
    """Approve or decline a payment, with all that follows from it, and notify the merchant."""
    record = record_of(payment)
    move = Move.APPROVE if approved else Move.DECLINE
    gateway.moves.make(payment, move, None, gateway.clock.now())
    if not approved:
        payment.decline_reason = DECLINE_REASON
    else:
        if record.wants_token and payment.card is not None and not payment.card_token:
            payment.card_token = gateway.vault.keep(payment.account, payment.card)
        if record.recurring:
            payment.recurring_token = payment.recurring_token or str(uuid.uuid4())
            subscribe(gateway, payment)
    callback_bodies.notify_payment(gateway, payment)


def charge_again(attempt: CardAttempt) -> Reply:
    """Carry out a RECURRING_SALE or RECURRING_DEBIT."""
    initial, form, gateway = attempt.payment, attempt.form, attempt.gateway
    if initial is None:
        return gateway.answers.refuse(attempt.behaviour.unknown)
    currency = form.get("order_currency") or initial.currency
    amount = form.get("order_amount", "")
    if amount and not well_formed(amount, currency, gateway.amounts):
        violations = (("order_amount", "This value is not valid."),)
        return gateway.answers.refuse(Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=violations))
    payment = secondary(
        gateway,
        initial,
        action=attempt.action,
        order_number=form.get("order_id", ""),
        amount_text=amount,
        description=form.get("order_description", ""),
    )
    payment.currency = currency
    if attempt.action == "RECURRING_SALE":
        payment.intended = gateway.card.intended(initial.account, form.get("auth", ""))
    record = record_of(payment)
    record.custom_data = _custom_data(form) if gateway.release >= "6.7.0" else {}
    gateway.take_order(form)
    _decide_secondary(gateway, payment)
    return Reply(Kind.CARD_ACTION, 200, payment_answer(gateway, payment, attempt.base))


def secondary(  # noqa: PLR0913 - what may differ from the payment that started the chain
    gateway: CardGateway, initial: Payment, *, action: str, order_number: str, amount_text: str, description: str
) -> Payment:
    """A further payment of a chain, not yet decided; payer and card are those of the first one."""
    payment = Payment(
        protocol=Protocol.S2S_CARD,
        account=initial.account,
        action=action,
        order_number=order_number,
        amount=amount_of(amount_text),
        amount_text=amount_text,
        currency=initial.currency,
        description=description,
        created=gateway.clock.now(),
        state=State.PREPARED,
        approves=not gateway.card.declines_charge(initial, amount_text),
        card=initial.card,
        email=initial.email,
        payer=initial.payer,
        brand=initial.brand,
        chain=initial.id,
        id=gateway.card.new_id(),
        card_token=initial.card_token if action == "RECURRING_DEBIT" else "",
    )
    first = record_of(initial)
    record = CardRecord(initiator="merchant", source="recurring", sequence="subsequent", wallet=first.wallet)
    remember(payment, record)
    return payment


def _decide_secondary(gateway: CardGateway, payment: Payment) -> None:
    gateway.payments.add(payment)
    record_of(payment).soft = not payment.approves
    decide(gateway, payment, approved=payment.approves)


def charge_by_schedule(gateway: CardGateway, initial: Payment) -> None:
    """Make one payment that a schedule asks for, under the order of the payment that started it."""
    first = record_of(initial)
    payment = secondary(
        gateway,
        initial,
        action=f"RECURRING_{initial.action}",
        order_number=gateway.card.scheduled_order(initial),
        amount_text=gateway.card.scheduled_amount(initial),
        description=initial.description,
    )
    payment.schedule_id = initial.schedule_id
    payment.extras["recurring_token"] = initial.recurring_token
    record_of(payment).custom_data = first.custom_data
    _decide_secondary(gateway, payment)


def subscribe(gateway: CardGateway, payment: Payment) -> None:
    """Let the schedule of a payment, where it has one, charge its payer from now on."""
    schedule = gateway.schedules.find(payment.account, payment.schedule_id) if payment.schedule_id else None
    if schedule is None:
        return
    record = record_of(payment)
    day = date.fromisoformat(record.schedule_start_date) if is_date(record.schedule_start_date) else None
    subscription = gateway.schedules.start(payment, schedule, day, lambda one: charge_by_schedule(gateway, one.initial))
    record.first_recurring_date = subscription.due.date().isoformat()
