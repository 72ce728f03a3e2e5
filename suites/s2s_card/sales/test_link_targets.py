"""Names of frames as link targets: the contract names four words, and says of others neither yes nor no."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_reject
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

FRAME = "payment-frame"
LONGEST = 1024


@pytest.mark.parametrize(
    "name",
    [pytest.param("sale", marks=requirement("S2C-SAL-39")), pytest.param("debit", marks=requirement("S2C-DEB-09"))],
)
def test_link_target_may_be_as_long_as_names_of_frames_are(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    named = s2s_card.post(card_actions(name).with_("term_url_target", FRAME))
    takes_names = answer_of(named) is not Answer.REFUSED

    if takes_names:
        must_accept(s2s_card.post(card_actions(name).with_("term_url_target", "a" * LONGEST)))
    else:
        must_reject(named, REQUEST_DATA_INVALID, field="term_url_target")
    if name == "sale":
        note_reading("S2C-SAL-39", "names" if takes_names else "words")
