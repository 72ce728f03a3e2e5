"""POST /api/v1/payment/recurring: secondary charges of a chain, and those that a schedule makes."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Final, cast

from emulator.checkout import charging
from emulator.checkout.conduct import PostAttempt
from emulator.checkout.lookups import customer_of_payment, order_of_payment
from emulator.checkout.posts import named_payment
from emulator.checkout.record import CheckoutRecord, record_of, remember
from emulator.checkout.telling import WORDS, written
from emulator.payments.model import Payment, Protocol, State
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.amounts import well_formed
from emulator.signing import equal
from emulator.values import Object, child, text_of

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_BAD_AMOUNT: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("order.amount", "This value is not valid."),)
)
_DECLINED: Final = "declined"


def find_chain(attempt: PostAttempt) -> Refusal | None:
    """Find the payment that started the chain: its id and its recurring token belong together."""
    body = attempt.body
    account, wanted = attempt.account, str(body.get("recurring_init_trans_id"))
    found = attempt.gateway.payments.find(account, wanted) if account else None
    token = str(body.get("recurring_token"))
    started = found is not None and found.protocol is Protocol.CHECKOUT and bool(found.recurring_token)
    attempt.payment = found if found is not None and started and equal(found.recurring_token, token) else None
    return attempt.gateway.design.checkout.wrong_chain if attempt.payment is None else None


def check_amount(attempt: PostAttempt) -> Refusal | None:
    """Refuse an amount that has other decimals than the currency of the chain."""
    text = text_of(child(attempt.body, "order", "amount"))
    fits = well_formed(text, named_payment(attempt).currency, attempt.gateway.design.amounts)
    return None if fits else _BAD_AMOUNT


def check_duplicate(attempt: PostAttempt) -> Refusal | None:
    """Refuse an order number that the merchant charged within the window."""
    gateway = attempt.gateway
    key, number = str(attempt.body.get("merchant_key")), text_of(child(attempt.body, "order", "number"))
    age = gateway.checkout_window(attempt.operation).age(key, number, gateway.clock.seconds())
    return None if age is None else gateway.design.checkout.duplicate


def secondary(
    gateway: "Gateway", initial: Payment, *, order: Mapping[str, str], custom_data: Object, schedule_id: str = ""
) -> Payment:
    """A further payment of a chain, not yet decided; payer, card and currency are those of the first one."""
    first = record_of(initial)
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
        approves=not initial.account.declines_recurring,
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
        soft=initial.account.declines_recurring,
    )
    remember(payment, record)
    gateway.payments.add(payment)
    charging.decide(gateway, payment, approved=payment.approves)
    return payment


def charge_again(attempt: PostAttempt) -> Reply:
    """Charge the payer of a chain again."""
    gateway, body = attempt.gateway, attempt.body
    order = {name: text_of(child(body, "order", name)) for name in ("number", "amount", "description")}
    given = body.get("custom_data")
    custom_data = cast("Object", given) if isinstance(given, dict) and gateway.design.release >= "6.7.0" else {}
    window = gateway.checkout_window(attempt.operation)
    window.take(str(body.get("merchant_key")), order["number"], gateway.clock.seconds())
    payment = secondary(gateway, named_payment(attempt), order=order, custom_data=custom_data)
    return Reply(Kind.CHECKOUT_RECURRING, 200, _answer(payment))


def _answer(payment: Payment) -> Object:
    declined = payment.state is State.DECLINED
    body: Object = {"status": _DECLINED if declined else WORDS[payment.state]}
    if declined:
        body["reason"] = payment.decline_reason
    body |= {"payment_id": payment.id, "date": written(payment.created), "order": order_of_payment(payment)}
    customer = customer_of_payment(payment)
    return body | ({"customer": customer} if customer else {})


def charge_by_schedule(gateway: "Gateway", initial: Payment) -> None:
    """Make one payment that a schedule asks for, under the order of the payment that started it."""
    first = record_of(initial)
    order = {
        "number": initial.order_number,
        "amount": gateway.design.checkout.scheduled_amount(initial),
        "description": initial.description,
    }
    secondary(gateway, initial, order=order, custom_data=first.custom_data, schedule_id=initial.schedule_id)
