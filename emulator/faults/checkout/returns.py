"""Faults of the ways back to the merchant, and of how long a session is open."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.hosted_page import returning, returning_nothing, returning_without, without_override
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.engine.signing import ascii_upper, hex_digest, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import minutes_open
from emulator.protocols.hosted_page.behaviour import declines_allowed
from emulator.protocols.hosted_page.entries import Answer
from emulator.protocols.hosted_page.outcomes import Approved, Broken, Declined, Outcome, Parameters
from emulator.protocols.hosted_page.returns import End, destination, return_address
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit

_NEW: Final = "6.7.0"
_NAMES: Final = ("payment_id", "trans_id", "order_id", "hash")


def _paid(payment: Payment) -> bool:
    return payment.state is not State.DECLINED


def _declined(payment: Payment) -> bool:
    return payment.state is State.DECLINED


def _challenged(payment: Payment) -> bool:
    return record_of(payment).challenged


def _order_id(_payment: Payment, parameters: Parameters) -> Parameters:
    return {**parameters, "order_id": f"{parameters['order_id']}-1"}


def _payment_id(_payment: Payment, parameters: Parameters) -> Parameters:
    return {**parameters, "payment_id": parameters["payment_id"][::-1]}


def _hash_as(sign: Callable[[Payment], str]) -> Change:
    return returning(lambda payment, parameters: {**parameters, "hash": sign(payment)})


def _values(payment: Payment) -> str:
    return payment.id + payment.order_number + payment.amount_text + payment.currency + payment.description


def _without_password(payment: Payment) -> str:
    return session_hash(ascii_upper(_values(payment)), payment.account.hash)


def _without_id(payment: Payment) -> str:
    account = payment.account
    return session_hash(ascii_upper(_values(payment).removeprefix(payment.id) + account.password), account.hash)


def _inner_only(payment: Payment) -> str:
    account = payment.account
    return hex_digest(account.hash, ascii_upper(_values(payment) + account.password))


def _going(change: Callable[[PageSession, End, str], str]) -> Change:
    def changed(session: PageSession, end: End) -> str:
        return change(session, end, destination(session, end))

    return lambda design: design.in_page(destination=changed)


def _declines(more: int) -> Change:
    """Count otherwise where an account allows several declines; one is left as it is."""

    def allowed(account: Account | None) -> int:
        usual = declines_allowed(account)
        return usual + more if usual > 1 else usual

    return lambda design: design.in_page(declines_allowed=allowed)


def _instead(when: End, name: str) -> Change:
    return _going(lambda session, end, address: session.given(name) if end == when else address)


def _with_transaction(_session: PageSession, end: End, address: str) -> str:
    if end != "cancelled" or not address:
        return address
    return return_address(address, {"payment_id": "1", "trans_id": "1", "order_id": "1", "hash": "0" * 40})


def _lost(when: End) -> Change:
    def change(_session: PageSession, end: End, address: str) -> str:
        if end == when and not address:
            message = "there is no way back"
            raise LookupError(message)
        return address

    return _going(change)


def _bare(address: str, parameters: Mapping[str, str]) -> str:
    base, _, _ = address.partition("?")
    return return_address(base, parameters)


def _to_error(because: object, outcome: Outcome) -> Outcome:
    answered = isinstance(because, Answer) and isinstance(outcome, Approved | Declined)
    return Broken() if answered else outcome


def _leaving(change: Callable[[PageSession], PageSession]) -> Change:
    return lambda design: design.in_page(leaving=change)


def _override_by_wish(session: PageSession) -> PageSession:
    return without_override(session) if session.given("url_target") else session


def _override_with_wish(session: PageSession) -> PageSession:
    return session if session.given("url_target") else without_override(session)


def _no_wish(session: PageSession) -> PageSession:
    return replace(session, request={**session.request, "url_target": "_self"})


def _no_continue(design: Design) -> Design:
    return design.in_page(by_link=lambda _session, _fetch_destination: False)


def _open_for(minutes: Callable[[Mapping[str, object]], float]) -> Change:
    return lambda design: design.in_session(minutes_open=minutes)


def _if_default(minutes: float) -> Change:
    return _open_for(lambda body: minutes_open(body) if "session_expiry" in body else minutes)


def _if_wished(change: Callable[[float], float]) -> Change:
    return _open_for(lambda body: change(minutes_open(body)) if "session_expiry" in body else minutes_open(body))


def _admits_expired(visit: Visit, *, closed: bool) -> End | None:  # noqa: ARG001 - what it does not look at
    return visit.ended


def _admits_paid(visit: Visit, *, closed: bool) -> End | None:
    ended = None if visit.ended == "paid" else visit.ended
    return ended or ("expired" if closed else None)


_OTHER: Final = {
    "payment_id": ("CHK-STA-21", "payment_id is that of no payment"),
    "order_id": ("CHK-URL-04", "order_id is another one"),
    "hash": ("CHK-URL-07", "the hash is wrong"),
}


def _reversed(name: str, applies: Callable[[Payment], bool]) -> Change:
    def change(payment: Payment, parameters: Parameters) -> Parameters:
        return {**parameters, name: parameters[name][::-1]} if applies(payment) else parameters

    return returning(change)


FAULTS: Final = faults(
    {
        **{
            f"return-{what}-other-{name.replace('_', '-')}": breaks(
                requirement, f"After a {word} {summary}.", _reversed(name, applies)
            )
            for name, (requirement, summary) in _OTHER.items()
            for what, word, applies in (
                ("declined", "decline", _declined),
                ("challenged", "challenge", _challenged),
            )
        },
        "return-success-to-cancel": breaks(
            "CHK-URL-01", "After success the payer goes to cancel_url.", _instead("paid", "cancel_url")
        ),
        "return-success-to-nowhere": breaks(
            "CHK-URL-01",
            "After success the payer stays on the page.",
            _going(lambda _session, end, address: "" if end == "paid" else address),
        ),
        "return-query-dropped": breaks(
            "CHK-URL-02", "The query of success_url is lost.", lambda design: design.in_page(return_address=_bare)
        ),
        **{
            f"return-without-{name.replace('_', '-')}": breaks(
                "CHK-URL-03", f"success_url gets no {name}.", returning_without(name, _paid)
            )
            for name in _NAMES
        },
        "return-other-payment-id": breaks("CHK-STA-21", "payment_id is that of no payment.", returning(_payment_id)),
        "return-other-order-id": breaks("CHK-URL-04", "order_id is another one.", returning(_order_id)),
        **{
            f"return-declined-without-{name.replace('_', '-')}": breaks(
                "CHK-URL-05", f"cancel_url gets no {name}.", returning_without(name, _declined)
            )
            for name in _NAMES
        },
        "return-challenged-bare": breaks(
            "CHK-URL-06", "After a challenge nothing is added.", returning_nothing(_challenged)
        ),
        "return-hash-without-password": breaks(
            "CHK-URL-07", "The hash covers no password.", _hash_as(_without_password)
        ),
        "return-hash-without-id": breaks("CHK-URL-07", "The hash does not cover payment_id.", _hash_as(_without_id)),
        "return-hash-inner-digest": breaks("CHK-URL-07", "The outer SHA1 is missing.", _hash_as(_inner_only)),
        "return-without-payment-method": breaks(
            "CHK-URL-08",
            "payment_method is missing.",
            returning_without("payment_method", lambda _payment: True),
            since=_NEW,
        ),
        "return-payment-method-unasked": breaks(
            "CHK-URL-19",
            "payment_method is added for everybody.",
            returning(lambda _payment, parameters: {"payment_method": "card", **parameters}),
        ),
        "return-cancel-stays": breaks(
            "CHK-URL-09",
            "Who leaves stays on the page.",
            _going(lambda _session, end, address: "" if end == "cancelled" else address),
        ),
        "return-cancel-to-success": breaks(
            "CHK-URL-09", "Who leaves goes to success_url.", _instead("cancelled", "success_url")
        ),
        "return-cancel-with-transaction": breaks(
            "CHK-URL-10", "Who leaves brings a transaction that never was.", _going(_with_transaction)
        ),
        "return-declines-without-end": breaks(
            "CHK-URL-12",
            "A payer may be declined for ever.",
            lambda design: design.in_page(declines_allowed=lambda _account: 1_000_000),
        ),
        "return-declines-one-more": breaks("CHK-URL-12", "One decline more is allowed.", _declines(1)),
        "return-declines-one-less": breaks("CHK-URL-12", "One decline less is allowed.", _declines(-1)),
        "return-declines-to-error": breaks(
            "CHK-URL-12", "Too many declines lead to error_url.", _instead("declined", "error_url")
        ),
        "return-expired-to-cancel": breaks(
            "CHK-URL-13", "Expiry leads to cancel_url.", _instead("expired", "cancel_url")
        ),
        "return-expired-stays": breaks(
            "CHK-URL-13",
            "Expiry leads nowhere.",
            _going(lambda _session, end, address: "" if end == "expired" else address),
        ),
        "return-challenged-to-error": breaks(
            "CHK-URL-15",
            "After a challenge the payer goes to error_url.",
            lambda design: design.in_page(outcome=_to_error),
        ),
        "return-cancel-breaks": breaks(
            "CHK-URL-17", "Without cancel_url leaving is a server error.", _lost("cancelled")
        ),
        "return-expired-breaks": breaks("CHK-URL-18", "Without expiry_url expiry is a server error.", _lost("expired")),
        "link-url-target-ignored": breaks("CHK-LNK-01", "url_target has no effect.", _leaving(_no_wish)),
        "link-override-ignored": breaks(
            "CHK-LNK-02 CHK-LNK-03", "Override Link Target has no effect.", _leaving(without_override), since=_NEW
        ),
        "link-wish-wins": breaks(
            "CHK-LNK-02", "url_target wins over Override Link Target.", _leaving(_override_by_wish), since=_NEW
        ),
        "link-override-needs-wish": breaks(
            "CHK-LNK-03", "Override Link Target needs url_target.", _leaving(_override_with_wish), since=_NEW
        ),
        "link-no-continue": breaks("CHK-LNK-04", "No Continue step in a frame.", _no_continue, since=_NEW),
        "link-continue-stays": breaks(
            "CHK-LNK-04",
            "The Continue step opens no new window.",
            lambda design: design.in_page(window=lambda _session: "_self"),
            since=_NEW,
        ),
        "session-open-half-an-hour": breaks("CHK-LIF-01", "A session expires after half an hour.", _if_default(30)),
        "session-open-two-hours": breaks("CHK-LIF-01", "A session expires after two hours.", _if_default(120)),
        "session-expiry-ignored": breaks(
            "CHK-LIF-02", "session_expiry has no effect.", _if_wished(lambda _minutes: 60)
        ),
        "session-expiry-doubled": breaks(
            "CHK-LIF-02", "A session is open twice as long as wished.", _if_wished(lambda minutes: 2 * minutes)
        ),
        "session-expiry-halved": breaks(
            "CHK-LIF-02", "A session is open half as long as wished.", _if_wished(lambda minutes: minutes / 2)
        ),
        "session-expiry-in-whole-hours": breaks(
            "CHK-LIF-02",
            "Above an hour only whole hours of session_expiry count: 90 minutes are 60.",
            _if_wished(lambda minutes: minutes if minutes < 60 else minutes // 60 * 60),
        ),
        "session-expiry-in-hours-begun": breaks(
            "CHK-LIF-02",
            "Above an hour every hour of session_expiry that has begun counts: 90 minutes are 120.",
            _if_wished(lambda minutes: minutes if minutes < 60 else -(-minutes // 60) * 60),
        ),
        "session-pays-when-expired": breaks(
            "CHK-LIF-03", "An expired session is paid.", lambda design: design.in_page(admits=_admits_expired)
        ),
        "session-pays-twice": breaks(
            "CHK-LIF-04", "A session is paid twice.", lambda design: design.in_page(admits=_admits_paid)
        ),
    }
)
