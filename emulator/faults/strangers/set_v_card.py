"""Faults of strangers' engineers that the suite did not notice at first (set V), and others of their classes."""

from collections.abc import Mapping
from typing import Final

from emulator.accounts import Account
from emulator.changes.checkout import operation
from emulator.changes.s2s_card import also_hashed
from emulator.design import Change, Design
from emulator.engine.signing import as_specified, equal, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.session import HashTest, accepts_hash
from emulator.protocols.s2s_apm.behaviour import ApmHashTest
from emulator.protocols.s2s_apm.behaviour import accepts_hash as accepts_hash_of_apm
from emulator.protocols.s2s_apm.signatures import RECIPES, by_option
from emulator.protocols.s2s_card.behaviour import CardHashTest

_OF_MD5: Final = 32
"""Digits of a hash with MD5."""
_BY_SHA256: Final = (
    "SCHEDULE_INFO", "DELETE_SCHEDULE", "RUN", "CAPTURE", "GET_TRANS_STATUS_BY_ORDER", "CREDIT2CARD",
)  # fmt: skip
_OF_OPERATIONS: Final[Mapping[str, str]] = {
    "status": "CHK-STA-30",
    "capture": "CHK-CAP-09",
    "refund": "CHK-RFD-06",
    "void": "CHK-RFD-14",
    "recurring": "CHK-REC-11",
    "card_credit": "CHK-CRD-18",
}


def _same_beginning(given: str, right: str) -> bool:
    """Whether two hashes longer than one with MD5 have as many digits in common as that has."""
    return len(given) == len(right) > _OF_MD5 and equal(given[:_OF_MD5], right[:_OF_MD5])


def _begins_rightly(test: CardHashTest) -> bool:
    return _same_beginning(test.given, test.formula(test.account.password, test.account.hash, test.values))


def _apm_by_beginning(action: str) -> Change:
    def accepts(test: ApmHashTest) -> bool:
        right = by_option(test.account, RECIPES[test.action](test.form, test.account.password))
        return accepts_hash_of_apm(test) or (test.action == action and _same_beginning(test.given, right))

    return lambda design: design.in_apm(accepts_hash=accepts)


def _session_by_beginning(design: Design) -> Design:
    def accepts(test: HashTest) -> bool:
        right = as_specified(test.account.password, test.account.hash, test.order)
        return accepts_hash(test) or _same_beginning(str(test.given), right)

    return design.in_session(accepts_hash=accepts)


def _operation_by_beginning(name: str) -> Change:
    def accepts(attempt: PostAttempt, account: Account) -> bool:
        right = session_hash(attempt.operation.signed(attempt.body) + account.password, account.hash)
        given = str(attempt.body.get("hash"))
        return equal(given, right) or _same_beginning(given, right)

    return operation(name, accepts_hash=accepts)


FAULTS: Final = faults(
    {
        **{
            f"v-second-half-of-sha256-does-not-count-in-{action.lower().replace('_', '-')}": breaks(
                "S2C-SIG-52",
                f"Of a hash of {action} with SHA256 the first 32 digits count, as many as MD5 has (lines 391 and 407).",
                also_hashed(_begins_rightly, action),
            )
            for action in (
                "SCHEDULE_INFO",
                "DELETE_SCHEDULE",
                "RUN",
                "CAPTURE",
                "GET_TRANS_STATUS_BY_ORDER",
                "CREDIT2CARD",
            )
        },
        **{
            f"v-apm-second-half-of-sha256-does-not-count-in-{action.lower().replace('_', '-')}": breaks(
                "APM-SIG-10",
                f"Of a hash of {action} with SHA256 the first 32 digits count, as many as MD5 has (line 407).",
                _apm_by_beginning(action),
            )
            for action in ("SALE", "CREDIT2VIRTUAL", "CREDITVOID")
        },
        "v-session-hash-ends-after-32-digits": breaks(
            "CHK-SIG-20",
            "Of the hash of a session the first 32 digits count, as many as MD5 has (lines 389 and 407).",
            _session_by_beginning,
        ),
        **{
            f"v-checkout-{name}-hash-ends-after-32-digits": breaks(
                requirement,
                f"Of the hash of {name} the first 32 digits count, as many as MD5 has (lines 389 and 407).",
                _operation_by_beginning(name),
            )
            for name, requirement in _OF_OPERATIONS.items()
        },
    }
)
