"""Faults that show on some operations, amounts or addresses only, where others of the same kind are treated well."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.changes.checkout_sessions import Applies, breaking, last, put, refusing, rules_see
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object, child

_LONGEST_DESCRIPTION: Final = 1024
_RETURN_ADDRESSES: Final = ("cancel_url", "expiry_url", "error_url")
_ZEROS: Final = {"JPY": ("0.00", "1.00"), "BHD": ("0.000", "1.000"), "CLF": ("0.0000", "1.0000")}
_PAYEE_RULES: Final = tuple(f"CHK-PAY-{number:02}" for number in (1, 2, 3, 4, 7, 9, 10, 11, 12, 13, 14, 15, 16))
_MARK: Final = "This field is answered with nothing."


def _on(operation: str, *names: str) -> Applies:
    """An operation that carries all of the names."""
    return lambda body: body.get("operation") == operation and all(body.get(name) is not None for name in names)


def _amount(holds: Callable[[float], bool]) -> Applies:
    def applies(body: Object) -> bool:
        amount = child(body, "order", "amount")
        try:
            return isinstance(amount, str) and holds(float(amount))
        except ValueError:
            return False

    return applies


def _other_zeros(body: Object) -> Object:
    sent = (child(body, "order", "currency"), child(body, "order", "amount"))
    for currency, (zero, stand_in) in _ZEROS.items():
        if sent == (currency, zero):
            return put(body, stand_in, "order", "amount")
    return body


def _short_but_many_bytes(body: Object) -> bool:
    text = child(body, "order", "description")
    return isinstance(text, str) and len(text) <= _LONGEST_DESCRIPTION < len(text.encode("utf-8", "replace"))


def _description_of_many_characters(body: Object) -> Object:
    text = child(body, "order", "description")
    many = isinstance(text, str) and not text.isascii() and len(text) > _LONGEST_DESCRIPTION
    return put(body, "gift", "order", "description") if many else body


def _credit_without_payee(body: Object) -> Object:
    if body.get("operation") != "credit":
        return body
    return {name: value for name, value in body.items() if name not in ("payee", "payee_billing_address")}


def _several_tokens(body: Object) -> bool:
    tokens = body.get("card_token")
    return isinstance(tokens, list) and len(cast("list[object]", tokens)) > 1


def _first_token(body: Object) -> Object:
    return put(body, cast("list[object]", body["card_token"])[:1], "card_token") if _several_tokens(body) else body


def _known_tokens(design: Design) -> Design:
    return design.in_access(token_known=lambda _account, _token: True)


def _query_in(body: Object) -> bool:
    return any("?" in str(body.get(name, "")) for name in _RETURN_ADDRESSES)


def _further_letters(body: Object) -> bool:
    name = child(body, "customer", "name")
    return isinstance(name, str) and any("\u00c0" <= letter <= "\u024f" for letter in name)


def _of_an_app(body: Object) -> bool:
    return str(body.get("success_url", "")).startswith("shop:")


def _opened_at(operation: str, address: str) -> Change:
    """Sessions of the operation are opened at ``address``, whatever it is."""

    def stage(attempt: Attempt) -> Refusal | None:
        return Refusal(Kind.SESSION, address, status=200) if attempt.body.get("operation") == operation else None

    def said(reply: Reply) -> Reply:
        opened = reply.kind is Kind.SESSION and reply.is_error
        return replace(reply, body={"redirect_url": reply.body.get("error_message")}) if opened else reply

    return lambda design: last(stage)(design.filtering(said))


def _saying_nothing(path: str, applies: Applies) -> Change:
    """Such requests are refused with an empty object."""

    def said(reply: Reply) -> Reply:
        return replace(reply, body={}) if _MARK in str(reply.body) else reply

    return lambda design: refusing(path, applies, _MARK)(design.filtering(said))


FAULTS: Final = faults(
    {
        "session-needs-cancel-url": breaks(
            "CHK-SES-01",
            "Sessions without cancel_url, which may be left out, are refused.",
            refusing("cancel_url", lambda body: body.get("cancel_url") is None, "This value should not be blank."),
        ),
        "amount-below-one-refused": breaks(
            "CHK-AMT-01 CHK-AMT-05 CHK-AMT-06",
            "Amounts below one are refused.",
            refusing("order.amount", _amount(lambda amount: 0 < amount < 1)),
        ),
        "amount-of-four-digits-refused": breaks(
            "CHK-AMT-01 CHK-AMT-02 CHK-AMT-05 CHK-AMT-06",
            "Amounts from one thousand on are refused.",
            refusing("order.amount", _amount(lambda amount: amount >= 1000)),
        ),
        "zero-amount-of-other-exponents-accepted": breaks(
            "CHK-ORD-19", "A zero amount is accepted of currencies whose exponent is not 2.", rules_see(_other_zeros)
        ),
        "description-counted-in-bytes": breaks(
            "CHK-ORD-18",
            "The length of a description is that of its bytes.",
            refusing("order.description", _short_but_many_bytes),
        ),
        "description-of-other-scripts-endless": breaks(
            "CHK-ORD-18",
            "A description that is not ASCII may be of any length.",
            rules_see(_description_of_many_characters),
        ),
        "payee-of-credit-unchecked": breaks(
            _PAYEE_RULES, "The payee of a credit is not looked at.", rules_see(_credit_without_payee), since="6.6.4"
        ),
        "methods-on-debit-server-error": breaks(
            "CHK-SES-45", "methods on a debit are a server error.", breaking(_on("debit", "methods"))
        ),
        "req-token-on-debit-refused": breaks(
            "CHK-SES-48", "req_token is refused on a debit.", refusing("req_token", _on("debit", "req_token"))
        ),
        "card-token-on-debit-refused": breaks(
            "CHK-SES-51", "card_token is refused on a debit.", refusing("card_token", _on("debit", "card_token"))
        ),
        "two-tokens-server-error": breaks(
            "CHK-SES-51", "Two card tokens at once are a server error.", breaking(_several_tokens)
        ),
        "second-token-unchecked": breaks(
            "CHK-SES-52",
            "Of several card tokens the first alone is looked at.",
            lambda design: rules_see(_first_token)(_known_tokens(design)),
        ),
        "return-address-query-refused": breaks(
            "CHK-SES-15", "cancel_url, expiry_url and error_url take no query.", refusing("cancel_url", _query_in)
        ),
        "transfer-relative-page-address": breaks(
            "CHK-RSP-02", "A transfer is sent to an address without a host.", _opened_at("transfer", "/pay/transfer")
        ),
        "customer-name-further-letters-server-error": breaks(
            "CHK-CUS-09", "Letters with diacritics in a customer's name are a server error.", breaking(_further_letters)
        ),
        "app-address-refused-with-nothing": breaks(
            "CHK-SES-22",
            "An address with the scheme of an app is refused with an empty object.",
            _saying_nothing("success_url", _of_an_app),
        ),
        "session-path-of-another-version": breaks(
            "GEN-VER-01",
            "Sessions are opened at /api/v2/session.",
            lambda design: design.in_session(path="/api/v2/session"),
        ),
    }
)
