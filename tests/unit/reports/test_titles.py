"""Titles of findings say what is wrong and where, and findings join only what has a cause in common."""

from __future__ import annotations

import pytest

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.evidence.files import ticket
from reports.findings.story import story_of, what_was_sent
from reports.model import Answer, Change, Check, Evidence, Exchange, Failure, Run
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of

REFUSED = '{"result":"ERROR","error_code":100000,"error_message":"Hash is not valid"}'
ANY_REFUSAL = "the request is refused with HTTP 400, error_code 100000"


@pytest.fixture
def catalogue() -> Catalogue:
    """Requirements of callbacks, look-ups, signatures and amounts."""
    return catalogue_of(
        requirement(id="CBK-SIG-03", sentence="The hash of a Checkout callback follows the recipe."),
        requirement(id="CBK-SIG-04", sentence="The inner digest is that of the account."),
        requirement(id="CBK-SIG-09", sentence="The hash of an S2S CARD callback is Formula 2."),
        requirement(id="CBK-SIG-14", sentence="The hash of an S2S APM callback is made of all values."),
        requirement(id="CHK-URL-07", sentence="The hash of the return parameters follows the recipe."),
        requirement(id="CHK-ORD-04", sentence="order.number refuses any other character."),
        requirement(id="S2C-STA-25", sentence="size limits the answer."),
        requirement(id="S2C-SIG-06", sentence="A SALE by token is signed by Formula 7."),
        requirement(id="S2C-SIG-10", sentence="CREDITVOID is signed by Formula 2."),
        requirement(id="S2C-CVD-06", sentence="A released authorization has status REVERSAL."),
        requirement(id="CHK-STA-04", sentence="The look-up answers the newest payment."),
    )


def _exchange(protocol: str, sent: str, reply: str = "", status: int | None = 200, url: str = "/post") -> Exchange:
    return Exchange(
        protocol=protocol, method="POST", url=f"https://a.example{url}", request_body=sent, status=status,
        response_body=reply,
    )  # fmt: skip


def _failing(claims: str, expected: str, received: str, explanation: str, **more: object) -> Check:
    failure = Failure(expected=expected, received=received, explanation=explanation)
    name = f"{claims}{len(explanation)}{len(received)}".lower().replace("-", "_")
    return check(name, "fail", claims, failure=failure, evidence=(name,), **more)


def _watched(claims: str, expected: str, callback: Exchange, mistake: str) -> tuple[Check, list[Exchange]]:
    received = callback.request_body or callback.url
    said = f"{mistake} 2 of 9 exchanges break it; the first was caused by suites/a.py::test_a."
    failing = _failing(claims, expected, received, said, watched=9)
    return failing.model_copy(update={"id": f"watchers::{claims}"}), [callback]


def _callback_check(
    claims: str, protocol: str, callback: Exchange, mistake: str, expected: str = ""
) -> tuple[Check, list[Exchange]]:
    wanted = expected or "a hash made of id and the password"
    failing = _failing(claims, wanted, f"callback {callback.request_body!r}", mistake)
    return failing.model_copy(update={"id": f"suites/{protocol}/callbacks/{failing.id}"}), [callback]


def _concluded(catalogue: Catalogue, *failing: tuple[Check, list[Exchange]]) -> Conclusion:
    evidence = [Evidence(id=each.evidence[0], check=each.id, exchanges=tuple(sent)) for each, sent in failing]
    run: Run = run_of(check("fine"), *(each for each, _ in failing))
    return conclude(run.model_copy(update={"evidence": {each.id: each for each in evidence}}), catalogue)


def _titles(conclusion: Conclusion) -> list[str]:
    return sorted(conclusion.title(found) for found in conclusion.findings)


CHECKOUT = _exchange("Callback", "id=p1&order_number=o1&order_status=settled&hash=0123")
OF_APM = _exchange("Callback", "trans_id=t1&order_id=o1&order_status=settled&hash=0123")
RECIPE = "The callback's hash is what the recipe gives"


def test_hashes_with_other_mistakes_are_other_findings(catalogue: Catalogue) -> None:
    conclusion = _concluded(
        catalogue,
        _callback_check("CBK-SIG-03", "checkout", CHECKOUT, "No known mistake explains the callback's hash: perhaps."),
        _callback_check("CBK-SIG-04", "checkout", CHECKOUT, f"{RECIPE} when MD5 is used in place of SHA256."),
        _callback_check("CBK-SIG-14", "s2s_apm", OF_APM, f'{RECIPE} by the reading "x" when MD5 stands there.'),
    )

    assert _titles(conclusion) == [
        "The hash of the Checkout callback is wrong: No known mistake explains the callback's hash: perhaps",
        f"The hash of the Checkout callback is wrong: {RECIPE} when MD5 is used in place of SHA256",
        f'The hash of the S2S APM callback is wrong: {RECIPE} by the reading "x" when MD5 stands there',
    ]


