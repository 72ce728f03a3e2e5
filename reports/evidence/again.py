"""How a finding is shown once more: the suite's own command, ``curl``, and a script that needs nothing of the suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.evidence.curl import curl, is_masked
from reports.evidence.script import script
from reports.findings.bodies import asked_of_target
from reports.findings.cause import SIGNATURE_ACCEPTED
from reports.findings.grouping import Finding
from reports.findings.story import Step

_ORDERS = frozenset({"order_id", "order.number"})


@dataclass(frozen=True, kw_only=True)
class Again:
    """Ways to do it again; each is empty where there is none.

    Attributes:
        command: of the suite.
        curl: of the request that decides.
        script: of the whole story.
        is_masked: secrets have to come from the environment.
        as_recorded: the signature is what is wrong, so that it is sent as it was.
    """

    command: str
    curl: str
    script: str
    is_masked: bool
    as_recorded: bool


def again(found: Finding, steps: Sequence[Step], title: str) -> Again:
    """Return how a finding is shown once more.

    Args:
        found: the finding.
        steps: the story of its witness.
        title: what is wrong, in one sentence.
    """
    decisive = next((step for step in steps if step.decisive and not step.by_target), None)
    change = found.witness.change
    keep_order = change is not None and change.field in _ORDERS
    as_recorded = found.cause.subject == SIGNATURE_ACCEPTED
    emails = [email for step in steps if (email := asked_of_target(step.exchange).get("payer_email"))]
    return Again(
        command=found.witness.failure.reproduce if found.witness.failure else "",
        curl=curl(decisive.exchange, emails[0] if emails else "", as_recorded=as_recorded, keep_order=keep_order)
        if decisive
        else "",
        script=script(steps, title=f"{found.id}: {title}", as_recorded=as_recorded, keep_order=keep_order),
        is_masked=any(is_masked(step.exchange) for step in steps),
        as_recorded=as_recorded,
    )
