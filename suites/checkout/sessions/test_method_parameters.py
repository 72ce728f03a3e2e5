"""The parameters of payment methods: the card sets as a whole, and the families of other methods."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.errors import REQUEST_DATA_INVALID
from contract.fields import component, fields_of, load_document
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_accept_value, must_answer_properly, must_reject
from fixtures.judging.together import Send, sending
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import METHOD_FAMILIES, SessionRequests
from fixtures.protocols.hosted_page.asking import Question, must_ask_for_more
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

LEFT_TO_THE_PAGE = ("bank_code", "bank_account_number", "upi_id")
"""What the session has to name, or else the page collects: "extra fields ... (... bank ...)" (line 235)."""

FAMILY_CASES = [
    case
    for family, schema in METHOD_FAMILIES.items()
    for field in fields_of(load_document("checkout"), schema, baseline=f"method:{family}")
    for case in cases_of(field)
]


def family_of(case: FieldCase) -> str:
    return case.field.baseline.removeprefix("method:")


def is_left_to_the_page(case: FieldCase) -> bool:
    return case.removed and case.field.leaf in LEFT_TO_THE_PAGE


def each(accepted: bool) -> pytest.MarkDecorator:
    chosen = [case for case in FAMILY_CASES if case.accepted is accepted and not is_left_to_the_page(case)]
    return pytest.mark.parametrize(
        "case",
        [pytest.param(case, id=f"{family_of(case)}-{case.id}", marks=requirement(case.requirement)) for case in chosen],
    )


@each(accepted=True)
def test_parameter_of_a_method_family_within_its_rule_is_accepted(
    case: FieldCase,
    checkout: CheckoutMerchant,
    sessions: Baselines[JsonRequest],
    together: Callable[[Reply, Send], Reply],
    run: Run,
) -> None:
    path = path_of(case, run)
    baseline = sessions.reply_to(case.field.baseline)
    send = sending(
        lambda: sessions.like_asked(case.field.baseline),
        lambda session, one: changed(session, one, run),
        checkout.create_session,
    )

    must_accept_value(together(baseline, send), ".".join(map(str, path)), baseline)


@each(accepted=False)
def test_parameter_of_a_method_family_outside_its_rule_is_refused(
    case: FieldCase, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], run: Run
) -> None:
    session = sessions(case.field.baseline)

    reply = checkout.create_session(changed(session, case, run))

    if answer_of(reply) is Answer.ACCEPTED:
        must_be_of_the_method(case, run)
    must_reject(reply, REQUEST_DATA_INVALID, field=case.field.leaf)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.field.leaf, marks=requirement(case.requirement))
        for case in FAMILY_CASES
        if is_left_to_the_page(case)
    ],
)
def test_account_that_a_session_does_not_name_is_refused_or_asked_for(
    case: FieldCase, checkout: CheckoutMerchant, pages: HostedPages, run: Run
) -> None:
    baseline = case.field.baseline
    lacking = changed(pages.session(baseline), case, run)

    reply = checkout.create_session(lacking)

    if answer_of(reply) is not Answer.ACCEPTED:
        note_reading(case.requirement, "refused")
        must_reject(reply, REQUEST_DATA_INVALID, field=case.field.leaf)
        return
    question = Question(case.field.leaf, expected=f"a refusal, or a page that asks for {case.field.leaf}")
    must_ask_for_more(pages, pages.session(baseline), pages.again(lacking), question)
    note_reading(case.requirement, "asked-on-the-page")


def must_be_of_the_method(case: FieldCase, run: Run) -> None:
    """End the check where the method may not have the parameter: of its family, no method needs all."""
    family, parameter = family_of(case), case.field.leaf
    is_conditional = not component(load_document("checkout"), METHOD_FAMILIES[family]).get("required")
    if is_conditional and not run.session_requests.is_of_method(family, parameter):
        not_applicable(
            f"[test_data.apm.fields] of the profile does not name {parameter} for the method of {family}, and a "
            "parameter that a method does not have may be ignored"
        )


def changed(session: JsonRequest, case: FieldCase, run: Run) -> JsonRequest:
    path = path_of(case, run)
    return session.without(path) if case.removed else session.with_(path, case.value)


def path_of(case: FieldCase, run: Run) -> tuple[str | int, ...]:
    return ("parameters", run.session_requests.method(family_of(case)), *case.field.path)


@pytest.mark.parametrize(
    "baseline",
    [
        pytest.param("installments", marks=requirement("CHK-PRM-01")),
        pytest.param("tax_document", marks=requirement("CHK-PRM-21")),
        pytest.param("extended", marks=requirement("CHK-EXT-01")),
    ],
)
def test_complete_card_set_is_accepted(
    baseline: str, checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    reply = checkout.create_session(unproven_session.baseline(baseline))

    must_accept(reply)


CONTACT = (
    "customer_phone",
    "customer_telnocc",
    "shipping_street1",
    "shipping_city",
    "shipping_state",
    "shipping_postcode",
    "shipping_country",
)


@requirement("CHK-PRM-16")
@pytest.mark.parametrize("names", [CONTACT, CONTACT[::2], CONTACT[1::2]], ids=["all", "some", "others"])
def test_shipping_and_contact_parameters_are_optional_and_accepted(
    names: tuple[str, ...], checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_accept(checkout.create_session(session_request(parameters={"card": card_examples(*names)})))


@requirement("CHK-PRM-19")
@pytest.mark.parametrize("kept", [slice(None), slice(None, None, 2), slice(1, None, 2)], ids=["all", "some", "others"])
def test_identity_of_the_debit_parties_is_optional_and_accepted_on_a_debit(
    kept: slice, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    parties = [name for name in card_properties() if name.startswith(("payer_", "payee_"))][kept]

    reply = checkout.create_session(sessions("debit").with_("parameters", {"card": card_examples(*parties)}))

    must_accept(reply)


@requirement("CHK-PRM-20")
@pytest.mark.parametrize("baseline", ["installments", "tax_document"])
def test_one_card_set_needs_none_of_another(
    baseline: str, checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    session = unproven_session.baseline(baseline).with_("parameters.card.descriptor", "Shop")

    must_accept(checkout.create_session(session))


@pytest.mark.parametrize(
    ("baseline", "name"),
    [
        pytest.param("installments", "bnrg_installm_def", marks=requirement("CHK-PRM-05", "CHK-PRM-07")),
        pytest.param("installments", "bnrg_installm_months", marks=requirement("CHK-PRM-03", "CHK-PRM-07")),
        pytest.param("installments", "bnrg_installm_plan", marks=requirement("CHK-PRM-03", "CHK-PRM-05")),
        # document_type and document_number are of the local document as well (lines 219 and 220), which has no others.
        pytest.param("tax_document", "social_name", marks=requirement("CHK-PRM-10", "CHK-PRM-11", "CHK-PRM-13")),
        pytest.param("tax_document", "fiscal_country", marks=requirement("CHK-PRM-10", "CHK-PRM-11", "CHK-PRM-12")),
    ],
)
def test_one_parameter_of_a_set_alone_is_refused(
    baseline: str, name: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions(baseline)
    values = session.get("parameters.card")
    missing = tuple(f"parameters.card.{other}" for other in values if other != name)

    reply = checkout.create_session(session.with_("parameters", {"card": {name: values[name]}}))

    must_reject(reply, REQUEST_DATA_INVALID, field=missing)


@requirement("CHK-EXT-02")
@pytest.mark.parametrize(
    "field", ["shipping.street1", "shipping.comment", "cart.items[0].name", "cart.items[0].description"]
)
def test_punctuation_in_alphanumeric_text_is_accepted_or_refused(
    field: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("extended").with_(f"parameters.card.{field}", "Main st. 5-7")

    reply = checkout.create_session(session)

    must_answer_properly(reply, "CHK-EXT-02", accepted="accepted", refused="refused")


@requirement("CHK-EXT-03")
@pytest.mark.parametrize("part", ["shipping", "cart.items[0]", "cart.payments[0]", "marketPlace.sellers[0]"])
@pytest.mark.parametrize("first", [0, 1], ids=["some", "others"])
def test_fields_of_the_extended_set_may_be_left_out(
    part: str, first: int, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("extended")
    path = f"parameters.card.{part}"
    values = session.get(path)
    optional = [name for name in values if name not in CONDITIONAL][first::2]

    must_accept(checkout.create_session(session.with_(path, {n: v for n, v in values.items() if n not in optional})))


@requirement("CHK-EXT-04")
@pytest.mark.parametrize(
    ("items", "field", "value"),
    [
        ("cart.items", "name", "a" * 256),
        ("cart.payments", "brand", "a" * 256),
        ("marketPlace.sellers", "id", "a" * 256),
    ],
    ids=["items", "payments", "sellers"],
)
@pytest.mark.parametrize("right_ones", [1, 25])
def test_rules_hold_for_every_item_of_a_list(
    items: str, field: str, value: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], *, right_ones: int
) -> None:
    session = sessions("extended")
    path = f"parameters.card.{items}"
    first = session.get(path)[0]
    if answer_of(checkout.create_session(session.with_(path, [{**first, field: value}]))) is not Answer.REFUSED:
        inconclusive(
            "the rule is not even kept in the first item of the list",
            decides="a target that keeps it there, which another check is about",
        )

    fresh = sessions("extended")
    reply = checkout.create_session(fresh.with_(path, [first] * right_ones + [{**first, field: value}]))

    must_reject(reply, REQUEST_DATA_INVALID)


def conditional_fields() -> frozenset[str]:
    schemas = [component(load_document("checkout"), name) for name in ("Shipping", "CartItem")]
    properties = [row for schema in schemas for row in schema["properties"].items()]
    return frozenset(name for name, row in properties if row.get("x-conditional"))


CONDITIONAL = conditional_fields()


def card_properties() -> dict[str, dict[str, object]]:
    properties: dict[str, dict[str, object]] = component(load_document("checkout"), "CardParameters")["properties"]
    return properties


def card_examples(*names: str) -> dict[str, object]:
    return {name: card_properties()[name]["example"] for name in names}
