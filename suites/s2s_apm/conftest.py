"""What the checks of S2S APM ask for by name."""

from __future__ import annotations

import pytest

from fixtures.baselines import Baselines
from fixtures.merchants.s2s_apm import MerchantOf
from fixtures.requests import FormRequest
from fixtures.run import Run
from fixtures.s2s_apm_payments import ApmPayments
from fixtures.s2s_apm_requests import ApmRequests


@pytest.fixture
def merchant_of(run: Run) -> MerchantOf:
    """Gives the S2S APM merchant of a further account, by the setting that distinguishes it."""
    return run.s2s_apm_merchant


@pytest.fixture
def apm(run: Run) -> Baselines[FormRequest]:
    """Gives a valid S2S APM request by name, once the target accepted one like it."""
    return run.apm_baselines


@pytest.fixture
def unproven(run: Run) -> ApmRequests:
    """Makes S2S APM requests, whether or not the target accepts the unchanged one."""
    return run.apm_requests


@pytest.fixture
def payments(run: Run) -> ApmPayments:
    """Gives S2S APM payments of the main merchant in a state."""
    return run.apm_payments
