"""Faults of another author that the suite did not notice at first (set T, Checkout), and others of their classes."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from emulator.changes import checkout, checkout_sessions
from emulator.changes.checkout import NOTICES as OF_CHECKOUT
from emulator.changes.notices import Notices
from emulator.changes.s2s_card import NOTICES as OF_CARD
from emulator.changes.s2s_card import around
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.card_credits import check_token
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.languages import Wishes
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import Reply
from emulator.wire.values import Object, child

_NEW: Final = "6.7.0"
_LONGEST: Final = 1024
_FIRST_DATE: Final = "first_recurring_date"


def _listed_with_an_empty_arn(_attempt: PostAttempt, reply: Reply) -> Reply:
    return reply if reply.listed is None else replace(reply, listed=tuple({"ARN": ""} | one for one in reply.listed))


def _cut(design: Design) -> Design:
    """A return address has as many characters as the merchant's own may have."""
    inner = design.page.return_address

    def return_address(address: str, parameters: Parameters) -> str:
        return inner(address, parameters)[:_LONGEST]

    return design.in_page(return_address=return_address)


def _reports_a_challenge(notice: Notice) -> bool:
    is_later = record_of(notice.payment).challenged and notice.event != "3ds"
    return is_later and "customer_ip" in notice.fields


def _filled_up(given: Value, first: Value) -> Value:
    if not isinstance(given, Mapping) or not isinstance(first, Mapping):
        return given
    missing = {name: value for name, value in first.items() if name not in given}
    return {name: _filled_up(value, first.get(name, "")) for name, value in given.items()} | missing


def _parts_filled_up(notices: Notices) -> Change:
    """Objects in the custom_data of a charge are filled up with those of the first payment."""

    def change(design: Design) -> Design:
        firsts: dict[str, Value] = {}

        def changed(notice: Notice) -> list[Notice]:
            given, first = notice.fields.get("custom_data"), firsts.get(notice.payment.chain)
            if not notice.payment.chain and given is not None:
                firsts[notice.payment.id] = given
            if not isinstance(given, Mapping) or not isinstance(first, Mapping):
                return [notice]
            filled: Fields = {name: _filled_up(value, first.get(name, "")) for name, value in given.items()}
            return [replace(notice, fields={**notice.fields, "custom_data": filled})]

        return notices.changed(changed)(design)

    return change


def _scheduled_otherwise(exponent: int, decimals: int) -> Change:
    """The amount of later charges has other decimals than that of the first one, in some currencies."""

    def applies(body: Object) -> bool:
        amount, currency = body.get("payment_schedule_amount"), child(body, "order", "currency")
        if not isinstance(amount, str) or EXPONENTS.get(str(currency)) != exponent:
            return False
        return len(amount.partition(".")[2]) != decimals

    return checkout_sessions.refusing("payment_schedule_amount", applies)


def _first_amount_once_run(design: Design) -> Design:
    """RUN lets a schedule charge the amount of the first payment."""
    run: set[str] = set()
    inner = design.checkout.scheduled_amount

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        run.add(attempt.form.get("schedule_id", ""))
        return perform(attempt)

    def scheduled_amount(payment: Payment) -> str:
        return payment.amount_text if payment.schedule_id in run else inner(payment)

    return around(act, "RUN")(design.in_checkout(scheduled_amount=scheduled_amount))


def _window_of_the_merchant_once_expired(design: Design) -> Design:
    ends: list[End] = []
    to, window = design.page.destination, design.page.window

    def destination(session: PageSession, end: End) -> str:
        ends[:] = [end]
        return to(session, end)

    def of_link(session: PageSession) -> str:
        asked = session.given("url_target")
        return asked if asked and ends == ["expired"] else window(session)

    return design.in_page(destination=destination, window=of_link)


def _names_a_payment(attempt: PostAttempt) -> bool:
    return attempt.payment is not None


