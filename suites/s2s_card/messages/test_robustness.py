"""Nothing that is posted to S2S CARD breaks it; generated requests look for more of this in suites/fuzzing."""

from __future__ import annotations

import pytest

from fixtures.generated.case import Case
from fixtures.generated.operations import CARD_SALE
from fixtures.generated.oracles import INSIDE, Known, problems_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must
from fixtures.protocols.form import FORM
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

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
