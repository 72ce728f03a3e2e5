"""Faults of strangers that the suite did not notice at first (set W, Checkout), and others of their classes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes import s2s_card
from emulator.changes.checkout import NOTICES, looking_up
from emulator.changes.notices import Notices, without_fields
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import as_value
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Reply

_NEW: Final = "6.7.0"
_LARGEST_OF_32_BITS: Final = 2**31 - 1
_DIGITS_OF_A_DOUBLE: Final = 15
"""So many digits every whole number has that a double holds."""


def _each(value: object, change: Callable[[object], object]) -> object:
    """Custom data whose values are changed, however deep they stand."""
    if isinstance(value, Mapping):
        return {str(name): _each(below, change) for name, below in value.items()}
    if isinstance(value, list):
        return [_each(below, change) for below in value]
    return change(value)


def _custom_data(change: Callable[[object], object]) -> Change:
    """The values of custom_data are changed before they are stored."""

    def changed(notice: Notice) -> list[Notice]:
        if "custom_data" not in notice.fields:
            return [notice]
        stored = as_value(_each(record_of(notice.payment).custom_data, change))
        return [replace(notice, fields={**notice.fields, "custom_data": stored})]

    return NOTICES.changed(changed)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _as_double(value: object) -> object:
    return f"{float(str(value)):.0f}" if _is_number(value) else value


def _in_32_bits(value: object) -> object:
    return str(min(int(str(value)), _LARGEST_OF_32_BITS)) if _is_number(value) else value


def _with_exponent(value: object) -> object:
    """A long number as languages write it that hold every number in a double."""
    return f"{float(str(value)):.14e}" if _is_number(value) and len(str(value)) > _DIGITS_OF_A_DOUBLE else value


def _digits_as_double(value: object) -> object:
    is_long = isinstance(value, str) and value.isdigit() and len(value) > _DIGITS_OF_A_DOUBLE
    return f"{float(str(value)):.0f}" if is_long else value


def _retried(notices: Notices, change: Callable[[Fields, Value], Fields]) -> Change:
    """Callbacks of charges that settle after a decline are changed; the chain's first custom_data may go into them."""

    def changed(design: Design) -> Design:
        firsts: dict[str, Value] = {}
        declined: set[str] = set()

        def made(notice: Notice) -> list[Notice]:
            payment = notice.payment
            if payment.state is State.DECLINED:
                declined.add(payment.id)
            if not payment.chain:
                firsts[payment.id] = notice.fields.get("custom_data", "")
            if not payment.chain or payment.id not in declined or payment.state is not State.SETTLED:
                return [notice]
            return [replace(notice, fields=change(notice.fields, firsts.get(payment.chain, "")))]

        return notices.changed(made)(design)

    return changed


def _of_the_first(fields: Fields, first: Value) -> Fields:
    return {**fields, "custom_data": first} if first else fields


def _without_data(fields: Fields, _first: Value) -> Fields:
    return without_fields("custom_data")(fields)


def _of_failed_challenge(notice: Notice) -> bool:
    """A debit by a card token was declined after a challenge."""
    record, payment = record_of(notice.payment), notice.payment
    return (
        payment.action == "debit" and bool(record.sent_token) and record.challenged and payment.state is State.DECLINED
    )


def _listed_at_most(most: int) -> Change:
    """A list of payments ends after so many, whatever size asks for."""

    def change(_attempt: PostAttempt, reply: Reply) -> Reply:
        return reply if reply.listed is None else replace(reply, listed=reply.listed[:most])

    return looking_up(change)


def _paid_anywhere_later(operation: str) -> Change:
    """Sessions of an operation that were paid at the right address once are paid at either of them later."""

    def change(design: Design) -> Design:
        begun = set[str]()

        def serves_later(session: HostedSession, wanted: str) -> bool:
            is_served = session.token in begun or serves(session, wanted)
            if is_served and session.request.get("operation") == operation:
                begun.add(session.token)
            return is_served

        return design.in_hosted_fields(serves=serves_later)

    return change


