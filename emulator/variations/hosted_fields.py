"""Variations of Hosted Payment Fields, of whose requests and answers lines 333 to 335 show no fields."""

from typing import Final

from emulator.changes.checkout import answering
from emulator.changes.hosted_fields import any_operation, last, rows
from emulator.design import Design, all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_page.forms.rules import PAGE_RULES, PageContext, PageRule
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object


def _waiting(body: Object) -> Object:
    """The payment goes its way while the answer is under way: what became of it shows in look-ups and callbacks."""
    if body.get("result") not in {"success", "decline"}:
        return body
    return {"result": "waiting", "public_id": body["public_id"]}


def _with_a_slash(value: str, _context: PageContext) -> bool:
    return len(value) == len("mm/yy") and value[2] == "/"


_SLASH: Final = PageRule("expiry", _with_a_slash, "invalid_expiry")


def _expiry_with_a_slash(design: Design) -> Design:
    return design.in_hosted_fields(rules=(*PAGE_RULES, _SLASH))


def _not_of_return_url(row: Rule) -> Rule | None:
    return None if row.path == "return_url" else row


def _success_url_first(attempt: Attempt) -> Refusal | None:
    """Line 42: a session needs success_url, and return_url is no field of it."""
    if attempt.body.get("success_url"):
        return None
    return Refusal(Kind.HOSTED_FIELDS, INVALID_DATA, violations=(("success_url", "This value should not be blank."),))


VARIATIONS: Final = (
    Variation(
        "hosted-token-by-success-url",
        "A request for a session token needs success_url, as one for a session does, and knows no return_url.",
        all_of(rows(_not_of_return_url), last(_success_url_first)),
    ),
    Variation(
        "hosted-answers-before-the-outcome",
        "Payments are answered with waiting; look-ups and callbacks say what became of them.",
        answering(_waiting, Kind.HOSTED_PAYMENT),
    ),
    Variation(
        "hosted-token-for-every-operation",
        "A session token is given for every operation, and no address pays those of another than its own.",
        rows(any_operation),
    ),
    Variation(
        "hosted-expiry-with-a-slash", "The field of the expiry date takes mm/yy and nothing else.", _expiry_with_a_slash
    ),
)
