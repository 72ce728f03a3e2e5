"""Failures by cause: one bug is one finding, however many requirements it breaks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.findings.cause import Deviation, essence
from reports.findings.grouping import Weight
from reports.findings.story import story_of
from reports.judging.waivers import Waiver, WaiverState
from reports.model import Check, Evidence, Exchange, Failure, Run
from reports.terminal import lines_of
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of


@pytest.fixture
def of_callbacks() -> Catalogue:
    """Requirements of several kinds."""
    return catalogue_of(
        requirement(id="CBK-SIG-02", sentence="The hash of a callback is an outer SHA1."),
        requirement(id="CBK-SIG-03", sentence="The hash of a callback follows the recipe.", basis="platform"),
        requirement(id="CBK-S2C-05", sentence="CAPTURE is notified."),
        requirement(id="S2C-CAP-01", sentence="CAPTURE of an authorization is accepted."),
        requirement(id="S2C-CAP-03", sentence="A captured payment has status SETTLED."),
        requirement(id="S2C-CAP-06", sentence="No more is captured than was held.", safety=True, basis="platform"),
        requirement(id="S2C-ANS-02", sentence="An answer says SUCCESS."),
        requirement(id="CHK-SES-01", sentence="A valid session request is accepted."),
    )


def _callback(body: str) -> Exchange:
    return Exchange(protocol="Callback", method="POST", url="http://127.0.0.1/", request_body=body, status=200)


def _action(action: str, response: str, status: int = 200, **sent: str) -> Exchange:
    body = "&".join([f"action={action}", *(f"{name}={value}" for name, value in sent.items())])
    return Exchange(
        protocol="S2S CARD", method="POST", url="https://a.example/post", request_body=body,
        status=status, response_body=response,
    )  # fmt: skip


def _failing(name: str, claims: str, expected: str, received: str, explanation: str = "", **more: bool) -> Check:
    failure = Failure(expected=expected, received=received, explanation=explanation, **more)
    return check(name, "fail", claims, failure=failure, evidence=(name,))


def _concluded(catalogue: Catalogue, *failing: tuple[Check, list[Exchange]]) -> Conclusion:
    return conclude(_run(*failing), catalogue)


def _run(*failing: tuple[Check, list[Exchange]]) -> Run:
    evidence = [Evidence(id=each.evidence[0], check=each.id, exchanges=tuple(sent)) for each, sent in failing]
    run: Run = run_of(check("fine"), *(each for each, _ in failing))
    return run.model_copy(update={"evidence": {each.id: each for each in evidence}})


CALLBACK = _callback("id=p1&order_number=o1&order_status=settled&hash=0123456789abcdef")
REFUSED = '{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":[]}'


def test_one_mistake_in_the_hash_of_callbacks_is_one_finding(of_callbacks: Catalogue) -> None:
    quoted = f"callback {CALLBACK.request_body!r}"
    conclusion = _concluded(
        of_callbacks,
        (
            _failing("a", "CBK-SIG-02", "hash as 40 lower-case hexadecimal digits", quoted, "It has 32 characters."),
            [CALLBACK],
        ),
        (
            _failing(
                "b", "CBK-SIG-03", "a hash made of id and the password", quoted, "The callback's hash is MD5 alone."
            ),
            [CALLBACK],
        ),
    )
    (found,) = conclusion.findings
    assert (found.cause.deviation, found.cause.place) == (Deviation.SIGNATURE, "Checkout callback")
    assert found.requirements == ("CBK-SIG-02", "CBK-SIG-03")
    assert found.weight is Weight.SIGNATURE
    assert conclusion.title(found) == "The hash of the Checkout callback is wrong: The callback's hash is MD5 alone"


def _refused_capture(name: str, claims: str) -> tuple[Check, list[Exchange]]:
    sent = [
        _action("SALE", '{"result":"SUCCESS","trans_id":"t1"}', auth="Y"),
        _action("CAPTURE", REFUSED, 400, trans_id="t1"),
    ]
    return _failing(
        name, claims, "the request is accepted: a success status", f"HTTP 400 {REFUSED!r}", "It is refused."
    ), sent


def test_the_same_refusal_of_the_same_action_is_one_finding(of_callbacks: Catalogue) -> None:
    conclusion = _concluded(of_callbacks, _refused_capture("a", "S2C-CAP-01"), _refused_capture("b", "S2C-CAP-03"))
    (found,) = conclusion.findings
    assert (found.cause.deviation, found.cause.place) == (Deviation.REFUSED, "S2S CARD CAPTURE")
    assert conclusion.title(found) == "S2S CARD CAPTURE is refused: 100000 Request data is invalid."


def test_other_deviations_are_other_findings(of_callbacks: Catalogue) -> None:
    answer = '{"action":"SALE","result":"SUCCESS","trans_id":"t1"}'
    conclusion = _concluded(
        of_callbacks,
        _refused_capture("a", "S2C-CAP-01"),
        (
            _failing("b", "S2C-ANS-02", "result SUCCESS and status SETTLED", f"HTTP 200 {answer!r}"),
            [_action("SALE", answer)],
        ),
        (_failing("c", "CHK-SES-01", "no server error", "HTTP 500 with an empty body"), [_action("VOID", "", 500)]),
    )
    assert [found.cause.deviation for found in conclusion.findings] == [
        Deviation.REFUSED, Deviation.MISSING, Deviation.SERVER_ERROR,
    ]  # fmt: skip
    assert conclusion.title(conclusion.findings[1]) == "status is missing in the answer to S2S CARD SALE"


def test_a_consequence_is_reported_as_one(of_callbacks: Catalogue) -> None:
    look_up = '{"action":"GET_TRANS_STATUS","result":"SUCCESS","status":"PENDING","trans_id":"t1"}'
    consequence = _failing(
        "b", "CBK-S2C-05", "status SETTLED in the look-up", f"HTTP 200 {look_up!r}", "It is PENDING."
    )
    refused = _refused_capture("a", "S2C-CAP-01")
    conclusion = _concluded(of_callbacks, refused, (consequence, [*refused[1], _action("GET_TRANS_STATUS", look_up)]))
    cause, behind = conclusion.findings
    assert behind.follows == (cause.number,)
    assert cause.follows == ()


def test_what_endangers_somebody_stands_first_and_follows_from_nothing(of_callbacks: Catalogue) -> None:
    answer = '{"action":"CAPTURE","result":"SUCCESS","status":"SETTLED","trans_id":"t1"}'
    refused = _refused_capture("a", "S2C-CAP-01")
    danger = _failing("b", "S2C-CAP-06", "the request is refused", f"HTTP 200 {answer!r}", "The target accepted it.")
    conclusion = _concluded(of_callbacks, refused, (danger, [*refused[1], _action("CAPTURE", answer, amount="99.00")]))
    first, second = conclusion.findings
    assert (first.weight, first.requirements, first.follows) == (Weight.SAFETY, ("S2C-CAP-06",), ())
    assert second.weight is Weight.MONEY


def test_a_refusal_in_other_words_is_no_matter_of_safety(of_callbacks: Catalogue) -> None:
    refused = _failing(
        "b", "S2C-CAP-06", "the request is refused with HTTP 400", f"HTTP 400 {REFUSED!r}", "", refused=True
    )
    (found,) = _concluded(of_callbacks, (refused, [_action("CAPTURE", REFUSED, 400)])).findings
    assert found.weight is Weight.MONEY


def test_the_fingerprint_of_a_finding_does_not_depend_on_ids(of_callbacks: Catalogue) -> None:
    def mark(trans_id: str) -> str:
        answer = f'{{"action":"SALE","result":"SUCCESS","trans_id":"{trans_id}"}}'
        failing = _failing("b", "S2C-ANS-02", "result SUCCESS and status SETTLED", f"HTTP 200 {answer!r}")
        (found,) = _concluded(of_callbacks, (failing, [_action("SALE", answer)])).findings
        return found.fingerprint

    assert mark("a4f1c2d3-1111-2222-3333-444455556666") == mark("b5f1c2d3-9999-2222-3333-444455556666")


def test_a_hostile_run_is_grouped_as_well(hostile: Conclusion) -> None:
    (found,) = hostile.findings
    assert len(hostile.title(found)) < 300


def test_the_story_names_action_amount_payment_and_outcome() -> None:
    answer = '{"action":"CREDITVOID","result":"ACCEPTED","trans_id":"t1"}'
    sent = [
        _action(
            "SALE",
            '{"result":"SUCCESS","status":"PENDING","trans_id":"t1"}',
            order_amount="10.00",
            order_currency="USD",
        ),
        _action("CAPTURE", '{"result":"SUCCESS","status":"SETTLED","trans_id":"t1"}', amount="4.00", trans_id="t1"),
        _action("CREDITVOID", answer, amount="10.00", trans_id="t1"),
        _action("VOID", REFUSED, 400, trans_id="t2"),
    ]
    failing = _failing("a", "S2C-CAP-06", "the request is refused", f"HTTP 200 {answer!r}", "The target accepted it.")
    steps = story_of(failing, sent)
    assert [step.title for step in steps] == [
        "SALE 10.00 USD of payment 1 → PENDING",
        "CAPTURE 4.00 of payment 1 → SETTLED",
        "CREDITVOID 10.00 of payment 1 → ACCEPTED",
        "VOID of payment 2 → refused: 100000 Request data is invalid.",
    ]
    assert [step.decisive for step in steps] == [False, False, True, False]


def test_the_member_that_is_missing_is_marked(of_callbacks: Catalogue) -> None:
    answer = '{"action":"SALE","result":"SUCCESS","trans_id":"t1"}'
    sent = [_action("SALE", answer)]
    failing = _failing("b", "S2C-ANS-02", "result SUCCESS and status SETTLED", f"HTTP 200 {answer!r}")
    (found,) = _concluded(of_callbacks, (failing, sent)).findings
    (step,) = story_of(failing, sent, found.cause)
    assert [(field.name, field.missing) for field in step.received if field.marked] == [("status", True)]


def test_one_waiver_covers_a_finding_and_nothing_that_joins_it_later(of_callbacks: Catalogue) -> None:
    run = _run(_refused_capture("a", "S2C-CAP-01"), _refused_capture("b", "S2C-CAP-03"))
    mark = conclude(run, of_callbacks).findings[0].fingerprint

    def waived(*names: str, finding: str = mark) -> Conclusion:
        waiver = Waiver(finding=finding, requirement=names, reason="fixed soon", owner="me", expires=date(2030, 1, 1))
        return conclude(run, of_callbacks, [waiver])

    assert waived("S2C-CAP-01", "S2C-CAP-03").waived == {"S2C-CAP-01", "S2C-CAP-03"}
    assert waived("S2C-CAP-01").waived == {"S2C-CAP-01"}
    assert waived("S2C-CAP-01").waivers[0].state is WaiverState.COVERS
    assert waived("S2C-CAP-01", finding="0" * 12).waivers[0].state is WaiverState.DRIFTED


ACCEPTED = '{"result":"SUCCESS","trans_id":"t1"}'
ANOTHER = '{"result":"ERROR","error_code":404,"error_message":"Nothing here."}'
SHOWING = REFUSED.replace("[]", '["4111****1111"]')
ANY_REFUSAL = "the request is refused: a status from 400 to 499 and an error body"


@pytest.mark.parametrize(
    ("reply", "failure", "title"),
    [
        (
            (400, SHOWING),
            ("no full card number in any refusal", "It shows the full card number that was sent."),
            "S2S CARD SALE shows a full card number",
        ),
        (
            (404, ANOTHER),
            ("the request is refused with HTTP 400, error_code 100000", "It is refused with another error_code."),
            "S2S CARD SALE is refused otherwise than it must be: 404 Nothing here, and not 100000",
        ),
        (
            (302, "moved"),
            (ANY_REFUSAL, "This neither accepts nor refuses the request."),
            "S2S CARD SALE neither accepts nor refuses a request (HTTP 302)",
        ),
        (
            (200, ACCEPTED),
            (ANY_REFUSAL, "The target accepted it."),
            "S2S CARD carries out what it must refuse (not kept: No more is captured than was held)",
        ),
    ],
    ids=["shows-a-secret", "another-code", "neither", "accepted"],
)
def test_title_says_what_came_in_place_of_a_refusal(
    of_callbacks: Catalogue, reply: tuple[int, str], failure: tuple[str, str], title: str
) -> None:
    (status, body), (expected, explanation) = reply, failure
    failing = _failing("a", "S2C-CAP-06", expected, f"HTTP {status} {body!r}", explanation)

    conclusion = _concluded(of_callbacks, (failing, [_action("SALE", body, status)]))

    assert conclusion.title(conclusion.findings[0]) == title


def test_terminal_has_one_line_for_each_cause(of_callbacks: Catalogue, tmp_path: Path) -> None:
    quoted = f"callback {CALLBACK.request_body!r}"
    callback = _failing("b", "CBK-SIG-02", "a hash made of id and the password", quoted, "It is MD5 alone.")
    captures = [_refused_capture("a", "S2C-CAP-01"), _refused_capture("c", "S2C-CAP-03")]
    conclusion = _concluded(of_callbacks, *captures, (callback, [CALLBACK]))

    lines = list(lines_of(conclusion, tmp_path, tmp_path / "allure"))

    first = lines.index("What is wrong, by cause (2):") + 1
    capture, signature = (found.fingerprint for found in conclusion.findings)
    refused = "S2S CARD CAPTURE is refused: 100000 Request data is invalid."
    wrong = "The hash of the Checkout callback is wrong: It is MD5 alone"
    assert lines[first : first + 3] == [
        f"  F-1 (money) {refused} · S2C-CAP-01 +1, 2 checks [{capture}]",
        f"  F-2 (signature) {wrong} · CBK-SIG-02, 1 check [{signature}]",
        "",
    ]


@pytest.mark.parametrize(
    ("place", "title"),
    [
        ("checkout", "Checkout callback: order_status is there, and must not be"),
        ("s2s_card", "S2S CARD callback: order_status is there, and must not be"),
        ("s2s_apm", "S2S APM callback: order_status is there, and must not be"),
    ],
)
def test_member_that_must_not_be_there_is_said_of_the_right_protocol(
    of_callbacks: Catalogue, place: str, title: str
) -> None:
    failing = _failing(
        "a",
        "CBK-S2C-05",
        "no order_status, payer_email in the callback",
        f"callback {CALLBACK.request_body!r}",
        "It came.",
    )
    named = failing.model_copy(update={"id": f"suites/{place}/callbacks/test_a.py::test_a"})

    conclusion = _concluded(of_callbacks, (named, [CALLBACK]))

    assert conclusion.title(conclusion.findings[0]) == title


def test_text_that_stands_twice_in_a_refusal_is_said_once() -> None:
    fields = {"error_code": "100000", "error_message": "Incorrect", "errors.0.error_message": "Incorrect"}

    assert essence(fields) == "100000 Incorrect"


def test_sessions_that_share_an_address_lead_what_follows_from_it(of_callbacks: Catalogue) -> None:
    def session(number: str, address: str) -> Exchange:
        return Exchange(
            protocol="Checkout", method="POST", url="https://a.example/api/v1/session",
            request_body=f'{{"order":{{"number":"{number}"}}}}', status=200,
            response_body=f'{{"redirect_url":"{address}"}}',
        )  # fmt: skip

    shared, own = "https://a.example/pay/1", "https://a.example/pay/2"
    same = f'HTTP 200 \'{{"redirect_url":"{shared}"}}\''
    missing = ("a callback", "nothing at http://127.0.0.1:1/ within 5 s")
    conclusion = _concluded(
        of_callbacks,
        (_failing("a", "S2C-CAP-01", *missing), [session("o1", shared)]),
        (_failing("b", "S2C-CAP-03", "another page", "a page that reads 'Paid'"), [session("o2", own)]),
        (_failing("c", "CHK-SES-01", "two addresses", same), [session("o3", shared), session("o4", shared)]),
    )

    leader, *others = conclusion.findings
    assert leader.requirements == ("CHK-SES-01",)
    assert {found.requirements: found.follows for found in others} == {("S2C-CAP-01",): (1,), ("S2C-CAP-03",): ()}
