"""Other callbacks: what notices to merchants say, how they are signed, and whether they are sent."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol, State

About = Callable[[Notice], bool]
FieldsChange = Callable[[Fields], Fields]
Sign = Callable[[Notice], str]


def about(*events: str) -> About:
    """Notices of some events."""
    return lambda notice: notice.event in events


def of_payments(action: str, *states: State) -> About:
    """Notices of payments by ``action``, in one of ``states`` where any is given."""
    return lambda notice: notice.payment.action == action and (not states or notice.payment.state in states)


def without_fields(*names: str) -> FieldsChange:
    """Fields without those of ``names``."""
    return lambda fields: {name: value for name, value in fields.items() if name not in names}


class Notices:
    """The notices of one protocol, of all where none is given."""

    def __init__(self, protocol: Protocol | None = None) -> None:
        self._protocol = protocol

    def _limited(self, change: Callable[[Notice], Iterable[Notice]]) -> Callable[[Notice], list[Notice]]:
        def limited(notice: Notice) -> list[Notice]:
            concerned = self._protocol is None or notice.payment.protocol is self._protocol
            return list(change(notice)) if concerned else [notice]

        return limited

    def changed(self, change: Callable[[Notice], Iterable[Notice]]) -> Change:
        """Before it is signed, a notice becomes those that ``change`` makes of it."""
        return lambda design: design.in_callbacks(before=(*design.callbacks.before, self._limited(change)))

    def changed_when_signed(self, change: Callable[[Notice], Iterable[Notice]]) -> Change:
        """After it was signed, a notice becomes those that ``change`` makes of it."""
        return lambda design: design.in_callbacks(after=(*design.callbacks.after, self._limited(change)))

    def where(self, applies: About, change: FieldsChange) -> Change:
        """Notices that ``applies`` holds for have other fields."""
        return self.changed(lambda one: [replace(one, fields=change(one.fields)) if applies(one) else one])

    def fields(self, change: FieldsChange, *events: str) -> Change:
        """Notices of some events, of all where none is named, have other fields."""
        return self.where(lambda notice: not events or notice.event in events, change)

    def without(self, *names: str, of: Collection[str] = ()) -> Change:
        """Notices of the events ``of``, of all where none is named, lack fields."""
        return self.fields(without_fields(*names), *of)

    def lacking(self, applies: About, *names: str) -> Change:
        """Notices that ``applies`` holds for lack fields."""
        return self.where(applies, without_fields(*names))

    def mapped(self, name: str, change: Callable[[str], str], *events: str) -> Change:
        """A field has another value, where it is there."""
        return self.fields(
            lambda fields: fields | {name: change(str(fields[name]))} if name in fields else fields, *events
        )

    def saying(self, name: str, value: str, *events: str) -> Change:
        """A field has always the same value, where it is there."""
        return self.fields(lambda fields: fields | {name: value} if name in fields else fields, *events)

    def saying_where(self, applies: About, **fields: str) -> Change:
        """Notices that ``applies`` holds for say something else."""
        return self.where(applies, lambda known: {**known, **fields})

    def dropped(self, applies: About) -> Change:
        """Notices that ``applies`` holds for are not sent."""
        return self.changed(lambda notice: () if applies(notice) else (notice,))

    def once(self, applies: About) -> Change:
        """Of each payment only the first notice that ``applies`` holds for is sent."""

        def made(design: Design) -> Design:
            reported: set[str] = set()

            def is_further(notice: Notice) -> bool:
                is_known = notice.payment.id in reported
                if applies(notice):
                    reported.add(notice.payment.id)
                return is_known and applies(notice)

            return self.dropped(is_further)(design)

        return made

    def signed(self, sign: Sign) -> Change:
        """The notices are signed otherwise."""
        if self._protocol is None:
            message = "each protocol signs for itself"
            raise ValueError(message)
        protocol = self._protocol

        def change(design: Design) -> Design:
            return design.in_callbacks(signs={**design.callbacks.signs, protocol: sign})

        return change


EVERY_NOTICE = Notices()
