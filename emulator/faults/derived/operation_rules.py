"""Faults of what every operation asks of who sends it: key, environment and signature, each broken on one operation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from emulator.accounts import ACCOUNTS, Account
from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout import requests as checkout_stages
from emulator.protocols.checkout.operations import OPERATIONS
from emulator.protocols.s2s_apm import stages as apm_stages
from emulator.protocols.s2s_apm.behaviour import ACTIONS as APM_ACTIONS
from emulator.protocols.s2s_card import stages as card_stages
from emulator.protocols.s2s_card.messages.action_names import ACTIONS as CARD_ACTIONS
from emulator.protocols.s2s_card.messages.action_names import ALIASES
from emulator.protocols.shared import Stage, check_environment, check_merchant
from emulator.wire.replies import Refusal


class _Attempt(Protocol):
    account: Account | None


A = TypeVar("A", bound=_Attempt)
_OTHER: Final[Mapping[str, str]] = {"md5": "sha256", "sha256": "md5"}


def _as_first_merchant(attempt: _Attempt) -> Refusal | None:
    """A key that nobody has counts as that of the first merchant."""
    attempt.account = attempt.account or ACCOUNTS[0]
    return None


def _of_both_digests(check_signature: Stage[A], option: str) -> Stage[A]:
    """Accounts with the digest ``option`` sign with the other one as well."""

    def stage(attempt: A) -> Refusal | None:
        refusal, account = check_signature(attempt), attempt.account
        if refusal is None or account is None or account.hash != option:
            return refusal
        attempt.account = replace(account, hash=_OTHER[option])  # type: ignore[arg-type]
        refusal = check_signature(attempt)
        attempt.account = account
        return refusal

    return stage


def _changes(
    kit: Any,  # noqa: ANN401 - kits of changes have no common type: each is a module of its own protocol
    check_signature: Stage[Any],
    hash_of: Callable[[Any], object],
    name: str,
) -> Mapping[str, Change]:
    with_md5, with_sha256 = (_of_both_digests(check_signature, option) for option in ("sha256", "md5"))
    return {
        "any-hash": kit.without(check_signature, name),
        "empty-hash": kit.unless(check_signature, lambda attempt: not hash_of(attempt), name),
        "key-of-nobody": kit.instead(check_merchant, _as_first_merchant, name),
        "live-key": kit.without(check_environment, name),
        "md5-beside-option": kit.instead(check_signature, with_md5, name),
        "sha256-without-option": kit.instead(check_signature, with_sha256, name),
    }


_WORDS: Final[Mapping[str, str]] = {
    "any-hash": "any hash is taken",
    "empty-hash": "an empty hash is taken",
    "key-of-nobody": "a key of nobody counts as that of a merchant",
    "live-key": "a key of production is taken",
    "md5-beside-option": "with the SHA256 option MD5 counts, too",
    "sha256-without-option": "SHA256 counts without the option",
}
_CARD: Final[Mapping[str, str]] = {
    "any-hash": "S2C-SIG-38",
    "empty-hash": "S2C-SIG-39",
    "key-of-nobody": "S2C-REQ-03",
    "live-key": "S2C-REQ-12",
    "md5-beside-option": "S2C-SIG-55",
    "sha256-without-option": "S2C-SIG-56",
}
# Retries are asked for by an account of their own, whose payments the first merchant does not have.
_RETRY: Final[Mapping[str, str]] = {"any-hash": "S2C-SIG-11", "empty-hash": "S2C-SIG-11", "live-key": "S2C-REQ-12"}
# What else S2S APM and Checkout could do wrong with signatures stands in signatures.py.
_APM: Final[Mapping[str, str]] = {"any-hash": "APM-SIG-10", "key-of-nobody": "APM-REQ-04", "live-key": "APM-REQ-10"}
_CHECKOUT: Final[Mapping[str, str]] = {
    "key-of-nobody": "CHK-SES-11",
    "live-key": "CHK-SIG-17",
    "sha256-without-option": "CHK-SIG-16",
}
_EMPTY: Final[Mapping[str, str]] = {
    "status": "CHK-STA-30",
    "capture": "CHK-CAP-09",
    "refund": "CHK-RFD-06",
    "void": "CHK-RFD-14",
    "retry": "CHK-RFD-21",
    "recurring": "CHK-REC-11",
    "card_credit": "CHK-CRD-18",
}


def _of_card() -> Iterator[tuple[str, Fault]]:
    for name, since in CARD_ACTIONS.items():
        if name not in ALIASES:
            changes = _changes(s2s_card, card_stages.check_signature, lambda attempt: attempt.form.get("hash"), name)
            for rule, broken in (_RETRY if name == "RETRY" else _CARD).items():
                yield f"s2s-card.{name}.{rule}", breaks(broken, f"{name}: {_WORDS[rule]}.", changes[rule], since=since)


def _of_apm() -> Iterator[tuple[str, Fault]]:
    for name, since in APM_ACTIONS.items():
        changes = _changes(s2s_apm, apm_stages.check_signature, lambda attempt: attempt.form.get("hash"), name)
        for rule, broken in _APM.items():
            yield f"s2s-apm.{name}.{rule}", breaks(broken, f"{name}: {_WORDS[rule]}.", changes[rule], since=since)


def _of_checkout() -> Iterator[tuple[str, Fault]]:
    for name, operation in OPERATIONS.items():
        stage, since = checkout_stages.check_signature, operation.since
        changes = _changes(checkout, stage, lambda attempt: attempt.body.get("hash"), name)
        for rule, broken in {**_CHECKOUT, "empty-hash": _EMPTY[name]}.items():
            if (name, rule) != ("retry", "key-of-nobody"):
                yield f"checkout.{name}.{rule}", breaks(broken, f"{name}: {_WORDS[rule]}.", changes[rule], since=since)


FAULTS: Final = faults(dict((*_of_card(), *_of_apm(), *_of_checkout())))
