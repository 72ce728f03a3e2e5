"""Faults of other authors that the suite did not notice at first (set X): callbacks given up after a few tries."""

from collections.abc import Callable
from typing import Final

from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

_WORDS: Final = {2: "two", 3: "three"}


def _given_up_after(tries: int, applies: Callable[[Notice], bool]) -> Change:
    def repeat(notice: Notice) -> list[Notice]:
        return [] if applies(notice) and notice.attempt > tries else [notice]

    return lambda design: design.in_callbacks(repeat=repeat)


def _of(protocol: Protocol) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.protocol is protocol


FAULTS: Final = faults(
    {
        f"x-{protocol.value.replace('_', '-')}-callback-given-up-after-{word}-tries": breaks(
            "CBK-DEL-13",
            f"A callback that was not taken {word} times is given up (line 424).",
            _given_up_after(tries, _of(protocol)),
        )
        for protocol in Protocol
        for tries, word in _WORDS.items()
    }
)
