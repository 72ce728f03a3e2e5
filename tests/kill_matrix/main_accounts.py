"""The suite's profile with another of its accounts as the main one."""

from __future__ import annotations

from fixtures.profile import Profile
from fixtures.profile.accounts import AccountSettings, FurtherAccount, MidMode
from tests.kill_matrix.collected import suite


def with_main_account(name: str, *, says: bool, protocol: str = "s2s_card") -> Profile:
    """Return the profile with one of its accounts as the main one of a protocol, and without it among the others."""
    profile = suite().profile
    account = profile.accounts[name]
    if not says:
        account = account.model_copy(update={"mid_mode": None})
    others = {other: value for other, value in profile.accounts.items() if other != name}
    main = getattr(profile.credentials, protocol)
    assert main is not None
    own = {field for field in AccountSettings.model_fields if getattr(account, field) is not None} | {"key", "password"}
    merged = main.model_copy(update={field: getattr(account, field) for field in own} | {"mid_mode": account.mid_mode})
    credentials = profile.credentials.model_copy(update={protocol: merged})
    return profile.model_copy(update={"credentials": credentials, "accounts": others})


def with_another_that_does_both(profile: Profile, protocol: str) -> Profile:
    """Return the profile with the account that was the main one among the others, said to sell and to hold."""
    main = getattr(suite().profile.credentials, protocol)
    known = {field: getattr(main, field) for field in main.model_fields_set}
    both = FurtherAccount.model_construct(**known | {"mid_mode": MidMode.EITHER, "protocols": (protocol,)})
    both.called("both")
    # The tokens of the profile are those of this account.
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"accounts": {**profile.accounts, "both": both}, "test_data": data})


def with_other_merchants(*names: str) -> Profile:
    """Return the profile with some of its accounts as those of other merchants, in this order, and no others."""
    profile = suite().profile
    accounts = {}
    for name in names:
        accounts[name] = profile.accounts[name].model_copy(update={"merchant": f"the {name} one"})
        accounts[name].called(name)
    accounts |= {name: account for name, account in profile.accounts.items() if name not in (*names, "second")}
    # The token of the other merchant is that of the account which is none any more.
    data = profile.test_data.model_copy(update={"second_card_token": None})
    return profile.model_copy(update={"accounts": accounts, "test_data": data})
