"""Faults of S2S APM payouts and callbacks: rounding, encodings, order of names, and what differs the second time.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, cast

from emulator.changes.notices import about
from emulator.changes.s2s_apm import NOTICES, instead
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.callbacks.signatures import backwards, digest
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_apm.stages import check_fields
from emulator.rules.amounts import well_formed
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.rules.s2s_apm.payout import within_limits
from emulator.wire.replies import Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_PAYOUT: Final = "CREDIT2VIRTUAL"


# --- amounts ---


def _whole(value: object, parent: JsonObject, context: Context) -> bool:
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        return True
    return within_limits(str(Decimal(value).quantize(Decimal(1), ROUND_HALF_UP)), parent, context)


def _rounded(row: Rule) -> Rule:
    return replace(row, bound=_whole) if row.bound is within_limits else row


def _with_centimes(row: Rule) -> Rule:
    if row.path != "order_amount" or row.keyword != "decimals":
        return row
    check = cast("Check", row.bound)

    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        has_centimes = bool(str(value).partition(".")[2].strip("0")) and well_formed(str(value), "USD", context.amounts)
        return check(value, parent, context) or (has_centimes and parent.get("order_currency") == "XAF")

    return replace(row, bound=changed)


def _rows(change: Callable[[Rule], Rule]) -> Change:
    return lambda design: design.with_apm_rows(_PAYOUT, change)


# --- encodings ---


def _decoded_twice(attempt: ApmAttempt) -> Refusal | None:
    parameters = attempt.body.get("parameters")
    if not isinstance(parameters, dict):
        return check_fields(attempt)
    email = str(cast("Object", parameters).get("customer_email", "")).replace("+", " ")
    body = attempt.body | {"parameters": cast("Object", parameters) | {"customer_email": email}}
    return check_fields(replace(attempt, body=body))


# --- callbacks ---


def _later_without_type(design: Design) -> Design:
    reported: set[str] = set()

    def changed(notice: Notice) -> list[Notice]:
        again = notice.payment.id in reported
        reported.add(notice.payment.id)
        kept = {name: value for name, value in notice.fields.items() if not (again and name == "type")}
        return [replace(notice, fields=kept)]

    return NOTICES.changed(changed)(design)


def _sorted_without_case(value: Value) -> bytes:
    if isinstance(value, str):
        return backwards(value)
    if isinstance(value, Mapping):
        return b"".join(_sorted_without_case(value[name]) for name in sorted(value, key=str.lower) if name != "hash")
    return b"".join(_sorted_without_case(item) for item in value)


def _signed_without_case(design: Design) -> Design:
    inner = design.callbacks.signs

    def sign(notice: Notice) -> str:
        custom = notice.fields.get("custom_data")
        in_order = not isinstance(custom, Mapping) or sorted(custom) == sorted(custom, key=str.lower)
        if in_order:
            return inner[notice.payment.protocol](notice)
        password = notice.payment.account.password.encode()
        return digest(notice, (_sorted_without_case(notice.fields) + password).upper())

    return NOTICES.signed(sign)(design)


def _data_of_sale_before(design: Design) -> Design:
    """custom_data stay with the payer until others are sent."""
    kept: dict[tuple[str, str], Value] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if notice.event != "SALE" or not payment.email:
            return [notice]
        key = payment.account.key, payment.email
        if "custom_data" in notice.fields:
            kept[key] = notice.fields["custom_data"]
        elif key in kept:
            return [replace(notice, fields={**notice.fields, "custom_data": kept[key]})]
        return [notice]

    return NOTICES.changed(changed)(design)


def _house_number_in_address(fields: Fields) -> Fields:
    number, address = fields.get("payer_house_number"), fields.get("payer_address")
    if not isinstance(number, str) or not isinstance(address, str):
        return fields
    return fields | {"payer_address": f"{address} {number}"}


FAULTS: Final = faults(
    {
        "apm-payout-limits-by-rounded-amount": breaks(
            "APM-C2V-16",
            "Amounts are rounded to whole units before they are compared with the operator's limits (line 245).",
            _rows(_rounded),
        ),
        "apm-payout-in-cameroon-with-centimes": breaks(
            "APM-C2V-24",
            "Payouts in XAF, which takes whole units, are accepted with centimes (line 245).",
            _rows(_with_centimes),
        ),
        "apm-callback-hash-sorted-without-case": breaks(
            "CBK-SIG-15",
            "The hash is made over names of custom_data sorted without regard to case (line 406).",
            _signed_without_case,
        ),
        "apm-payout-email-plus-as-blank": breaks(
            "APM-C2V-01",
            "A parameters[customer_email] with a plus is refused: the plus is decoded twice (line 250).",
            instead(check_fields, _decoded_twice, _PAYOUT),
        ),
        "apm-callback-of-second-refund-missing": breaks(
            "CBK-APM-05",
            "The second partial refund of a payment is not notified (line 415).",
            NOTICES.once(about("CREDITVOID")),
        ),
        "apm-payout-second-callback-without-type": breaks(
            "CBK-APM-03",
            "The callback of a payout that was open at first lacks type (line 421).",
            _later_without_type,
        ),
        "apm-callback-custom-data-of-sale-before": breaks(
            "CBK-APM-06",
            "A SALE without custom_data is reported with those of the payer's SALE before (line 55).",
            _data_of_sale_before,
        ),
        "apm-callback-house-number-in-address": breaks(
            "GEN-AGR-05",
            "payer_address ends with the house number where payer_house_number is reported, too (line 288).",
            NOTICES.fields(_house_number_in_address),
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults({})
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