def _counted_from_the_hold(notice: Notice) -> list[Notice]:
    payment, announced = notice.payment, notice.fields.get(_FIRST_DATE)
    if notice.event != "capture" or not announced or record_of(payment).schedule_start_date:
        return [notice]
    held = payment.transactions[-1].date.date() - payment.created.date()
    day = date.fromisoformat(str(announced)) - timedelta(days=held.days)
    return [replace(notice, fields={**notice.fields, _FIRST_DATE: day.isoformat()})]


def _by_the_browser_once_expired(design: Design) -> Design:
    language = design.page.language

    def chosen(wishes: Wishes) -> str:
        return language(replace(wishes, checkout_language="", billing_language="") if wishes.closed else wishes)

    return design.in_page(language=chosen)


FAULTS: Final = faults(
    {
        "t-listed-payments-with-an-empty-arn": breaks(
            "CHK-STA-38",
            "Look-ups with a size carry ARN empty while there is none (line 422).",
            checkout.looking_up(_listed_with_an_empty_arn),
            since=_NEW,
        ),
        "t-return-address-cut": breaks(
            "CHK-URL-03 CHK-URL-05",
            "What is appended to a return address is cut at the 1024 characters of the merchant's own (line 418).",
            _cut,
        ),
        "t-hosted-customer-ip-of-the-challenge": breaks(
            "HPF-CIP-01",
            "After a challenge customer_ip is the address from which it was answered (line 99).",
            OF_CHECKOUT.where(_reports_a_challenge, lambda fields: {**fields, "customer_ip": "127.0.0.1"}),
            since=_NEW,
        ),
        "t-parts-of-custom-data-of-a-charge-filled-up": breaks(
            "CBK-ATT-16",
            "Objects in the custom_data of a charge are filled up with those of the first payment (lines 55 and 420).",
            _parts_filled_up(OF_CHECKOUT),
            since=_NEW,
        ),
        "t-card-parts-of-custom-data-of-a-charge-filled-up": breaks(
            "CBK-S2C-14",
            "Objects in the custom_data of a charge are filled up with those of the first payment (line 420).",
            _parts_filled_up(OF_CARD),
            since=_NEW,
        ),
        "t-scheduled-amount-of-two-decimals": breaks(
            "CHK-SES-69",
            "A payment_schedule_amount of 1.500 KWD is refused, and one of 1.50 is taken (lines 63 and 88).",
            _scheduled_otherwise(3, 2),
            since=_NEW,
        ),
        "t-scheduled-amount-without-decimals": breaks(
            "CHK-SES-69",
            "A payment_schedule_amount of 500.00 JPY is refused, and one of 500 is taken (lines 63 and 86).",
            _scheduled_otherwise(0, 0),
            since=_NEW,
        ),
        "t-first-amount-once-a-schedule-runs-again": breaks(
            "CHK-SCH-05",
            "A schedule that was paused and runs again charges the amount of the first payment (line 63).",
            _first_amount_once_run,
            since=_NEW,
        ),
        "t-window-of-the-merchant-once-expired": breaks(
            "CHK-LNK-02",
            "The link of an expired session opens where url_target says, whatever the MID forces (line 496).",
            _window_of_the_merchant_once_expired,
            since=_NEW,
        ),
        "t-any-token-gives-back": breaks(
            "CHK-CRD-12 CHK-CRD-21",
            "A card credit that gives a payment back takes any card_token (lines 284 and 454).",
            checkout.unless(check_token, _names_a_payment, "card_credit"),
        ),
        "t-first-date-counted-from-the-hold": breaks(
            "CBK-ATT-57",
            "first_recurring_date of a captured payment is counted from its authorization (line 288).",
            OF_CHECKOUT.changed(_counted_from_the_hold),
            since=_NEW,
        ),
        "t-language-of-the-browser-once-expired": breaks(
            "HPP-LNG-03",
            "An expired session is shown in the language of the browser (line 48).",
            _by_the_browser_once_expired,
        ),
    }
)
