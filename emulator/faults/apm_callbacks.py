"""Faults of S2S APM callbacks: what is told, and how it is signed."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.callbacks import signatures
from emulator.callbacks.notice import Notice, Value
from emulator.callbacks.sender import Sign
from emulator.callbacks.signatures import backwards, s2s_apm
from emulator.design import Change
from emulator.faults.model import Fault
from emulator.payments.model import Protocol

_ON_EVERY: Final = ("APM-REQ-11", "CBK-APM-*", "CBK-DEL-*", "CBK-SIG-*", "APM-CAP-11", "APM-CVD-0?")
Told = Callable[[Notice], list[Notice]]


def _telling(change: Told) -> Change:
    def changed(notice: Notice) -> list[Notice]:
        return change(notice) if notice.payment.protocol is Protocol.S2S_APM else [notice]

    return lambda design: design.in_callbacks(before=(*design.callbacks.before, changed))


def _silent(applies: Callable[[Notice], bool]) -> Change:
    return _telling(lambda notice: [] if applies(notice) else [notice])


def _field(name: str, value: str | None, *events: str) -> Change:
    """Callbacks of ``events``, or all, have another value under ``name``, or none."""

    def changed(notice: Notice) -> list[Notice]:
        if events and notice.event not in events:
            return [notice]
        fields = {key: told for key, told in notice.fields.items() if key != name}
        return [replace(notice, fields=fields if value is None else fields | {name: value})]

    return _telling(changed)


def _signed(sign: Sign) -> Change:
    return lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: sign})


def _outer_sha1(notice: Notice) -> str:
    return hashlib.sha1(s2s_apm(notice).encode(), usedforsecurity=False).hexdigest()


def _upper_hex(notice: Notice) -> str:
    return s2s_apm(notice).upper()


def _not_sorted(notice: Notice) -> str:
    joined = b"".join(_leaves(value) for value in notice.fields.values())
    return signatures.digest(notice, (joined + notice.payment.account.password.encode()).upper())


def _leaves(value: Value) -> bytes:
    if isinstance(value, str):
        return backwards(value)
    items = value.values() if isinstance(value, Mapping) else value
    return b"".join(_leaves(item) for item in items)


def _other_password(notice: Notice) -> str:
    fields = {**notice.fields, "zzz": "x"}
    return s2s_apm(replace(notice, fields=fields))


def _without_nested(notice: Notice) -> str:
    return s2s_apm(replace(notice, fields={key: told for key, told in notice.fields.items() if isinstance(told, str)}))


def _always_md5(notice: Notice) -> str:
    account = replace(notice.payment.account, hash="md5")
    return s2s_apm(replace(notice, payment=replace(notice.payment, account=account)))


def _of_payout(sign: Sign) -> Sign:
    return lambda notice: sign(notice) if notice.event == "CREDIT2VIRTUAL" else s2s_apm(notice)


def _of_payments(sign: Sign) -> Sign:
    return lambda notice: s2s_apm(notice) if notice.event == "CREDIT2VIRTUAL" else sign(notice)


def _payout_reversed_trans_id(notice: Notice) -> str:
    text = signatures.text_of(notice.fields, "trans_id")
    return signatures.digest(notice, backwards(text).upper() + notice.payment.account.password.encode())


def _says(result: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.event == "SALE" and notice.fields.get("result") == result


FAULTS: Final = (
    Fault(
        "apm-callback-taken-comes-again",
        ("CBK-DEL-09",),
        "Callbacks come again, whatever the merchant answered.",
        lambda design: design.in_callbacks(accepted=lambda _status: False),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-of-settled-missing",
        ("CBK-DEL-03",),
        "Nothing is told of an S2S APM payment that settles.",
        _silent(_says("SUCCESS")),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-of-declined-missing",
        ("CBK-DEL-04",),
        "Nothing is told of an S2S APM payment that is declined.",
        _silent(_says("DECLINED")),
        _ON_EVERY,
    ),
    *(
        Fault(
            f"apm-callback-without-{name.replace('_', '-')}",
            ("CBK-APM-01",),
            f"S2S APM callbacks have no {name}.",
            _field(name, None),
            _ON_EVERY,
        )
        for name in ("action", "result", "status", "order_id", "trans_id")
    ),
    Fault(
        "apm-callback-other-trans-id",
        ("CBK-APM-02",),
        "The trans_id of a callback is another one.",
        _field("trans_id", "00000000-0000-4000-8000-000000000000"),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-other-order-id",
        ("CBK-APM-02",),
        "The order_id of a callback is another one.",
        _field("order_id", "another-order"),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-of-payout-without-type",
        ("CBK-APM-03",),
        "The callback of a payout has no type.",
        _field("type", None, "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-callback-of-payout-type-payout",
        ("CBK-APM-03",),
        "The callback of a payout has type payout.",
        _field("type", "payout", "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-callback-of-payout-missing",
        ("CBK-APM-03",),
        "Nothing is told of a payout.",
        _silent(lambda notice: notice.event == "CREDIT2VIRTUAL"),
        ("CBK-SIG-16", "APM-C2V-*"),
    ),
    Fault(
        "apm-callback-of-capture-missing",
        ("CBK-APM-04",),
        "Nothing is told of a capture.",
        _silent(lambda notice: notice.event == "CAPTURE"),
        since="6.7.0",
    ),
    Fault(
        "apm-callback-of-release-missing",
        ("CBK-APM-05",),
        "Nothing is told of a release.",
        _silent(lambda notice: notice.event == "CREDITVOID"),
        ("APM-CVD-07",),
        since="6.7.0",
    ),
    Fault(
        "apm-callback-without-custom-data",
        ("CBK-APM-06",),
        "custom_data does not come back.",
        _field("custom_data", None),
        ("CBK-SIG-15", "APM-SAL-35"),
    ),
    Fault(
        "apm-callback-without-reason",
        ("CBK-APM-07",),
        "The callback of a declined payment has no decline_reason.",
        _field("decline_reason", None),
    ),
    Fault(
        "apm-callback-outer-sha1",
        ("CBK-SIG-13",),
        "The hash of a callback is an outer SHA1.",
        _signed(_outer_sha1),
        _ON_EVERY,
    ),
    Fault("apm-callback-hash-upper", ("CBK-SIG-13",), "The hash is upper-case hex.", _signed(_upper_hex), _ON_EVERY),
    Fault(
        "apm-callback-not-sorted",
        ("CBK-SIG-14",),
        "Values are not sorted.",
        _signed(_of_payments(_not_sorted)),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-other-values",
        ("CBK-SIG-14",),
        "A value that is not sent is signed.",
        _signed(_of_payments(_other_password)),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-nested-not-signed",
        ("CBK-SIG-15",),
        "Nested values are not signed.",
        _signed(_of_payments(_without_nested)),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-of-payout-other-form",
        ("CBK-SIG-16",),
        "The callback of a payout is signed over its trans_id only.",
        _signed(_of_payout(_payout_reversed_trans_id)),
        _ON_EVERY,
    ),
    Fault(
        "apm-callback-sha256-option-ignored",
        ("CBK-SIG-17",),
        "Callbacks are signed with MD5 whatever the option says.",
        _signed(_always_md5),
        _ON_EVERY,
    ),
)
