"""Every field rule of the session request: below, at and above each limit, missing, of another shape, malformed.

The rules are rows of ``contract/openapi/checkout.yaml``; a row that is added there is checked here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept_value, must_refuse, must_reject_with_any
from fixtures.judging.together import Send, sending
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.profile.capabilities import Capabilities
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.refusals import pairs_for
from fixtures.protocols.checkout.requests import SESSION_FIELDS
from fixtures.requirement import must_exist, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

TEXTS_OF_A_LENGTH = {
    "crypto.network": "a target that takes networks which it does not know (line 68 gives a length only)",
    "customer.name": "a protocol mapping that takes a name of equal letters (line 96)",
}
"""Fields whose values of the longest or shortest length are none that a payer would have: what decides their checks."""
SPEAKS_OF_LENGTH = re.compile(r"\b(long|short|length|characters?|at (most|least)|max\w*|min\w*)\b", re.IGNORECASE)
CARD_SETS = tuple(name for name in Capabilities.model_fields if name.startswith("card_set_"))

SETS = {
    "card_set_installments": r"bnrg_",
    "card_set_tax_document": r"(document_type|document_number|social_name|fiscal_country)$",
    "card_set_descriptor": r"descriptor$",
    "card_set_shipping_contact": r"customer_|shipping_",
    "card_set_debit_parties": r"payer_|payee_",
    "card_set_extended": r"(shipping|cart|marketPlace)\b",
}

CASES = tuple(case for field in SESSION_FIELDS for case in cases_of(field))


def each(accepted: bool) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case.accepted is accepted]
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.id, marks=requirement(case.requirement)) for case in chosen]
    )


@each(accepted=True)
def test_field_within_its_rule_is_accepted(
    case: FieldCase,
    checkout: CheckoutMerchant,
    sessions: Baselines[JsonRequest],
    together: Callable[[Reply, Send], Reply],
    run: Run,
) -> None:
    must_exist(case.field, run.release)
    baseline = sessions.reply_to(case.field.baseline)
    send = sending(
        lambda: sessions.like_asked(case.field.baseline),
        lambda session, one: changed(session, one, run),
        checkout.create_session,
    )

    reply = together(baseline, send)
    must_not_be_for_the_value(case, reply)
    must_accept_value(reply, case.field.name, baseline)


@each(accepted=False)
def test_field_outside_its_rule_is_refused(
    case: FieldCase, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    must_exist(case.field, run.release)
    must_be_read(case, run.profile)

    reply = checkout.create_session(changed(sessions(case.field.baseline), case, run))

    if case.may_be_taken and answer_of(reply) is Answer.ACCEPTED:
        note_reading(case.requirement, "examples")
        return
    must_reject_with_any(reply, pairs_for(case), field=case.field.name)
    if case.may_be_taken:
        note_reading(case.requirement, "list")


TOO_MANY_DIGITS = {
    case.requirement: case
    for case in CASES
    if case.field.schema.get("x-numeric") and case.keyword == "maxLength" and not case.accepted
}
"""One number of too many digits for each requirement; as texts all of them are tried above."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.field.name, marks=requirement(claimed)) for claimed, case in TOO_MANY_DIGITS.items()],
)
def test_number_of_too_many_digits_is_refused_though_it_is_no_text(
    case: FieldCase, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    must_exist(case.field, run.release)
    must_be_read(case, run.profile)

    # Whether the field may be a number of JSON is open; that it has so many digits is not.
    must_refuse(checkout.create_session(sessions(case.field.baseline).with_(case.field.path, as_number(case.value))))


def must_not_be_for_the_value(case: FieldCase, reply: Reply) -> None:
    """End the check where a text of a length that is allowed is refused for something else than its length."""
    decides = TEXTS_OF_A_LENGTH.get(case.field.name)
    if decides and answer_of(reply) is Answer.REFUSED and not SPEAKS_OF_LENGTH.search(reply.text):
        inconclusive(
            f"{case.field.name} of {len(str(case.value))} characters is refused for something else: {reply.summary}",
            decides=decides,
        )


def must_be_read(case: FieldCase, profile: Profile) -> None:
    """End the check where nothing says that the target reads the field: extras that no connector of it needs."""
    if case.field.name == "parameters.card" and all(
        profile.lacks(f"capability:{name}", "checkout") for name in CARD_SETS
    ):
        not_applicable("the profile declares no card_set_ in [capabilities], so nothing under parameters.card is read")
    capability = set_of(case.field.name)
    if capability and profile.lacks(f"capability:{capability}", "checkout"):
        not_applicable(f"the profile does not declare {capability}, so that nothing says that this target reads it")


def set_of(name: str) -> str:
    """Return the capability of the set that a card parameter belongs to (lines 127 to 148); empty: it is none."""
    if not name.startswith("parameters.card."):
        return ""
    parameter = name.removeprefix("parameters.card.")
    found = (capability for capability, pattern in SETS.items() if re.match(pattern, parameter))
    return next(found, "")


def changed(request: JsonRequest, case: FieldCase, run: Run) -> JsonRequest:
    if case.removed:
        return request.without(case.field.path)
    return request.with_(case.field.path, value_of(case, run))


def value_of(case: FieldCase, run: Run) -> object:
    if case.field.schema.get("x-numeric") and run.profile.dialect.numeric_parameters == "number":
        return as_number(case.value)
    if not (case.field.schema.get("x-unique") and isinstance(case.value, str)):
        return case.value
    numbers = run.session_requests.numbers
    if not case.value:
        return case.value
    return numbers.of_length(len(case.value)) if len(case.value) > 64 else numbers.next() + case.value


def as_number(value: object) -> object:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value
