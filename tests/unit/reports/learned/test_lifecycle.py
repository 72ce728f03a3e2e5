"""The learned lifecycle: what exchanges show of payments, and how it compares with the contract's table."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from reports.learned.drawing import drawings
from reports.learned.lifecycle import Edge, EdgeState, machines
from reports.learned.tracing import Tracer
from reports.model import Exchange, Move
from tests.unit.reports.small_run import run_of


def asked(at: float, answer: dict[str, str], status: int = 200, **fields: str) -> Exchange:
    return Exchange(
        protocol="S2S CARD",
        method="POST",
        request_body=urlencode(fields),
        status=status,
        response_body=json.dumps(answer),
        duration_ms=1.0,
        at=at,
    )


def posted(at: float, **fields: str) -> Exchange:
    return Exchange(protocol="Callback", method="POST", request_body=urlencode(fields), status=200, at=at)


SALE = asked(1.0, {"result": "SUCCESS", "status": "PENDING", "trans_id": "t1"}, action="SALE", auth="Y")
CAPTURE = asked(2.0, {"result": "SUCCESS", "status": "SETTLED"}, action="CAPTURE", trans_id="t1")


def moves_of(*exchanges: Exchange) -> list[tuple[str, str, bool, str]]:
    tracer = Tracer()
    tracer.see("check", exchanges)
    return [(move.state, move.trigger, move.accepted, move.next) for move, _ in tracer.moves()]


def test_a_capture_leads_from_authorized_to_captured() -> None:
    assert moves_of(SALE, CAPTURE) == [("authorized", "capture", True, "captured")]


def test_the_state_after_a_trigger_is_what_the_next_word_says() -> None:
    void = asked(3.0, {"result": "ACCEPTED"}, action="CREDITVOID", trans_id="t1")
    look_up = asked(4.0, {"status": "REVERSAL"}, action="GET_TRANS_STATUS", trans_id="t1")

    assert moves_of(SALE, void, look_up) == [("authorized", "credit_void", True, "released")]


def test_a_refusal_is_a_move_that_leads_nowhere() -> None:
    refusal = asked(3.0, {"result": "ERROR", "error_message": "wrong state"}, 400, action="CAPTURE", trans_id="t1")

    assert ("captured", "capture", False, "") in moves_of(SALE, CAPTURE, refusal)


def test_a_wrong_signature_says_nothing_of_the_state() -> None:
    answer = {"result": "ERROR", "error_message": "Hash is not valid"}

    assert moves_of(SALE, asked(2.0, answer, 400, action="CAPTURE", trans_id="t1")) == []


def test_a_callback_of_an_earlier_step_leads_nowhere_back() -> None:
    late = posted(2.5, action="SALE", result="SUCCESS", status="PENDING", trans_id="t1")

    assert moves_of(SALE, CAPTURE, late) == [("authorized", "capture", True, "captured")]


def test_requests_that_overlap_are_not_counted() -> None:
    again = CAPTURE.model_copy(update={"at": 2.0005})

    assert moves_of(SALE, CAPTURE, again) == [("authorized", "capture", True, "captured")]


def test_the_payer_explains_what_no_request_does() -> None:
    sale = asked(1.0, {"result": "REDIRECT", "status": "3DS", "trans_id": "t1"}, action="SALE")
    look_up = asked(2.0, {"status": "SETTLED"}, action="GET_TRANS_STATUS", trans_id="t1")

    assert moves_of(sale, look_up) == [("challenged", "pass_challenge", True, "settled")]


def test_the_witness_is_the_shortest() -> None:
    tracer = Tracer()
    tracer.see("long", [SALE, asked(1.5, {"status": "PENDING"}, action="GET_TRANS_STATUS", trans_id="t1"), CAPTURE])
    other = [exchange.model_copy(update={"at": exchange.at + 10}) for exchange in (SALE, CAPTURE)]
    tracer.see("short", [each.model_copy(update=_renamed(each)) for each in other])

    ((move, exchanges),) = tracer.moves()

    assert (move.check, move.count, len(exchanges)) == ("short", 2, 2)


def _renamed(exchange: Exchange) -> dict[str, str]:
    return {
        "request_body": exchange.request_body.replace("t1", "t2"),
        "response_body": exchange.response_body.replace("t1", "t2"),
    }


def edges(*moves: Move) -> list[Edge]:
    run = run_of().model_copy(update={"moves": moves})
    return next(list(found.edges) for found in machines(run) if found.protocol == "S2S CARD")


def move(state: str, trigger: str, after: str = "", *, accepted: bool = True) -> Move:
    return Move(protocol="S2S CARD", state=state, trigger=trigger, accepted=accepted, next=after, check="c")


def of_state(found: list[Edge], state: EdgeState) -> list[tuple[str, str, str]]:
    return [(edge.before, edge.trigger, edge.outcome) for edge in found if edge.state is state]


def test_what_the_table_says_is_seen() -> None:
    assert of_state(edges(move("authorized", "capture", "captured")), EdgeState.SEEN) == [
        ("authorized", "capture", "captured")
    ]


def test_another_state_than_the_table_says_is_extra_and_the_stated_one_missing() -> None:
    found = edges(move("captured", "capture", "captured"))

    assert of_state(found, EdgeState.EXTRA) == [("captured", "capture", "captured")]
    assert of_state(found, EdgeState.MISSING) == [("captured", "capture", "refused")]


def test_what_the_table_has_no_row_for_is_not_in_the_contract() -> None:
    assert of_state(edges(move("voided", "by itself", "settled")), EdgeState.SILENT) == [
        ("voided", "by itself", "settled")
    ]


def test_without_moves_everything_was_never_tried() -> None:
    assert {edge.state for edge in edges()} == {EdgeState.NEVER_TRIED}


def test_drawings_have_the_states_of_both_in_the_same_places() -> None:
    run = run_of().model_copy(update={"moves": (move("authorized", "capture", "captured"),)})
    machine = next(found for found in machines(run) if found.protocol == "S2S CARD")

    contract, seen = drawings(machine)

    assert contract.boxes == seen.boxes
    kinds = {label: arrow.kind for arrow in seen.arrows for _, _, label in arrow.labels}
    assert kinds["capture (1)"] == "seen"
    assert kinds["void"] == "never-tried"
