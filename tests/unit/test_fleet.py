"""Runs of many targets: what must not run at the same time, which status stands for all, and what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway_conformance.fleet import Target, lanes_of, target_of, worst
from reports.pages.overview import Row, row_of, write_overview

PROFILE = """
[target]
name = "somewhere"
environment = "sandbox"
[endpoints]
checkout = "https://{host}/api"
[credentials.checkout]
key = "10000000-0000-4000-8000-000000000001"
password = "a-password-of-its-own"
[callbacks]
listen = "{listen}"
"""


def target(name: str, *uses: str) -> Target:
    return Target(Path(f"{name}.toml"), frozenset(uses))


def test_targets_that_share_something_run_one_after_the_other() -> None:
    lanes = list(lanes_of([target("a", "one"), target("b", "two"), target("c", "one", "three"), target("d", "three")]))

    assert sorted([one.name for one in lane] for lane in lanes) == [["a", "c", "d"], ["b"]]


def test_target_that_joins_two_lanes_makes_one_of_them() -> None:
    [lane] = lanes_of([target("a", "one"), target("b", "two"), target("c", "one", "two")])

    assert {one.name for one in lane} == {"a", "b", "c"}


def test_host_and_fixed_address_of_callbacks_are_what_a_target_uses(tmp_path: Path) -> None:
    fixed, free, wrong = (tmp_path / name for name in ("fixed.toml", "free.toml", "wrong.toml"))
    fixed.write_text(PROFILE.format(host="a.example", listen="127.0.0.1:8099"), encoding="utf-8")
    free.write_text(PROFILE.format(host="b.example", listen="127.0.0.1:0"), encoding="utf-8")
    wrong.write_text("nonsense", encoding="utf-8")

    assert target_of(fixed).uses == {"a.example", "127.0.0.1:8099"}
    assert target_of(free).uses == {"b.example"}
    assert target_of(wrong).uses == frozenset()


@pytest.mark.parametrize(
    ("statuses", "status"),
    [([0, 0], 0), ([0, 3], 3), ([3, 2], 2), ([2, 4], 4), ([4, 1, 0], 1), ([0, 5], 5), ([0, -9], 4)],
)
def test_worst_status_stands_for_all(statuses: list[int], status: int) -> None:
    assert worst(statuses) == status


def test_run_without_a_report_is_shown_as_broken(tmp_path: Path) -> None:
    row = row_of("a", tmp_path / "a", 2)

    assert (row.verdict, row.report) == ("broken", "")
    assert "profile" in row.sentence


def test_report_of_a_former_run_is_not_taken_for_this_one(tmp_path: Path) -> None:
    (tmp_path / "conformance.json").write_text(json.dumps({"exit_status": 0}), encoding="utf-8")

    assert row_of("a", tmp_path, 4).verdict == "broken"


def test_names_and_sentences_are_text_on_the_page(tmp_path: Path) -> None:
    row = Row(name="<b>", status=0, verdict="conforming", sentence="<script>alert(1)</script>", report="x y/c.html")

    page = write_overview([row], tmp_path).read_text(encoding="utf-8")

    assert "<script>" not in page
    assert "&lt;b&gt;" in page
    assert "x%20y/c.html" in page