def test_same_mistake_is_one_finding_whoever_saw_it(catalogue: Catalogue) -> None:
    mistake = f"{RECIPE} when the password is missing."
    conclusion = _concluded(
        catalogue,
        _callback_check("CBK-SIG-14", "s2s_apm", OF_APM, f"{mistake[:-1].replace('gives', 'gives by the reading x')}."),
        _watched("CBK-SIG-14", "an S2S APM callback with the hash that is due", OF_APM, mistake),
        _callback_check("CBK-SIG-14", "s2s_apm", OF_APM, "It has 30 characters.", "hash as 32 hexadecimal digits"),
    )

    (found,) = conclusion.findings
    assert found.cause.place == "S2S APM callback"
    assert "exchanges break it" not in conclusion.title(found)


@pytest.mark.parametrize("protocol", ["Checkout", "S2S CARD", "S2S APM"])
def test_watched_callback_is_of_the_protocol_that_the_watcher_names(catalogue: Catalogue, protocol: str) -> None:
    article = "a" if protocol == "Checkout" else "an"
    expected = f"{article} {protocol} callback with the hash that is due"
    conclusion = _concluded(
        catalogue, _watched("CBK-SIG-09", expected, OF_APM, f"{RECIPE} when payer_email is signed, too.")
    )

    assert _titles(conclusion) == [
        f"The hash of the {protocol} callback is wrong: {RECIPE} when payer_email is signed, too"
    ]


def test_hash_of_a_return_address_is_one_finding_for_checks_and_watchers(catalogue: Catalogue) -> None:
    mistake = "The return's hash is what the recipe gives when MD5 is used in place of SHA1."
    address = Exchange(protocol="Return", method="GET", url="https://shop.example/?hash=1", status=None)
    page = _exchange("Hosted page", "a=1", "<html></html>")
    checked = _failing("CHK-URL-07", "a hash by the Checkout recipe", "the payer was sent to https://a.b", mistake)

    conclusion = _concluded(
        catalogue,
        (checked, [page]),
        _watched("CHK-URL-07", "a return address with the hash that is due", address, mistake),
    )

    assert _titles(conclusion) == [f"The hash of the return address is wrong: {mistake[:-1]}"]


def test_what_a_look_up_lacks_is_no_matter_of_the_payment_before_it(catalogue: Catalogue) -> None:
    answer = '[{"action":"GET_TRANS_STATUS_BY_ORDER","status":"SETTLED"}]'
    sent = [
        _exchange("S2S CARD", "action=SALE", '{"action":"SALE","result":"SUCCESS","status":"SETTLED"}'),
        _exchange("S2S CARD", "action=GET_TRANS_STATUS_BY_ORDER&size=1", answer),
    ]
    failing = _failing("S2C-STA-25", "one result, or all", f"HTTP 200 {answer!r}", "It has two items.")

    (title,) = _titles(_concluded(catalogue, (failing, sent)))

    assert "SALE" not in title
    assert title.endswith("does not keep: size limits the answer. It has two items")


def test_two_ids_that_differ_are_said_to_differ(catalogue: Catalogue) -> None:
    ids = ("a4f1c2d3-1111-2222-3333-444455556666", "b5f1c2d3-9999-2222-3333-444455556666")
    answer = f'{{"payment_id":"{ids[0]}"}}'
    sent = [_exchange("Checkout", "{}", answer)]
    failing = _failing("CHK-STA-04", f'payment_id "{ids[1]}"', f"HTTP 200 {answer!r}", "It is another.")

    (title,) = _titles(_concluded(catalogue, (failing, sent)))

    assert title.endswith(": payment_id is another one")


def test_refusal_without_a_word_is_known_by_its_status(catalogue: Catalogue) -> None:
    sent = [_exchange("S2S CARD", "action=SALE", "", 404)]
    failing = _failing("S2C-SIG-10", "the request is accepted", "HTTP 404 with an empty body", "It is refused.")

    assert _titles(_concluded(catalogue, (failing, sent))) == ["S2S CARD SALE is refused: HTTP 404"]


