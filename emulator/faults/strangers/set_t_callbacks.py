"""Faults of another author that the suite did not notice at first (set T), and others of their classes: callbacks."""

from dataclasses import replace
from typing import Final

from emulator.changes.notices import Notices
from emulator.changes.s2s_card import NOTICES as OF_CARD
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_OPERATIONS: Final = ("CAPTURE", "VOID", "CREDITVOID")


def _given_up_for_news(protocol: Protocol) -> Change:
    """A callback that was not taken is given up once something else was reported of its payment."""

    def change(design: Design) -> Design:
        newest: dict[str, str] = {}

        def note(notice: Notice) -> list[Notice]:
            newest[notice.payment.id] = notice.event
            return [notice]

        def repeat(notice: Notice) -> list[Notice]:
            is_old = notice.payment.protocol is protocol and newest.get(notice.payment.id) != notice.event
            return [] if is_old else [notice]

        return Notices(protocol).changed(note)(design.in_callbacks(repeat=repeat))

    return change


def _voided_outside_the_hash(notice: Notice) -> list[Notice]:
    if notice.payment.protocol is not Protocol.S2S_APM or notice.payment.state is not State.VOIDED:
        return [notice]
    return [replace(notice, fields={**notice.fields, "status": notice.payment.status})]


def _signed_with_the_token(notice: Notice) -> str:
    """The token stands for the digits of the card where the payment was made with it."""
    payment = notice.payment
    if notice.event not in _OPERATIONS or not record_of(payment).by_token:
        return signatures.s2s_card(notice)
    signed = f"{payment.account.password}{payment.trans_id}".encode() + signatures.backwards(payment.card_token)
    return signatures.digest(notice, (signatures.backwards(payment.email) + signed).upper())


FAULTS: Final = faults(
    {
        "t-operation-on-payment-by-token-signed-with-it": breaks(
            "CBK-SIG-09",
            "Callbacks of CAPTURE, VOID and CREDITVOID of a payment by token are signed with the token (line 406).",
            OF_CARD.signed(_signed_with_the_token),
        ),
        "t-card-callback-given-up-for-news": breaks(
            "CBK-DEL-06",
            "A callback of S2S CARD that was not taken never comes again once another of its payment was sent"
            " (line 424).",
            _given_up_for_news(Protocol.S2S_CARD),
        ),
        "t-apm-callback-given-up-for-news": breaks(
            "CBK-DEL-06",
            "A callback of S2S APM that was not taken never comes again once another of its payment was sent"
            " (line 424).",
            _given_up_for_news(Protocol.S2S_APM),
        ),
        "t-apm-callback-of-the-voided-with-the-former-hash": breaks(
            "CBK-DEL-08",
            "A callback of a SALE that comes again says VOID under the hash of the first time (line 406).",
            lambda design: design.in_callbacks(repeat=_voided_outside_the_hash),
        ),
    }
)
