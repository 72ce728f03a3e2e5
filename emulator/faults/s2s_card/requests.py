"""Faults of S2S CARD: how posts are read, who is served, and which order ids are taken."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import answering, first, instead, post, without
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change
from emulator.engine.duplicates import WindowRule
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.payment_behaviour import read_form
from emulator.protocols.s2s_card.stages import check_duplicate, check_fields, check_signature
from emulator.protocols.shared import check_environment
from emulator.wire.bodies import RefusedError
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import read_json, text_of

_ALL: Final = tuple(POSTS)
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_SCHEDULES: Final = tuple(name for name in POSTS if "SCHEDULE" in name or name in {"PAUSE", "RUN"})
_PAYMENTS: Final = {
    "DEBIT": "S2C-DUP-02",
    "RECURRING_SALE": "S2C-DUP-03",
    "CREDIT2CARD": "S2C-DUP-04",
    "CARD2CARD": "S2C-DUP-05",
}
_UNEXPECTED: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("form", "This was not expected."),))
_DOWN: Final = RefusedError(Refusal(Kind.BREAKDOWN, "Internal Server Error", code=0, status=500))
_KNOWN: Final = frozenset(row.path for behaviour in POSTS.values() for row in behaviour.rows) | {
    "action",
    "hash",
    "amount",
    "req_token",
    "payer_phone_country_code",
    "payer_identity_id",
    "schedule_id",
    "size",
}


def _is_known(name: str) -> bool:
    return name in _KNOWN or "[" in name or name.startswith(("payer_", "payee_", "first_payment", "delay"))


def _strange(attempt: CardAttempt) -> bool:
    return not all(map(_is_known, attempt.form))


def _action_late(attempt: CardAttempt) -> bool:
    return next(iter(attempt.form), "") != "action"


def _beyond_ascii(attempt: CardAttempt) -> bool:
    return not all(value.isascii() for name, value in attempt.form.items() if name != "hash")


def _no_key(attempt: CardAttempt) -> bool:
    return not attempt.form.get("client_key")


def _unknown_key(attempt: CardAttempt) -> bool:
    return attempt.account is None and not _no_key(attempt)


def _reading(read: Callable[[bytes, str], dict[str, str]]) -> Change:
    return lambda design: design.in_card(read_body=read)


def _no_json(body: bytes, content_type: str) -> dict[str, str]:
    if content_type.startswith(("application/json", "text/plain")):
        raise _DOWN
    return read_form(body, content_type)


def _json_without_order(body: bytes, content_type: str) -> dict[str, str]:
    if not content_type.startswith("application/json"):
        return read_form(body, content_type)
    value = read_json(body)
    read = {name: text_of(item) for name, item in value.items()} if isinstance(value, dict) else {}
    return read | {"order_id": f"{read.get('order_id', '')}-1"}


def _no_multipart(body: bytes, content_type: str) -> dict[str, str]:
    if content_type.startswith("multipart/"):
        raise _DOWN
    return read_form(body, content_type)


def _exact_type(body: bytes, content_type: str) -> dict[str, str]:
    return read_form(body, content_type if ";" not in content_type else "text/plain")


def _as_page(reply: Reply) -> Reply:
    found = reply.kind is Kind.CARD_ACTION and "GET_TRANS" in str(reply.body.get("action"))
    return replace(reply, text="<p>OK</p>", content_type="text/html") if found else reply


def _code_as_text(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"error_code": str(reply.body["error_code"])}) if reply.is_error else reply


def _nameless(item: object) -> object:
    if not isinstance(item, dict):
        return item
    return {**item, "error_message": str(item.get("error_message")).partition(": ")[2]}


def _field_apart(reply: Reply) -> Reply:
    errors = reply.body.get("errors")
    if reply.kind not in {Kind.SALE_FIELDS, Kind.CARD_FIELDS} or not isinstance(errors, list):
        return reply
    return replace(reply, body=reply.body | {"errors": [_nameless(item) for item in errors]})


def _both_wrong(attempt: CardAttempt) -> bool:
    return check_fields(attempt) is not None and check_signature(attempt) is not None


FAULTS: Final = faults(
    {
        "card-posts-refused": breaks(
            "S2C-REQ-01", "Every post is refused.", first(refusal_if(lambda _: True, _UNEXPECTED), *_ALL)
        ),
        "card-post-without-key-server-error": breaks(
            "S2C-REQ-02 GEN-ERR-11", "A post without client_key is a server error.", first(breakdown_if(_no_key), *_ALL)
        ),
        "card-post-of-nobody-server-error": breaks(
            "S2C-REQ-03",
            "A key that belongs to no merchant is a server error.",
            first(breakdown_if(_unknown_key), *_ALL),
        ),
        "card-json-server-error": breaks(
            "S2C-REQ-04", "A body of JSON or of plain text is a server error.", _reading(_no_json)
        ),
        "card-json-half-read": breaks(
            "S2C-REQ-04",
            "A body of JSON is served, and the payment loses the order id that was sent.",
            _reading(_json_without_order),
        ),
        "card-multipart-server-error": breaks(
            "S2C-REQ-05", "A multipart body is a server error.", _reading(_no_multipart)
        ),
        "card-charset-refused": breaks(
            "S2C-REQ-06", "A content type that names a charset is refused.", _reading(_exact_type)
        ),
        "card-other-methods-served": breaks(
            "S2C-REQ-07",
            "Every HTTP method is served like POST.",
            lambda design: design.in_card(methods=("POST", "GET", "PUT", "PATCH", "DELETE", "OPTIONS")),
        ),
        "card-action-comes-first": breaks(
            "S2C-REQ-08",
            "A post whose first parameter is not action is refused.",
            first(refusal_if(_action_late, _UNEXPECTED), *_ALL),
        ),
        "card-unknown-parameters-refused": breaks(
            "S2C-REQ-09", "Parameters that nobody knows are refused.", first(refusal_if(_strange, _UNEXPECTED), *_ALL)
        ),
        "card-look-ups-as-page": breaks(
            "S2C-REQ-10", "Look-ups are answered with a web page.", lambda design: design.filtering(_as_page)
        ),
        "card-ascii-only": breaks(
            "S2C-REQ-11", "Text outside ASCII is refused.", first(refusal_if(_beyond_ascii, _UNEXPECTED), *_ALL)
        ),
        "card-live-key-unknown": breaks(
            "S2C-REQ-12",
            "A key of production is refused as unknown.",
            instead(
                check_environment,
                lambda attempt: (
                    attempt.gateway.access.unknown_merchant
                    if attempt.account is not None and attempt.account.live
                    else check_environment(attempt)
                ),
                *_ALL,
            ),
        ),
        "card-allowlist-guards-payments-only": breaks(
            "S2C-REQ-13",
            "The IP allowlist guards neither look-ups nor schedules.",
            without(check_environment, *_LOOKUPS, *_SCHEDULES),
        ),
        "card-allowlist-guards-no-schedules": breaks(
            "S2C-REQ-13", "The IP allowlist does not guard schedules.", without(check_environment, *_SCHEDULES)
        ),
        **{
            f"{action.lower().replace('_', '-')}-duplicate-accepted": breaks(
                requirement, f"{action} has no duplicate window.", without(check_duplicate, action)
            )
            for action, requirement in _PAYMENTS.items()
        },
        **{
            f"{action.lower().replace('_', '-')}-duplicate-other-text": breaks(
                requirement,
                f"A repeated {action} is refused in other words.",
                post(action, duplicate=Refusal(Kind.DUPLICATE, "Order exists.")),
            )
            for action, requirement in _PAYMENTS.items()
        },
        **{
            f"{action.lower().replace('_', '-')}-duplicate-window-closed": breaks(
                requirement, f"The window of {action} is closed at once.", post(action, window=WindowRule(seconds=0.0))
            )
            for action, requirement in _PAYMENTS.items()
        },
        "card-error-code-text": breaks(
            "S2C-ANS-15", "The code of a refusal is a text.", lambda design: design.filtering(_code_as_text)
        ),
        "card-refusal-server-error-when-both-wrong": breaks(
            "S2C-ANS-16",
            "A post whose fields and signature are both wrong is a server error.",
            first(breakdown_if(_both_wrong), "SALE"),
        ),
        "card-errors-name-no-field": breaks(
            "S2C-ANS-17",
            "Items of errors have a text without the name of the field.",
            lambda design: design.filtering(_field_apart),
        ),
        "card-answers-show-password": breaks(
            "GEN-KEY-02",
            "Answers report the password of the merchant.",
            answering(lambda body: body | {"debug": ", ".join(account.password for account in ACCOUNTS)}),
        ),
    }
)
