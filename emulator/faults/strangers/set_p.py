"""Faults of another author that the suite did not notice at first (set P), and others of their classes.

Numbers of lines are those of the interface description.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Final
from urllib.parse import parse_qsl, urlencode

from emulator.changes.checkout import looking_up
from emulator.changes.hosted_page import checking
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.hosted_page.entries import Answer
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import PageContext, payable
from emulator.protocols.hosted_page.outcomes import Outcome, Parameters, ShowQr
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.amounts import is_zero
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import Reply

Asked = Callable[[JsonObject], bool]

_NEW: Final = "6.7.0"
_SAYING_YES: Final = (True, "Y")
_PAGE: Final = 10
_A_DAY: Final = timedelta(days=1)
_AMOUNT: Final = re.compile(r"[0-9]{1,12}(\.[0-9]+)?")


# --- amounts of nothing where the provider takes none ---


def _both(*names: str) -> Asked:
    return lambda asked: all(asked.get(name) in _SAYING_YES for name in names)


def _debited(asked: JsonObject) -> bool:
    return asked.get("operation") == "debit" and asked.get("recurring_init") is True


def _scheduled(asked: JsonObject) -> bool:
    return bool(asked.get("schedule_id")) and asked.get("recurring_init") is True


def _free(path: str, fits: Asked) -> Callable[[Rule], Rule]:
    """Nobody looks whether the provider takes amounts of nothing where a request asks for something."""

    def change(row: Rule) -> Rule:
        if (row.path, row.keyword) != (path, "positive") or not callable(row.bound):
            return row
        check: Check = row.bound

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            is_missed = isinstance(value, str) and is_zero(value) and fits(context.body)
            return is_missed or check(value, parent, context)

        return replace(row, bound=bound)

    return change


def _session_of_nothing(fits: Asked) -> Change:
    return lambda design: design.with_rows(_free("order.amount", fits))


def _sale_of_nothing(fits: Asked) -> Change:
    return lambda design: design.with_sale_rows(_free("order_amount", fits))


# --- what return addresses carry already ---

_CANCELLED: Final = "cancel"


def _own(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.partition("#")[0].partition("?")[2], keep_blank_values=True))


def _kept_of_the_shop(*names: str, at: str = "") -> Change:
    """Of names that an address has already nothing is appended."""

    def change(design: Design) -> Design:
        append = design.page.return_address

        def returning(address: str, parameters: Parameters) -> str:
            kept = _own(address).keys() & set(names or parameters) if at in address else ()
            return append(address, {name: value for name, value in parameters.items() if name not in kept})

        return design.in_page(return_address=returning)

    return change


def _behind_the_fragment(design: Design) -> Design:
    append = design.page.return_address

    def returning(address: str, parameters: Parameters) -> str:
        if "#" not in address or not parameters:
            return append(address, parameters)
        return f"{append(address, {})}{'&' if '?' in address else '?'}{urlencode(dict(parameters))}"

    return design.in_page(return_address=returning)


# --- amounts that the payer enters ---


def _entered(exponent: int, written: Callable[[Decimal], str]) -> Change:
    """What a payer enters in a currency of so many decimals is read otherwise."""

    def change(design: Design) -> Design:
        read = design.page.reads

        def reads(session: PageSession, values: Values) -> Values:
            found = read(session, values)
            amount = found.get("amount", "")
            if not session.payer_enters_amount or session.decimals != exponent or not _AMOUNT.fullmatch(amount):
                return found
            is_further = len(amount.partition(".")[2]) > max(exponent, 2)
            return found if is_further else {**found, "amount": written(Decimal(amount))}

        return design.in_page(reads=reads)

    return change


def _payable_in(exponent: int, pattern: str) -> Change:
    """Whether an amount of a currency can be paid is seen by a pattern of its own."""

    def check(value: str, context: PageContext) -> bool:
        if context.decimals != exponent:
            return payable(value, context)
        return re.fullmatch(pattern, value) is not None

    return checking(payable, check)


# --- the second of something in one session ---


def _second_qr_lasts(before: object, outcome: Outcome) -> Outcome:
    is_second = isinstance(before, Answer) and before.said == "retry" and isinstance(outcome, ShowQr)
    return replace(outcome, closes=outcome.closes + _A_DAY) if is_second and isinstance(outcome, ShowQr) else outcome


# --- long orders ---


def _listed(most: Callable[[int], int]) -> Change:
    """Of the payments of an order so many are listed, made of how many there would be."""

    def change(_attempt: PostAttempt, reply: Reply) -> Reply:
        return reply if reply.listed is None else replace(reply, listed=reply.listed[: most(len(reply.listed))])

    return looking_up(change)


FAULTS: Final = faults(
    {
        **{
            f"p-checkout-look-up-size-{name}": breaks("CHK-STA-06", says, _listed(most), since=_NEW)
            for name, says, most in (
                (
                    "capped-at-10",
                    "More than 10 payments are not listed (line 344).",
                    lambda count: min(count, 10),
                ),
                (
                    "capped-at-25",
                    "More than 25 payments are not listed (line 344).",
                    lambda count: min(count, 25),
                ),
                (
                    "capped-at-50",
                    "More than 50 payments are not listed (line 344).",
                    lambda count: min(count, 50),
                ),
                (
                    "in-whole-pages",
                    "Beyond ten, payments are listed by whole pages of ten (line 344).",
                    lambda count: count if count <= _PAGE else count - count % _PAGE,
                ),
            )
        },
        "p-page-second-qr-never-expires": breaks(
            "HPP-OUT-06",
            "A QR that the payer asked for once the first was over lasts for a day (lines 235, 485).",
            lambda design: design.in_page(outcome=_second_qr_lasts),
        ),
        **{
            f"p-page-amount-{name}": breaks(requirement, says, change)
            for name, requirement, says, change in (
                (
                    "of-three-decimals-rounded-to-two",
                    "HPP-AMT-02",
                    "1.237 that the payer enters in a currency of three decimals is paid as 1.24 (lines 78, 88).",
                    _entered(3, lambda amount: f"{amount:.2f}"),
                ),
                (
                    "of-four-decimals-rounded-to-three",
                    "HPP-AMT-02",
                    "The fourth decimal that the payer enters in a currency that has it is rounded (lines 78, 89).",
                    _entered(4, lambda amount: f"{amount:.3f}"),
                ),
                (
                    "of-whole-units-as-hundredths",
                    "HPP-AMT-02",
                    "What the payer enters in a currency without decimals is paid as so many hundredths (line 86).",
                    _entered(0, lambda amount: str((amount / 100).to_integral_value())),
                ),
                (
                    "of-nothing-in-three-decimals",
                    "HPP-AMT-03",
                    "The payer may enter 0.000 in a currency of three decimals (line 71).",
                    _payable_in(3, r"[0-9]{1,12}(\.[0-9]{1,3})?"),
                ),
                (
                    "of-any-decimals-in-one-of-three",
                    "HPP-AMT-04",
                    "The payer may enter any decimals in a currency of three (line 88).",
                    _payable_in(3, r"0*[1-9][0-9]*(\.[0-9]+)?"),
                ),
            )
        },
        "p-return-keeps-names-of-the-shop": breaks(
            "CHK-URL-03 CHK-URL-04 CHK-URL-05 CHK-URL-06",
            "What success_url or cancel_url has already by its name is not appended (line 418).",
            _kept_of_the_shop(),
        ),
        "p-return-to-cancel-keeps-names-of-the-shop": breaks(
            "CHK-URL-05",
            "What cancel_url has already by its name is not appended (line 418).",
            _kept_of_the_shop(at=_CANCELLED),
        ),
        **{
            f"p-return-keeps-{name.replace('_', '-')}-of-the-shop": breaks(
                requirements,
                f"{name} is not appended to an address that has a parameter of its own that is called so (line 418).",
                _kept_of_the_shop(name),
            )
            for name, requirements in (
                ("payment_id", "CHK-URL-03 CHK-URL-05 CHK-URL-06"),
                ("trans_id", "CHK-URL-03 CHK-URL-05 CHK-URL-06"),
                ("order_id", "CHK-URL-03 CHK-URL-04 CHK-URL-05 CHK-URL-06"),
                ("hash", "CHK-URL-03 CHK-URL-05 CHK-URL-06"),
            )
        },
        "p-return-behind-the-fragment": breaks(
            "CHK-URL-03",
            "To an address with a fragment the parameters are appended behind it, where they are no query (line 418).",
            _behind_the_fragment,
        ),
        **{
            f"p-zero-without-provider-{name}": breaks(
                requirements,
                f"Of a provider without zero-value transactions a session of nothing is accepted {when} (line 71).",
                _session_of_nothing(fits),
                since=_NEW,
            )
            for name, requirements, when, fits in (
                (
                    "where-both-are-asked-for",
                    "CHK-ORD-22 CHK-ORD-23",
                    "that authorizes and starts a chain",
                    _both("auth", "recurring_init"),
                ),
                ("held-with-token", "CHK-ORD-22", "that holds it and asks for a token", _both("auth", "req_token")),
                ("held-with-vat", "CHK-ORD-22", "that holds it and has VAT calculated", _both("auth", "vat_calc")),
                (
                    "chain-with-token",
                    "CHK-ORD-23",
                    "that starts a chain and asks for a token",
                    _both("recurring_init", "req_token"),
                ),
                ("chain-of-debits", "CHK-ORD-23", "that starts a chain of debits", _debited),
                ("chain-by-schedule", "CHK-ORD-23", "that starts a schedule", _scheduled),
            )
        },
        **{
            f"p-card-zero-without-provider-{name}": breaks(
                "S2C-AMT-07",
                f"Of a provider without zero-value transactions a SALE of nothing is accepted {when} (line 352).",
                _sale_of_nothing(fits),
                since=_NEW,
            )
            for name, when, fits in (
                (
                    "where-both-are-asked-for",
                    "that authorizes and starts a chain",
                    _both("auth", "recurring_init"),
                ),
                ("held-with-token", "that holds it and asks for a token", _both("auth", "req_token")),
                ("chain-with-token", "that starts a chain and asks for a token", _both("recurring_init", "req_token")),
            )
        },
    }
)
