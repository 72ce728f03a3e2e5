"""Without the name of the button that pays it is found, and with one that finds nothing no check of pages fails.

Most buttons of the emulator have no type.
"""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.settings import Selectors
from tests.kill_matrix.collected import checks_of, part_of, suite


def with_submit(profile: Profile, submit: str) -> Profile:
    """Return the profile with another selector of what pays."""
    selectors = profile.payer.selectors.model_copy(update={"submit": submit})
    return profile.model_copy(update={"payer": profile.payer.model_copy(update={"selectors": selectors})})


WITH_THE_WHOLE_MATRIX = pytest.mark.whole_matrix
"""Half a minute each: one of each kind is enough before a commit."""


@pytest.mark.parametrize(
    "variations", [pytest.param((), marks=WITH_THE_WHOLE_MATRIX), ("page-method-first", "page-challenge-by-choice")]
)
def test_page_is_paid_on_without_naming_its_button(variations: tuple[str, ...]) -> None:
    said = suite().run(
        part_of(checks_of("hosted_page"), 0, 2),
        variations=variations,
        profile=with_submit(suite().profile, Selectors().submit),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")


@pytest.mark.parametrize(
    "variations",
    [
        *(pytest.param(names, marks=WITH_THE_WHOLE_MATRIX) for names in ((), ("page-method-first",))),
        ("page-method-by-radio",),
    ],
)
def test_nothing_fails_where_the_button_is_not_found(variations: tuple[str, ...]) -> None:
    profile = with_submit(suite().profile, "#none")

    said = suite().run(part_of(checks_of("hosted_page"), 1, 2), variations=variations, profile=profile)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.named("inconclusive")


def test_page_of_an_issuer_with_one_button_is_passed_without_naming_it() -> None:
    payer = suite().profile.payer
    named = payer.selectors.model_dump(exclude_unset=True, exclude={"challenge_pass", "challenge_fail"})
    profile = suite().profile.model_copy(
        update={"payer": payer.model_copy(update={"selectors": Selectors.model_validate(named)})}
    )
    checks = [check for check in checks_of("hosted_page") if check.path.name == "test_outcome.py"]

    said = suite().run(checks, variations=("page-challenge-decided-by-card",), profile=profile)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.named("inconclusive") <= suite().run(checks, variations=("page-challenge-decided-by-card",)).named(
        "inconclusive"
    )
