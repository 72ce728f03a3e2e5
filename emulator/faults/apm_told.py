"""Faults of S2S APM callbacks that tell of something else than what happened."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.callbacks.notice import Notice
from emulator.callbacks.signatures import s2s_apm
from emulator.design import Change
from emulator.faults.model import Fault
from emulator.payments.model import Protocol, State

_NO_HASH: Final = "0" * 32
_SINCE: Final = "6.7.0"
_OTHERS: Final = ("CBK-APM-*", "CBK-DEL-*", "CBK-SIG-*")
Applies = Callable[[Notice], bool]


def _telling(change: Callable[[Notice], list[Notice]]) -> Change:
    def changed(notice: Notice) -> list[Notice]:
        return change(notice) if notice.payment.protocol is Protocol.S2S_APM else [notice]

    return lambda design: design.in_callbacks(before=(*design.callbacks.before, changed))


def _silent(applies: Applies) -> Change:
    return _telling(lambda notice: [] if applies(notice) else [notice])


def _saying(applies: Applies, **fields: str) -> Change:
    return _telling(lambda notice: [replace(notice, fields={**notice.fields, **fields}) if applies(notice) else notice])


def _lacking(applies: Applies, name: str) -> Change:
    def changed(notice: Notice) -> list[Notice]:
        fields = {key: value for key, value in notice.fields.items() if key != name}
        return [replace(notice, fields=fields) if applies(notice) else notice]

    return _telling(changed)


def _and_also(applies: Applies, **fields: str) -> Change:
    """What ``applies`` holds for is told twice, the second time otherwise."""
    return _telling(
        lambda notice: [notice, replace(notice, fields={**notice.fields, **fields})] if applies(notice) else [notice]
    )


def _unsigned(applies: Applies) -> Change:
    def sign(notice: Notice) -> str:
        return _NO_HASH if applies(notice) else s2s_apm(notice)

    return lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: sign})


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


_PAID: Final = {"result": "SUCCESS", "status": "SETTLED"}
_REFUSED: Final = {"result": "DECLINED", "status": "DECLINED"}
_ORDER: Final = {"order_id": "another-order"}

FAULTS: Final = (
    Fault("apm-qr-settlement-untold", ("CBK-APM-08",), "Nothing is told of a scanned code.", _silent(_by_qr)),
    Fault(
        "apm-settlement-after-redirect-untold",
        ("CBK-APM-09",),
        "Nothing is told of a payment that settles once the payer has come back.",
        _silent(_after_the_payer_came_back),
    ),
    Fault(
        "apm-void-told-as-settled",
        ("CBK-APM-10",),
        "The callback of a void has status SETTLED.",
        _saying(_of("VOID"), status="SETTLED"),
    ),
    Fault(
        "apm-void-told-as-failed",
        ("CBK-APM-10",),
        "The callback of a void has result DECLINED.",
        _saying(_of("VOID"), result="DECLINED"),
    ),
    *(
        Fault(
            f"apm-callback-of-{event.lower()}-other-order",
            ("CBK-APM-02",),
            f"The callback of {event} names another order.",
            _saying(_of(event), **_ORDER),
            ("CBK-SIG-16",),
            since=since,
        )
        for event, since in (("VOID", None), ("CAPTURE", _SINCE), ("CREDITVOID", _SINCE), ("CREDIT2VIRTUAL", None))
    ),
    Fault(
        "apm-callback-other-amount",
        ("CBK-APM-11",),
        "The callback of a SALE tells another amount.",
        _saying(_of("SALE"), amount="10.01"),
    ),
    Fault(
        "apm-callback-of-payout-other-amount",
        ("CBK-APM-11",),
        "The callback of a payout tells another amount.",
        _saying(_of("CREDIT2VIRTUAL"), amount="1.01"),
    ),
    Fault(
        "apm-callback-other-currency",
        ("CBK-APM-11",),
        "The callback of a SALE tells another currency.",
        _saying(_of("SALE"), currency="XTS"),
    ),
    Fault(
        "apm-callback-settled-and-failed",
        ("CBK-APM-12",),
        "The callback of a settled SALE has result DECLINED.",
        _saying(_of("SALE", State.SETTLED), result="DECLINED"),
        ("APM-CVD-08",),
    ),
    Fault(
        "apm-callback-declined-and-succeeded",
        ("CBK-APM-12",),
        "The callback of a declined SALE has result SUCCESS.",
        _saying(_of("SALE", State.DECLINED), result="SUCCESS"),
    ),
    Fault(
        "apm-callback-of-declined-payout-without-type",
        ("CBK-APM-03",),
        "The callback of a declined payout has no type.",
        _lacking(_of("CREDIT2VIRTUAL", State.DECLINED), "type"),
    ),
    Fault(
        "apm-callback-settled-then-declined",
        ("CBK-DEL-03",),
        "A settled SALE is told as SETTLED and then as DECLINED.",
        _and_also(_of("SALE", State.SETTLED), **_REFUSED),
        _OTHERS,
    ),
    Fault(
        "apm-callback-declined-then-settled",
        ("CBK-DEL-04",),
        "A declined SALE is told as DECLINED and then as SETTLED.",
        _and_also(_of("SALE", State.DECLINED), **_PAID),
        _OTHERS,
    ),
    Fault(
        "apm-authorization-told-as-settled",
        ("CBK-APM-05",),
        "An authorization is told as SETTLED.",
        _saying(_of("SALE", State.AUTHORIZED), **_PAID),
        _OTHERS,
        since=_SINCE,
    ),
    Fault(
        "apm-release-told-as-failed",
        ("CBK-APM-05",),
        "The callback of a release has result DECLINED.",
        _saying(_of("CREDITVOID", State.RELEASED), result="DECLINED"),
        since=_SINCE,
    ),
    Fault(
        "apm-capture-told-as-pending",
        ("CBK-APM-04",),
        "The callback of a capture has status PENDING.",
        _saying(_of("CAPTURE"), status="PENDING"),
        since=_SINCE,
    ),
    Fault(
        "apm-capture-told-as-failed",
        ("CBK-APM-04",),
        "The callback of a capture has result DECLINED.",
        _saying(_of("CAPTURE"), result="DECLINED"),
        since=_SINCE,
    ),
    Fault(
        "apm-callback-of-release-unsigned",
        ("CBK-SIG-14",),
        "The callback of a release has a hash of zeros.",
        _unsigned(_of("CREDITVOID", State.RELEASED)),
        since=_SINCE,
    ),
    Fault(
        "apm-callback-of-redirected-unsigned",
        ("CBK-SIG-14",),
        "The callback of a redirected SALE has a hash of zeros.",
        _unsigned(_of("SALE", State.REDIRECTED)),
    ),
    Fault(
        "apm-callback-of-void-always-md5",
        ("CBK-SIG-17",),
        "The callback of a void is signed with MD5 whatever the option says.",
        lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_APM: _void_by_md5}),
    ),
    Fault(
        "apm-callback-of-authorization-unsigned",
        ("CBK-SIG-14",),
        "The callback of an authorization has a hash of zeros.",
        _unsigned(_of("SALE", State.AUTHORIZED)),
        since=_SINCE,
    ),
)
