"""Faults of S2S APM callbacks that report something else than what happened."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import NOTICES
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.engine.callbacks.signatures import s2s_apm
from emulator.engine.payments import Protocol, State
from emulator.faults.model import breaks, faults

_NO_HASH: Final = "0" * 32
_SINCE: Final = "6.7.0"
Applies = Callable[[Notice], bool]


def _and_also(applies: Applies, **fields: str) -> Change:
    """What ``applies`` holds for is reported twice, the second time otherwise."""
    return NOTICES.changed(
        lambda notice: [notice, replace(notice, fields={**notice.fields, **fields})] if applies(notice) else [notice]
    )


def _unsigned(applies: Applies) -> Change:
    def sign(notice: Notice) -> str:
        return _NO_HASH if applies(notice) else s2s_apm(notice)

    return NOTICES.signed(sign)


def _void_by_md5(notice: Notice) -> str:
    account = replace(notice.payment.account, hash="md5")
    by_md5 = replace(notice, payment=replace(notice.payment, account=account))
    return s2s_apm(by_md5 if notice.event == "VOID" else notice)


def _of(event: str, *states: State) -> Applies:
    return lambda notice: notice.event == event and (not states or notice.payment.state in states)


def _settles(notice: Notice) -> bool:
    return notice.event == "SALE" and notice.fields.get("result") == "SUCCESS"


def _after_the_payer_came_back(notice: Notice) -> bool:
    return _settles(notice) and notice.payment.request.get("identifier") == "redirect@gmail.com"


def _by_qr(notice: Notice) -> bool:
    return _settles(notice) and notice.payment.brand == "instant-qr"


def _rejected_qr(notice: Notice) -> bool:
    return notice.event == "SALE" and not _settles(notice) and notice.payment.brand == "instant-qr"


_PAID: Final = {"result": "SUCCESS", "status": "SETTLED"}
_REFUSED: Final = {"result": "DECLINED", "status": "DECLINED"}
_ORDER: Final = {"order_id": "another-order"}

FAULTS: Final = faults(
    {
        "apm-qr-settlement-unreported": breaks(
            "CBK-APM-08", "Nothing is reported of a scanned code.", NOTICES.dropped(_by_qr)
        ),
        "apm-qr-rejection-unreported": breaks(
            "CBK-APM-14", "Nothing is reported of a scanned code that the bank rejects.", NOTICES.dropped(_rejected_qr)
        ),
        **{
            f"apm-callback-of-{name}-without-custom-data": breaks(
                "CBK-APM-06",
                f"The callback of a payment that settles {when} lacks custom_data.",
                NOTICES.lacking(applies, "custom_data"),
            )
            for name, when, applies in (
                ("redirected", "once the payer has come back", _after_the_payer_came_back),
                ("qr", "by its code", _by_qr),
            )
        },
        "apm-settlement-after-redirect-unreported": breaks(
            "CBK-APM-09",
            "Nothing is reported of a payment that settles once the payer has come back.",
            NOTICES.dropped(_after_the_payer_came_back),
        ),
        **{
            f"apm-callback-of-{event.lower()}-other-order": breaks(
                "CBK-APM-02",
                f"The callback of {event} names another order.",
                NOTICES.saying_where(_of(event), **_ORDER),
                since=since,
            )
            for event, since in (("VOID", None), ("CAPTURE", _SINCE), ("CREDITVOID", _SINCE), ("CREDIT2VIRTUAL", None))
        },
        "apm-callback-settled-then-declined": breaks(
            "CBK-DEL-03",
            "A settled SALE is reported as SETTLED and then as DECLINED.",
            _and_also(_of("SALE", State.SETTLED), **_REFUSED),
        ),
        "apm-callback-declined-then-settled": breaks(
            "CBK-DEL-04",
            "A declined SALE is reported as DECLINED and then as SETTLED.",
            _and_also(_of("SALE", State.DECLINED), **_PAID),
        ),
        "apm-callback-of-release-unsigned": breaks(
            "CBK-SIG-14",
            "The callback of a release has a hash of zeros.",
            _unsigned(_of("CREDITVOID", State.RELEASED)),
            since=_SINCE,
        ),
        "apm-callback-of-redirected-unsigned": breaks(
            "CBK-SIG-14",
            "The callback of a redirected SALE has a hash of zeros.",
            _unsigned(_of("SALE", State.REDIRECTED)),
        ),
        "apm-callback-of-void-always-md5": breaks(
            "CBK-SIG-17",
            "The callback of a void is signed with MD5 whatever the option says.",
            lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: _void_by_md5}),
        ),
        "apm-callback-of-authorization-unsigned": breaks(
            "CBK-SIG-14",
            "The callback of an authorization has a hash of zeros.",
            _unsigned(_of("SALE", State.AUTHORIZED)),
            since=_SINCE,
        ),
    }
)
