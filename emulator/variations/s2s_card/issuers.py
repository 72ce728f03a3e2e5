"""Variations of the issuer of a card: no line says what its page asks before a payer is through."""

from collections.abc import Mapping
from typing import Final

from emulator.variations.model import Variation

_TAN: Final = "481516"
_ASKED: Final = """<form method="post">
<p><label for="t">TAN of your list</label><input id="t" name="tan"></p>
<button name="outcome" value="pass">Go on</button>
</form>"""


def _a_code_of_the_holder(_token: str, posted: Mapping[str, str]) -> str:
    return "" if posted.get("outcome") == "fail" or posted.get("tan") == _TAN else _ASKED


VARIATIONS: Final = (
    Variation(
        "card-issuer-asks-for-a-code-of-the-holder",
        "Who confirms at the issuer of S2S CARD is asked for a code that only the holder of the card knows.",
        lambda design: design.in_card(issuer_asks=_a_code_of_the_holder),
    ),
)
