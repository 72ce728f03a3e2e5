"""Parameters of method families that a rule of one field cannot say: with and without them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

import pytest

from contract.errors import REQUEST_DATA_INVALID
from contract.fields import component
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import names_exactly
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_answer_properly, must_reject
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.profile import Profile
from fixtures.profile.parameters import denied
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import DOCUMENT, FAMILIES, ApmRequests, in_other_currencies
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
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
    named = [family for family in WITH_REQUIRED if family in unproven.offered_families]
    offered = [family for family in named if profile.lacks(f"capability:method_{family}", "s2s_apm") is None]
    said = profile.dialect.platform_parameters
    lists = {family: denied((f"method_{family}", "s2s_apm"), said) for family in offered}
    own = [family for family in offered if not lists[family]]
    by_brand = unproven.sales_by_brand() if profile.test_data.apm.success else ()
    of_brands = [sale for sale in by_brand if parameters_of(sale)]
    refused: Reply | None = None
    for family in own:
        for change in (as_it_is, *in_other_currencies(s2s_apm.identity, f"method:{family}")):
            sale = change(unproven.sale_of(family))
            refused = reply = s2s_apm.post(sale)
            if answer_of(reply) is Answer.ACCEPTED:
                return
            if any(names_exactly(reply, name) for name in parameters_of(sale)):
                must_accept(reply)
    for sale in of_brands:
        for change in (as_it_is, *in_other_currencies(s2s_apm.identity, f"method:{sale.get('brand')}")):
            if are_read_beside_the_brand(change(sale), s2s_apm):
                return
    if not own and not of_brands:
        end_without_a_brand(profile, lists.values())
    inconclusive(
        "no SALE by a brand that requires parameters is accepted, and none is refused for them"
        + (f": {refused.summary}" if refused else ""),
        decides="brands that the target takes, in [test_data.apm.methods] of the profile, or one with the parameters "
        "that it requires in [test_data.apm.fields]",
    )


def as_it_is(sale: FormRequest) -> FormRequest:
    return sale


def are_read_beside_the_brand(sale: FormRequest, s2s_apm: S2SApmMerchant) -> bool:
    """Return whether a SALE is taken with the parameters that the profile gives its brand, and not without them."""
    if answer_of(s2s_apm.post(sale)) is not Answer.ACCEPTED:
        return False
    bare = replace(
        sale, fields={name: value for name, value in sale.fields.items() if not name.startswith("parameters[")}
    )
    reply = s2s_apm.post(bare.with_("order_id", f"{sale.get('order_id')}-bare"))
    return answer_of(reply) is Answer.REFUSED and any(names_exactly(reply, name) for name in parameters_of(sale))


def parameters_of(sale: FormRequest) -> list[str]:
    return [name[len("parameters[") : -1] for name in sale.fields if name.startswith("parameters[")]


def end_without_a_brand(profile: Profile, denials: Iterable[str]) -> NoReturn:
    """End the check where the profile names no brand whose parameters are the target's."""
    line = next(filter(None, denials), "") or denied(("s2s_apm",), profile.dialect.platform_parameters)
    if line:
        not_applicable(f"the profile says that no list of parameters is the target's: {line} in [dialect]")
    inconclusive(
        "the profile names no brand of S2S APM that requires parameters",
        decides="a brand in [test_data.apm.methods] and its method_<family> in [capabilities] of the profile, or what "
        "a brand requires in [test_data.apm.fields]",
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
    bare = replace(
        sale, fields={name: value for name, value in sale.fields.items() if not name.startswith("parameters[")}
    )

    reply = s2s_apm.post(bare)

    must_answer_properly(reply, "APM-MTH-26", accepted="optional", refused="required")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID)
