"""Faults of the session tokens of Hosted Payment Fields."""

from collections.abc import Callable
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.checkout.session import Attempt, HashTest, Stage
from emulator.design import Change, Design
from emulator.faults.checkout_ways import ANY, all_of, answering
from emulator.faults.model import Fault
from emulator.hosted_fields.opening import check_signature
from emulator.replies import INVALID_DATA, Kind, Refusal
from emulator.rules.model import Rule
from emulator.signing import equal, hex_digest
from emulator.values import Object

_NEW: Final = "6.7.0"
_ANY: Final = ("HPF-*", "CBK-*")
_SESSION: Final = Kind.HOSTED_SESSION
_REFUSED: Final = Refusal(Kind.HOSTED_PAYMENT, "This is not possible.")
_HASH: Final = Kind.SIGNATURE
_ON_HASHES: Final = ("HPF-TKN-0[789]", "GEN-*")
_FAULTY_ORDERS: Final = ("order.",)


def _hosted(**changes: object) -> Change:
    return lambda design: design.in_hosted_fields(**changes)


def _without(stage: Stage) -> Change:
    def change(design: Design) -> Design:
        stages = design.hosted_fields.stages
        return design.in_hosted_fields(stages=tuple(one for one in stages if one is not stage))

    return change


def _refusing(applies: Callable[[Object], bool]) -> Change:
    def stage(attempt: Attempt) -> Refusal | None:
        return _REFUSED if applies(attempt.body) else None

    return lambda design: design.in_hosted_fields(stages=(*design.hosted_fields.stages, stage))


def _rows(change: Callable[[Rule], Rule | None]) -> Change:
    return lambda design: design.with_token_rows(change)


def _no_order_rules(row: Rule) -> Rule | None:
    kept = row.keyword in {"required", "type"} or not row.path.startswith(_FAULTY_ORDERS)
    return row if kept else None


def _keyless(row: Rule) -> Rule | None:
    return None if row.path == "merchant_key" and row.keyword in {"required", "notBlank"} else row


def _keyless_account(design: Design) -> Design:
    """A request without key is one of the first merchant."""

    def opened(attempt: Attempt) -> Refusal | None:
        if attempt.body.get("merchant_key") is None:
            attempt.account = ACCOUNTS[0]
        return None

    return design.in_hosted_fields(stages=(opened, *design.hosted_fields.stages))


def _hashless(row: Rule) -> Rule | None:
    return None if row.path == "hash" and row.keyword in {"required", "notBlank"} else row


def _operation_ignored(row: Rule) -> Rule | None:
    return None if row.path == "operation" and row.keyword == "enum" else row


def _no_hash(test: HashTest) -> bool:
    return test.given is None


def _also(accepts: Callable[[HashTest], bool]) -> Change:
    def change(design: Design) -> Design:
        before = design.hosted_fields.accepts_hash
        return design.in_hosted_fields(accepts_hash=lambda test: before(test) or accepts(test))

    return change


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

    return lambda design: design.in_hosted_fields(stages=(stage, *design.hosted_fields.stages))


FAULTS: Final = (
    Fault(
        "hosted-token-path-moved",
        ("HPF-TKN-01",),
        "Session tokens have another address.",
        _hosted(session_path="/api/v1/session/tokens"),
        ANY,
    ),
    Fault(
        "hosted-token-refused",
        ("HPF-TKN-01", "HPF-TKN-03"),
        "No session token is given.",
        _refusing(lambda _body: True),
        _ANY,
    ),
    Fault(
        "hosted-token-other-member",
        ("HPF-TKN-02",),
        "The token stands in session_token.",
        answering(lambda body: {"session_token": body["token"]}, _SESSION),
        _ANY,
    ),
    Fault(
        "hosted-token-of-purchase-refused",
        ("HPF-TKN-03",),
        "No session token for purchases.",
        _refusing(lambda body: body.get("operation") == "purchase"),
        _ANY,
    ),
    Fault(
        "hosted-token-of-debit-refused",
        ("HPF-TKN-04",),
        "No session token for debits.",
        _refusing(lambda body: body.get("operation") == "debit"),
        _ANY,
        since=_NEW,
    ),
    Fault(
        "hosted-token-of-every-operation",
        ("HPF-TKN-05",),
        "Session tokens for every operation.",
        _rows(_operation_ignored),
        ("HPF-PAY-03",),
    ),
    Fault(
        "hosted-token-without-key",
        ("HPF-TKN-06",),
        "A request needs no merchant_key.",
        all_of(_rows(_keyless), _keyless_account),
        ("GEN-*",),
    ),
    Fault(
        "hosted-token-without-hash",
        ("HPF-TKN-07",),
        "A request needs no hash.",
        all_of(_rows(_hashless), _also(_no_hash)),
        _ON_HASHES,
    ),
    Fault("hosted-token-unsigned", ("HPF-TKN-08",), "Any hash is taken.", _without(check_signature), _ON_HASHES),
    Fault(
        "hosted-token-hash-other-text",
        ("HPF-TKN-08",),
        "A wrong hash is refused with other words.",
        _hosted(wrong_hash=Refusal(_HASH, "Signature mismatch")),
        _ON_HASHES,
    ),
    Fault(
        "hosted-token-hash-401",
        ("HPF-TKN-08",),
        "A wrong hash is refused with HTTP 401.",
        _hosted(wrong_hash=Refusal(_HASH, "Hash is not valid", status=401)),
        _ON_HASHES,
    ),
    Fault(
        "hosted-token-inner-digest",
        ("HPF-TKN-09",),
        "The inner digest alone is taken.",
        _also(_inner_digest),
        _ON_HASHES,
    ),
    Fault("hosted-token-same-for-all", ("HPF-TKN-13",), "Every request gets the same token.", _one_token, _ANY),
    Fault(
        "hosted-token-order-unchecked",
        ("HPF-TKN-14",),
        "The rules of the order do not hold.",
        _rows(_no_order_rules),
        ("GEN-*",),
    ),
    *(
        Fault(
            f"hosted-token-needs-{name.replace('_', '-')}", ("HPF-TKN-11",), f"{name} is needed.", _needing(name), _ANY
        )
        for name in ("success_url", "cancel_url", "error_url")
    ),
)
