"""Nothing fails on a legitimate difference, alone or together with others."""

from __future__ import annotations

import random

import pytest

from contract.catalogue import load_catalogue
from contract.model import Release
from emulator.releases import RELEASES
from emulator.variations import registry
from tests.kill_matrix.collected import LATEST, suite
from tests.suite_in_process import Outcomes

DESCRIBED_OTHERWISE = {"customer-name-unchecked": {"customer_name_validation": None}}
"""Variations that a profile would tell: what its account settings say then."""

VARIATIONS = tuple(name for name in registry() if name not in DESCRIBED_OTHERWISE)


def must_be_green(said: Outcomes) -> None:
    assert all(said.sanity.values())
    assert not said.requirements("fail") | said.requirements("error"), said.told("fail", "error")


@pytest.mark.parametrize("variation", VARIATIONS)
def test_nothing_fails_on_a_variation(variation: str) -> None:
    said = suite().run(suite().items, variations=(variation,))

    must_be_green(said)
    assert not said.requirements("inconclusive"), said.told("inconclusive")


@pytest.mark.parametrize(("variation", "settings"), DESCRIBED_OTHERWISE.items())
def test_nothing_fails_on_a_variation_that_the_profile_tells(variation: str, settings: dict[str, object]) -> None:
    credentials = suite().profile.credentials
    checkout = credentials.checkout.model_copy(update=settings) if credentials.checkout else None
    s2s_card = credentials.s2s_card.model_copy(update=settings) if credentials.s2s_card else None
    accounts = credentials.model_copy(update={"checkout": checkout, "s2s_card": s2s_card})
    profile = suite().profile.model_copy(update={"credentials": accounts, "accounts": {}})

    must_be_green(suite().run(suite().items, variations=(variation,), profile=profile))


@pytest.mark.parametrize("seed", range(6))
def test_nothing_fails_on_several_variations_together(seed: int) -> None:
    chosen = random.Random(seed).sample(VARIATIONS, 4)  # noqa: S311 - which ones is no secret

    said = suite().run(suite().items, variations=tuple(chosen))

    assert not said.requirements("fail") | said.requirements("error"), (chosen, said.told("fail", "error"))


@pytest.mark.parametrize("release", RELEASES)
def test_emulator_of_a_release_keeps_the_requirements_of_that_release(release: str) -> None:
    said = suite().run(suite().items, release=release)

    must_be_green(said)


def test_an_older_gateway_that_claims_the_latest_release_fails_on_what_came_with_it() -> None:
    said = suite().run(suite().items, release="6.6.5", claimed=LATEST)

    catalogue = load_catalogue()
    failed = said.requirements("fail")
    older = {name for name in failed if catalogue[name].holds_for(Release("6.6.5"))}
    assert failed
    assert not older, f"these hold for 6.6.5 as well: {sorted(older)}\n{said.told('fail')}"
