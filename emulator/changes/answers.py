"""Other answers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

from emulator.design import Change
from emulator.wire.replies import Filter, Kind, Reply
from emulator.wire.values import Object

K = TypeVar("K")
BodyChange = Callable[[Object], Object]


def without_card_of_wallet(body: Object) -> Object:
    """An answer about a wallet payment without what it says of a card."""
    if "digital_wallet" not in body:
        return body
    return {name: value for name, value in body.items() if not name.startswith("card")}


def of_kinds(*kinds: Kind) -> Callable[[Filter], Change]:
    """Replies of ``kinds`` alone are changed."""

    def of(change: Filter) -> Change:
        return lambda design: design.filtering(lambda reply: change(reply) if reply.kind in kinds else reply)

    return of


class AnswerBodies(Generic[K]):
    """Answers of one protocol that succeeded; ``concerns`` says if one is of some kinds or actions, ``of`` below."""

    def __init__(self, concerns: Callable[[Reply, tuple[K, ...]], bool]) -> None:
        self._concerns = concerns

    def changed(self, change: BodyChange, *of: K) -> Change:
        """Answers have another body, each item of a list by itself."""

        def changed(reply: Reply) -> Reply:
            if not self._concerns(reply, of):
                return reply
            listed = None if reply.listed is None else tuple(map(change, reply.listed))
            return replace(reply, body=change(reply.body) if reply.body else reply.body, listed=listed)

        return lambda design: design.filtering(changed)

    def without(self, names: str, *of: K) -> Change:
        """Answers lack members; several ``names`` are separated by spaces."""
        return self.changed(lambda body: {key: value for key, value in body.items() if key not in names.split()}, *of)

    def saying(self, name: str, value: object, *of: K) -> Change:
        """A member of answers has always the same value, where it is there."""
        return self.changed(lambda body: body | {name: value} if name in body else body, *of)

    def adding(self, members: Object, *of: K) -> Change:
        """Answers have further members, in front."""
        return self.changed(lambda body: members | body, *of)

    def where(self, name: str, value: object, change: BodyChange, *of: K) -> Change:
        """Answers that have ``value`` as the member ``name`` are changed."""
        return self.changed(lambda body: change(body) if body.get(name) == value else body, *of)

    def saying_where(self, name: str, value: object, members: Object, *of: K) -> Change:
        """Answers that have ``value`` as the member ``name`` say something else."""
        return self.where(name, value, lambda body: body | members, *of)
