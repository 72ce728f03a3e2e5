"""Faults of S2S APM signatures that show in one action, one kind of sale or one digit only."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.design import Change
from emulator.faults.model import Fault
from emulator.s2s_apm.conduct import ApmHashTest, accepts_hash
from emulator.s2s_apm.signatures import RECIPES, by_option, of_payout, of_sale

_OPERATIONS: Final = ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS")
_UNSIGNED: Final = (*_OPERATIONS, "CREDIT2VIRTUAL")
_SINCE: Final = {"CAPTURE": "6.7.0", "CREDITVOID": "6.7.0"}
_SALE_PARTS: Final = {
    "identifier": "APM-SIG-17",
    "order_id": "APM-SIG-18",
    "order_amount": "APM-SIG-19",
    "order_currency": "APM-SIG-20",
}
_SIG: Final = ("APM-SIG-*",)
_Test = Callable[[ApmHashTest], bool]


def _accepting(accepts: _Test) -> Change:
    return lambda design: design.in_apm(accepts_hash=accepts)


def _also(applies: _Test) -> Change:
    """Posts that ``applies`` holds for need no right hash."""
    return _accepting(lambda test: accepts_hash(test) or applies(test))


def _by(algorithm: str, test: ApmHashTest) -> bool:
    return accepts_hash(replace(test, account=replace(test.account, hash=algorithm)))  # type: ignore[arg-type]


def _also_by(algorithm: str, option: str, action: str) -> Change:
    return _also(lambda test: test.action == action and test.account.hash == option and _by(algorithm, test))


def _always_md5(action: str) -> Change:
    return _accepting(lambda test: _by("md5", test) if test.action == action else accepts_hash(test))


def _missing(action: str) -> Change:
    return _also(lambda test: test.action == action and not test.given)


def _without(action: str, name: str) -> _Test:
    recipe = of_sale if action == "SALE" else of_payout

    def accepts(test: ApmHashTest) -> bool:
        form = {key: value for key, value in test.form.items() if key != name}
        return test.action == action and test.is_of(recipe(form, test.account.password))

    return accepts


def _all_but_the_last_digit(test: ApmHashTest) -> bool:
    right = by_option(test.account, RECIPES[test.action](test.form, test.account.password))
    return len(test.given) == len(right) and test.given[:-1] == right[:-1]


def _per_action() -> Iterator[Fault]:
    for action in _UNSIGNED:
        name, since = action.lower().replace("_", "-"), _SINCE.get(action)
        yield Fault(
            f"apm-{name}-hash-missing-accepted",
            ("APM-SIG-11",),
            f"{action} without hash is served.",
            _missing(action),
            since=since,
        )
        yield Fault(
            f"apm-{name}-md5-beside-option",
            ("APM-SIG-24",),
            f"With the SHA256 option MD5 counts for {action}, too.",
            _also_by("md5", "sha256", action),
            since=since,
        )
        yield Fault(
            f"apm-{name}-sha256-without-option",
            ("APM-SIG-25",),
            f"SHA256 counts for {action} without the option.",
            _also_by("sha256", "md5", action),
            since=since,
        )
        yield Fault(
            f"apm-{name}-sha256-option-ignored",
            ("APM-SIG-23",) if action == "CREDIT2VIRTUAL" else ("APM-SIG-23", "APM-SIG-24"),
            f"The SHA256 option is not looked at in {action}.",
            _always_md5(action),
            since=since,
        )


_KINDS: Final = (
    Fault(
        "apm-authorization-hash-ignored",
        ("APM-SIG-10",),
        "The hash of a SALE with auth=Y is not looked at.",
        _also(lambda test: test.action == "SALE" and test.form.get("auth") == "Y"),
    ),
    Fault(
        "apm-hash-ignored-where-amount-is",
        ("APM-SIG-10",),
        "The hash of CAPTURE and CREDITVOID with an amount is not looked at.",
        _also(lambda test: test.action in {"CAPTURE", "CREDITVOID"} and "amount" in test.form),
        since="6.7.0",
    ),
    Fault(
        "apm-coins-hash-ignored",
        ("APM-SIG-07", "APM-SIG-10"),
        "The hash of a crypto SALE is not looked at.",
        _also(lambda test: test.action == "SALE" and "crypto" in test.form.get("brand", "")),
    ),
    Fault(
        "apm-coins-without-amount-hash-ignored",
        ("APM-SIG-07",),
        "The hash of a SALE without amount is not looked at.",
        _also(lambda test: test.action == "SALE" and "order_amount" not in test.form),
    ),
    Fault(
        "apm-hash-ignored-without-identifier",
        ("APM-SIG-06",),
        "The hash of a SALE without identifier is not looked at.",
        _also(lambda test: test.action == "SALE" and "identifier" not in test.form),
    ),
    Fault(
        "apm-qr-hash-ignored",
        ("APM-SIG-10",),
        "The hash of a SALE by instant QR is not looked at.",
        _also(lambda test: test.action == "SALE" and test.form.get("brand") == "instant-qr"),
    ),
    Fault(
        "apm-hash-last-digit-ignored",
        ("APM-SIG-10",),
        "The last digit of a hash is not compared.",
        _also(_all_but_the_last_digit),
        _SIG,
    ),
    *(
        Fault(
            f"apm-sale-{name.replace('_', '-')}-unsigned",
            (requirement,),
            f"A hash of SALE without {name} is accepted.",
            _also(_without("SALE", name)),
        )
        for name, requirement in _SALE_PARTS.items()
    ),
    *(
        Fault(
            f"apm-payout-{name.replace('_', '-')}-unsigned",
            ("APM-C2V-38",),
            f"A hash of CREDIT2VIRTUAL without {name} is accepted.",
            _also(_without("CREDIT2VIRTUAL", name)),
        )
        for name in tuple(_SALE_PARTS)[1:]
    ),
)
FAULTS: Final = (*_per_action(), *_KINDS)
