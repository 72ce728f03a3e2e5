"""Faults of the session tokens of Hosted Payment Fields."""

from collections.abc import Callable
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout import answering
from emulator.changes.hosted_fields import also_hashed, any_operation, first, hosted, last, rows, without
from emulator.design import Change, Design, all_of
from emulator.engine.signing import equal, hex_digest
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, HashTest
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.session_tokens import check_signature
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.rules.model import Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_SESSION: Final = Kind.HOSTED_SESSION
_REFUSED: Final = Refusal(Kind.HOSTED_PAYMENT, "This is not possible.")
_HASH: Final = Kind.SIGNATURE
_FAULTY_ORDERS: Final = ("order.",)


def _refusing(applies: Callable[[Object], bool]) -> Change:
    def stage(attempt: Attempt) -> Refusal | None:
        return _REFUSED if applies(attempt.body) else None

    return last(stage)


def _no_order_rules(row: Rule) -> Rule | None:
    kept = row.keyword in {"required", "type"} or not row.path.startswith(_FAULTY_ORDERS)
    return row if kept else None


def _serves_others(session: HostedSession, operation: str) -> bool:
    """Sessions of operations that have no address are paid at any."""
    return serves(session, operation) or session.request.get("operation") not in {"purchase", "debit"}


def _keyless(row: Rule) -> Rule | None:
    return None if row.path == "merchant_key" and row.keyword in {"required", "notBlank"} else row


def _keyless_account(design: Design) -> Design:
    """A request without key is one of the first merchant."""

    def opened(attempt: Attempt) -> Refusal | None:
        if attempt.body.get("merchant_key") is None:
            attempt.account = ACCOUNTS[0]
        return None

    return first(opened)(design)


def _hashless(row: Rule) -> Rule | None:
    return None if row.path == "hash" and row.keyword in {"required", "notBlank"} else row


def _no_hash(test: HashTest) -> bool:
    return test.given is None


def _inner_digest(test: HashTest) -> bool:
    text = (test.order.concatenated() + test.account.password).upper()
    return equal(str(test.given), hex_digest(test.account.hash, text))


def _one_token(design: Design) -> Design:
    return design.in_hosted_fields(new_token=lambda: "c2FtZQ==" * 8)


def _needing(name: str) -> Change:
    def stage(attempt: Attempt) -> Refusal | None:
        violations = ((name, "This value should not be blank."),)
        refusal = Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=violations)
        return refusal if name not in attempt.body else None

    return first(stage)


FAULTS: Final = faults(
    {
        "hosted-token-path-moved": breaks(
            "HPF-TKN-01", "Session tokens have another address.", hosted(session_path="/api/v1/session/tokens")
        ),
        "hosted-token-refused": breaks(
            "HPF-TKN-01 HPF-TKN-03", "No session token is given.", _refusing(lambda _body: True)
        ),
        "hosted-token-other-member": breaks(
            "HPF-TKN-02",
            "The token stands in session_token.",
            answering(lambda body: {"session_token": body["token"]}, _SESSION),
        ),
        "hosted-token-of-purchase-refused": breaks(
            "HPF-TKN-03", "No session token for purchases.", _refusing(lambda body: body.get("operation") == "purchase")
        ),
        "hosted-token-of-debit-refused": breaks(
            "HPF-TKN-04",
            "No session token for debits.",
            _refusing(lambda body: body.get("operation") == "debit"),
            since=_NEW,
        ),
        "hosted-token-of-every-operation": breaks(
            "HPF-TKN-05", "Every operation is paid.", all_of(rows(any_operation), hosted(serves=_serves_others))
        ),
        "hosted-token-without-key": breaks(
            "HPF-TKN-06", "A request needs no merchant_key.", all_of(rows(_keyless), _keyless_account)
        ),
        "hosted-token-without-hash": breaks(
            "HPF-TKN-07", "A request needs no hash.", all_of(rows(_hashless), also_hashed(_no_hash))
        ),
        "hosted-token-unsigned": breaks("HPF-TKN-08", "Any hash is taken.", without(check_signature)),
        "hosted-token-hash-other-text": breaks(
            "HPF-TKN-08",
            "A wrong hash is refused with other words.",
            hosted(wrong_hash=Refusal(_HASH, "Signature mismatch")),
        ),
        "hosted-token-hash-401": breaks(
            "HPF-TKN-08",
            "A wrong hash is refused with HTTP 401.",
            hosted(wrong_hash=Refusal(_HASH, "Hash is not valid", status=401)),
        ),
        "hosted-token-inner-digest": breaks(
            "HPF-TKN-09", "The inner digest alone is taken.", also_hashed(_inner_digest)
        ),
        "hosted-token-same-for-all": breaks("HPF-TKN-13", "Every request gets the same token.", _one_token),
        "hosted-token-order-unchecked": breaks(
            "HPF-TKN-14", "The rules of the order do not hold.", rows(_no_order_rules)
        ),
        **{
            f"hosted-token-needs-{name.replace('_', '-')}": breaks("HPF-TKN-11", f"{name} is needed.", _needing(name))
            for name in ("cancel_url", "error_url")
        },
    }
)
