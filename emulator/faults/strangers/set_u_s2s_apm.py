"""Faults of another author that the suite did not notice at first (set U), and others of their classes: S2S APM."""

from typing import Final

from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import Recipe, of_payout, of_release, of_sale

_NEW: Final = "6.7.0"


def _also_signed(action: str, recipe: Recipe) -> Change:
    """An action is signed by the recipe of another as well."""

    def accepts(test: ApmHashTest) -> bool:
        return accepts_hash(test) or (test.action == action and test.follows(recipe))

    return lambda design: design.in_apm(accepts_hash=accepts)


def _like_a_release(action: str, requirement: str, since: str | None) -> Fault:
    return breaks(
        requirement,
        f"{action} may be signed like CREDITVOID, too (lines 405 and 407).",
        _also_signed(action, of_release),
        since=since,
    )


FAULTS: Final = faults(
    {
        "u-apm-capture-signed-like-release-too": _like_a_release("CAPTURE", "APM-SIG-01", _NEW),
        "u-apm-void-signed-like-release-too": _like_a_release("VOID", "APM-SIG-02", None),
        "u-apm-status-signed-like-release-too": _like_a_release("GET_TRANS_STATUS", "APM-SIG-03", None),
        "u-apm-sale-signed-like-payout-too": breaks(
            "APM-SIG-05",
            "SALE may be signed like CREDIT2VIRTUAL, too (line 407).",
            _also_signed("SALE", of_payout),
        ),
        "u-apm-payout-signed-like-sale-too": breaks(
            "APM-SIG-09",
            "CREDIT2VIRTUAL may be signed like SALE, too (line 407).",
            _also_signed("CREDIT2VIRTUAL", of_sale),
        ),
    }
)
