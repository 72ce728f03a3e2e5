"""Faults of S2S APM: bodies, merchants, names of actions, and order ids that were used."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_apm import around, first, instead, json_form, last, reading_bodies, without
from emulator.changes.s2s_apm_payments import accepting, anything
from emulator.design import Change, Design, all_of
from emulator.engine.duplicates import WindowRule
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import (
    ACTIONS,
    FORM,
    ApmAttempt,
    ApmGateway,
    ApmHandler,
    ApmHashTest,
    accepts_hash,
    is_known,
)
from emulator.protocols.s2s_apm.stages import check_duplicate, check_fields
from emulator.protocols.shared import check_environment, check_merchant
from emulator.rules.model import BreakdownError, Context, Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_LONG: Final = 2000
_REFUSED: Final = frozenset({Kind.APM_FIELDS, Kind.BRAND, Kind.NOT_FOUND, Kind.STATE})
_HALF_READ: Final = "half_read"
"""Marks a form that was no form when it came."""
_KNOWN_FIELDS: Final = frozenset({"action", "hash", "auth"})


def _known(test: Callable[[str, str], bool]) -> Change:
    return lambda design: design.in_apm(known=test)


def _named(read: Callable[[str], str]) -> Change:
    return lambda design: design.in_apm(read_name=read)


def _unserved(_name: str, _release: str) -> bool:
    return False


def _adopt(attempt: ApmAttempt) -> None:
    if attempt.account is None and attempt.form.get("client_key"):
        attempt.account = ACCOUNTS[0]


def _adopt_keyless(attempt: ApmAttempt) -> None:
    if not attempt.form.get("client_key"):
        attempt.account = ACCOUNTS[0]


def _keys_only(attempt: ApmAttempt) -> Refusal | None:
    access, account = attempt.gateway.access, attempt.account
    return access.wrong_environment if account is not None and access.is_live(account) else None


def _own_hash_or_nobodys(test: ApmHashTest) -> bool:
    return test.form.get("client_key") != test.account.key or accepts_hash(test)


def _no_key_rows(design: Design) -> Design:
    def changed(row: Rule) -> Rule | None:
        return None if row.path == "client_key" else row

    for action in design.apm_rows:
        design = design.with_apm_rows(action, changed)
    return first(_adopt_keyless)(design)


def _refusing_unknown_fields(design: Design) -> Design:
    known = {
        action: _KNOWN_FIELDS | {row.path.partition(".")[0] for row in rows} for action, rows in design.apm_rows.items()
    }

    def stage(attempt: ApmAttempt) -> Refusal | None:
        unknown = [name for name in attempt.body if name not in known[attempt.action]]
        violations = tuple((name, "This field was not expected.") for name in unknown)
        return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=violations) if unknown else None

    return last(stage)(design)


def _half_read(form: Mapping[str, str]) -> Mapping[str, str]:
    return {**form, _HALF_READ: "yes"} if form else form


def _json_half_read(body: bytes, _content_type: str) -> Mapping[str, str]:
    return _half_read(json_form(body))


def _another_order(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    if _HALF_READ not in attempt.form or reply.kind is not Kind.APM_SALE:
        return reply
    return replace(reply, body={**reply.body, "order_id": f"{attempt.form.get('order_id', '')}-1"})


def _broken(_body: bytes, _content_type: str) -> Mapping[str, str]:
    raise BreakdownError


def _exact_type(design: Design) -> Design:
    inner = design.apm.readers[FORM]

    def read(body: bytes, content_type: str) -> Mapping[str, str]:
        return _broken(body, content_type) if ";" in content_type else inner(body, content_type)

    return reading_bodies(FORM, read)(design)


def _text_half_read(design: Design) -> Design:
    def read(body: bytes, content_type: str) -> Mapping[str, str]:
        return _half_read(json_form(body) or design.apm.readers[FORM](body, content_type))

    return reading_bodies("text/plain", read)(design)


def _not_an_object(reply: Reply) -> Reply:
    return replace(reply, text="[]") if reply.kind is Kind.NOT_FOUND else reply


def _window(rule: WindowRule) -> Change:
    return lambda design: design.in_apm(window=rule)


def _breaks_when_used_before(attempt: ApmAttempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    if refusal is attempt.gateway.apm.used_before:
        raise BreakdownError
    return refusal


def _used_for_good(design: Design) -> Design:
    window = WindowRule(kept_for_good=True)
    before = replace(design.apm.used_before, message="used before")
    return instead(check_duplicate, _breaks_when_used_before)(design.in_apm(window=window, used_before=before))


def _breaking(*wanted: str) -> Change:
    def read(name: str) -> str:
        if name in wanted:
            raise BreakdownError
        return name

    return _named(read)


def _early(action: str) -> Change:
    return _known(lambda name, release: name == action or is_known(name, release))


def _alias(name: str) -> str:
    return name if name in ACTIONS or name.upper() in ACTIONS or not name else "SALE"


def _parameters_by_brand(attempt: ApmAttempt) -> Refusal | None:
    parameters = attempt.body.get("parameters")
    inner = parameters.get(attempt.form.get("brand", "")) if isinstance(parameters, dict) else None
    gateway = attempt.gateway
    context = Context(attempt.body | {"parameters": inner or {}}, attempt.account, gateway.apm.amounts, gateway.release)
    found = gateway.apm_tables[attempt.action].violations(context)
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=tuple(found)) if found else None


def _code_as_text(reply: Reply) -> Reply:
    code = reply.body.get("error_code")
    of_apm = reply.kind in _REFUSED
    return replace(reply, body=reply.body | {"error_code": str(code)}) if of_apm else reply


def _without(name: str) -> Callable[[Reply], Reply]:
    def change(reply: Reply) -> Reply:
        body = {key: value for key, value in reply.body.items() if key != name}
        return replace(reply, body=body) if reply.kind in _REFUSED else reply

    return change


def _unprocessable(reply: Reply) -> Reply:
    return replace(reply, status=422) if reply.kind in {Kind.APM_FIELDS, Kind.NOT_FOUND} else reply


def _no_nesting(attempt: ApmAttempt) -> None:
    if any(name.count("[") > 1 for name in attempt.form):
        raise BreakdownError


def _nothing_long(attempt: ApmAttempt) -> None:
    if any(len(value) > _LONG for value in attempt.form.values()):
        raise BreakdownError


_FORMS: Final = faults(
    {
        "apm-not-served": breaks("APM-REQ-01 APM-REQ-02", "No action of S2S APM is known.", _known(_unserved)),
        "apm-key-missing-served": breaks(
            "APM-REQ-03", "A post without client_key is the first merchant's.", _no_key_rows
        ),
        "apm-key-unknown-served": breaks(
            "APM-REQ-04", "A key of nobody is the first merchant's.", all_of(first(_adopt), without(check_merchant))
        ),
        "apm-key-unknown-unsigned": breaks(
            "APM-REQ-04",
            "A key of nobody is served, whatever the hash.",
            all_of(first(_adopt), lambda design: design.in_apm(accepts_hash=_own_hash_or_nobodys)),
        ),
        "apm-json-half-read": breaks(
            "APM-REQ-05",
            "A body of JSON is served, and the payment loses the order id that was sent.",
            all_of(reading_bodies("application/json", _json_half_read), around(_another_order, "SALE")),
        ),
        "apm-json-server-error": breaks(
            "APM-REQ-05", "A body of JSON is a server error.", reading_bodies("application/json", _broken)
        ),
        "apm-text-half-read": breaks(
            "APM-REQ-05",
            "A body of plain text is served, and the payment loses the order id that was sent.",
            all_of(_text_half_read, around(_another_order, "SALE")),
        ),
        "apm-charset-server-error": breaks(
            "APM-REQ-18", "A content type that names a charset is a server error.", _exact_type
        ),
        "apm-multipart-server-error": breaks(
            "APM-REQ-06",
            "A body of multipart/form-data is a server error.",
            reading_bodies("multipart/form-data", _broken),
        ),
        "apm-get-answered-200": breaks(
            "APM-REQ-07",
            "Another method than POST is answered with success.",
            lambda design: design.filtering(
                lambda reply: (
                    replace(reply, status=200, body={"result": "SUCCESS"}) if reply.kind is Kind.METHOD else reply
                )
            ),
        ),
        "apm-unknown-fields-refused": breaks(
            "APM-REQ-08", "Parameters that are not known are refused.", _refusing_unknown_fields
        ),
        "apm-unknown-payment-answers-array": breaks(
            "APM-REQ-09",
            "An unknown payment is answered with an array.",
            lambda design: design.filtering(_not_an_object),
        ),
        "apm-error-code-text": breaks(
            "APM-SAL-36", "The code of a refusal is text.", lambda design: design.filtering(_code_as_text)
        ),
        "apm-live-key-served": breaks(
            "APM-REQ-10", "A key of production is served, and addresses are not looked at.", without(check_environment)
        ),
        "apm-live-key-other-pair": breaks(
            "APM-REQ-10",
            "A key of production is refused like a wrong hash.",
            instead(
                check_environment,
                lambda attempt: attempt.gateway.access.wrong_hash if check_environment(attempt) else None,
            ),
        ),
        "apm-parameters-below-brand": breaks(
            "APM-MTH-01",
            "Parameters are looked for below the name of the brand.",
            instead(check_fields, _parameters_by_brand, "SALE"),
        ),
        "apm-refusal-without-message": breaks(
            "GEN-ERR-03",
            "Refusals of S2S APM have no error_message.",
            lambda design: design.filtering(_without("error_message")),
        ),
        "apm-refusal-without-result": breaks(
            "GEN-ERR-03", "Refusals of S2S APM have no result.", lambda design: design.filtering(_without("result"))
        ),
        "apm-errors-left-out": breaks(
            "GEN-ERR-06",
            "Validation errors of S2S APM have no errors.",
            lambda design: design.filtering(_without("errors")),
        ),
        "apm-refusals-status-422": breaks(
            "GEN-ERR-09",
            "Refused fields and unknown payments have HTTP 422.",
            lambda design: design.filtering(_unprocessable),
        ),
        "apm-nested-fields-server-error": breaks(
            "GEN-ERR-12", "Fields that are nested deeper than once are server errors.", first(_no_nesting)
        ),
        "apm-long-fields-server-error": breaks(
            "GEN-ERR-12", "Fields of more than 2000 characters are server errors.", first(_nothing_long)
        ),
    }
)
_ORDERS: Final = faults(
    {
        "apm-allowlist-ignored": breaks(
            "APM-REQ-15", "S2S APM serves every address.", instead(check_environment, _keys_only)
        ),
        "apm-sale-repeated": breaks(
            "APM-REQ-11", "An order id can be used at once again.", without(check_duplicate, "SALE")
        ),
        "apm-sale-repeated-other-text": breaks(
            "APM-REQ-11",
            "A repeated order id is refused in other words.",
            lambda design: design.in_apm(duplicate=replace(design.apm.duplicate, message="Duplicate order.")),
        ),
        "apm-window-5-seconds": breaks(
            "APM-REQ-11", "The window closes after five seconds.", _window(WindowRule(seconds=5.0))
        ),
        "apm-payout-repeated": breaks(
            "APM-REQ-12",
            "The order id of a payout can be used at once again.",
            without(check_duplicate, "CREDIT2VIRTUAL"),
        ),
        "apm-order-used-before-server-error": breaks(
            "APM-REQ-13", "An order id that was used earlier is a server error.", _used_for_good
        ),
        "apm-order-of-other-merchant": breaks(
            "APM-REQ-14",
            "An order id that another merchant used is taken.",
            _window(WindowRule(key=lambda _merchant, number: number)),
        ),
    }
)
_NAMES: Final = faults(
    {
        "apm-action-unknown-served": breaks("APM-ACT-01", "An unknown action is a sale.", _named(_alias)),
        "apm-action-unknown-status-200": breaks(
            "APM-ACT-01",
            "An unknown action is answered with HTTP 200.",
            lambda design: design.in_apm(unknown=replace(design.apm.unknown, status=200)),
        ),
        "apm-action-missing-server-error": breaks(
            "APM-ACT-02", "A post without action is a server error.", _breaking("")
        ),
        "apm-action-missing-status-200": breaks(
            "APM-ACT-02",
            "A post without action is answered with HTTP 200.",
            lambda design: design.in_apm(missing=replace(design.apm.missing, status=200)),
        ),
        "apm-action-with-blanks-read": breaks(
            "APM-ACT-01", "Blanks around the name of an action are cut off.", _named(str.strip)
        ),
        "apm-action-any-case": breaks("APM-ACT-03", "Names of actions are read in any case.", _named(str.upper)),
        "apm-action-lower-case": breaks(
            "APM-ACT-03",
            "Names of actions are read in lower case.",
            _named(lambda name: name.upper() if name.islower() else name),
        ),
        "apm-capture-early": breaks(
            "APM-ACT-04",
            "CAPTURE is served before its release.",
            all_of(_early("CAPTURE"), accepting("CAPTURE", anything)),
            until="6.6.5",
        ),
        "apm-creditvoid-early-server-error": breaks(
            "APM-ACT-05", "CREDITVOID is a server error before its release.", _breaking("CREDITVOID"), until="6.6.5"
        ),
    }
)
FAULTS: Final = (*_FORMS, *_ORDERS, *_NAMES)
