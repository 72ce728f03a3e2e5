"""Faults of another author that the suite did not notice at first (set T, S2S APM), and others of their classes."""

import hashlib
from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_apm import NOTICES, around
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.callbacks.signatures import sorted_leaves
from emulator.engine.payments import Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.wire.replies import Reply

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


def _done_to_another_of_the_order(action: str, state: State, turn: int) -> Change:
    """What is asked of a payment is done to the first, or last, one of the same order in that state."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        named = attempt.payment
        if named is not None:
            of_order = gateway.payments.of_order(named.account, named.order_number)
            same = [one for one in of_order if one.protocol is named.protocol and one.state is state]
            attempt.payment = same[turn] if same else named
        return handler(attempt, gateway)

    return around(act, action)


def _captured_once_a_part_was_given_back(intended: State, *, whole: bool) -> Change:
    """A settled payment of which a part was given back is captured again: wholly, or that part alone."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment, is_whole = attempt.payment, not attempt.form.get("amount")
        if payment is not None and payment.refunded > 0 and payment.intended is intended and is_whole is whole:
            payment.state = State.AUTHORIZED if payment.state is State.SETTLED else payment.state
        return handler(attempt, gateway)

    return around(act, "CAPTURE")


def _refund(intended: State) -> Callable[[Notice], bool]:
    def is_one(notice: Notice) -> bool:
        is_given_back = notice.payment.state in {State.REFUNDED, State.SETTLED}
        return notice.event == "CREDITVOID" and is_given_back and notice.payment.intended is intended

    return is_one


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
        "t-apm-capture-of-the-newest-of-the-order": breaks(
            "APM-CAP-01",
            "CAPTURE settles the newest authorization of the order (line 370).",
            _done_to_another_of_the_order("CAPTURE", State.AUTHORIZED, 0),
            since=_NEW,
        ),
        "t-apm-capture-of-the-oldest-of-the-order": breaks(
            "APM-CAP-01",
            "CAPTURE settles the oldest authorization of the order (line 370).",
            _done_to_another_of_the_order("CAPTURE", State.AUTHORIZED, -1),
            since=_NEW,
        ),
        "t-apm-release-of-the-newest-of-the-order": breaks(
            "APM-CVD-01",
            "CREDITVOID releases the newest authorization of the order (line 371).",
            _done_to_another_of_the_order("CREDITVOID", State.AUTHORIZED, 0),
            since=_NEW,
        ),
        "t-apm-void-of-the-newest-of-the-order": breaks(
            "APM-VOI-02",
            "VOID cancels the newest settled payment of the order (line 372).",
            _done_to_another_of_the_order("VOID", State.SETTLED, 0),
        ),
        "t-apm-captured-again-after-a-partial-refund": breaks(
            "APM-CAP-04",
            "A captured payment of which a part was given back is captured again (line 455).",
            _captured_once_a_part_was_given_back(State.AUTHORIZED, whole=True),
            since=_NEW,
        ),
        "t-apm-refunded-part-captured-again": breaks(
            "APM-CAP-04",
            "The part of a captured payment that was given back is captured again (line 455).",
            _captured_once_a_part_was_given_back(State.AUTHORIZED, whole=False),
            since=_NEW,
        ),
        "t-apm-sale-captured-after-a-partial-refund": breaks(
            "APM-CAP-05",
            "A payment that settled at once is captured once a part was given back (line 455).",
            _captured_once_a_part_was_given_back(State.SETTLED, whole=True),
            since=_NEW,
        ),
        "t-apm-no-arn-in-refunds-of-captured": breaks(
            "CBK-APM-13",
            "The callback of the refund of a captured payment has no ARN, that of a SALE an empty one (line 422).",
            NOTICES.lacking(_refund(State.AUTHORIZED), "ARN"),
            since=_NEW,
        ),
        "t-apm-no-arn-in-refunds-of-sales": breaks(
            "CBK-APM-13",
            "The callback of the refund of a SALE has no ARN (line 422).",
            NOTICES.lacking(_refund(State.SETTLED), "ARN"),
            since=_NEW,
        ),
    }
)
