"""A target whose script puts its fields into the merchant's page itself: they are found, typed into, and counted."""

from __future__ import annotations

from tests.kill_matrix.collected import suite
from tests.kill_matrix.targets.test_card_in_payment import profile_with

PLAIN = "hosted-fields-without-frames"


def test_payments_are_made_by_a_payer_who_types_into_such_fields() -> None:
    asked = {"HPF-FLD-02", "HPF-PAY-01", "HPF-PAY-18"}

    said = suite().run(
        suite().claiming(asked), variations=(PLAIN,), profile=profile_with({"hosted_fields_card_path": None})
    )

    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)
    assert asked <= said.requirements("pass")


def test_field_that_is_missing_is_noticed_without_frames_as_well() -> None:
    said = suite().run(suite().claiming({"HPF-FLD-02"}), variations=(PLAIN,), faults=("hosted-one-frame-only",))

    assert "HPF-FLD-02" in said.requirements("fail"), said.details("pass", "inconclusive", "error")
