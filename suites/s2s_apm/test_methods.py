"""Parameters of method families that a rule of one field cannot say: with and without them."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from contract.fields import component
from fixtures.baselines import Baselines
from fixtures.judging import must_accept, must_answer_properly, must_reject
from fixtures.matchers import Answer, answer_of
from fixtures.merchants.s2s_apm import S2SApmMerchant
from fixtures.profile import Profile
from fixtures.requests import FormRequest
from fixtures.requirement import requirement
from fixtures.s2s_apm_requests import DOCUMENT, FAMILIES, ApmRequests
from fixtures.verdicts import inconclusive

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
    offered = [family for family in WITH_REQUIRED if family in profile.test_data.methods]
    if not offered:
        inconclusive(
            "the profile names no method that requires parameters",
            decides="a method identifier in [test_data.methods] of the profile",
        )

    replies = (s2s_apm.post(unproven.sale_of(family)) for family in offered)
    accepted = next((reply for reply in replies if answer_of(reply) is Answer.ACCEPTED), None)
    must_accept(accepted or s2s_apm.post(unproven.sale_of(offered[0])))


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
        must_reject(reply, REQUEST_DATA_INVALID, naming=(f"parameters.{name}", name))


@requirement("APM-MTH-26")
def test_product_data_may_be_left_out_or_are_required(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    sale = apm("method:product_data")
    bare = FormRequest({name: value for name, value in sale.fields.items() if not name.startswith("parameters[")})

    reply = s2s_apm.post(bare)

    must_answer_properly(reply, "APM-MTH-26", accepted="optional", refused="required")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID)
