"""Accounts that share a key are distinguished by their channels, which each of their payments names."""

from __future__ import annotations

from fixtures.profile import Profile
from fixtures.profile.accounts import FurtherAccount, MidMode
from tests.kill_matrix.apart import MODES_BY_CHANNEL
from tests.kill_matrix.collected import suite

BY_MODE = {"CHK-MID-01", "CHK-MID-02", "CHK-MID-03", "CHK-MID-04", "CHK-MID-05", "S2C-AMT-14", "S2C-AMT-15"}
"""What says of a mode what becomes of a payment."""


def with_twins() -> Profile:
    """Return the profile whose accounts of one mode have the key of the main one, and a channel each."""
    profile = suite().profile
    main = profile.credentials.checkout
    assert main is not None
    accounts = dict(profile.accounts)
    for name, mode, channel in (("sms", MidMode.SMS, "main"), ("dms", MidMode.DMS, "channel-16-chars")):
        accounts[name] = FurtherAccount(key=main.key, password=main.password, mid_mode=mode, channel_id=channel)
        accounts[name].called(name)
    return profile.model_copy(update={"accounts": accounts})


def test_channel_of_a_twin_decides_its_mode() -> None:
    said = suite().run(suite().claiming(BY_MODE), variations=(MODES_BY_CHANNEL,), profile=with_twins())

    assert {one.verdict for one in said.checks} == {"pass"}, said.details("fail", "error", "inconclusive")


def test_payments_by_s2s_apm_are_held_by_the_channel_of_the_twin() -> None:
    profile = with_twins()
    assert profile.credentials.s2s_apm is not None
    main = profile.credentials.s2s_apm.model_copy(update={"mid_mode": MidMode.SMS})
    mains = profile.credentials.model_copy(update={"s2s_apm": main})

    said = suite().run(
        suite().claiming({"APM-AUT-01"}),
        variations=(MODES_BY_CHANNEL,),
        profile=profile.model_copy(update={"credentials": mains}),
    )

    assert {one.verdict for one in said.checks} <= {"pass", "not_applicable"}, said.details(
        "fail", "error", "inconclusive"
    )


def test_channel_that_decides_nothing_is_noticed() -> None:
    said = suite().run(suite().claiming({"CHK-MID-02", "CHK-MID-03"}), profile=with_twins())

    assert said.requirements("fail") == {"CHK-MID-02", "CHK-MID-03"}, said.details("pass", "inconclusive", "error")