def test_refused_signatures_of_what_is_signed_otherwise_are_findings_of_their_own(catalogue: Catalogue) -> None:
    def refused(claims: str, body: str) -> tuple[Check, list[Exchange]]:
        failing = _failing(claims, "the request is accepted", f"HTTP 400 {REFUSED!r}", f"It is refused {body}.")
        return failing, [_exchange("S2S CARD", body, REFUSED, 400)]

    conclusion = _concluded(
        catalogue,
        refused("S2C-SIG-06", "action=SALE&card_token=c1"),
        refused("S2C-SIG-10", "action=CREDITVOID"),
        refused("S2C-CVD-06", "action=VOID"),
    )

    assert _titles(conclusion) == [
        "S2S CARD is refused: 100000 Hash is not valid",
        "S2S CARD is refused: 100000 Hash is not valid (signed with card_token)",
    ]


def test_refusal_in_other_words_names_the_code_that_is_due(catalogue: Catalogue) -> None:
    answer = '{"result":"ERROR","error_code":100000,"error_message":"Void is not allowed."}'
    sent = [_exchange("S2S CARD", "action=CREDITVOID", answer, 400)]
    expected = 'the request is refused with HTTP 400, error_code 208005 and the message "Wrong status"'
    failing = _failing("S2C-CVD-06", expected, f"HTTP 400 {answer!r}", "It is refused with another error_code.")

    (title,) = _titles(_concluded(catalogue, (failing, sent)))

    assert title == (
        "S2S CARD CREDITVOID is refused otherwise than it must be: "
        '100000 Void is not allowed, and not 208005 "Wrong status"'
    )


def test_refusal_without_errors_says_that_they_are_due_and_no_hostile_action(catalogue: Catalogue) -> None:
    answer = '{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid."}'
    sent = [_exchange("S2S CARD", "action=%ff%fe%00&client_key=%zz", answer, 400)]
    expected = '"Request data is invalid." with errors, an array with one item or more'
    failing = _failing("S2C-CVD-06", expected, f"HTTP 400 {answer!r}", "There are no errors.")

    (title,) = _titles(_concluded(catalogue, (failing, sent)))

    assert title == (
        "S2S CARD request is refused otherwise than it must be: 100000 Request data is invalid, and not with errors, "
        "an array with one item or more"
    )


def _taken(operations: tuple[str, ...]) -> Conclusion:
    body = '{"redirect_url":"https://a.example/pay/1"}'
    expected = f"{ANY_REFUSAL}, for order.number"
    failing = []
    for number, operation in enumerate(operations):
        answer = Answer(operation=operation, refused=False, status=200)
        change = Change(field="order.number", violation="invalid", value="line feed")
        each = _failing("CHK-ORD-04", expected, f"HTTP 200 {body!r}", "It took it" + "." * number)
        sent = [_exchange("Checkout", '{"order":{"number":"o1\\n"}}', body)]
        failing.append((each.model_copy(update={"answer": answer, "change": change}), sent))
    return _concluded(catalogue_of(requirement(id="CHK-ORD-04", sentence="Nothing else.")), *failing)


@pytest.mark.parametrize(
    ("operations", "begins"),
    [
        (("Checkout session request",), "Checkout session request takes values that it must refuse"),
        (("Checkout capture", "Checkout refund"), "Checkout capture and refund take values that they must refuse"),
        (("Checkout a", "Checkout b", "Checkout c"), "Checkout takes values that it must refuse"),
    ],
)
def test_title_names_the_operations_that_take_a_wrong_value(operations: tuple[str, ...], begins: str) -> None:
    (title,) = _titles(_taken(operations))

    assert title == f"{begins}, of order.number (invalid: line feed)"


def test_the_wrong_value_itself_stands_in_the_ticket() -> None:
    conclusion = _taken(("Checkout session request",))
    (found,) = conclusion.findings
    steps = story_of(found.witness, conclusion.run.exchanges_of(found.witness), found.cause)

    assert what_was_sent(steps) == (r"order.number: 'o1\n'",)
    assert r"Sent: order.number: 'o1\\n'" in ticket(conclusion, found, steps)


@pytest.mark.parametrize(
    ("field", "body", "shown"),
    [
        ("card.items[0].name", '{"card":{"items":[{"name":"' + "a" * 101 + '"}]}}', "(101 characters)"),
        ("order.number", '{"order":{"amount":"1"}}', "order.number: left out"),
        ("customer", '{"customer":{"name":"Ada"}}', "customer.name: 'Ada'"),
        ("login", '{"parameters":{"trading-deposit":{"login":"x"}}}', "parameters.trading-deposit.login: 'x'"),
        ("payer_state", "payer_state=" + "a" * 33, "(33 characters)"),
        ("parameters.type", "parameters%5Btype%5D=TRC20", "parameters[type]: 'TRC20'"),
    ],
)
def test_sent_field_is_found_however_its_path_is_written(field: str, body: str, shown: str) -> None:
    reply = '{"result":"SUCCESS"}'
    failing = _failing("CHK-ORD-04", ANY_REFUSAL, f"HTTP 200 {reply!r}", "").model_copy(
        update={"change": Change(field=field, violation="invalid")}
    )

    (line,) = what_was_sent(story_of(failing, [_exchange("Checkout", body, reply)]))

    assert shown in line


