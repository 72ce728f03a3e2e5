"""Faults of another author that the suite did not notice at first (set O), and others of their class."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.notices import Notices
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

_SIGNS: Final = {
    Protocol.CHECKOUT: signatures.checkout,
    Protocol.S2S_CARD: signatures.s2s_card,
    Protocol.S2S_APM: signatures.s2s_apm,
}


def _by_md5(protocol: Protocol, applies: Callable[[Notice], bool]) -> Change:
    """Some callbacks are signed with MD5, whatever the option of the account says (line 406)."""
    sign = _SIGNS[protocol]

    def signed(notice: Notice) -> str:
        if not applies(notice):
            return sign(notice)
        account = replace(notice.payment.account, hash="md5")
        return sign(replace(notice, payment=replace(notice.payment, account=account)))

    return Notices(protocol).signed(signed)


def _second_by_md5(protocol: Protocol) -> Change:
    """All but the first callback of a payment are signed with MD5."""

    def change(design: Design) -> Design:
        reported: set[str] = set()

        def is_second(notice: Notice) -> bool:
            again = notice.payment.id in reported
            reported.add(notice.payment.id)
            return again

        return _by_md5(protocol, is_second)(design)

    return change


def _settles_for(identifier: str) -> Callable[[Notice], bool]:
    return lambda notice: (
        notice.fields.get("result") == "SUCCESS" and notice.payment.request.get("identifier") == identifier
    )


def _settles_by_qr(notice: Notice) -> bool:
    return notice.fields.get("result") == "SUCCESS" and notice.payment.brand == "instant-qr"


FAULTS: Final = faults(
    {
        **{
            f"o-apm-callback-of-{name}-by-md5": breaks(
                "CBK-SIG-17",
                f"The callback of a payment that settles {when} is signed with MD5, though the account has SHA256.",
                _by_md5(Protocol.S2S_APM, applies),
            )
            for name, when, applies in (
                ("what-was-undefined", "a while after it was undefined", _settles_for("undefined@gmail.com")),
                ("who-paid-elsewhere", "once its payer has paid elsewhere", _settles_for("redirect@gmail.com")),
                ("a-code-that-was-paid", "by its code", _settles_by_qr),
            )
        },
        "o-card-second-callback-by-md5": breaks(
            "CBK-SIG-12",
            "What a challenge decided is reported with a hash of MD5, though the account has SHA256.",
            _second_by_md5(Protocol.S2S_CARD),
        ),
        "o-checkout-second-callback-by-md5": breaks(
            "CBK-SIG-04",
            "What a challenge decided is reported with a hash of MD5, though the account has SHA256.",
            _second_by_md5(Protocol.CHECKOUT),
        ),
    }
)
