"""Faults of another author that the suite did not notice at first (set T, S2S APM), and others of their classes."""

import hashlib
from typing import Final

from emulator.changes.s2s_apm import NOTICES
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.callbacks.signatures import sorted_leaves
from emulator.engine.payments import Protocol, State
from emulator.faults.model import breaks, faults

_NEW: Final = "6.7.0"


def _md5_of(event: str, state: State) -> Change:
    """The callbacks of an event that leads to a state are signed by MD5, whatever the option of the account."""

    def change(design: Design) -> Design:
        sign = design.callbacks.signs[Protocol.S2S_APM]

        def signed(notice: Notice) -> str:
            if notice.event != event or notice.payment.state is not state:
                return sign(notice)
            text = (sorted_leaves(notice.fields) + notice.payment.account.password.encode()).upper()
            return hashlib.md5(text, usedforsecurity=False).hexdigest()

        return NOTICES.signed(signed)(design)

    return change


FAULTS: Final = faults(
    {
        "t-apm-release-signed-by-md5": breaks(
            "CBK-SIG-17",
            "The callback of a release is signed by MD5 where the account has SHA256 (line 406).",
            _md5_of("CREDITVOID", State.RELEASED),
            since=_NEW,
        ),
        "t-apm-refund-signed-by-md5": breaks(
            "CBK-SIG-17",
            "The callback of a refund is signed by MD5 where the account has SHA256 (line 406).",
            _md5_of("CREDITVOID", State.REFUNDED),
        ),
        "t-apm-capture-signed-by-md5": breaks(
            "CBK-SIG-17",
            "The callback of a capture is signed by MD5 where the account has SHA256 (line 406).",
            _md5_of("CAPTURE", State.SETTLED),
            since=_NEW,
        ),
    }
)
