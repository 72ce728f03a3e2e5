"""Nothing fails on a legitimate difference, alone or together with others."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from contract.catalogue import load_catalogue
from contract.model import Release
from emulator.releases import RELEASES
from tests.kill_matrix.apart import (
    DECIDED_ON_A_PAGE,
    DESCRIBED_OTHERWISE,
    KEYS_OF_ONE_PROTOCOL,
    LEFT_OPEN,
    OF_FEW_CURRENCIES,
    POOR,
    WITHOUT,
)
from tests.kill_matrix.collected import LATEST, checks_of, part_of, suite
from tests.kill_matrix.groups import Group, groups, protocols_of
from tests.kill_matrix.undecided import UNDECIDED
from tests.support.suite_in_process import Outcomes

OF_CURRENCIES = re.compile("test_data:(currencies|mobile_money)|capability:(mobile_money|crypto)")
"""Begins a need of a currency that is not the usual one."""
OF_ACCOUNTS = re.compile("account:")
"""Begins a need of an account that the main one is not."""
PRESSED = ("[data-challenge=pass]", "[data-challenge=fail]")


def must_be_green(said: Outcomes) -> None:
    assert all(said.sanity.values())
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


@pytest.mark.parametrize(
    "group",
    [pytest.param(group, id=group.name, marks=[pytest.mark.whole_matrix] if group.deal else []) for group in groups()],
)
def test_nothing_fails_on_variations(group: Group) -> None:
    said = suite().run(group.checks(), variations=group.variations)

    culprits = dict(culprits_of(said, group.variations))
    assert not culprits, "\n".join(f"{name}: {received}" for name, received in culprits.items())
    assert not said.requirements("fail") | said.requirements("error"), (group.variations, said.details("fail", "error"))


def culprits_of(said: Outcomes, variations: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the variations that alone trouble checks which were troubled by all of them, found by halving."""
    left_open = frozenset().union(*(LEFT_OPEN.get(name, frozenset()) for name in variations))
    undecided = {
        one.check for one in said.checks if one.verdict == "inconclusive" and not left_open.issuperset(one.requirements)
    }
    troubled = said.named("fail") | said.named("error") | undecided
    if troubled and len(variations) == 1:
        yield variations[0], said.details("fail", "error", "inconclusive")
    elif troubled:
        checks = [check for check in suite().items if check.nodeid in troubled]
        for half in (variations[::2], variations[1::2]):
            yield from culprits_of(suite().run(checks, variations=half), half)


@pytest.mark.parametrize(("variation", "settings"), DESCRIBED_OTHERWISE.items())
def test_nothing_fails_on_a_variation_that_the_profile_describes(variation: str, settings: dict[str, object]) -> None:
    credentials = suite().profile.credentials
    found = {name: account.model_copy(update=settings) for name, account in credentials if account is not None}
    accounts = credentials.model_copy(update=found)
    profile = suite().profile.model_copy(update={"credentials": accounts, "accounts": {}})

    checks = [check for protocol in sorted(protocols_of(variation)) for check in checks_of(protocol)]

    must_be_green(suite().run(part_of(checks, 0, 4), variations=(variation,), profile=profile))


@pytest.mark.parametrize(("variation", "protocols"), KEYS_OF_ONE_PROTOCOL.items())
def test_nothing_is_asked_of_a_key_of_another_protocol(variation: str, protocols: dict[str, tuple[str, ...]]) -> None:
    known = suite().profile.accounts
    accounts = {name: account.model_copy(update={"protocols": protocols.get(name)}) for name, account in known.items()}
    about_accounts = {name for name, one in load_catalogue().items() if any(map(OF_ACCOUNTS.match, one.needs))}

    said = suite().run(
        suite().claiming(frozenset(about_accounts)),
        variations=(variation,),
        profile=suite().profile.model_copy(update={"accounts": accounts}),
    )

    must_be_green(said)


def test_another_account_pays_in_a_currency_that_the_main_one_does_not_take() -> None:
    profile, main = suite().profile, ("USD", "EUR", "GBP", "BTC", "XOF", "XAF", "TZS", "EGP")
    mains = {name: one.model_copy(update={"currencies": main}) for name, one in profile.credentials if one is not None}
    # Nobody takes the currency of four decimals.
    taken = {"declines": ("JPY", "GHS"), "wallet_cards": ("BHD", "KES")}
    accounts = {
        name: one.model_copy(update={"currencies": taken[name]} if name in taken else {})
        for name, one in profile.accounts.items()
    }
    found = {"credentials": profile.credentials.model_copy(update=mains), "accounts": accounts}
    about_currencies = {name for name, one in load_catalogue().items() if any(map(OF_CURRENCIES.match, one.needs))}

    said = suite().run(
        suite().claiming(frozenset({*about_currencies, "CHK-REC-15"})),
        variations=(OF_FEW_CURRENCIES,),
        profile=profile.model_copy(update=found),
    )

    must_be_green(said)
    assert {"CHK-AMT-02", "CHK-AMT-05", "CHK-REC-15", "S2C-SAL-13", "S2C-SAL-14"} <= said.requirements("pass")
    assert {"CHK-AMT-06", "S2C-SAL-15"} <= said.requirements("inconclusive")


