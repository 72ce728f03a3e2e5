"""Faults of S2S APM callbacks: what is reported, and how it is signed."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import NOTICES
from emulator.design import Change
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.callbacks.sender import Sign
from emulator.engine.callbacks.signatures import backwards, s2s_apm
from emulator.faults.model import breaks, faults


def _field(name: str, value: str | None, *events: str) -> Change:
    """Callbacks of ``events``, or all, have another value under ``name``, or none."""

    def changed(notice: Notice) -> list[Notice]:
        if events and notice.event not in events:
            return [notice]
        fields = {key: value for key, value in notice.fields.items() if key != name}
        return [replace(notice, fields=fields if value is None else fields | {name: value})]

    return NOTICES.changed(changed)


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
    return s2s_apm(
        replace(notice, fields={key: value for key, value in notice.fields.items() if isinstance(value, str)})
    )


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


FAULTS: Final = faults(
    {
        "apm-callback-taken-comes-again": breaks(
            "CBK-DEL-09",
            "Callbacks come again, whatever the merchant answered.",
            lambda design: design.in_callbacks(accepted=lambda _status: False),
        ),
        **{
            f"apm-callback-without-{name.replace('_', '-')}": breaks(
                "CBK-APM-01", f"S2S APM callbacks have no {name}.", _field(name, None)
            )
            for name in ("action", "result", "status", "order_id", "trans_id")
        },
        "apm-callback-other-trans-id": breaks(
            "CBK-APM-02",
            "The trans_id of a callback is another one.",
            _field("trans_id", "00000000-0000-4000-8000-000000000000"),
        ),
        "apm-callback-other-order-id": breaks(
            "CBK-APM-02", "The order_id of a callback is another one.", _field("order_id", "another-order")
        ),
        "apm-callback-of-payout-without-type": breaks(
            "CBK-APM-03", "The callback of a payout has no type.", _field("type", None, "CREDIT2VIRTUAL")
        ),
        "apm-callback-of-payout-type-payout": breaks(
            "CBK-APM-03", "The callback of a payout has type payout.", _field("type", "payout", "CREDIT2VIRTUAL")
        ),
        "apm-callback-without-custom-data": breaks(
            "CBK-APM-06", "custom_data does not come back.", _field("custom_data", None)
        ),
        "apm-callback-without-reason": breaks(
            "CBK-APM-07", "The callback of a declined payment has no decline_reason.", _field("decline_reason", None)
        ),
        "apm-callback-of-payout-without-reason": breaks(
            "CBK-APM-07",
            "The callback of a declined payout has no decline_reason.",
            _field("decline_reason", None, "CREDIT2VIRTUAL"),
        ),
        "apm-callback-outer-sha1": breaks(
            "CBK-SIG-13", "The hash of a callback is an outer SHA1.", NOTICES.signed(_outer_sha1)
        ),
        "apm-callback-hash-upper": breaks("CBK-SIG-13", "The hash is upper-case hex.", NOTICES.signed(_upper_hex)),
        "apm-callback-not-sorted": breaks(
            "CBK-SIG-14", "Values are not sorted.", NOTICES.signed(_of_payments(_not_sorted))
        ),
        "apm-callback-other-values": breaks(
            "CBK-SIG-14", "A value that is not sent is signed.", NOTICES.signed(_of_payments(_other_password))
        ),
        "apm-callback-nested-not-signed": breaks(
            "CBK-SIG-15", "Nested values are not signed.", NOTICES.signed(_of_payments(_without_nested))
        ),
        "apm-callback-of-payout-other-form": breaks(
            "CBK-SIG-16",
            "The callback of a payout is signed over its trans_id only.",
            NOTICES.signed(_of_payout(_payout_reversed_trans_id)),
        ),
        "apm-callback-sha256-option-ignored": breaks(
            "CBK-SIG-17", "Callbacks are signed with MD5 whatever the option says.", NOTICES.signed(_always_md5)
        ),
        "apm-payout-callback-always-by-md5": breaks(
            "CBK-SIG-17",
            "The callback of a payout is signed with MD5 whatever the option says.",
            NOTICES.signed(_of_payout(_always_md5)),
        ),
    }
)
