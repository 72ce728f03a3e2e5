"""Faults of the hosted page's ways: what it offers and shows, in which language, and where it leads."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from markupsafe import Markup

from emulator.accounts import METHODS
from emulator.design import Change, Design
from emulator.faults.hosted_page.fields import asking, not_asking
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.entries import Answer
from emulator.protocols.hosted_page.forms.offered_fields import is_wallet
from emulator.protocols.hosted_page.forms.offered_fields import offered as usual_offer
from emulator.protocols.hosted_page.forms.rules import payable
from emulator.protocols.hosted_page.languages import DEFAULT, LANGUAGES, Wishes, choose, preferred, supported
from emulator.protocols.hosted_page.outcomes import Approved, Challenge, Declined, Outcome, ShowQr
from emulator.protocols.hosted_page.returns import End, destination
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit


def _offering(offer: Callable[[PageSession], tuple[str, ...]]) -> Change:
    return lambda design: design.in_page(offered=offer)


def _deciding(change: Callable[[object, Outcome], Outcome]) -> Change:
    return lambda design: design.in_page(outcome=change)


def _amounts(pattern: str) -> Change:
    """Amounts of the form ``pattern`` may be entered."""

    def change(design: Design) -> Design:
        fitting = re.compile(pattern)
        rules = (
            replace(rule, check=lambda value, _context: fitting.fullmatch(value) is not None)
            if rule.check is payable
            else rule
            for rule in design.page.rules
        )
        return design.in_page(rules=tuple(rules))

    return change


def _hiding(*names: str) -> Change:
    def change(design: Design) -> Design:
        shown = design.page.facts

        def facts(session: PageSession) -> dict[str, str]:
            return dict(shown(session)) | dict.fromkeys(names, "")

        return design.in_page(facts=facts)

    return change


def _as_markup(design: Design) -> Design:
    shown = design.page.facts

    def facts(session: PageSession) -> dict[str, str]:
        return {name: Markup(text) for name, text in shown(session).items()}  # noqa: S704 - the fault

    return design.in_page(facts=facts)


def _hiding_by_qr(*names: str) -> Change:
    def change(design: Design) -> Design:
        shown = design.page.qr_facts

        def facts(session: PageSession) -> dict[str, str]:
            return dict(shown(session)) | dict.fromkeys(names, "")

        return design.in_page(qr_facts=facts)

    return change


def _speaking(choice: Callable[[Wishes], str]) -> Change:
    return lambda design: design.in_page(language=choice)


def _without_language(code: str) -> Change:
    return _speaking(lambda wishes: DEFAULT if wishes.checkout_language == code else choose(wishes))


def _billing_first(wishes: Wishes) -> str:
    return supported(wishes.billing_language) or choose(wishes)


def _browser_first(wishes: Wishes) -> str:
    return next(iter(preferred(wishes.accept_language)), "") or choose(wishes)


def _qr_lasting(seconds: float) -> Change:
    return lambda design: design.in_checkout(qr_seconds=lambda _account: seconds)


def _qr_in_app(_before: object, outcome: Outcome) -> Outcome:
    return Challenge(outcome.reference, "app") if isinstance(outcome, ShowQr) else outcome


def _no_challenge(before: object, outcome: Outcome) -> Outcome:
    entered = not isinstance(before, Answer)
    return Approved() if entered and isinstance(outcome, Challenge) and outcome.kind == "challenge" else outcome


def _challenge_always_passed(before: object, outcome: Outcome) -> Outcome:
    failed = isinstance(before, Answer) and isinstance(outcome, Declined)
    return Approved(outcome.parameters) if failed and isinstance(outcome, Declined) else outcome


def _decline_taken_for_success(before: object, outcome: Outcome) -> Outcome:
    entered = not isinstance(before, Answer)
    return Approved(outcome.parameters) if entered and isinstance(outcome, Declined) else outcome


def _declined_to_success(session: PageSession, end: End) -> str:
    return destination(session, "paid" if end == "declined" else end)


def _expired_stays_open(visit: Visit, *, closed: bool) -> End | None:  # noqa: ARG001 - the fault
    return visit.ended


def _paid_opens_again(visit: Visit, *, closed: bool) -> End | None:
    return "expired" if closed else (None if visit.ended == "paid" else visit.ended)


def _unframed(design: Design) -> Design:
    usual = design.page.headers
    return design.in_page(headers=lambda session: {**usual(session), "x-frame-options": "DENY"})


def _unframed_by_policy(design: Design) -> Design:
    usual = design.page.headers
    policy = "content-security-policy"

    def headers(session: PageSession | None) -> dict[str, str]:
        found = dict(usual(session))
        return found | {policy: f"{found[policy]}; frame-ancestors 'none'"}

    return design.in_page(headers=headers)


def _with_token(*more: str) -> Change:
    return asking(
        lambda names, session: (*more, *(name for name in names if name not in more)) if session.tokens else names
    )


def _credit_by_token(*more: str) -> Change:
    def change(names: tuple[str, ...], session: PageSession) -> tuple[str, ...]:
        return (*names, *more) if session.tokens and session.operation == "credit" else names

    return asking(change)


def _is_after_a_decline(_form: Mapping[str, str], visit: Visit) -> bool:
    return visit.declines > 0


FAULTS: Final = faults(
    {
        "page-without-card": breaks(
            "HPP-CRD-01",
            "The page offers anything but cards.",
            _offering(lambda session: tuple(one for one in usual_offer(session) if one != "card") or ("instant-qr",)),
        ),
        "page-methods-ignored": breaks(
            "HPP-ASK-04",
            "The page offers every method, whatever methods says.",
            _offering(lambda _session: tuple(METHODS)),
        ),
        "page-single-method-not-chosen": breaks(
            "HPP-ASK-06",
            "The payer has to choose a method even if there is one only.",
            lambda design: design.in_page(first_method=lambda _offered: ""),
        ),
        "page-form-ignored": breaks(
            "HPP-ASK-13",
            "form_id opens the usual page.",
            lambda design: design.in_page(custom_form=lambda _session: ""),
        ),
        "page-network-hidden": breaks("HPP-ASK-14", "crypto.network is not shown.", _hiding("network")),
        "page-description-hidden": breaks("HPP-ASK-15", "The description is not shown.", _hiding("description")),
        "page-leads-on-with-not-modified": breaks(
            "CHK-URL-01",
            "The way back to the merchant has a status with which no browser goes on.",
            lambda design: design.in_page(leads_on=304),
        ),
        "page-description-as-markup": breaks(
            "HPP-ASK-18", "The description is written into the page as it came.", _as_markup
        ),
        "page-wallets-hidden": breaks(
            "HPP-ASK-16",
            "No wallet is offered.",
            _offering(lambda session: tuple(one for one in usual_offer(session) if not is_wallet(one)) or ("card",)),
        ),
        "page-frame-denied": breaks("HPP-ASK-17", "The page refuses frames.", _unframed),
        "page-frame-ancestors-none": breaks("HPP-ASK-17", "The page's policy refuses frames.", _unframed_by_policy),
        "page-amount-not-asked": breaks("HPP-AMT-01", "Nobody asks for the amount.", not_asking("amount")),
        "page-amount-replaced": breaks(
            "HPP-AMT-02",
            "Whatever amount is entered, 1.00 is paid.",
            lambda design: design.in_page(
                reads=lambda _session, values: {**values, "amount": "1.00"} if values.get("amount") else values
            ),
        ),
        "page-amount-of-nothing-paid": breaks(
            "HPP-AMT-03", "The payer may enter an amount of nothing.", _amounts(r"\d+([.]\d{1,2})?")
        ),
        "page-amount-of-any-decimals-paid": breaks(
            "HPP-AMT-04", "The payer may enter an amount with any decimals.", _amounts(r"\d*[1-9]\d*([.]\d+)?")
        ),
        "page-amount-below-nothing-paid": breaks(
            "HPP-AMT-03", "The payer may enter an amount with a minus sign.", _amounts(r"-?\d*[1-9]\d*([.]\d{1,2})?")
        ),
        "page-token-asks-card": breaks(
            "HPP-TOK-01",
            "Number and expiry date are asked for beside a stored card.",
            _with_token("card_number", "expiry"),
        ),
        "page-credit-token-asks-code": breaks(
            "HPP-TOK-02", "A credit by token asks for the security code.", _credit_by_token("cvv"), since="6.6.4"
        ),
        "page-credit-token-asks-name": breaks(
            "HPP-TOK-03", "A credit by token asks for the cardholder.", _credit_by_token("cardholder"), since="6.6.4"
        ),
        "page-first-token-only": breaks(
            "HPP-TOK-04",
            "Of several stored cards the first is offered.",
            lambda design: design.in_page(stored_cards=lambda session: session.tokens[:1]),
        ),
        "page-language-ignored": breaks(
            "HPP-LNG-01",
            "checkout_language is ignored.",
            _speaking(lambda wishes: choose(replace(wishes, checkout_language=""))),
        ),
        **{
            f"page-language-{code}-missing": breaks(
                "HPP-LNG-01", f"{code} opens an English page.", _without_language(code)
            )
            for code in LANGUAGES
            if code != DEFAULT
        },
        "page-billing-language-first": breaks(
            "HPP-LNG-02", "The billing address's language wins.", _speaking(_billing_first)
        ),
        "page-browser-language-first": breaks("HPP-LNG-03", "The browser's language wins.", _speaking(_browser_first)),
        "page-decline-taken-for-success": breaks(
            "HPP-OUT-01", "A declined payment ends at success_url.", _deciding(_decline_taken_for_success)
        ),
        "page-last-decline-to-success": breaks(
            "HPP-OUT-01",
            "A decline ends the session, at success_url.",
            lambda design: design.in_page(destination=_declined_to_success, declines_allowed=lambda _account: 1),
        ),
        "page-no-second-card": breaks(
            "HPP-OUT-02",
            "After a decline the page asks for a card as often as one is entered.",
            lambda design: design.in_page(is_stale=_is_after_a_decline),
        ),
        "page-challenge-skipped": breaks(
            "HPP-OUT-03", "Cards that need 3DS are paid without it.", _deciding(_no_challenge)
        ),
        "page-challenge-always-passed": breaks(
            "HPP-OUT-04", "A failed challenge ends at success_url.", _deciding(_challenge_always_passed)
        ),
        "page-qr-number-hidden": breaks("HPP-OUT-05", "No order number by the QR.", _hiding_by_qr("order_number")),
        "page-qr-amount-hidden": breaks("HPP-OUT-05", "No amount by the QR.", _hiding_by_qr("amount")),
        "page-qr-description-hidden": breaks("HPP-OUT-05", "No description by the QR.", _hiding_by_qr("description")),
        "page-qr-not-shown": breaks("HPP-OUT-05", "No QR is shown.", _deciding(_qr_in_app)),
        "page-qr-lasts-an-hour": breaks("HPP-OUT-06", "A QR can be scanned for an hour.", _qr_lasting(3600)),
        "page-qr-lasts-ten-seconds": breaks("HPP-OUT-06", "A QR expires too soon.", _qr_lasting(10)),
        "page-open-after-expiry": breaks(
            "HPP-OUT-08",
            "The page of an expired session takes cards.",
            lambda design: design.in_page(admits=_expired_stays_open),
        ),
        "page-open-after-payment": breaks(
            "HPP-OUT-09",
            "The link of a paid session shows the form again.",
            lambda design: design.in_page(admits=_paid_opens_again),
        ),
    }
)
