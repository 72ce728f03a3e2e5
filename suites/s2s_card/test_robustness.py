"""Nothing that is posted to S2S CARD breaks it; generated requests look for more of this in suites/fuzzing."""

from __future__ import annotations

import pytest

from fixtures.baselines import Baselines
from fixtures.fuzzing.case import Case
from fixtures.fuzzing.operations import CARD_SALE
from fixtures.fuzzing.oracles import INSIDE, Known, problems_of
from fixtures.judging import must
from fixtures.merchants.form import FORM
from fixtures.merchants.s2s_card import S2SCardMerchant
from fixtures.requests import FormRequest
from fixtures.requirement import requirement

BODIES = [
    pytest.param(b"", id="empty"),
    pytest.param(b"{", id="broken-json"),
    pytest.param(b'{"action":"SALE"}', id="json"),
    pytest.param(b"&&&=&=&", id="separators"),
    pytest.param(b"action=SALE&order_id=%zz%00", id="broken-escapes"),
    pytest.param(b"action=SALE&order_description=" + b"x" * 300_000, id="large"),
    pytest.param(b"custom_data" + b"[a]" * 2_000 + b"=1", id="deeply-nested"),
]


@requirement("GEN-ERR-11", INSIDE)
@pytest.mark.parametrize("content", BODIES)
def test_malformed_form_breaks_nothing(
    content: bytes, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    sales("sale")  # a target which refuses everything proves nothing here

    reply = s2s_card.send_raw(content, FORM)

    for problem in problems_of(Case(CARD_SALE), reply, Known("")):
        if problem.requirement in ("GEN-ERR-11", INSIDE):
            must(problem.finding, reply)
