"""What the checks of S2S APM ask for by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.s2s_apm.account import is_about_authorizations
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.pytest_fixtures import about
from fixtures.run import Run
from fixtures.wire.requests import FormRequest


@pytest.fixture(autouse=True)
def account_of_check(run: Run, request: pytest.FixtureRequest) -> Iterator[None]:
    """Choose the S2S APM account that serves what the check is about: authorizations, or immediate sales."""
    if run.profile.credentials.s2s_apm is None:
        yield
        return
    run.apm_accounts.holds = is_about_authorizations(*about(request), run.profile)
    yield
    run.apm_accounts.holds = False


@pytest.fixture
def merchant_of(run: Run) -> OfAccounts[S2SApmMerchant]:
    """Gives the S2S APM merchant of a further account, by the setting that distinguishes it."""
    return run.s2s_apm_merchant


@pytest.fixture
def apm(run: Run) -> Baselines[FormRequest]:
    """Gives a valid S2S APM request by name, once the target accepted one like it."""
    return run.apm.baselines


@pytest.fixture
def unproven(run: Run) -> ApmRequests:
    """Makes S2S APM requests, whether or not the target accepts the unchanged one."""
    return run.apm_requests


@pytest.fixture
def payments(run: Run) -> ApmPayments:
    """Gives S2S APM payments of the check's account in a state."""
    return run.apm.payments