def test_methods_are_asked_for_in_the_currency_and_operation_that_they_serve() -> None:
    about_kinds = frozenset({*(f"CHK-MTH-0{n}" for n in range(1, 5)), *(f"CHK-MTH-{n}" for n in (12, 16, 17, 18))})
    about_kinds |= {*(f"APM-MTH-0{n}" for n in range(2, 7)), "APM-MTH-14"}

    said = suite().run(suite().claiming(about_kinds), variations=("methods-serve-their-kind",))

    must_be_green(said)
    assert about_kinds <= said.requirements("pass")


@pytest.mark.parametrize(
    ("part", "variation", "setting", "words"),
    [
        *((part, name, "press", PRESSED) for part, name in enumerate(DECIDED_ON_A_PAGE)),
        (len(DECIDED_ON_A_PAGE), DECIDED_ON_A_PAGE[-1], "bank_body", ("challenge=pass", "challenge=fail")),
    ],
)
def test_payments_are_decided_by_a_payer_who_is_sent_elsewhere(
    part: int, variation: str, setting: str, words: tuple[str, str]
) -> None:
    data = suite().profile.test_data
    assert data.apm.success is not None
    assert data.apm.decline is not None
    apm = data.apm.model_copy(
        update={
            "success": data.apm.success.model_copy(update={setting: words[0]}),
            "decline": data.apm.decline.model_copy(update={setting: words[1]}),
        }
    )
    profile = suite().profile.model_copy(update={"test_data": data.model_copy(update={"apm": apm})})

    checks = part_of(checks_of("s2s_apm"), part, len(DECIDED_ON_A_PAGE) + 1)
    said = suite().run(checks, variations=(variation,), profile=profile)

    must_be_green(said)
    # Of a wallet nobody says what its payer presses.
    assert said.requirements("inconclusive") <= {"APM-AUT-01"}, said.details("inconclusive")


@pytest.mark.parametrize(("variation", "capability"), WITHOUT.items())
def test_nothing_is_undecided_on_a_variation_without_a_capability(variation: str, capability: str) -> None:
    profile = suite().profile
    offered = profile.capabilities.model_copy(update={capability: False})
    checks = [check for protocol in sorted(protocols_of(variation)) for check in checks_of(protocol)]

    profile = profile.model_copy(update={"capabilities": offered})

    said = suite().run(part_of(checks, 1, 4), variations=(variation,), profile=profile)

    must_be_green(said)
    assert not said.requirements("inconclusive"), said.details("inconclusive")


@pytest.mark.parametrize(("protocol", "variations"), POOR.items())
def test_nothing_fails_without_members_that_only_public_documents_promise(
    protocol: str, variations: tuple[str, ...]
) -> None:
    profile = suite().profile
    unsaid = profile.model_copy(update={"dialect": profile.dialect.model_copy(update={"platform_members": None})})

    must_be_green(suite().run(part_of(checks_of(protocol), 2, 3), variations=variations, profile=unsaid))


@pytest.mark.parametrize(("variation", "requirements"), UNDECIDED.items())
def test_what_nothing_distinguishes_is_inconclusive_and_never_fails(
    variation: str, requirements: frozenset[str]
) -> None:
    said = suite().run(suite().claiming(requirements), variations=(variation,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") & requirements


@pytest.mark.whole_matrix
@pytest.mark.parametrize("variation", UNDECIDED)
def test_no_other_check_fails_where_something_is_undecided(variation: str) -> None:
    must_be_green(suite().run(suite().items, variations=(variation,)))


@pytest.mark.parametrize(
    "release", [RELEASES[0], *(pytest.param(release, marks=pytest.mark.whole_matrix) for release in RELEASES[1:])]
)
def test_emulator_of_a_release_keeps_the_requirements_of_that_release(release: str) -> None:
    said = suite().run(part_of(suite().items, 0, 4), release=release)

    must_be_green(said)


@pytest.mark.whole_matrix
def test_an_older_gateway_that_claims_the_latest_release_fails_on_what_came_with_it() -> None:
    said = suite().run(suite().items, release="6.6.5", claimed=LATEST)

    catalogue = load_catalogue()
    failed = said.requirements("fail")
    older = {name for name in failed if catalogue[name].holds_for(Release("6.6.5"))}
    assert failed
    assert not older, f"these hold for 6.6.5 as well: {sorted(older)}\n{said.details('fail')}"
