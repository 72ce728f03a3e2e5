"""Faults of Checkout sessions that show after another request, for one currency, or for a rare field.

Numbers of lines are those of the interface description.
"""

import unicodedata
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast

from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import also_hashed, instead, last
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.signing import as_specified
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, HashTest, check_duplicate, check_tokens, matches
from emulator.rules.amounts import order_amount_decimals
from emulator.rules.model import Context, JsonObject, Rule
from emulator.wire.replies import Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"


# --- the duplicate window ---


def _window_starts_anew(attempt: Attempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    if refusal is not None:
        attempt.gateway.session_window.take(attempt.key, attempt.number, attempt.gateway.clock.seconds())
    return refusal


def _number_taken_in_spite(attempt: Attempt) -> Refusal | None:
    refusal = check_tokens(attempt)
    if refusal is not None:
        attempt.gateway.session_window.take(attempt.key, attempt.number, attempt.gateway.clock.seconds())
    return refusal


def _only_last_number(design: Design) -> Design:
    """The window of a merchant holds one number: what was opened in between frees the one before."""
    latest: dict[str, str] = {}

    def check(attempt: Attempt) -> Refusal | None:
        return check_duplicate(attempt) if latest.get(attempt.key) == attempt.number else None

    def note(attempt: Attempt) -> None:
        latest[attempt.key] = attempt.number

    return last(note)(instead(check_duplicate, check)(design))


# --- how long a session is open ---


def _one_byte_of_minutes(design: Design) -> Design:
    inner = design.session.minutes_open

    def minutes(body: JsonObject) -> float:
        given = inner(body)
        return given if given <= 255 else max(1, given % 256)

    return design.in_session(minutes_open=minutes)


# --- signatures ---


def _composed_letters(design: Design) -> Design:
    def accepts(test: HashTest) -> bool:
        order = test.order
        composed = replace(order, description=unicodedata.normalize("NFC", order.description))
        return matches(replace(test, order=composed), as_specified)

    return design.in_session(accepts_hash=accepts)


def _with_payee_address(test: HashTest) -> bool:
    return "payee_billing_address" in test.body


# --- amounts ---


def _zero_with_token(design: Design) -> Design:
    amounts = design.amounts
    return replace(design, amounts=replace(amounts, zero_when=(*amounts.zero_when, "req_token")))


def _baisas_cut(value: object, parent: JsonObject, context: Context) -> bool:
    if parent.get("currency") == "OMR" and isinstance(value, str) and len(value.partition(".")[2]) == 2:
        return True
    return order_amount_decimals(value, parent, context)


def _two_decimals_of_rials(row: Rule) -> Rule | None:
    is_it = row.path == "order.amount" and row.keyword == "decimals"
    return replace(row, bound=_baisas_cut) if is_it else row


# --- card tokens ---


def _tokens_in_any_case(attempt: Attempt) -> Refusal | None:
    given = attempt.body.get("card_token")
    if not isinstance(given, list):
        return check_tokens(attempt)
    lowered: Object = {"card_token": [str(token).lower() for token in cast("list[object]", given)]}
    return check_tokens(replace(attempt, body=attempt.body | lowered))


# --- custom_data ---


def _truthy(value: Value) -> Value:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_truthy(below) for below in value]
    return {name: _truthy(below) for name, below in value.items() if below not in ("false", "0")}


def _without_false_and_zero(fields: Fields) -> Fields:
    return fields | {"custom_data": _truthy(fields["custom_data"])} if "custom_data" in fields else fields


def _not_of_failures(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name != "custom_data" or fields.get("status") != "fail"}


def _of_charge_before(design: Design) -> Design:
    """From the second charge of a chain on, custom_data are those of its first charge."""
    kept: dict[str, Value] = {}

    def change(notice: Notice) -> list[Notice]:
        chain, fields = notice.payment.chain, notice.fields
        if not chain or "custom_data" not in fields:
            return [notice]
        return [replace(notice, fields=fields | {"custom_data": kept.setdefault(chain, fields["custom_data"])})]

    return NOTICES.changed(change)(design)


# --- amounts in callbacks ---


def _cut_to_cents(fields: Fields) -> Fields:
    amount = str(fields.get("order_amount", ""))
    decimals = len(amount.partition(".")[2])
    return fields if decimals != 3 else fields | {"order_amount": f"{Decimal(amount):.2f}0"}


FAULTS: Final = faults(
    {
        "duplicate-of-last-number-only": breaks(
            "CHK-DUP-01",
            "Another session in between frees an order number within the 15 seconds (line 472).",
            _only_last_number,
        ),
        "session-minutes-in-one-byte": breaks(
            "CHK-LIF-02",
            "A session_expiry of 256 minutes and more loses 256 or 512 of them (line 47).",
            _one_byte_of_minutes,
        ),
        "session-hash-over-composed-letters": breaks(
            "CHK-SIG-01",
            "A description in decomposed letters is signed as if its letters were composed (line 389).",
            _composed_letters,
        ),
        "session-unsigned-with-payee-address": breaks(
            "CHK-SIG-26",
            "Hashes are not looked at where payee_billing_address is sent (line 407).",
            also_hashed(_with_payee_address),
        ),
        "zero-amount-accepted-with-req-token": breaks(
            "CHK-ORD-19", "A plain purchase of nothing is accepted where req_token is true (line 71).", _zero_with_token
        ),
        "omani-rial-with-two-decimals-accepted": breaks(
            "CHK-AMT-05",
            "Amounts in OMR, whose exponent is 3, are accepted with two decimals (line 88).",
            lambda design: design.with_rows(_two_decimals_of_rials),
        ),
        "custom-data-without-false-and-zero": breaks(
            "CBK-ATT-13",
            "Members of custom_data that are false or 0 do not come back (line 55).",
            NOTICES.fields(_without_false_and_zero),
        ),
        "custom-data-not-of-declined": breaks(
            "CBK-ATT-13", "Callbacks of declined payments lack custom_data (line 55).", NOTICES.fields(_not_of_failures)
        ),
        "custom-data-of-charge-before": breaks(
            "CBK-ATT-16",
            "From the second charge of a chain on, callbacks repeat the custom_data of the first charge (line 420).",
            _of_charge_before,
            since=_NEW,
        ),
        "callback-amount-of-three-decimals-rounded": breaks(
            "CBK-ATT-02",
            "Callbacks round an amount of three decimals to two and add a zero (line 88).",
            NOTICES.fields(_cut_to_cents),
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "duplicate-window-starts-anew": breaks(
            "CHK-DUP-03",
            "A session refused as a duplicate starts the 15 seconds of its order number anew (line 472).",
            instead(check_duplicate, _window_starts_anew),
        ),
        "duplicate-of-session-with-unknown-token": breaks(
            "CHK-DUP-06",
            "A session refused for its card token takes the order number: the corrected one is a duplicate (line 438).",
            instead(check_tokens, _number_taken_in_spite),
        ),
        "session-token-in-capitals-accepted": breaks(
            "CHK-SES-84",
            "A card token in capitals, which is the token of no card, opens a session (line 454).",
            instead(check_tokens, _tokens_in_any_case),
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