def test_payment_has_one_number_whatever_names_it() -> None:
    paid = '{"payment_id":"p1","trans_id":"t1","order_id":"o1","status":"settled"}'
    another = paid.replace("1", "2")
    refunded = '{"payment_id":"p3","trans_id":"t3","order_id":"o1","status":"pending"}'
    sent = [
        _exchange("Checkout", '{"payment_id":"p1"}', paid, url="/api/v1/payment/status"),
        _exchange("Checkout", '{"payment_id":"p2"}', another, url="/api/v1/payment/status"),
        _exchange("Checkout", '{"order_id":"o1","order_amount":"10.00"}', refunded, url="/api/v1/payment/card/credit"),
        _exchange("Checkout", '{"payment_id":"t2"}', '{"result":"accepted"}', url="/api/v1/payment/refund"),
    ]
    failing = _failing("CHK-RFD-02", ANY_REFUSAL, f"HTTP 200 {refunded!r}", "")

    assert [step.title for step in story_of(failing, sent)] == [
        "look-up of payment 1 → settled",
        "look-up of payment 2 → settled",
        "card credit 10.00 of payment 1 → pending",
        "refund of payment 2 → accepted",
    ]


@pytest.mark.parametrize(
    ("actions", "place"), [(("SALE", "SALE"), "S2S CARD SALE"), (("SALE", "DEBIT"), "S2S CARD")], ids=["one", "two"]
)
def test_one_rule_of_all_answers_is_one_finding(catalogue: Catalogue, actions: tuple[str, str], place: str) -> None:
    failing = []
    for number, action in enumerate(actions):
        answer = f'{{"action":"{action}","trans_id":{number}}}'
        each = _failing("S2C-CVD-06", "values that are JSON strings", f"HTTP 200 {answer!r}", "Others: trans_id.")
        name = f"e{number}"
        unlike = each.model_copy(update={"id": f"suites/test_a.py::test_a[{number}]", "evidence": (name,)})
        failing.append((unlike, [_exchange("S2S CARD", f"action={action}", answer)]))

    (found,) = _concluded(catalogue, *failing).findings

    assert found.cause.place == place


def test_story_of_a_lifecycle_is_summed_up_by_its_last_step(catalogue: Catalogue) -> None:
    answer = '{"status":"SETTLED"}'
    story = "What happened:\n1. Merchant B pays.\n2. Merchant A looks up payment 1: the target answers with it.\nWhat"
    failing = _failing("CHK-STA-04", "nobody but its merchant sees it", f"HTTP 200 {answer!r}", story)

    (title,) = _titles(_concluded(catalogue, (failing, [_exchange("Checkout", "{}", answer)])))

    assert title.endswith("payment. Merchant A looks up payment 1: the target answers with it")


def test_missing_callback_of_a_page_says_whose_deed_it_follows(catalogue: Catalogue) -> None:
    sent = [_exchange("Hosted page", "card=1", "<html></html>")]
    failing = _failing("CBK-SIG-03", "a callback", "nothing at http://127.0.0.1:1/ within 5 s", "It is missing.")

    (title,) = _titles(_concluded(catalogue, (failing, sent)))

    assert title == "No callback comes after what the payer does on the hosted page"


def test_refusal_with_another_status_alone_names_both_and_joins_what_watchers_saw(catalogue: Catalogue) -> None:
    sent = [_exchange("Checkout", '{"amount":"1"}', REFUSED, 401)]
    wanted = 'the request is refused with HTTP 400, error_code 100000 and the message "Hash is not valid"'
    checked = _failing(
        "CHK-ORD-04", wanted, f"HTTP 401 {REFUSED!r}", "The request is refused, but with another status."
    )
    seen = _failing("CHK-STA-04", '"Hash is not valid" with HTTP 400', f"HTTP 401 {REFUSED!r}", "", watched=9)

    (title,) = _titles(_concluded(catalogue, (checked, sent), (seen, sent)))

    assert title.endswith(
        "is refused otherwise than it must be: 100000 Hash is not valid with HTTP 401, and not HTTP 400"
    )
