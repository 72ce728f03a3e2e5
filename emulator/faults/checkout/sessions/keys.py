"""Faults of merchant keys, card tokens and the duplicate window."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.checkout_sessions import instead, without
from emulator.design import Change, Design
from emulator.engine.duplicates import WindowRule
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, check_duplicate, check_tokens
from emulator.protocols.shared import find_account, token_known
from emulator.wire.replies import Kind, Refusal

_TOKEN_LENGTH: Final = 64


def _anybody(key: object) -> Account | None:
    known = find_account(key)
    return known if known is not None or not key else ACCOUNTS[0]


def _nobody(key: object) -> Account | None:
    return ACCOUNTS[0] if key == "" else find_account(key)


def _keyless(key: object) -> Account | None:
    return ACCOUNTS[0] if key is None else find_account(key)


def _without_row(path: str, keyword: str) -> Change:
    def change(design: Design) -> Design:
        return design.with_rows(lambda row: None if (row.path, row.keyword) == (path, keyword) else row)

    return change


def _empty_key(design: Design) -> Design:
    return _without_row("merchant_key", "notBlank")(design).in_access(find_account=_nobody)


def _no_key(design: Design) -> Design:
    return _without_row("merchant_key", "required")(design).in_access(find_account=_keyless)


def _any_length(design: Design) -> Design:
    def known(account: Account, token: str) -> bool:
        return len(token) != _TOKEN_LENGTH or token_known(account, token)

    return _without_row("card_token[]", "length")(design).in_access(token_known=known)


def _of_anybody(attempt: Attempt) -> Refusal | None:
    of_all = (check_tokens(replace(attempt, account=account)) for account in ACCOUNTS)
    return check_tokens(attempt) if all(of_all) else None


def _purchases_only(attempt: Attempt) -> Refusal | None:
    return check_duplicate(attempt) if attempt.body.get("operation") == "purchase" else None


def _window(rule: WindowRule) -> Change:
    return lambda design: design.in_session(window=rule)


def _refusing(**refusals: Refusal) -> Change:
    return lambda design: design.in_session(**refusals)


def _denying(**refusals: Refusal) -> Change:
    return lambda design: design.in_access(**refusals)


def _reuse_breaks(design: Design) -> Design:
    return design.in_session(
        window=replace(design.session.window, kept_for_good=True),
        used_before=Refusal(Kind.BREAKDOWN, "Integrity constraint violation", code=0, status=500),
    )


FAULTS: Final = faults(
    {
        "unknown-merchant-accepted": breaks(
            "CHK-SES-11",
            "A key of nobody is taken for the first account.",
            lambda design: design.in_access(find_account=_anybody),
        ),
        "missing-merchant-accepted": breaks("CHK-SES-10", "No key is taken for that of the first account.", _no_key),
        "empty-merchant-accepted": breaks("CHK-SES-81", "An empty key is taken for the first account.", _empty_key),
        "live-key-accepted": breaks(
            "CHK-SIG-17",
            "A key of production is served.",
            lambda design: design.in_access(is_live=lambda _account: False),
        ),
        "live-key-other-code": breaks(
            "CHK-SIG-17",
            "A key of production is refused with 100000.",
            _denying(wrong_environment=Refusal(Kind.LIVE_KEY, "Use merchant test key.")),
        ),
        "ip-allowlist-ignored": breaks(
            "CHK-SIG-18",
            "The allowlist is not looked at.",
            lambda design: design.in_access(address_allowed=lambda _account, _client: True),
        ),
        "ip-allowlist-other-text": breaks(
            "CHK-SIG-18",
            "An address that is not allowed is refused in other words.",
            _denying(wrong_address=Refusal(Kind.ADDRESS, "Access denied.")),
        ),
        "card-token-any-length": breaks(
            "CHK-SES-52", "Card tokens of other lengths than 64 are accepted.", _any_length
        ),
        "card-token-other-code": breaks(
            "CHK-SES-54",
            "An unknown card token is refused with 100000.",
            _denying(wrong_token=Refusal(Kind.WRONG_CARD, "Card token is invalid or not found.")),
        ),
        "card-token-of-anybody": breaks(
            "CHK-SES-84",
            "Card tokens of other merchants are taken.",
            instead(check_tokens, _of_anybody),
        ),
        "duplicate-of-purchases-only": breaks(
            "CHK-DUP-07",
            "Only purchases are looked for in the duplicate window.",
            instead(check_duplicate, _purchases_only),
        ),
        "duplicate-accepted": breaks(
            "CHK-DUP-01 CHK-DUP-02 CHK-DUP-03 CHK-DUP-07", "There is no duplicate window.", without(check_duplicate)
        ),
        "duplicate-window-10-seconds": breaks(
            "CHK-DUP-03", "The window closes after 10 seconds.", _window(WindowRule(seconds=10.0))
        ),
        "duplicate-across-merchants": breaks(
            "CHK-DUP-05",
            "The window does not distinguish merchants.",
            _window(WindowRule(key=lambda _merchant, number: number)),
        ),
        "duplicate-per-merchant": breaks(
            "CHK-DUP-06",
            "Every further request of a merchant within the window is a duplicate.",
            _window(WindowRule(key=lambda merchant, _number: merchant)),
        ),
        "duplicate-code-number": breaks(
            "CHK-DUP-02",
            "The error_code of a duplicate is a number.",
            _refusing(duplicate=Refusal(Kind.DUPLICATE, "Duplicate request.", code=400)),
        ),
        "duplicate-other-text": breaks(
            "CHK-DUP-01",
            "A duplicate is refused in other words.",
            _refusing(duplicate=Refusal(Kind.DUPLICATE, "Order exists.", code="400")),
        ),
        "duplicate-conflict-status": breaks(
            "CHK-DUP-01",
            "A duplicate is refused with HTTP 409.",
            _refusing(duplicate=Refusal(Kind.DUPLICATE, "Duplicate request.", code="400", status=409)),
        ),
        "reuse-server-error": breaks(
            "CHK-DUP-04", "A number that is used again later is a server error.", _reuse_breaks
        ),
    }
)
