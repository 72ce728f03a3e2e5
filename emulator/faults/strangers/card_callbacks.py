"""Faults of S2S CARD callbacks: stale attributes, lost members, and what differs from the second time on.

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final

from emulator.changes.notices import about, without_fields
from emulator.changes.s2s_card import NOTICES
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_NEW: Final = "6.7.0"
_DEBITS: Final = ("DEBIT", "RECURRING_DEBIT")


def _order_id_decoded(fields: Fields) -> Fields:
    return fields | {"order_id": str(fields.get("order_id", "")).replace("+", " ")}


def _void_of_debit(notice: Notice) -> bool:
    return notice.event == "VOID" and notice.payment.action in _DEBITS


def _scheduled_debit(notice: Notice) -> bool:
    return notice.event == "RECURRING_DEBIT" and bool(notice.payment.schedule_id)


def _refund_of_charge(notice: Notice) -> bool:
    return notice.event == "CREDITVOID" and notice.payment.action == "RECURRING_SALE"


def _payer_of_first_payment(design: Design) -> Design:
    """What is known of a payer is kept from the first payment by the e-mail address."""
    known: dict[tuple[str, str], Fields] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        payer = {name: value for name, value in notice.fields.items() if name.startswith("payer_")}
        if not payer or not payment.email:
            return [notice]
        first = known.setdefault((payment.account.key, payment.email), payer)
        stale = {name: first.get(name, value) for name, value in payer.items()}
        return [replace(notice, fields=notice.fields | stale)]

    return NOTICES.changed(changed)(design)


def _blanks(value: Value) -> Value:
    if isinstance(value, str):
        return value.replace("+", " ")
    if isinstance(value, list):
        return [_blanks(below) for below in value]
    return {name: _blanks(below) for name, below in value.items()}


def _plus_as_blank(fields: Fields) -> Fields:
    return fields | {"custom_data": _blanks(fields["custom_data"])} if "custom_data" in fields else fields


def _latest_way_back(design: Design) -> Design:
    """A payer is sent back to where the newest challenge of the payer began."""
    latest: dict[tuple[str, str], str] = {}
    inner = design.card.way_back

    def note(notice: Notice) -> list[Notice]:
        if notice.event == "3DS":
            latest[notice.payment.account.key, notice.payment.email] = record_of(notice.payment).term_url
        return [notice]

    def way_back(payment: Payment) -> str:
        return latest.get((payment.account.key, payment.email)) or inner(payment)

    return NOTICES.changed(note)(design.in_card(way_back=way_back))


def _second_without_type(design: Design) -> Design:
    reported: set[str] = set()

    def changed(notice: Notice) -> list[Notice]:
        again = notice.payment.id in reported
        reported.add(notice.payment.id)
        return [replace(notice, fields=without_fields("type")(notice.fields)) if again else notice]

    return NOTICES.changed(changed)(design)


def _agent_of_first_challenge(design: Design) -> Design:
    known: dict[tuple[str, str], Value] = {}

    def changed(notice: Notice) -> list[Notice]:
        agent, payment = notice.fields.get("browser_user_agent"), notice.payment
        if agent is None or not record_of(payment).browser or not payment.email:
            return [notice]
        first = known.setdefault((payment.account.key, payment.email), agent)
        return [replace(notice, fields={**notice.fields, "browser_user_agent": first})]

    return NOTICES.changed(changed)(design)


def _redelivered_with_md5(design: Design) -> Design:
    """What is delivered again is signed again, with the digest of most accounts."""
    signs, again = design.callbacks.signs, design.callbacks.repeat

    def repeat(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if payment.protocol is Protocol.CHECKOUT or payment.account.hash == "md5":
            return again(notice)
        fields = {name: value for name, value in notice.fields.items() if name != "hash"}
        by_md5 = replace(payment, account=replace(payment.account, hash="md5"))
        signed = signs[payment.protocol](replace(notice, payment=by_md5, fields=fields))
        return again(replace(notice, fields={**fields, "hash": signed}))

    return design.in_callbacks(repeat=repeat)


FAULTS: Final = faults(
    {
        "card-callback-plus-of-order-id-as-blank": breaks(
            "CBK-S2C-02",
            "A plus in order_id becomes a blank in callbacks, not in answers (line 288).",
            NOTICES.fields(_order_id_decoded),
        ),
        "card-callback-of-second-refund-missing": breaks(
            "CBK-S2C-06",
            "The second partial refund of a payment is not notified (line 415).",
            NOTICES.once(about("CREDITVOID")),
        ),
        "card-callback-void-of-debit-without-token": breaks(
            "CBK-S2C-24",
            "The callback of a voided DEBIT lacks card_token (line 419).",
            NOTICES.lacking(_void_of_debit, "card_token"),
            since=_NEW,
        ),
        "card-callback-refund-of-charge-without-arn": breaks(
            "CBK-S2C-16",
            "The callback of a refunded RECURRING_SALE lacks ARN (line 422).",
            NOTICES.lacking(_refund_of_charge, "ARN"),
            since=_NEW,
        ),
        "card-callback-payer-of-first-payment": breaks(
            "CBK-ATT-42",
            "Payer attributes are those of the first payment by the same e-mail address (line 288).",
            _payer_of_first_payment,
            since=_NEW,
        ),
        "charge-custom-data-plus-as-blank": breaks(
            "CBK-S2C-14",
            "A plus in custom_data of a RECURRING_SALE becomes a blank (line 420).",
            NOTICES.fields(_plus_as_blank, "RECURRING_SALE"),
            since=_NEW,
        ),
        "card-callback-scheduled-debit-without-token": breaks(
            "CBK-S2C-24",
            "Callbacks of debits that a schedule makes lack card_token (line 419).",
            NOTICES.lacking(_scheduled_debit, "card_token"),
            since=_NEW,
        ),
        "challenge-way-back-of-payers-latest": breaks(
            "S2C-TDS-05",
            "With two open challenges of a payer both lead to the term_url_3ds of the newer one (line 425).",
            _latest_way_back,
        ),
        "payout-second-callback-without-type": breaks(
            "CBK-S2C-04",
            "The callback that a payout was made after it waited lacks type (line 421).",
            _second_without_type,
        ),
        "card-callback-user-agent-of-first-challenge": breaks(
            "CBK-S2C-17",
            "browser_user_agent of a challenge is that of the payer's first challenge (line 288).",
            _agent_of_first_challenge,
            since=_NEW,
        ),
        "redelivery-signed-with-md5": breaks(
            "CBK-SIG-12",
            "S2S callbacks of accounts with SHA256 are signed with MD5 when they are delivered again (line 406).",
            _redelivered_with_md5,
        ),
    }
)
UNNOTICED: Final = faults({})
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
