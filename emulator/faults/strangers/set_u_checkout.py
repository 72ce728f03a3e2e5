"""Faults of another author that the suite did not notice at first (set U, Checkout), and others of their classes."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes import checkout, checkout_sessions
from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import put
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Card, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, Operation, PostAttempt
from emulator.protocols.checkout.session import HashTest, accepts_hash
from emulator.protocols.hosted_page.entries import CardEntry, Entry
from emulator.protocols.hosted_page.forms.rules import Check, PageRule
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import Object, child

_NEW: Final = "6.7.0"
_OF_IPV4: Final = 15
_UNKNOWN_CHAIN: Final = Refusal(Kind.STATE, "Incorrect transaction")


def _with_code(check: Check) -> Change:
    """The page calls further security codes invalid."""
    rule = PageRule("cvv", check, "invalid_cvv")
    return lambda design: design.in_page(rules=(*design.page.rules, rule))


def _open_amount_in(exponent: int) -> Callable[[Object], bool]:
    """A transfer leaves its amount open in a currency of so many decimals."""

    def applies(body: Object) -> bool:
        currency, amount = child(body, "order", "currency"), child(body, "order", "amount")
        is_open = body.get("operation") == "transfer" and amount == "-1"
        return is_open and EXPONENTS.get(str(currency)) == exponent

    return applies


def _signed_with(change: Callable[[str], str]) -> Change:
    """Sessions are signed over another description than was sent."""

    def accepts(test: HashTest) -> bool:
        order = replace(test.order, description=change(test.order.description))
        return accepts_hash(replace(test, order=order))

    return lambda design: design.in_session(accepts_hash=accepts)


def _credits_signed_with_single_blanks(operation: Operation) -> Operation:
    def signed(body: Object) -> str:
        return operation.signed({**body, "order_description": _with_single_blanks(str(body.get("order_description")))})

    return replace(operation, signed=signed)


def _with_single_blanks(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _begun_after_a_decline(attempt: PostAttempt) -> bool:
    """The payment that started the chain is not the first of its order, and that one was declined."""
    first = attempt.payment
    made = attempt.gateway.payments.of_order(first.account, first.order_number) if first else []
    return any(one.state is State.DECLINED for one in made)


def _named_in_capitals(body: Object) -> bool:
    language = child(body, "payee_billing_address", "language")
    return isinstance(language, str) and language != language.lower()


def _one_again(design: Design) -> Design:
    """Of all callbacks of a payment the one that is delivered again first is the only one."""
    delivered: dict[str, str] = {}

    def repeat(notice: Notice) -> list[Notice]:
        payment = notice.payment
        is_other = delivered.setdefault(payment.id, notice.event) != notice.event
        return [] if payment.protocol is Protocol.CHECKOUT and is_other else [notice]

    return design.in_callbacks(repeat=repeat)


def _token_of_the_first_card(design: Design) -> Design:
    """Who asks for a token and is declined once gets that of the card that was declined."""
    inner, declined = design.checkout.instrument, dict[str, Card]()

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        found = inner(gateway, session, entry)
        if found.card is None or not isinstance(entry, CardEntry) or not session.asks("req_token"):
            return found
        if not found.approved:
            declined.setdefault(session.token, found.card)
        return replace(found, card=declined.get(session.token, found.card))

    return design.in_checkout(instrument=instrument)


def _with_short_numbers(value: object) -> object:
    if isinstance(value, dict):
        return {name: _with_short_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_short_numbers(inner) for inner in value]
    return 1 if isinstance(value, int) and not isinstance(value, bool) else value


def _numbers_unseen(body: Object) -> Object:
    """A request in whose card sets every number has one digit; texts have theirs."""
    return put(body, _with_short_numbers(child(body, "parameters", "card")), "parameters", "card")


FAULTS: Final = faults(
    {
        "u-token-of-the-card-that-was-declined": breaks(
            "CHK-TOK-05",
            "The card_token of a payment after a decline is that of the card that was declined (lines 57 and 58).",
            _token_of_the_first_card,
        ),
        "u-open-amount-refused-in-three-decimals": breaks(
            "CHK-ORD-10",
            "A transfer of -1 is refused in a currency of three decimals (line 78).",
            checkout_sessions.refusing("order.amount", _open_amount_in(3)),
        ),
        "u-open-amount-refused-without-decimals": breaks(
            "CHK-ORD-10",
            "A transfer of -1 is refused in a currency without decimals (line 78).",
            checkout_sessions.refusing("order.amount", _open_amount_in(0)),
        ),
        "u-hosted-customer-ip-of-fifteen-characters": breaks(
            "HPF-CIP-01",
            "customer_ip has no more characters than an address of IPv4 (line 99).",
            NOTICES.mapped("customer_ip", lambda address: address[:_OF_IPV4]),
            since=_NEW,
        ),
        "u-description-signed-with-line-feeds": breaks(
            "CHK-SIG-12",
            "A description whose lines end in CR LF is signed as if they ended in LF (line 389).",
            _signed_with(lambda text: text.replace("\r\n", "\n")),
        ),
        "u-description-signed-with-single-blanks": breaks(
            "CHK-SIG-12",
            "Several blanks in a description are signed as one (line 389).",
            _signed_with(_with_single_blanks),
        ),
        "u-description-of-a-credit-signed-with-single-blanks": breaks(
            "CHK-CRD-16",
            "Several blanks in the description of a card credit are signed as one (lines 389 and 390).",
            lambda design: design.in_operations(_credits_signed_with_single_blanks, "card_credit"),
        ),
        "u-chain-of-a-payment-after-a-decline-unknown": breaks(
            "CHK-REC-01",
            "A chain is not charged whose payer was declined before the first payment (line 60).",
            checkout.last(refusal_if(_begun_after_a_decline, _UNKNOWN_CHAIN), "recurring"),
        ),
        "u-security-code-of-zeros-refused": breaks(
            "HPP-CVV-01",
            "A security code of zeros is called invalid (line 122).",
            _with_code(lambda code, _context: code.strip("0") != ""),
        ),
        "u-security-code-read-as-a-number": breaks(
            "HPP-CVV-01",
            "A security code that begins with a zero is called invalid (line 122).",
            _with_code(lambda code, _context: not code.startswith("0")),
        ),
        "u-language-of-a-payee-in-capitals-refused": breaks(
            "CHK-PAY-08",
            "payee_billing_address.language is refused in upper case (lines 66 and 114).",
            checkout_sessions.refusing("payee_billing_address.language", _named_in_capitals),
        ),
        "u-digits-of-numbers-uncounted": breaks(
            "CHK-SHP-08 CHK-CRT-02 CHK-CRT-05 CHK-CRT-10 CHK-CRT-16 CHK-MKT-02",
            "Numbers of JSON in the extended card set may have any number of digits (line 150).",
            checkout_sessions.rules_see(_numbers_unseen),
        ),
        "u-one-callback-of-a-payment-comes-again": breaks(
            "CBK-DEL-06",
            "Of the callbacks of a payment that were not taken only one is delivered again (line 424).",
            _one_again,
        ),
    }
)
