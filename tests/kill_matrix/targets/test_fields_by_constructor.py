"""A target whose script gives a class of fields: the usual call finds it, and a payer types into what it made."""

from __future__ import annotations

from tests.kill_matrix.collected import suite
from tests.kill_matrix.targets.test_card_in_payment import profile_with


def test_payments_are_made_by_fields_that_the_page_constructs() -> None:
    asked = {"HPF-FLD-02", "HPF-PAY-01", "HPF-PAY-18"}
    profile = profile_with({"hosted_fields_card_path": None})

    said = suite().run(suite().claiming(asked), variations=("hosted-fields-by-constructor",), profile=profile)

    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)
    assert asked <= said.requirements("pass")
