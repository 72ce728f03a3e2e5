"""Every operation and action, with requests made from its schema: allowed, refused, and beyond one limit at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from contract.model import Release
from fixtures.generated.campaign import Campaign
from fixtures.generated.case import Case
from fixtures.generated.operations import APM_SALE, CARD_SALE, OPERATIONS, SESSION, Operation
from fixtures.generated.oracles import INSIDE, SERVER_ERROR, Problem
from fixtures.generated.schema_cases import allowed, beyond_limits, refused
from fixtures.generated.schemas import unlike_schema
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.verdicts import not_applicable
from fixtures.profile import Profile
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

pytestmark = pytest.mark.fuzz

LIMITS_IN_TABLES = (SESSION, CARD_SALE, APM_SALE)
"""Operations whose field tables have checks of their own at and beyond every limit."""


def each_of(operations: Iterable[Operation]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "operation",
        [
            pytest.param(each, id=each.label, marks=requirement(SERVER_ERROR[each.document], INSIDE))
            for each in operations
        ],
    )


EACH = each_of(OPERATIONS.values())


@EACH
def test_request_that_the_schema_allows_is_answered_properly(
    operation: Operation, campaign: Campaign, profile: Profile, run: Run
) -> None:
    must_have(operation, profile, run.release)

    def examine(case: Case) -> Iterator[Problem]:
        reply = campaign.send(case)
        yield from campaign.judge(case, reply)
        if answer_of(reply) is Answer.ACCEPTED and (unlike := unlike_schema(operation.name, reply.json)):
            # Most answers are of basis platform, and checks of their own decide on each member.
            finding = Finding("an answer as the document describes it", unlike, "Nobody but the document says so.")
            yield Problem("answer unlike its schema", "", finding)

    campaign.hunt(allowed(operation), examples=8, examine=examine)


@EACH
def test_request_that_the_schema_does_not_allow_is_answered_properly(
    operation: Operation, campaign: Campaign, profile: Profile, run: Run
) -> None:
    must_have(operation, profile, run.release)

    campaign.hunt(refused(operation), examples=8)


@each_of(each for name, each in OPERATIONS.items() if name not in LIMITS_IN_TABLES)
def test_request_beyond_one_limit_is_answered_properly(
    operation: Operation, campaign: Campaign, profile: Profile, run: Run
) -> None:
    must_have(operation, profile, run.release)

    campaign.hunt(beyond_limits(operation), examples=8)


def must_have(operation: Operation, profile: Profile, release: Release) -> None:
    """The target has the operation."""
    if operation.since and release < Release(operation.since):
        not_applicable(f"{operation.name} came with {operation.since}; the target claims release {release}")
    needs = (f"capability:{operation.document}", f"capability:{operation.capability}")
    must_offer(profile, needs, operation.document)
