"""Faults of the hosted page that show in other situations than the first attempt of a plain purchase by card."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.hosted_page import returning_nothing, returning_without
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import minutes_open
from emulator.protocols.hosted_page.entries import Answer, MethodEntry, TokenEntry
from emulator.protocols.hosted_page.forms.rules import Check, PageContext, PageRule, given
from emulator.protocols.hosted_page.languages import DEFAULT, Wishes
from emulator.protocols.hosted_page.returns import End, link_target
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.model import JsonObject

_NEW: Final = "6.7.0"
_CREDIT: Final = "6.6.4"


def _unchecked(where: Callable[[PageContext], bool], *fields: str) -> Change:
    """Whatever is typed into some fields is taken, if only there is something."""

    def unless(check: Check) -> Check:
        return lambda value, context: where(context) or check(value, context)

    def changed(rule: PageRule) -> PageRule:
        is_meant = rule.field in fields and rule.check is not given
        return replace(rule, check=unless(rule.check)) if is_meant else rule

    return lambda design: design.in_page(rules=tuple(map(changed, design.page.rules)))


def _of(operation: str) -> Callable[[PageContext], bool]:
    return lambda context: context.operation == operation


def _after_decline(context: PageContext) -> bool:
    return context.declines > 0


def _paid_again(where: Callable[[PageSession, object], bool]) -> Change:
    return lambda design: design.in_page(ends=lambda session, because: not where(session, because))


def _nowhere(end: End, operation: str) -> Change:
    """The payer of an operation is not sent to the merchant at an end."""

    def change(design: Design) -> Design:
        inner = design.page.destination

        def destination(session: PageSession, ended: End) -> str:
            return "" if ended == end and session.operation == operation else inner(session, ended)

        return design.in_page(destination=destination)

    return change


def _in_english(where: Callable[[Wishes], bool]) -> Change:
    def change(design: Design) -> Design:
        inner = design.page.language
        return design.in_page(language=lambda wishes: DEFAULT if where(wishes) else inner(wishes))

    return change


def _methods_ignored(where: Callable[[PageSession], bool]) -> Change:
    """The page offers what the account's rules say, whatever the session says."""

    def change(design: Design) -> Design:
        inner = design.page.offered

        def offered(session: PageSession) -> tuple[str, ...]:
            rest = {name: value for name, value in session.request.items() if name != "methods"}
            return inner(replace(session, request=rest) if where(session) else session)

        return design.in_page(offered=offered)

    return change


def _in_the_frame(of_override: bool) -> Change:  # noqa: FBT001 - one of two cases
    """Debits return in the window that they were opened in."""

    def leaving(session: PageSession) -> PageSession:
        if session.operation != "debit":
            return session
        account = session.account
        if of_override and account is not None:
            return replace(session, account=replace(account, override_link_target=None))
        return replace(session, request={**session.request, "url_target": "_self"})

    return lambda design: design.in_page(leaving=leaving)


def _lasting(operation: str) -> Change:
    def minutes(body: JsonObject) -> float:
        return 60 if body.get("operation") == operation else minutes_open(body)

    return lambda design: design.in_session(minutes_open=minutes)


def _was_challenged_debit(payment: Payment) -> bool:
    return payment.action == "debit" and record_of(payment).challenged


def _was_by_another_method(payment: Payment) -> bool:
    record = record_of(payment)
    return record.method not in ("", "card") and not record.wallet


_PAID_AGAIN: Final[dict[str, tuple[Callable[[PageSession, object], bool], str]]] = {
    "authorization": (lambda session, _: session.asks("auth"), "an authorization"),
    "debit": (lambda session, _: session.operation == "debit", "a debit"),
    "payout": (lambda session, _: session.operation in ("credit", "transfer"), "a credit or transfer"),
    "challenge": (lambda _, because: isinstance(because, Answer), "a challenge"),
    "wallet": (lambda _, because: isinstance(because, MethodEntry), "a wallet"),
    "token": (lambda _, because: isinstance(because, TokenEntry), "a card token"),
}

_UNCHECKED: Final[dict[str, tuple[str, str, str]]] = {
    "number": ("HPP-CRD-03 HPP-CRD-04", "card_number", "number of a card"),
    "expiry": ("HPP-EXP-02", "expiry", "expiry date"),
    "code": ("HPP-CVV-02", "cvv", "security code"),
}
_ENDS: Final[tuple[tuple[End, str, str], ...]] = (
    ("cancelled", "CHK-URL-09", "cancel_url"),
    ("expired", "CHK-URL-13", "expiry_url"),
)

