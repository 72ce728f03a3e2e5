"""What becomes of payers' entries: the payments behind the hosted page and the hosted fields."""

from datetime import timedelta
from typing import Final

from emulator.engine.payments import Payment, State
from emulator.engine.signing import ascii_upper, hex_digest, sha1_hex
from emulator.protocols.checkout import charging
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.entries import Answer, CardEntry, Entry, MethodEntry
from emulator.protocols.hosted_page.outcomes import (
    Approved,
    Challenge,
    Declined,
    Outcome,
    Parameters,
    Pending,
    ShowDetails,
    ShowQr,
    Stop,
)
from emulator.protocols.hosted_page.session import PageSession, family
from emulator.rules.s2s_apm.brands import BANK_REPORTS

_CODE: Final = "123456"
_EXPIRED: Final = "The QR code expired"
_REJECTED: Final = "Rejected by the bank"
_PAID: Final = (State.SETTLED, State.AUTHORIZED)
_CRYPTO: Final = ("crypto_wallet", "crypto_deposit")
_STOPPED: Final[dict[Stop, State]] = {"challenge": State.CHALLENGED, "provider": State.REDIRECTED}


def return_parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
    """What is appended to the merchant's address: the payment, its signature, and what the account adds."""
    account = payment.account
    order = (payment.order_number, payment.amount_text, payment.currency, payment.description)
    text = ascii_upper(payment.id + "".join(order) + account.password)
    parameters = {
        "payment_id": payment.id,
        "trans_id": payment.trans_id,
        "order_id": payment.order_number,
        "hash": sha1_hex(hex_digest(account.hash, text)),
    }
    if account.additional_parameters and gateway.release >= "6.7.0":
        parameters["payment_method"] = method
    return parameters


class CheckoutPayments:
    """Payments of sessions, by the test cards."""

    def __init__(self, gateway: CheckoutGateway) -> None:
        """Make payments in the books of ``gateway``."""
        self._gateway = gateway

    def pay(self, session: PageSession, entry: Entry) -> Outcome:
        """Try a payment."""
        gateway = self._gateway
        instrument = gateway.checkout.instrument(gateway, session, entry)
        holder = entry.holder if isinstance(entry, CardEntry) else ""
        payment = charging.new_payment(gateway, session, instrument, holder=holder, details=entry.details)
        gateway.payments.add(payment)
        charging.file_card(gateway, payment)
        if isinstance(entry, MethodEntry):
            kind = family(entry.method)
            if kind == "instant_qr":
                return self._show_qr(session, payment)
            if kind in _CRYPTO:
                return self._show_details(session, payment)
        if instrument.stop is not None:
            charging.send_on(gateway, payment, _STOPPED.get(instrument.stop, State.AWAITING_BANK))
            return Challenge(payment.id, instrument.stop)
        charging.decide(gateway, payment, approved=instrument.approved, reason=instrument.reason)
        return self._outcome(payment, instrument)

    def proceed(self, session: PageSession, pending: Pending, answer: Answer) -> Outcome:
        """Go on with a payment that waits for its payer or for a bank."""
        payment = self._gateway.payments.find(session.account, pending.reference) if session.account else None
        if payment is None:
            return pending if answer.said == "check" else Declined()
        expired = isinstance(pending, ShowQr) and session.now >= pending.closes
        if expired and answer.said == "retry" and payment.state is State.DECLINED:
            return self.pay(session, MethodEntry(self._method(payment)))
        if self._gateway.checkout.is_decided(payment) and not (expired and payment.state is State.DECLINED):
            return self._outcome(payment, Instrument())
        if expired or answer.said in {"check", "retry"}:
            return pending
        wrong_code = isinstance(pending, Challenge) and pending.kind == "otp" and answer.code != _CODE
        approved = answer.confirmed and payment.approves and not wrong_code
        charging.decide(self._gateway, payment, approved=approved)
        return self._outcome(payment, Instrument())

    def stored_card(self, session: PageSession, token: str) -> str:
        """The masked number of a stored card."""
        card = self._gateway.vault.card(session.account, token) if session.account else None
        return f"•••• {card.last_four}" if card else "••••"

    def _method(self, payment: Payment) -> str:
        return record_of(payment).method

    def _parameters(self, payment: Payment) -> Parameters:
        return self._gateway.checkout.return_parameters(self._gateway, payment, self._method(payment))

    def _outcome(self, payment: Payment, instrument: Instrument) -> Outcome:
        parameters = self._parameters(payment)
        return Approved(parameters) if payment.state in _PAID else Declined(parameters, instrument.message)

    def _show_details(self, session: PageSession, payment: Payment) -> Outcome:
        charging.send_on(self._gateway, payment, State.AWAITING_BANK)
        amount = f"{session.amount} {session.currency}".strip()
        return ShowDetails(payment.id, (("amount", amount), ("address", payment.id.replace("-", ""))))

    def _show_qr(self, session: PageSession, payment: Payment) -> Outcome:
        gateway = self._gateway
        seconds = gateway.checkout.qr_seconds(payment.account)
        charging.send_on(gateway, payment, State.AWAITING_BANK)
        gateway.agenda.after(seconds, lambda: self._expire(payment))
        self._bank_reports(payment, BANK_REPORTS.get(session.given("customer", "email"), ""))
        content = f"{payment.order_number}|{payment.amount_text}|{payment.currency}"
        return ShowQr(payment.id, content, session.now + timedelta(seconds=seconds))

    def _bank_reports(self, payment: Payment, word: str) -> None:
        if word:
            record_of(payment).reported = True
        if word in {"ACSC", "RJCT"}:
            charging.decide(self._gateway, payment, approved=word == "ACSC", reason=_REJECTED)

    def _expire(self, payment: Payment) -> None:
        if payment.state is State.AWAITING_BANK and not record_of(payment).reported:
            charging.decide(self._gateway, payment, approved=False, reason=_EXPIRED)