def _each_name_once(address: str) -> str:
    """An address of whose query the last value of each name is left."""
    place, mark, query = address.partition("?")
    return place + mark + "&".join({pair.partition("=")[0]: pair for pair in query.split("&")}.values())


def _at_cancel_url(design: Design) -> Design:
    inner = design.page.destination

    def destination(session: PageSession, end: End) -> str:
        address = inner(session, end)
        return _each_name_once(address) if end == "cancelled" else address

    return design.in_page(destination=destination)


FAULTS: Final = faults(
    {
        "w-custom-data-through-doubles": breaks(
            "CBK-ATT-59",
            "Whole numbers in custom_data come back as the nearest double (line 55).",
            _custom_data(_as_double),
        ),
        "w-custom-data-in-32-bits": breaks(
            "CBK-ATT-13 CBK-ATT-59",
            "Numbers in custom_data end at 2147483647 (line 55).",
            _custom_data(_in_32_bits),
        ),
        "w-custom-data-with-exponents": breaks(
            "CBK-ATT-13 CBK-ATT-59",
            "Long numbers in custom_data come back with an exponent, and lose digits (line 55).",
            _custom_data(_with_exponent),
        ),
        "w-long-digits-in-custom-data-through-doubles": breaks(
            "CBK-ATT-13",
            "Texts of many digits in custom_data come back as the nearest double (line 55).",
            _custom_data(_digits_as_double),
        ),
        "w-retried-charge-returns-custom-data-of-the-first": breaks(
            "CBK-ATT-16",
            "A charge that settles when it is retried returns the custom_data of the first payment (line 420).",
            _retried(NOTICES, _of_the_first),
            since=_NEW,
        ),
        "w-retried-charge-returns-no-custom-data": breaks(
            "CBK-ATT-16",
            "A charge that settles when it is retried returns no custom_data (line 420).",
            _retried(NOTICES, _without_data),
            since=_NEW,
        ),
        "w-card-retried-charge-returns-custom-data-of-the-first": breaks(
            "CBK-S2C-14",
            "A charge that settles by RETRY returns the custom_data of the first payment (line 420).",
            _retried(s2s_card.NOTICES, _of_the_first),
            since=_NEW,
        ),
        "w-debit-by-token-declined-after-3ds-without-expiry": breaks(
            "CBK-ATT-23",
            "A debit by token whose challenge failed is notified without card_expiration_date (line 419).",
            NOTICES.lacking(_of_failed_challenge, "card_expiration_date"),
            since=_NEW,
        ),
        "w-debit-by-token-declined-after-3ds-without-card": breaks(
            "CBK-ATT-23",
            "A debit by token whose challenge failed is notified without card (line 419).",
            NOTICES.lacking(_of_failed_challenge, "card"),
            since=_NEW,
        ),
        "w-debit-by-token-declined-after-3ds-without-token": breaks(
            "CBK-ATT-21",
            "A debit by token whose challenge failed is notified without card_token (line 419).",
            NOTICES.lacking(_of_failed_challenge, "card_token"),
            since=_NEW,
        ),
        **{
            f"w-look-up-lists-{most}-payments-at-most": breaks(
                "CHK-STA-06",
                f"More than {most} payments are not listed (line 344).",
                _listed_at_most(most),
                since=_NEW,
            )
            for most in (64, 99)
        },
        "w-debit-that-began-is-paid-as-a-purchase": breaks(
            "HPF-PAY-04",
            "A debit by hosted fields that was declined is paid at the address of purchases then (line 335).",
            _paid_anywhere_later("debit"),
            since=_NEW,
        ),
        "w-purchase-that-began-is-paid-as-a-debit": breaks(
            "HPF-PAY-05",
            "A purchase by hosted fields that was declined is paid at the address of debits then (line 334).",
            _paid_anywhere_later("purchase"),
            since=_NEW,
        ),
        "w-repeated-names-of-cancel-url-merged": breaks(
            "CHK-URL-02",
            "Of a name that cancel_url has twice in its query one value is lost (line 43).",
            _at_cancel_url,
        ),
    }
)
