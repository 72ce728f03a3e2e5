"""Faults of S2S APM: bodies, merchants, names of actions, and order ids that were used."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.design import Change, Design
from emulator.duplicates import WindowRule
from emulator.faults.apm import EVERYTHING, first, instead, last, together, without
from emulator.faults.apm_payments import accepting, anything
from emulator.faults.model import Fault
from emulator.forms.attempt import check_environment, check_merchant
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.model import BreakdownError, Context, Rule
from emulator.s2s_apm.conduct import ACTIONS, FORM, ApmAttempt, ApmHashTest, accepts_hash, is_known
from emulator.s2s_apm.stages import check_duplicate, check_fields

_LONG: Final = 2000
_REFUSED: Final = frozenset({Kind.APM_FIELDS, Kind.BRAND, Kind.NOT_FOUND, Kind.STATE})
_KNOWN_FIELDS: Final = frozenset({"action", "hash", "auth"})

# Both protocols of forms refuse in one way.
_CARD: Final = ("S2C-CAP-*", "S2C-CVD-*", "S2C-REC-*", "S2C-STA-*", "S2C-VOI-*")


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
    conduct, account = attempt.gateway.design.session, attempt.account
    return conduct.wrong_environment if account is not None and conduct.is_live(account) else None


def _own_hash_or_nobodys(test: ApmHashTest) -> bool:
    return test.form.get("client_key") != test.account.key or accepts_hash(test)


def _no_key_rows(design: Design) -> Design:
    def changed(row: Rule) -> Rule | None:
        return None if row.path == "client_key" else row

    for action in design.apm_rows:
        design = design.with_apm_rows(action, changed)
    return first(_adopt_keyless)(design)


def _unknown_fields(attempt: ApmAttempt) -> Refusal | None:
    rows = attempt.gateway.design.apm_rows[attempt.action]
    known = _KNOWN_FIELDS | {row.path.partition(".")[0] for row in rows}
    unknown = tuple((name, "This field was not expected.") for name in attempt.body if name not in known)
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=unknown) if unknown else None


def _reading(kind: str, read: Callable[[bytes, str], Mapping[str, str]]) -> Change:
    return lambda design: design.in_apm(readers={**design.apm.readers, kind: read})


def _json_form(body: bytes, _content_type: str) -> Mapping[str, str]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return {str(name): str(item) for name, item in value.items()} if isinstance(value, dict) else {}


def _broken(_body: bytes, _content_type: str) -> Mapping[str, str]:
    raise BreakdownError


def _text_form(design: Design) -> Design:
    def read(body: bytes, content_type: str) -> Mapping[str, str]:
        return _json_form(body, content_type) or design.apm.readers[FORM](body, content_type)

    return _reading("text/plain", read)(design)


def _not_an_object(reply: Reply) -> Reply:
    return replace(reply, text="[]") if reply.kind is Kind.NOT_FOUND else reply


def _window(rule: WindowRule) -> Change:
    return lambda design: design.in_apm(window=rule)


def _breaks_when_used_before(attempt: ApmAttempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    if refusal is attempt.gateway.design.apm.used_before:
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
    design = attempt.gateway.design
    context = Context(attempt.body | {"parameters": inner or {}}, attempt.account, design.apm.amounts, design.release)
    found = attempt.gateway.apm_tables[attempt.action].violations(context)
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


_FORMS: Final = (
    Fault(
        "apm-not-served",
        ("APM-REQ-01", "APM-REQ-02"),
        "No action of S2S APM is known.",
        _known(_unserved),
        EVERYTHING,
    ),
    Fault(
        "apm-key-missing-served", ("APM-REQ-03",), "A post without client_key is the first merchant's.", _no_key_rows
    ),
    Fault(
        "apm-key-unknown-served",
        ("APM-REQ-04",),
        "A key of nobody is the first merchant's.",
        together(first(_adopt), without(check_merchant)),
    ),
    Fault(
        "apm-key-unknown-unsigned",
        ("APM-REQ-04",),
        "A key of nobody is served, whatever the hash.",
        together(first(_adopt), lambda design: design.in_apm(accepts_hash=_own_hash_or_nobodys)),
    ),
    Fault("apm-json-served", ("APM-REQ-05",), "A body of JSON is served.", _reading("application/json", _json_form)),
    Fault("apm-text-served", ("APM-REQ-05",), "A body of plain text is served.", _text_form),
    Fault(
        "apm-multipart-server-error",
        ("APM-REQ-06",),
        "A body of multipart/form-data is a server error.",
        _reading("multipart/form-data", _broken),
    ),
    Fault(
        "apm-get-answered-200",
        ("APM-REQ-07",),
        "Another method than POST is answered with success.",
        lambda design: design.filtering(
            lambda reply: replace(reply, status=200, body={"result": "SUCCESS"}) if reply.kind is Kind.METHOD else reply
        ),
        ("GEN-*", "CHK-*", "S2C-*"),
    ),
    Fault(
        "apm-unknown-fields-refused",
        ("APM-REQ-08",),
        "Parameters that are not known are refused.",
        last(_unknown_fields),
        ("APM-SAL-*", "APM-SIG-*", "CBK-*"),
    ),
    Fault(
        "apm-unknown-payment-answers-array",
        ("APM-REQ-09",),
        "An unknown payment is answered with an array.",
        lambda design: design.filtering(_not_an_object),
        EVERYTHING,
    ),
    Fault(
        "apm-error-code-text",
        ("APM-SAL-36",),
        "The code of a refusal is text.",
        lambda design: design.filtering(_code_as_text),
        ("APM-*", "GEN-ERR-*"),
    ),
    Fault(
        "apm-live-key-served",
        ("APM-REQ-10",),
        "A key of production is served, and addresses are not looked at.",
        without(check_environment),
        ("GEN-*", "APM-REQ-15"),
    ),
    Fault(
        "apm-live-key-other-pair",
        ("APM-REQ-10",),
        "A key of production is refused like a wrong hash.",
        instead(
            check_environment,
            lambda attempt: attempt.gateway.design.session.wrong_hash if check_environment(attempt) else None,
        ),
        ("GEN-*", "APM-REQ-15"),
    ),
    Fault(
        "apm-parameters-below-brand",
        ("APM-MTH-01",),
        "Parameters are looked for below the name of the brand.",
        instead(check_fields, _parameters_by_brand, "SALE"),
        ("APM-MTH-*", "APM-SAL-2?", "APM-ANS-13", "APM-SIG-07"),
    ),
    Fault(
        "apm-refusal-without-message",
        ("GEN-ERR-03",),
        "Refusals of S2S APM have no error_message.",
        lambda design: design.filtering(_without("error_message")),
        (*EVERYTHING, *_CARD),
    ),
    Fault(
        "apm-refusal-without-result",
        ("GEN-ERR-03",),
        "Refusals of S2S APM have no result.",
        lambda design: design.filtering(_without("result")),
        (*EVERYTHING, *_CARD),
    ),
    Fault(
        "apm-errors-left-out",
        ("GEN-ERR-06",),
        "Validation errors of S2S APM have no errors.",
        lambda design: design.filtering(_without("errors")),
        ("APM-*",),
    ),
    Fault(
        "apm-refusals-status-422",
        ("GEN-ERR-09",),
        "Refused fields and unknown payments have HTTP 422.",
        lambda design: design.filtering(_unprocessable),
        ("APM-*", *_CARD),
    ),
    Fault(
        "apm-nested-fields-server-error",
        ("GEN-ERR-12",),
        "Fields that are nested deeper than once are server errors.",
        first(_no_nesting),
        ("APM-*",),
    ),
    Fault(
        "apm-long-fields-server-error",
        ("GEN-ERR-12",),
        "Fields of more than 2000 characters are server errors.",
        first(_nothing_long),
        ("APM-*",),
    ),
)
_ORDERS: Final = (
    Fault(
        "apm-allowlist-ignored",
        ("APM-REQ-15",),
        "S2S APM serves every address.",
        instead(check_environment, _keys_only),
    ),
    Fault(
        "apm-sale-repeated", ("APM-REQ-11",), "An order id can be used at once again.", without(check_duplicate, "SALE")
    ),
    Fault(
        "apm-sale-repeated-other-text",
        ("APM-REQ-11",),
        "A repeated order id is refused in other words.",
        lambda design: design.in_apm(duplicate=replace(design.apm.duplicate, message="Duplicate order.")),
        ("APM-REQ-12", "GEN-*"),
    ),
    Fault(
        "apm-window-5-seconds",
        ("APM-REQ-11",),
        "The window closes after five seconds.",
        _window(WindowRule(seconds=5.0)),
        ("APM-REQ-12",),
    ),
    Fault(
        "apm-payout-repeated",
        ("APM-REQ-12",),
        "The order id of a payout can be used at once again.",
        without(check_duplicate, "CREDIT2VIRTUAL"),
    ),
    Fault(
        "apm-order-used-before-server-error",
        ("APM-REQ-13",),
        "An order id that was used earlier is a server error.",
        _used_for_good,
    ),
    Fault(
        "apm-order-of-other-merchant",
        ("APM-REQ-14",),
        "An order id that another merchant used is taken.",
        _window(WindowRule(key=lambda _merchant, number: number)),
    ),
)
_NAMES: Final = (
    Fault("apm-action-unknown-served", ("APM-ACT-01",), "An unknown action is a sale.", _named(_alias)),
    Fault(
        "apm-action-unknown-status-200",
        ("APM-ACT-01",),
        "An unknown action is answered with HTTP 200.",
        lambda design: design.in_apm(unknown=replace(design.apm.unknown, status=200)),
        ("APM-ACT-0?",),
    ),
    Fault(
        "apm-action-missing-server-error",
        ("APM-ACT-02",),
        "A post without action is a server error.",
        _breaking(""),
        ("GEN-ERR-*",),
    ),
    Fault(
        "apm-action-missing-status-200",
        ("APM-ACT-02",),
        "A post without action is answered with HTTP 200.",
        lambda design: design.in_apm(missing=replace(design.apm.missing, status=200)),
    ),
    Fault("apm-action-any-case", ("APM-ACT-03",), "Names of actions are read in any case.", _named(str.upper)),
    Fault(
        "apm-action-lower-case",
        ("APM-ACT-03",),
        "Names of actions are read in lower case.",
        _named(lambda name: name.upper() if name.islower() else name),
    ),
    Fault(
        "apm-capture-early",
        ("APM-ACT-04",),
        "CAPTURE is served before its release.",
        together(_early("CAPTURE"), accepting("CAPTURE", anything)),
        until="6.6.5",
    ),
    Fault(
        "apm-creditvoid-early-server-error",
        ("APM-ACT-05",),
        "CREDITVOID is a server error before its release.",
        _breaking("CREDITVOID"),
        until="6.6.5",
    ),
)
FAULTS: Final = (*_FORMS, *_ORDERS, *_NAMES)
