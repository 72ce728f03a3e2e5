"""What watchers say of all exchanges: joined over processes, and judged like a check."""

from __future__ import annotations

from fixtures.profile.parameters import how_to_deny
from reports.model import Exchange, Verdict
from reports.recording.watched import KeptBreach, Watched, judged, read_watched

KINDS = {"checkout:answer": 17_000, "checkout:refusal": 1_209}
NEEDED = ("checkout:answer", "checkout:refusal")
BREACH = KeptBreach(
    check="suites/a.py::test_a",
    expected="no password",
    received="one",
    explanation="The body holds it.",
    reproduce="python -m pytest 'suites/a.py::test_a'",
    exchange=Exchange(method="POST", status=200),
)


def verdict_of(seen: Watched, *, whole: bool = True, accepts: bool = True) -> Verdict | None:
    received = list(judged({"GEN-KEY-02": seen}, whole=whole, accepts=accepts))
    return received[0][0].verdict if received else None


def test_requirement_passes_once_every_kind_was_seen_and_says_how_many() -> None:
    (check, evidence), *_ = judged({"GEN-KEY-02": Watched(kinds=KINDS, needed=NEEDED)}, whole=True, accepts=True)

    assert check.verdict is Verdict.PASS
    assert check.title.startswith("0 of 18,209 exchanges")
    assert check.watched == 18_209
    assert check.requirements == ("GEN-KEY-02",)
    assert evidence == ()


def test_kind_that_was_not_seen_leaves_it_open_and_a_part_of_the_suite_says_nothing() -> None:
    seen = Watched(kinds={"checkout:answer": 3}, needed=NEEDED)

    assert verdict_of(seen) is Verdict.INCONCLUSIVE
    assert verdict_of(seen, whole=False) is None


def test_target_that_accepts_nothing_keeps_nothing_and_can_still_break() -> None:
    seen = Watched(kinds=KINDS, needed=NEEDED)

    assert verdict_of(seen, accepts=False) is Verdict.INCONCLUSIVE
    assert verdict_of(seen.model_copy(update={"breaches": 1}), accepts=False) is Verdict.FAIL


def test_where_nothing_was_to_be_seen_nothing_passes() -> None:
    assert verdict_of(Watched()) is Verdict.NOT_APPLICABLE


def test_requirement_about_members_of_which_none_came_does_not_pass() -> None:
    seen = Watched(kinds=KINDS, needed=NEEDED, sought=("status",))

    assert verdict_of(seen) is Verdict.NOT_APPLICABLE
    assert verdict_of(seen, whole=False) is None
    assert verdict_of(seen.joined_with(seen.model_copy(update={"shown": ("status",)}))) is Verdict.PASS


def test_breach_fails_with_the_exchange_and_the_check_that_caused_it() -> None:
    seen = Watched(kinds=KINDS, needed=NEEDED, breaches=2, kept=(BREACH, BREACH.model_copy(update={"check": "b"})))
    (check, evidence), *_ = judged({"GEN-KEY-02": seen}, whole=False, accepts=True)

    assert check.verdict is Verdict.FAIL
    assert check.failure is not None
    assert "2 of 18,209" in check.failure.explanation
    assert "caused by suites/a.py::test_a" in check.failure.explanation
    assert "Also seen in: b" in check.failure.explanation
    assert check.failure.reproduce == BREACH.reproduce
    assert [exchange.status for exchange in evidence] == [200, 200]


def test_breach_of_what_public_documents_alone_show_names_how_to_deny_it_at_the_end() -> None:
    denied = how_to_deny(("S2C-SAL-35",))
    seen = Watched(kinds=KINDS, breaches=1, kept=(BREACH,), denied=denied)
    (check, _), *_ = judged({"S2C-SAL-35": seen.joined_with(Watched())}, whole=False, accepts=True)

    assert check.failure is not None
    assert check.failure.explanation.endswith(denied)
    assert "S2C-SAL-35 in [otherwise]" in denied


def test_requirement_that_does_not_concern_the_target_is_not_applicable() -> None:
    assert verdict_of(Watched(kinds=KINDS, idle="the profile names no endpoint")) is Verdict.NOT_APPLICABLE


def test_what_processes_saw_is_joined() -> None:
    received = {"kinds": {"checkout:answer": 2}, "needed": ["checkout:answer"], "operations": ["a"], "breaches": 1}
    ours, theirs = read_watched({"X": received})["X"], Watched(kinds={"checkout:refusal": 1}, operations=("a", "b"))

    joined = ours.joined_with(theirs)

    assert joined.kinds == {"checkout:answer": 2, "checkout:refusal": 1}
    assert joined.operations == ("a", "b")
    assert joined.breaches == 1
    assert verdict_of(joined) is Verdict.FAIL
