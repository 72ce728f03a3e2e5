"""Variations of recurring chains: what line 60 does not say of their tokens."""

import uuid
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.variations.model import Variation


def _token_of_the_card(design: Design) -> Design:
    """Every chain of a card has the same recurring token, whoever the merchant is."""

    def change(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if not payment.recurring_token or payment.card is None:
            return [notice]
        token = str(uuid.uuid5(uuid.NAMESPACE_OID, payment.card.fragment))
        payment.recurring_token = token
        shown = {"recurring_token": token} if "recurring_token" in notice.fields else {}
        return [replace(notice, fields={**notice.fields, **shown})]

    return NOTICES.changed(change)(design)


VARIATIONS: Final = (
    Variation(
        "checkout-chains-of-a-card-share-their-token",
        "The recurring token of a chain is that of its card.",
        _token_of_the_card,
    ),
)
