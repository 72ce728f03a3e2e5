"""Faults that show on some operations, amounts or addresses only, where others of the same kind are treated well."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.checkout.session import Attempt
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.stages import Applies, breaking, put, refusing, rules_see
from emulator.replies import Kind, Refusal, Reply
from emulator.values import Object, child

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
    return design.in_session(token_known=lambda _account, _token: True)


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

    return lambda design: design.filtering(said).in_session(stages=(*design.session.stages, stage))


def _saying_nothing(path: str, applies: Applies) -> Change:
    """Such requests are refused with an empty object."""

    def said(reply: Reply) -> Reply:
        return replace(reply, body={}) if _MARK in str(reply.body) else reply

    return lambda design: refusing(path, applies, _MARK)(design.filtering(said))


FAULTS: Final = (
    Fault(
        "amount-below-one-refused",
        ("CHK-AMT-01", "CHK-AMT-05", "CHK-AMT-06"),
        "Amounts below one are refused.",
        refusing("order.amount", _amount(lambda amount: 0 < amount < 1)),
        ("CHK-ORD-16", "CHK-AMT-07", "CHK-SES-77"),
    ),
    Fault(
        "amount-of-four-digits-refused",
        ("CHK-AMT-01", "CHK-AMT-02", "CHK-AMT-05", "CHK-AMT-06"),
        "Amounts from one thousand on are refused.",
        refusing("order.amount", _amount(lambda amount: amount >= 1000)),
    ),
    Fault(
        "zero-amount-of-other-exponents-accepted",
        ("CHK-ORD-19",),
        "A zero amount is accepted of currencies whose exponent is not 2.",
        rules_see(_other_zeros),
    ),
    Fault(
        "description-counted-in-bytes",
        ("CHK-ORD-18",),
        "The length of a description is that of its bytes.",
        refusing("order.description", _short_but_many_bytes),
    ),
    Fault(
        "description-of-other-scripts-endless",
        ("CHK-ORD-18",),
        "A description that is not ASCII may be of any length.",
        rules_see(_description_of_many_characters),
    ),
    Fault(
        "payee-of-credit-unchecked",
        _PAYEE_RULES,
        "The payee of a credit is not looked at.",
        rules_see(_credit_without_payee),
        ("CHK-SES-79",),
        since="6.6.4",
    ),
    Fault(
        "methods-on-debit-server-error",
        ("CHK-SES-45",),
        "methods on a debit are a server error.",
        breaking(_on("debit", "methods")),
        ("GEN-ERR-10",),
    ),
    Fault(
        "req-token-on-debit-refused",
        ("CHK-SES-48",),
        "req_token is refused on a debit.",
        refusing("req_token", _on("debit", "req_token")),
    ),
    Fault(
        "card-token-on-debit-refused",
        ("CHK-SES-51",),
        "card_token is refused on a debit.",
        refusing("card_token", _on("debit", "card_token")),
    ),
    Fault(
        "two-tokens-server-error",
        ("CHK-SES-51",),
        "Two card tokens at once are a server error.",
        breaking(_several_tokens),
        ("CHK-SES-52", "GEN-ERR-10"),
    ),
    Fault(
        "second-token-unchecked",
        ("CHK-SES-52",),
        "Of several card tokens the first alone is looked at.",
        lambda design: rules_see(_first_token)(_known_tokens(design)),
        ("CHK-SES-54", "CHK-SES-84", "GEN-ERR-10", "CHK-SES-79", "CHK-CRD-*"),
    ),
    Fault(
        "return-address-query-refused",
        ("CHK-SES-15",),
        "cancel_url, expiry_url and error_url take no query.",
        refusing("cancel_url", _query_in),
    ),
    Fault(
        "transfer-relative-page-address",
        ("CHK-RSP-02",),
        "A transfer is sent to an address without a host.",
        _opened_at("transfer", "/pay/transfer"),
        ("CHK-RSP-01", "CHK-RSP-09"),
    ),
    Fault(
        "customer-name-further-letters-server-error",
        ("CHK-CUS-09",),
        "Letters with diacritics in a customer's name are a server error.",
        breaking(_further_letters),
        ("GEN-ERR-10", "CHK-CUS-03"),
    ),
    Fault(
        "app-address-refused-with-nothing",
        ("CHK-SES-22",),
        "An address with the scheme of an app is refused with an empty object.",
        _saying_nothing("success_url", _of_an_app),
    ),
    Fault(
        "session-path-of-another-version",
        ("GEN-VER-01",),
        "Sessions are opened at /api/v2/session.",
        lambda design: design.in_session(path="/api/v2/session"),
        ("*",),
    ),
)
