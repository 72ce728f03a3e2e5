"""Faults of the way back to the merchant that show after an earlier attempt, or with unusual addresses and numbers.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.hosted_page.outcomes import Parameters

Returning = Callable[[str, Parameters], str]
_LONG: Final = 900


def _first_attempt(design: Design) -> Design:
    inner = design.checkout.return_parameters

    def parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
        attempts = gateway.payments.of_order(payment.account, payment.order_number)
        first = attempts[-1] if attempts and attempts[-1].state is State.DECLINED else payment
        return inner(gateway, first, method)

    return design.in_checkout(return_parameters=parameters)


def _returning(make: Callable[[Returning], Returning]) -> Change:
    """Return addresses are made by what ``make`` makes of the usual way."""
    return lambda design: design.in_page(return_address=make(design.page.return_address))


def _long_ones_bare(inner: Returning) -> Returning:
    return lambda address, parameters: inner(address, {} if len(address) > _LONG else parameters)


def _names_once(inner: Returning) -> Returning:
    def returning(address: str, parameters: Parameters) -> str:
        base, mark, query = address.partition("?")
        pairs = parse_qsl(query, keep_blank_values=True)
        repeated = len({name for name, _ in pairs}) < len(pairs)
        return inner(base + mark + urlencode(dict(pairs)) if repeated else address, parameters)

    return returning


def _second_mark_of_cancel(inner: Returning) -> Returning:
    def returning(address: str, parameters: Parameters) -> str:
        is_it = bool(parameters) and "cancel" in address and "?" in address
        return f"{address}?{urlencode(parameters)}" if is_it else inner(address, parameters)

    return returning


def _plus_as_it_is(inner: Returning) -> Returning:
    def returning(address: str, parameters: Parameters) -> str:
        made = inner(address, parameters)
        number = urlencode({"order_id": parameters.get("order_id", "")})
        return made.replace(number, number.replace("%2B", "+"))

    return returning


def _escapes_decoded(inner: Returning) -> Returning:
    def returning(address: str, parameters: Parameters) -> str:
        base, mark, query = address.partition("?")
        return inner(base + mark + unquote(query), parameters)

    return returning


FAULTS: Final = faults(
    {
        "return-names-first-attempt": breaks(
            "CHK-URL-03",
            "After a declined attempt success_url names the declined payment, not the one that was made (line 418).",
            _first_attempt,
        ),
        "return-of-long-address-bare": breaks(
            "CHK-URL-02",
            "Nothing is appended to return addresses of more than 900 characters (line 418).",
            _returning(_long_ones_bare),
        ),
        "return-to-cancel-by-a-second-mark": breaks(
            "CHK-URL-02",
            "What is appended to a cancel_url that has a query begins with a second question mark.",
            _returning(_second_mark_of_cancel),
        ),
        "return-repeated-names-merged": breaks(
            "CHK-URL-02",
            "Of a name that success_url has twice in its query one value is lost (line 42).",
            _returning(_names_once),
        ),
        "return-plus-of-number-as-blank": breaks(
            "CHK-URL-04",
            "A plus in the order number arrives as a blank in order_id of return addresses (line 418).",
            _returning(_plus_as_it_is),
        ),
        "return-escapes-of-query-decoded": breaks(
            "CHK-URL-02",
            "Percent escapes in the query of success_url are decoded, so that values fall apart (line 42).",
            _returning(_escapes_decoded),
        ),
    }
)
