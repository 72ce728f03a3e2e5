"""What each action is signed with."""

from emulator.engine.payments import Payment
from emulator.engine.signing import FormValues
from emulator.protocols.s2s_card.behaviour import CardAttempt


def _instrument(attempt: CardAttempt, number_field: str = "card_number") -> str:
    number = attempt.form.get(number_field)
    return attempt.behaviour.fragment(number) if number else attempt.form.get("card_token", "")


def _fragment(payment: Payment) -> str:
    return payment.card.fragment if payment.card is not None else ""


def by_instrument(attempt: CardAttempt) -> FormValues:
    """Formulas 1 and 8: the card where card data are sent, else the card token, else nothing."""
    return FormValues(attempt.form.get("payer_email", ""), _instrument(attempt))


def by_payers_card(attempt: CardAttempt) -> FormValues:
    """Formula 1 of a transfer: the card of the payer."""
    return FormValues(attempt.form.get("payer_email", ""), _instrument(attempt, "payer_card_number"))


def by_initial(attempt: CardAttempt) -> FormValues:
    """Formula 1 of a recurring payment: address and card of the payment that started the chain."""
    initial = attempt.payment
    return FormValues(initial.email, _fragment(initial)) if initial else FormValues()


def by_payment(attempt: CardAttempt) -> FormValues:
    """Formulas 2 and 6: address and card of the payment, and trans_id as sent."""
    payment = attempt.payment
    middle = attempt.form.get("trans_id", "")
    return FormValues(payment.email, _fragment(payment), middle) if payment else FormValues()


def by_order(attempt: CardAttempt) -> FormValues:
    """Formula 7: address and card of the payment, and order_id as sent."""
    payment = attempt.payment
    middle = attempt.form.get("order_id", "")
    return FormValues(payment.email, _fragment(payment), middle) if payment else FormValues()


def by_payee(attempt: CardAttempt) -> FormValues:
    """Formula 5: the card of the payee or its token."""
    return FormValues(instrument=_instrument(attempt))


def by_nothing(_attempt: CardAttempt) -> FormValues:
    """Formula 3: the password alone."""
    return FormValues()


def by_schedule(attempt: CardAttempt) -> FormValues:
    """Formula 4: schedule_id as sent."""
    return FormValues(middle=attempt.form.get("schedule_id", ""))
