"""Parameters of method families that a rule of one field cannot say: with and without them."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from contract.fields import component
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import names_exactly
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_answer_properly, must_reject
from fixtures.judging.verdicts import inconclusive
from fixtures.profile import Profile
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import DOCUMENT, FAMILIES, ApmRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

WITH_REQUIRED = [family for family, name in FAMILIES.items() if component(DOCUMENT, name).get("required")]
COLLECTED = {
    "APM-MTH-07": ("local_document", "document_number"),
    "APM-MTH-08": ("local_document", "document_type"),
    "APM-MTH-09": ("member_id", "memberId"),
    "APM-MTH-10": ("personal_id", "personal_id"),
}
"""What a payer may be asked for when the request leaves it out."""


@requirement("APM-MTH-01")
def test_parameters_of_a_method_are_sent_beside_the_brand(
    s2s_apm: S2SApmMerchant, unproven: ApmRequests, profile: Profile
) -> None:
    named = [family for family in WITH_REQUIRED if family in unproven.methods]
    offered = [family for family in named if profile.lacks(f"capability:method_{family}", "s2s_apm") is None]
    if not offered:
        inconclusive(
            "the profile names no brand of S2S APM that requires parameters",
            decides="a brand in [test_data.apm.methods] and its method_<family> in [capabilities] of the profile",
        )

    for family in offered:
        sale = unproven.sale_of(family)
        reply = s2s_apm.post(sale)
        if answer_of(reply) is Answer.ACCEPTED:
            return
        parameters = [name for name in sale.fields if name.startswith("parameters[")]
        if any(names_exactly(reply, name[len("parameters[") : -1]) for name in parameters):
            must_accept(reply)

    inconclusive(
        f"no SALE by a brand that requires parameters is accepted, and none is refused for them: {reply.summary}",
        decides=f"brands that the target takes for {', '.join(offered)}, in [test_data.apm.methods] of the profile",
    )


@pytest.mark.parametrize(
    ("claimed", "family", "name"),
    [pytest.param(claimed, *row, marks=requirement(claimed), id=row[1]) for claimed, row in COLLECTED.items()],
)
def test_parameter_that_is_left_out_is_collected_or_required(
    claimed: str, family: str, name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    reply = s2s_apm.post(apm(f"method:{family}").without(f"parameters[{name}]"))

    must_answer_properly(reply, claimed, accepted="collected", refused="required")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID, field=(f"parameters.{name}", name))


@requirement("APM-MTH-26")
def test_product_data_may_be_left_out_or_are_required(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    sale = apm("method:product_data")
    bare = FormRequest({name: value for name, value in sale.fields.items() if not name.startswith("parameters[")})

    reply = s2s_apm.post(bare)

    must_answer_properly(reply, "APM-MTH-26", accepted="optional", refused="required")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID)
