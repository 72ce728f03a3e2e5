"""The codes of challenges that a first profile has, of those that a table of cards names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from fixtures.profile.pasted import PastedCard

CHALLENGE_CODE: Final = ("payer", "selectors", "challenge_code")
WRONG_CODE: Final = ("payer", "selectors", "challenge_wrong_code")


def codes_of(
    cards: Iterable[PastedCard], given: Iterable[tuple[tuple[str, ...], Any]], beside: str
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the code that passes the challenges of the cards, where their rows say one and nobody gives another.

    Where none of them does, a sentence beside the table may say it of all (``beside``). The code of a card that is
    declined all the same fails the challenge of any other: typed as the wrong one it ends in a decline by either.
    """
    own = [card for card in cards if card.code]
    passing = [card.code for card in own if not card.is_declined_after] or ([] if own else [beside])
    failing = next((card.code for card in own if card.is_declined_after and card.code not in passing), "")
    is_given = {path for path, _ in given}
    for path, code in ((CHALLENGE_CODE, next(iter(passing), "")), (WRONG_CODE, failing)):
        if code and path not in is_given:
            yield path, code


def further_codes(cards: Iterable[PastedCard], codes: Mapping[tuple[str, ...], Any]) -> Iterator[str]:
    """Yield that cards that pay have codes of their own, of which a profile has one."""
    further = {card.code for card in cards if card.code and not card.is_declined_after} - {codes.get(CHALLENGE_CODE)}
    if further and CHALLENGE_CODE in codes:
        yield (
            f"cards: {'.'.join(CHALLENGE_CODE)} is the code of the first card that pays after a challenge; others have "
            "codes of their own, and three_ds_success in [test_data.cards] must be a card of that code"
        )
