"""Targets that sign by formulas of their own: by those of the profile nothing fails, without them it stays open."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from contract.model import Basis
from fixtures.profile import Profile
from fixtures.profile.dialect import Dialect
from fixtures.signing.own.messages import TABLES
from tests.kill_matrix.apart import OWN_FORMULAS, PAYOUT_AS_ITS_CARD
from tests.kill_matrix.collected import PROTOCOLS, checks_of, part_of, suite

SUITES = {"checkout": ("checkout", "hosted_page", "hosted_fields"), "s2s_card": ("s2s_card",), "s2s_apm": ("s2s_apm",)}


def signing_by(protocol: str, formulas: dict[str, str]) -> Profile:
    """Return the profile with formulas of the target's own."""
    profile = suite().profile
    dialect = Dialect.model_validate({**profile.dialect.model_dump(), TABLES[protocol]: formulas})
    return profile.model_copy(update={"dialect": dialect})


@pytest.mark.parametrize("variation", OWN_FORMULAS)
def test_nothing_fails_by_the_formulas_of_the_profile(variation: str) -> None:
    protocol, formulas = OWN_FORMULAS[variation]
    checks = [check for name in SUITES[protocol] for check in checks_of(name)]

    profile = signing_by(protocol, dict(formulas))
    said = suite().run(part_of(checks, 1, 4), variations=(variation,), profile=profile)

    assert all(said.sanity.values())
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.requirements("inconclusive"), said.details("inconclusive")


@pytest.mark.parametrize("variation", OWN_FORMULAS)
def test_without_them_nothing_of_the_contract_fails(variation: str) -> None:
    protocol, _ = OWN_FORMULAS[variation]
    checks = [check for name in SUITES[protocol] for check in checks_of(name)]

    said = suite().run(part_of(checks, 0, 4), variations=(variation,))

    catalogue = load_catalogue()
    failed = {catalogue[name] for name in said.requirements("fail")}
    stated = {each.id for each in failed if each.basis is not Basis.PLATFORM or each.safety}
    assert not stated | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive")


def test_formula_of_a_payout_without_the_token_is_named() -> None:
    """CREDIT2CARD is one formula for payouts by card and by token: a profile may have forgotten one of them."""
    protocol, formulas = OWN_FORMULAS["card-formulas-of-its-own"]
    profile = signing_by(protocol, {**formulas, "CREDIT2CARD": "md5(upper(reverse(PASSWORD)) + CARD)"})

    said = suite().run(
        suite().claiming(frozenset({"S2C-SIG-21"})), variations=("card-formulas-of-its-own",), profile=profile
    )

    assert not said.requirements("fail"), said.details("fail")
    assert "the formula of the profile has no card_token" in said.details("inconclusive")


LIKE_RELEASE = "md5(upper(reverse(trans_id + PASSWORD)))"
SHOWN = {
    "apm-capture-signed-like-release": ("CAPTURE", "APM-SIG-01"),
    "apm-void-signed-like-release": ("VOID", "APM-SIG-02"),
    "apm-status-signed-like-release": ("GET_TRANS_STATUS", "APM-SIG-03"),
}
"""Faults that sign an action otherwise than the contract shows, and the requirement that states its formula."""


@pytest.mark.parametrize("fault", SHOWN)
@pytest.mark.parametrize("said_as", [LIKE_RELEASE, "CREDITVOID"], ids=["written", "named"])
def test_formula_that_the_contract_shows_stays_open_where_the_profile_has_another(fault: str, said_as: str) -> None:
    action, requirement = SHOWN[fault]
    checks = suite().claiming((requirement, "APM-SIG-10", "APM-SIG-14"))

    said = suite().run(checks, faults=(fault,), profile=signing_by("s2s_apm", {action: said_as}))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert requirement in said.requirements("inconclusive")
    assert requirement not in said.requirements("pass")
    assert f"{action} in [dialect.apm_formulas]" in said.details("inconclusive")


AS_ITS_CARD = {
    PAYOUT_AS_ITS_CARD: (
        "CREDIT2CARD",
        frozenset({"S2C-SIG-21", "S2C-SIG-59", "S2C-TOK-08", "S2C-TOK-09", "S2C-PAY-09", "S2C-PAY-10"}),
    ),
    "card-token-signed-as-its-card": (
        "TOKEN",
        frozenset({"S2C-SIG-06", "S2C-TOK-02", "S2C-TOK-07", "S2C-TOK-08", "CBK-S2C-12"}),
    ),
}
"""Variations that sign for a token as for its card: the key of the formula, and what is decided by it."""


@pytest.mark.parametrize("variation", AS_ITS_CARD)
@pytest.mark.parametrize("cards", ["one", "another"])
def test_token_is_signed_as_the_card_that_it_was_given_for(variation: str, cards: str) -> None:
    key, requirements = AS_ITS_CARD[variation]
    formula = {"CREDIT2CARD": "formula_5", "TOKEN": "formula_1"}[key]
    profile = signing_by("s2s_card", {key: formula})
    if cards == "one":
        data = profile.test_data
        held = data.cards.model_copy(update={"payout_success": None})
        profile = profile.model_copy(update={"test_data": data.model_copy(update={"cards": held})})

    said = suite().run(suite().claiming(requirements), variations=(variation,), profile=profile)

    undesired = said.requirements("fail") | said.requirements("error") | said.requirements("inconclusive")
    assert not undesired, said.details("fail", "error", "inconclusive")
    assert requirements <= said.requirements("pass")


def test_suites_are_those_of_the_protocols() -> None:
    assert {name for names in SUITES.values() for name in names} <= set(PROTOCOLS)
