"""Variations of how requests are read, compared and refused."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final, cast
from urllib.parse import parse_qsl, urlsplit

from emulator.changes.checkout_sessions import without
from emulator.design import Change, Design
from emulator.engine.signing import as_specified, literal_md5
from emulator.protocols.checkout.session import (
    STAGES,
    Attempt,
    HashTest,
    SessionStage,
    check_duplicate,
    check_fields,
    check_schedule,
    check_signature,
    check_tokens,
    matches,
)
from emulator.protocols.hosted_page.forms.rules import given
from emulator.protocols.shared import check_environment, check_merchant
from emulator.rules.conditions import on
from emulator.rules.countries import COUNTRIES
from emulator.rules.currencies import CRYPTO, EXPONENTS
from emulator.rules.keywords import DECIMAL, is_date, is_url, is_web_url
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal
from emulator.wire.values import CONVERTING, Object

_LOOPBACK: Final = ("http://127.", "http://localhost", "http://[::1]")
_APPENDED: Final = frozenset({"payment_id", "trans_id", "order_id", "hash", "payment_method"})
_SIGNED: Final = frozenset({"order", "merchant_key", "hash"})


def _rows(change: Callable[[Rule], Rule | None]) -> Change:
    return lambda design: design.with_rows(change)


def _with_unchecked_names(design: Design) -> Design:
    length_and_signs = {"minLength", "maxLength", "pattern"}
    rows = _rows(lambda row: None if row.path == "customer.name" and row.keyword in length_and_signs else row)
    kept = (rule for rule in design.page.rules if rule.field != "cardholder" or rule.check is given)
    return rows(design).in_page(rules=tuple(kept))


def _dropping(*rows: tuple[str, str]) -> Change:
    return _rows(lambda row: None if (row.path, row.keyword) in rows else row)


def _checking(test: Callable[[str], bool], *rows: tuple[str, str]) -> Change:
    def check(value: object, _parent: JsonObject, _context: Context) -> bool:
        return not isinstance(value, str) or test(value)

    return _rows(lambda row: _checked(row, check) if (row.path, row.keyword) in rows else row)


def _checked(row: Rule, check: Check) -> Rule:
    return replace(row, keyword="combination", bound=check)


def _stages(*stages: SessionStage) -> Change:
    return lambda design: design.in_session(stages=stages)


def _behaviour(**changes: object) -> Change:
    return lambda design: design.in_session(**changes)


def _amounts(**changes: object) -> Change:
    return lambda design: replace(design, amounts=replace(design.amounts, **changes))  # type: ignore[arg-type]


def _keyword(old: str, new: str) -> Change:
    return _rows(lambda row: replace(row, keyword=new, text="") if row.keyword == old else row)


def _required(path: str) -> Change:
    return lambda design: design.adding_rows(Rule(path, "required"))


def _urls(test: Callable[[str], bool]) -> Change:
    names = ("success_url", "cancel_url", "expiry_url", "error_url")
    return _checking(test, *((name, "format") for name in names))


def _https(value: str) -> bool:
    return is_url(value) and (value.lower().startswith("https://") or value.startswith(_LOOPBACK))


def _names_nothing_appended(value: str) -> bool:
    """Line 42: an address may carry parameters, of which no line says that they may be called like appended ones."""
    return is_url(value) and _APPENDED.isdisjoint(name for name, _ in parse_qsl(urlsplit(value).query))


def _future(value: str) -> bool:
    return is_date(value) and date.fromisoformat(value) > datetime.now(UTC).date()


def _past(value: str) -> bool:
    return is_date(value) and date.fromisoformat(value) < datetime.now(UTC).date()


def _country_either_case(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and value.upper() in COUNTRIES


def _without_blanks(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {name: _without_blanks(item) for name, item in cast("Object", value).items() if item != ""}


def _drop_blanks(attempt: Attempt) -> Refusal | None:
    attempt.body = {
        name: item if name in _SIGNED else _without_blanks(item)
        for name, item in attempt.body.items()
        if name in _SIGNED or item != ""
    }
    return None


def _take(attempt: Attempt) -> Refusal | None:
    gateway = attempt.gateway
    gateway.session_window.take(attempt.key, attempt.number, gateway.clock.seconds())
    return None


def _either_case(test: HashTest) -> bool:
    given = test.given
    return isinstance(given, str) and matches(replace(test, given=given.lower()), as_specified)


def _as_written(test: HashTest) -> bool:
    return matches(test, literal_md5)


def _either_digest(test: HashTest) -> bool:
    return matches(test, literal_md5, as_specified)


def _alphanumeric(design: Design) -> Design:
    def strict(row: Rule) -> Rule:
        letters = Rule(row.path, "pattern", "[A-Za-z0-9]*")
        return letters if row.keyword == "handled" and row.tag == "punctuation" else row

    limited = ("parameters.card.shipping.", "parameters.card.cart.items[].")
    extended = {
        row.path
        for row in design.session_rows
        if row.path.startswith(limited) and row.keyword == "maxLength" and row.path.count(".") >= limited[0].count(".")
    }
    numeric = {row.path for row in design.session_rows if row.keyword == "pattern"}
    added = tuple(Rule(path, "pattern", "[A-Za-z0-9]*") for path in sorted(extended - numeric))
    return design.with_rows(strict).adding_rows(*added)


def _within_limits(value: object, _parent: JsonObject, _context: Context) -> bool:
    amount = float(value) if isinstance(value, str) and DECIMAL.fullmatch(value) else 0.0
    return amount <= _MOST


_MOST: Final = 999
_WITHIN_LIMITS: Final = Rule(
    "order.amount", "combination", _within_limits, text=f"This value should be between 0 and {_MOST}."
)
_OF_OTHER_ORDERS: Final = Rule(
    "order.amount", "combination", lambda value, _parent, _context: value not in {"19.98", "19.99"}
)
_LISTS_OF_EXAMPLES: Final = {
    "parameters.card.shipping.type": 8,
    "parameters.card.cart.payments[].type": 255,
    "parameters.card.cart.payments[].status": 255,
}


def _examples(row: Rule) -> Rule:
    longest = _LISTS_OF_EXAMPLES.get(row.path)
    return replace(row, keyword="maxLength", bound=longest) if longest and row.keyword == "enum" else row


VARIATIONS: Final = (
    Variation(
        "lists-in-brackets-are-examples",
        "Types and statuses of which the table shows some words in brackets may be other words as well.",
        _rows(_examples),
    ),
    Variation(
        "refused-requests-count",
        "A well signed request takes its number even if it is refused later.",
        _stages(check_environment, check_fields, check_merchant, check_signature, check_duplicate, _take, check_tokens),
    ),
    Variation(
        "signature-before-fields",
        "The signature is checked before the fields.",
        _stages(check_environment, check_merchant, check_signature, check_fields, check_duplicate, check_tokens),
    ),
    Variation(
        "fields-before-environment",
        "Keys and addresses are checked after the fields and the signature.",
        _stages(check_fields, check_merchant, check_signature, check_environment, check_duplicate, check_tokens),
    ),
    Variation(
        "duplicates-before-fields",
        "The duplicate window is looked at before fields and signature.",
        _stages(check_environment, check_merchant, check_duplicate, check_fields, check_signature, check_tokens),
    ),
    Variation(
        "tokens-looked-up-at-payment",
        "An unknown card token is found out when the payer pays.",
        without(check_tokens),
    ),
    Variation(
        "missing-hash-is-wrong-hash",
        "A hash that is missing or empty is not valid.",
        _dropping(("hash", "required"), ("hash", "notBlank")),
    ),
    Variation(
        "hash-in-either-case",
        "A hash may be written in upper case.",
        _behaviour(accepts_hash=_either_case),
    ),
    Variation(
        "sha256-as-written",
        "The session signature is SHA1 of MD5 for every account.",
        _behaviour(accepts_hash=_as_written),
    ),
    Variation("sha256-either", "SHA256 accounts may sign either way.", _behaviour(accepts_hash=_either_digest)),
    Variation(
        "scalars-converted",
        "A scalar of another type is converted where that can be done.",
        lambda design: replace(design, converters=CONVERTING),
    ),
    Variation(
        "null-refused",
        "null is refused where a value of a type is expected.",
        lambda design: replace(design, null_is_absent=False),
    ),
    Variation("empty-text-is-absent", "An empty text counts as left out.", _stages(_drop_blanks, *STAGES)),
    Variation(
        "content-type-unchecked",
        "A JSON body is read whatever its content type.",
        _behaviour(checks_content_type=False),
    ),
    Variation("unknown-methods-ignored", "Unknown names in methods are ignored.", _dropping(("methods[]", "known"))),
    Variation("channels-not-looked-up", "An unknown channel is routed by default.", _dropping(("channel_id", "known"))),
    Variation(
        "forms-not-looked-up", "An unknown form is replaced by the default one.", _dropping(("form_id", "known"))
    ),
    Variation(
        "schedules-not-looked-up",
        "An unknown schedule is found out when the payer pays.",
        lambda design: _dropping(("schedule_id", "format"))(without(check_schedule)(design)),
    ),
    Variation(
        "schedule-alone-ignored",
        "schedule_id without recurring_init has no effect.",
        _dropping(("schedule_id", "combination")),
    ),
    Variation(
        "schedule-start-in-future",
        "The first scheduled payment has to lie in the future.",
        _checking(_future, ("schedule_start_date", "format")),
    ),
    Variation(
        "birth-date-in-past",
        "A birth date has to lie in the past.",
        _checking(_past, ("customer.birth_date", "format")),
    ),
    Variation(
        "operation-fields-ignored",
        "Fields of another operation have no effect.",
        _keyword("refusedOutside", "ignoredOutside"),
    ),
    Variation(
        "operation-fields-refused",
        "Fields of another operation are refused.",
        _keyword("ignoredOutside", "refusedOutside"),
    ),
    Variation("customer-required", "A session without customer is refused.", _required("customer")),
    Variation("customer-name-required", "A customer without name is refused.", _required("customer.name")),
    Variation(
        "payee-required",
        "A transfer without payee is refused.",
        lambda design: design.adding_rows(Rule("payee", "required", when=on("transfer"))),
    ),
    Variation("address-required", "A session without billing_address is refused.", _required("billing_address")),
    Variation(
        "customer-name-unchecked",
        "The protocol mapping does not validate the customer's name, be it given or typed as the cardholder's.",
        _with_unchecked_names,
    ),
    Variation(
        "customer-name-letters-only",
        "customer.name takes letters and blanks only.",
        _rows(
            lambda row: (
                replace(row, bound="[A-Za-z ]*") if (row.path, row.keyword) == ("customer.name", "pattern") else row
            )
        ),
    ),
    Variation(
        "customer-name-any-ascii",
        "customer.name takes every printable ASCII sign.",
        _rows(
            lambda row: replace(row, bound="[ -~]*") if (row.path, row.keyword) == ("customer.name", "pattern") else row
        ),
    ),
    Variation(
        "payee-name-ascii",
        "payee.name takes the letters A to Z only.",
        _rows(
            lambda row: (
                replace(row, bound="[A-Za-z ]*") if (row.path, row.keyword) == ("payee.name", "pattern") else row
            )
        ),
    ),
    Variation(
        "url-target-blank-refused",
        "url_target _blank is refused.",
        _rows(
            lambda row: (
                replace(row, bound=("_self", "_parent", "_top"))
                if (row.path, row.keyword) == ("url_target", "enum")
                else row
            )
        ),
    ),
    Variation(
        "amounts-within-limits-of-the-account",
        "Checkout sessions take no amount above 999, and call others invalid data.",
        lambda design: replace(design, session_rows=(*design.session_rows, _WITHIN_LIMITS)),
    ),
    Variation(
        "amounts-that-floats-cut-refused",
        "Checkout sessions take neither 19.98 nor 19.99, as the account of a sandbox takes the amounts of its tests.",
        lambda design: replace(design, session_rows=(*design.session_rows, _OF_OTHER_ORDERS)),
    ),
    Variation(
        "urls-with-appended-names-refused",
        "Return addresses with a parameter that is called like one which is appended are refused.",
        _urls(_names_nothing_appended),
    ),
    Variation("web-urls-only", "Return addresses with the scheme of an app are refused.", _urls(is_web_url)),
    Variation("https-urls-only", "Return addresses have to be https, loopback apart.", _urls(_https)),
    Variation(
        "amount-any-two-decimals", "Currencies without minor unit take any two decimals.", _amounts(whole_units=False)
    ),
    Variation(
        "crypto-fewer-decimals",
        "Crypto amounts may have fewer decimals than the asset.",
        _amounts(crypto_slack=tuple(range(-8, 1))),
    ),
    Variation(
        "currency-either-case",
        "Currencies may be written in lower case.",
        _checking(lambda value: value.upper() in EXPONENTS or value.upper() in CRYPTO, ("order.currency", "format")),
    ),
    Variation(
        "country-either-case",
        "Countries may be written in lower case.",
        _rows(lambda row: _checked(row, _country_either_case) if row.bound == "country" else row),
    ),
    Variation(
        "country-any-two-letters",
        "Any two letters are taken for a country.",
        _rows(lambda row: replace(row, keyword="pattern", bound="[A-Za-z]{2}") if row.bound == "country" else row),
    ),
    Variation("type-an-letters-and-digits", "Values of type AN take letters and digits only.", _alphanumeric),
)
