"""Faults of members that every callback of a kind is promised to carry: they come where an option adds them alone."""

from typing import Final

from emulator.changes.notices import Notices
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of as checkout_record_of
from emulator.protocols.s2s_card.payment_record import record_of as card_record_of

_NEW: Final = "6.7.0"
_CARD: Final = ("card", "card_expiration_date")


def _is_by_token(payment: Payment) -> bool:
    if payment.protocol is Protocol.CHECKOUT:
        return bool(checkout_record_of(payment).sent_token)
    return bool(card_record_of(payment).by_token)


def _by_option(protocol: Protocol, names: tuple[str, ...], *actions: str, by_token: bool = False) -> Change:
    """Callbacks of what an action opened lack members, unless the account has extended data."""

    def applies(notice: Notice) -> bool:
        payment = notice.payment
        is_of_kind = payment.action in actions and (not by_token or _is_by_token(payment))
        return is_of_kind and not payment.account.extended_data

    return Notices(protocol).lacking(applies, *names)


FAULTS: Final = faults(
    {
        **{
            f"{slug}-by-option-alone": breaks(
                requirement,
                f"{' and '.join(names)} are in callbacks of {action} for accounts with extended data alone.",
                _by_option(protocol, names, action, by_token=names == _CARD),
                since=since,
            )
            for slug, requirement, protocol, names, action, since in (
                ("checkout-card-of-debit", "CBK-ATT-23", Protocol.CHECKOUT, _CARD, "debit", _NEW),
                ("checkout-token-of-debit", "CBK-ATT-22", Protocol.CHECKOUT, ("card_token",), "debit", _NEW),
                ("checkout-token", "CHK-TOK-01", Protocol.CHECKOUT, ("card_token",), "purchase", None),
                ("checkout-chain", "CBK-ATT-24", Protocol.CHECKOUT, ("recurring_token",), "purchase", None),
                ("checkout-first-id", "CBK-ATT-25", Protocol.CHECKOUT, ("recurring_init_trans_id",), "purchase", None),
                ("checkout-chain-of-debit", "CBK-ATT-26", Protocol.CHECKOUT, ("recurring_token",), "debit", _NEW),
                ("checkout-data-of-debit", "CBK-ATT-14", Protocol.CHECKOUT, ("custom_data",), "debit", _NEW),
                ("payout-type", "CBK-S2C-04", Protocol.S2S_CARD, ("type",), "CREDIT2CARD", None),
                ("sale-chain", "CBK-S2C-09", Protocol.S2S_CARD, ("recurring_token",), "SALE", None),
                ("sale-token", "CBK-S2C-10", Protocol.S2S_CARD, ("card_token",), "SALE", None),
                ("debit-token", "CBK-S2C-11", Protocol.S2S_CARD, ("card_token",), "DEBIT", _NEW),
                ("debit-card", "CBK-S2C-12", Protocol.S2S_CARD, _CARD, "DEBIT", _NEW),
                ("apm-payout-type", "CBK-APM-03", Protocol.S2S_APM, ("type",), "CREDIT2VIRTUAL", None),
            )
        },
    }
)