FAULTS: Final[tuple[Fault, ...]] = faults(
    {
        **{
            f"page-{name}-paid-again": breaks(
                "CHK-LIF-04", f"A session that {what} paid shows the form again, and charges again.", _paid_again(where)
            )
            for name, (where, what) in _PAID_AGAIN.items()
        },
        "return-after-challenged-debit-bare": breaks(
            "CHK-URL-03",
            "After a challenged debit nothing is added to success_url (line 418).",
            returning_nothing(_was_challenged_debit),
        ),
        **{
            f"return-after-{operation}-bare": breaks(
                "CHK-URL-03",
                f"After a {operation} nothing is added to success_url (line 418).",
                returning_nothing(lambda payment, operation=operation: payment.action == operation),  # type: ignore[misc]
            )
            for operation in ("credit", "transfer")
        },
        "return-of-other-methods-bare": breaks(
            "CHK-URL-03",
            "After a payment by QR or another method than a card or wallet nothing is added to success_url.",
            returning_nothing(_was_by_another_method),
        ),
        "return-method-missing-after-debit": breaks(
            "CHK-URL-08",
            "payment_method is not added after a debit.",
            returning_without("payment_method", lambda payment: payment.action == "debit"),
            since=_NEW,
        ),
        "return-method-missing-after-decline": breaks(
            "CHK-URL-08",
            "payment_method is not added after a decline.",
            returning_without("payment_method", lambda payment: payment.state is State.DECLINED),
            since=_NEW,
        ),
        **{
            f"page-{name}-of-{operation}-unchecked": breaks(
                requirement,
                f"The page of a {operation} takes any {what}.",
                _unchecked(_of(operation), field),
            )
            for operation in ("debit", "credit", "transfer")
            for name, (requirement, field, what) in _UNCHECKED.items()
            if (operation, name) != ("credit", "code")
        },
        **{
            f"page-{name}-unchecked-after-decline": breaks(
                requirement.split()[-1],
                f"After a decline any {what} is taken.",
                _unchecked(_after_decline, field),
            )
            for name, (requirement, field, what) in _UNCHECKED.items()
        },
        "page-methods-forgotten-after-decline": breaks(
            "HPP-ASK-04",
            "After a decline methods has no effect.",
            _methods_ignored(lambda session: session.declines > 0),
        ),
        "page-methods-ignored-on-credit": breaks(
            "HPP-ASK-04",
            "methods does not restrict the page of a credit (line 56).",
            _methods_ignored(lambda session: session.operation == "credit"),
            since=_CREDIT,
        ),
        "page-language-forgotten-after-decline": breaks(
            "HPP-LNG-01", "After a decline the page is in English.", _in_english(lambda wishes: wishes.declines > 0)
        ),
        **{
            f"page-language-of-{operation}-ignored": breaks(
                "HPP-LNG-01",
                f"The page of a {operation} is in English.",
                _in_english(lambda wishes, operation=operation: wishes.operation == operation),  # type: ignore[misc]
            )
            for operation in ("debit", "credit", "transfer")
        },
        **{
            f"return-of-{operation}-{end}-nowhere": breaks(
                requirement, f"The payer of a {operation} is not sent to {address}.", _nowhere(end, operation)
            )
            for operation in ("debit", "credit", "transfer")
            for end, requirement, address in _ENDS
        },
        "return-of-debit-declined-nowhere": breaks(
            "CHK-URL-12",
            "Declines of a debit do not lead to cancel_url.",
            _nowhere("declined", "debit"),
        ),
        **{
            f"session-of-{operation}-lasts-an-hour": breaks(
                "CHK-LIF-02", f"session_expiry of a {operation} has no effect.", _lasting(operation)
            )
            for operation in ("credit", "transfer")
        },
        "link-url-target-of-debit-ignored": breaks(
            "CHK-LNK-01", "url_target of a debit has no effect.", _in_the_frame(of_override=False)
        ),
        "link-override-ignored-on-debit": breaks(
            "CHK-LNK-02",
            "Override Link Target has no effect on a debit.",
            _in_the_frame(of_override=True),
            since=_NEW,
        ),
        "link-override-ignored-when-over": breaks(
            "CHK-LNK-02",
            "The page of a session that is over leads to the merchant in the merchant's url_target.",
            lambda design: design.in_page(
                window_when_over=lambda session: session.given("url_target") or link_target(session)
            ),
            since=_NEW,
        ),
    }
)
