"""Rows of Hosted Payment Fields: the request for a session token, and the payment."""

from collections.abc import Iterator
from typing import Final

from emulator.rules.checkout.session import SESSION
from emulator.rules.model import Context, JsonObject, Rule


def _debit(value: object, _parent: JsonObject, _context: Context) -> bool:
    return value == "debit"


def _of_session() -> Iterator[Rule]:
    """The rows of the session request that hold here as well; their faults are those of the session."""
    for row in SESSION:
        if row.path == "operation" or (row.path == "success_url" and row.keyword in {"required", "accepted"}):
            continue
        if row.keyword not in {"accepted", "optional", "handled", "handledWithout"}:
            yield row


TOKEN: Final = (
    *_of_session(),
    Rule("operation", "required", requirement="HPF-TKN-05", faults=()),
    Rule("operation", "type", "string"),
    Rule("operation", "enum", ("purchase", "debit"), requirement="HPF-TKN-05", since="6.7.0", faults=()),
    Rule("operation", "enum", ("purchase",), until="6.6.5", tag="old", faults=()),
    Rule("operation", "accepted", _debit, requirement="HPF-TKN-04", tag="debit", since="6.7.0"),
    Rule("return_url", "required", requirement="HPF-TKN-10"),
    Rule("return_url", "type", "string"),
    Rule("return_url", "maxLength", 1024),
    Rule("return_url", "format", "url"),
    Rule("cancel_url", "optional", requirement="HPF-TKN-11"),
    Rule("error_url", "optional", requirement="HPF-TKN-11"),
    Rule("customer.ip", "type", "string", since="6.7.0"),
    Rule("customer.ip", "accepted", requirement="HPF-TKN-12", since="6.7.0"),
)
PAYMENT: Final = (
    Rule("name", "required"),
    Rule("name", "type", "string"),
    Rule("name", "notBlank"),
    Rule("with_hosted_fields", "type", "boolean"),
    Rule("email", "type", "string"),
    Rule("email", "format", "email"),
    Rule("billing_address", "type", "object"),
    Rule("browser_info", "type", "object"),
)
