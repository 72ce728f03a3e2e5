"""Faults of signatures that every address of Checkout, and every action of S2S APM, can have."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from emulator.changes.checkout import also_hashed, operation, unsigned
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import RECIPES, by_option
from emulator.wire.replies import Kind, Refusal


@dataclass(frozen=True, slots=True)
class _Address:
    """An address of Checkout.

    ``subject`` is what is sent there. ``refusal`` is the requirement on how a wrong hash is refused, ``checked`` are
    those that a hash is compared at all, ``recipe`` those on how it is made; ``status`` is the one that the HTTP status
    of the refusal breaks, where that is tried.
    """

    operation: str
    subject: str
    refusal: str
    checked: str
    recipe: str
    status: str = ""
    since: str | None = None


_CHECKOUT: Final = {
    "look-up": _Address("status", "Look-ups", "CHK-STA-30", "CHK-STA-30", "CHK-STA-31 CHK-STA-32", "CHK-STA-30"),
    "capture": _Address("capture", "Captures", "CHK-CAP-09", "CHK-CAP-09", "CHK-CAP-10", "CHK-CAP-09", "6.6.3"),
    "charge": _Address("recurring", "Secondary charges", "CHK-REC-11", "CHK-REC-11", "CHK-REC-12", "CHK-REC-11"),
    "credit": _Address(
        "card_credit", "Card credits", "CHK-CRD-18", "CHK-CRD-18 CHK-CRD-19 CHK-CRD-20", "CHK-CRD-17", "CHK-CRD-18"
    ),
    "refund": _Address("refund", "Refunds", "CHK-RFD-06", "CHK-RFD-06", "CHK-RFD-06"),
    "void": _Address("void", "Voids", "CHK-RFD-14", "CHK-RFD-14", "CHK-RFD-14"),
    "retry": _Address("retry", "Retries", "CHK-RFD-21", "CHK-RFD-21", "CHK-RFD-21"),
}


def _of_address(name: str, one: _Address) -> Iterator[tuple[str, Fault]]:
    other_text = Refusal(Kind.SIGNATURE, "Signature mismatch")
    other_status = Refusal(Kind.SIGNATURE, "Hash is not valid", status=401)
    yield f"{name}-unsigned", breaks(one.checked, f"{one.subject} take any hash.", unsigned(one.operation))
    yield (
        f"{name}-hash-other-text",
        breaks(
            one.refusal,
            f"{one.subject}: a wrong hash is refused with other words.",
            operation(one.operation, wrong_hash=other_text),
        ),
    )
    if one.status:
        yield (
            f"{name}-hash-401",
            breaks(
                one.status,
                f"{one.subject}: a wrong hash is refused with HTTP 401.",
                operation(one.operation, wrong_hash=other_status),
            ),
        )
    yield (
        f"{name}-inner-digest",
        breaks(one.recipe, f"{one.subject} take the inner digest alone.", also_hashed(one.operation)),
    )


# The actions of S2S APM that no signature of a sale covers, with the release that brought each where one did.
_S2S_APM: Final = {
    "CAPTURE": "6.7.0",
    "CREDITVOID": "6.7.0",
    "VOID": None,
    "GET_TRANS_STATUS": None,
    "CREDIT2VIRTUAL": None,
}


_SECOND: Final = hashlib.md5(b"emulator-second", usedforsecurity=False).hexdigest()


def _accepting(accepts: Callable[[ApmHashTest], bool]) -> Change:
    return lambda design: design.in_apm(accepts_hash=accepts)


def _by(algorithm: str, test: ApmHashTest) -> bool:
    return accepts_hash(replace(test, account=replace(test.account, hash=algorithm)))  # type: ignore[arg-type]


def _also(action: str, applies: Callable[[ApmHashTest], bool]) -> Change:
    return _accepting(lambda test: accepts_hash(test) or (test.action == action and applies(test)))


def _right(test: ApmHashTest) -> str:
    return by_option(test.account, RECIPES[test.action](test.form, test.account.password))


def _is_begun(test: ApmHashTest) -> bool:
    return len(test.given) >= 16 and _right(test).startswith(test.given)


def _goes_on(test: ApmHashTest) -> bool:
    return test.given.startswith(_right(test))


def _by_other_digest(action: str, algorithm: str, option: str) -> Change:
    return _also(action, lambda test: test.account.hash == option and _by(algorithm, test))


def _of_action(action: str) -> Iterator[tuple[str, Fault]]:
    name = action.lower().replace("_", "-")
    is_by_md5 = action in ("CAPTURE", "VOID", "GET_TRANS_STATUS")
    option_ignored = "APM-SIG-23" if is_by_md5 or action == "CREDIT2VIRTUAL" else "APM-SIG-23 APM-SIG-24"
    yield (
        f"{name}-hash-missing-accepted",
        breaks("APM-SIG-11", f"{action} without hash is served.", _also(action, lambda test: not test.given)),
    )
    yield (
        f"{name}-hash-empty-accepted",
        breaks(
            "APM-SIG-11",
            f"{action} with an empty hash is served.",
            _also(action, lambda test: "hash" in test.form and not test.given),
        ),
    )
    yield (
        f"{name}-signed-by-another-merchant",
        breaks(
            "APM-SIG-10",
            f"The second merchant's password signs {action} for everybody.",
            _also(action, lambda test: test.is_of(RECIPES[action](test.form, _SECOND))),
        ),
    )
    yield (
        f"{name}-hash-begun",
        breaks("APM-SIG-10", f"The first digits of a hash are enough for {action}.", _also(action, _is_begun)),
    )
    yield (
        f"{name}-hash-ended",
        breaks("APM-SIG-10", f"What follows the hash of {action} is not looked at.", _also(action, _goes_on)),
    )
    if action != "CREDIT2VIRTUAL":
        yield (
            f"{name}-hash-of-no-payment",
            breaks(
                "APM-SIG-14",
                f"A hash without trans_id signs {action} of every payment.",
                _also(action, lambda test: test.is_of(RECIPES[action]({}, test.account.password))),
            ),
        )
    if not is_by_md5:
        # Of the others line 405 says that they are signed with MD5.
        yield (
            f"{name}-md5-beside-option",
            breaks(
                "APM-SIG-24",
                f"With the SHA256 option MD5 counts for {action}, too.",
                _by_other_digest(action, "md5", "sha256"),
            ),
        )
    yield (
        f"{name}-sha256-without-option",
        breaks(
            "APM-SIG-25", f"SHA256 counts for {action} without the option.", _by_other_digest(action, "sha256", "md5")
        ),
    )
    yield (
        f"{name}-sha256-option-ignored",
        breaks(
            option_ignored,
            f"The SHA256 option is not looked at in {action}.",
            _accepting(lambda test: _by("md5", test) if test.action == action else accepts_hash(test)),
        ),
    )


FAULTS: Final = (
    *(
        fault
        for name, address in _CHECKOUT.items()
        for fault in faults(dict(_of_address(name, address)), prefix="checkout-", since=address.since)
    ),
    *(
        fault
        for action, since in _S2S_APM.items()
        for fault in faults(dict(_of_action(action)), prefix="apm-", since=since)
    ),
)
