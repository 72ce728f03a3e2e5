"""Variations of Hosted Payment Fields, of whose requests and answers lines 333 to 335 show no fields."""

from typing import Final

from emulator.changes.checkout import answering
from emulator.changes.hosted_fields import any_operation, hosted, last, rows
from emulator.design import Design, all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_page.forms.rules import PAGE_RULES, PageContext, PageRule
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
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


def _for_people(reply: Reply) -> Reply:
    """A page in place of JSON: that the card came or, with the fields to be filled in again, that it did not."""
    again = '<form method="post"><input name="card_number"><input name="expiry"><input name="cvv"></form>'
    text = again if reply.is_error else '<p id="result">success</p>'
    return Reply(Kind.ROUTE, 200, {}, content_type="text/html; charset=utf-8", text=f"<!doctype html>{text}")


VARIATIONS: Final = (
    Variation(
        "hosted-card-answered-by-a-page",
        "What is typed into the fields is answered for people, and the field of the expiry date takes mm/yy alone.",
        all_of(_expiry_with_a_slash, hosted(card_answer=_for_people)),
    ),
    Variation(
        "hosted-frames-alone-say-what-they-take",
        "The frames of the fields say what they take; the fields in them have names that say nothing, and no label.",
        hosted(mute_fields=True),
    ),
    Variation(
        "hosted-fields-without-frames",
        "The script puts its fields into the merchant's page itself: line 14 has them inside it, not in frames.",
        hosted(plain_fields=True),
    ),
    Variation(
        "hosted-fields-by-constructor",
        "The script gives a class of which the merchant's page makes the fields, and no function init.",
        hosted(constructed=True),
    ),
    Variation(
        "hosted-fields-sent-when-left",
        "Each field sends itself as soon as the payer leaves it, and no call of the merchant's page does.",
        hosted(sent_when_left=True),
    ),
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
