"""The action CREDIT2CARD: money for the owner of a card."""

from dataclasses import replace
from typing import Final

from emulator.engine.moves import Move
from emulator.engine.payments import Payment
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.s2s_card.charging import DECLINE_REASON, Instrument, new_payment
from emulator.protocols.s2s_card.messages import callback_bodies
from emulator.protocols.s2s_card.messages.answers import DESCRIPTOR, named, result_of, written
from emulator.protocols.s2s_card.sandbox_cards import GOOD, payout_outcome, stored
from emulator.wire.replies import Kind, Reply

_WAIT: Final = 30.0


def _to_whom(attempt: CardAttempt) -> Instrument:
    form = attempt.form
    number, token = form.get("card_number", ""), form.get("card_token", "")
    if number or attempt.account is None:
        holder = f"{form.get('payee_first_name', '')} {form.get('payee_last_name', '')}".strip()
        return Instrument(payout_outcome(number), stored(number, "", "", holder))
    return Instrument(GOOD, attempt.gateway.vault.card(attempt.account, token), token=token)


def pay_out(attempt: CardAttempt) -> Reply:
    """Pay an amount out to a card or to the card behind a token."""
    gateway, account = attempt.gateway, attempt.account
    if account is None:
        return gateway.answers.refuse(gateway.access.unknown_merchant)
    instrument = _to_whom(attempt)
    payment = new_payment(attempt, account, replace(instrument, token=""))
    # Nobody is asked for an address here, and no signature holds one, whether it was sent or not.
    payment.email = ""
    gateway.take_order(attempt.form)
    gateway.payments.add(payment)
    if instrument.outcome.waits:
        gateway.agenda.after(_WAIT, lambda: _settle(gateway, payment, approved=True))
        callback_bodies.notify_payment(gateway, payment)
    else:
        _settle(gateway, payment, approved=instrument.outcome.approved)
    body = named(payment, payment.action, result_of(payment), payment.status)
    body |= {"trans_date": written(payment), "descriptor": DESCRIPTOR}
    return Reply(
        Kind.CARD_ACTION, 200, body | ({"decline_reason": payment.decline_reason} if payment.decline_reason else {})
    )


def _settle(gateway: CardGateway, payment: Payment, *, approved: bool) -> None:
    gateway.moves.make(payment, Move.APPROVE if approved else Move.DECLINE, None, gateway.clock.now())
    payment.decline_reason = "" if approved else DECLINE_REASON
    callback_bodies.notify_payment(gateway, payment)
