"""The plugin in a pytest of its own: what is recorded, and each exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.model import Verdict
from reports.renderings import EARLIER_KEPT
from tests.unit.reports.small_run import FACTS, FAILING, SANITY, WHOLE, House

pytest_plugins = ("pytester",)
ROOT = Path(__file__).parents[4]


def _skipping(verdict: str, claims: str = "CHK-SES-01") -> str:
    return f"""
import pytest

@pytest.mark.claims("{claims}")
def test_undecided():
    pytest.skip("{verdict}:the password is not given")
"""


def test_a_target_that_keeps_everything_conforms(house: House) -> None:
    house.write(whole=WHOLE)

    result = house.run()

    assert result.ret == 0
    judged = house.judged()
    assert judged["verdict"] == "conforming"
    assert judged["complete"] is True
    assert judged["requests"] == 7
    assert judged["counts"]["pass"] == 1
    assert {each["verdict"] for each in judged["requirements"]} == {"pass"}
    result.stdout.fnmatch_lines(["acme conforms to release 6.7.0 in all that was checked: 5 requirements are kept."])


def test_every_report_is_written(house: House) -> None:
    house.write(whole=WHOLE)
    house.run()
    names = {path.name for path in house.output.iterdir()}
    assert names == {
        "results.jsonl", "conformance.json", "conformance.html", "summary.md", "junit.xml", "badge.svg",
        "statement.html", "atlas.csv", "atlas.json", "lifecycle.json", "allure-results",
    }  # fmt: skip
    assert len(list((house.output / "allure-results").glob("*-result.json"))) == 1


def test_the_stream_says_what_the_run_is_about(house: House) -> None:
    house.write(whole=WHOLE)
    house.run("--strict")
    run = house.stream()
    assert run.header.model_dump(include=set(FACTS), mode="json") == FACTS
    assert run.header.strict
    assert run.footer is not None
    assert run.footer.complete
    assert run.checks[0].title == "test_everything"
    assert run.checks[0].started


@pytest.mark.parametrize(
    ("claims", "options", "status"),
    [
        pytest.param("CHK-SES-01", [], 1, id="must-and-specification"),
        pytest.param("CHK-SES-03", [], 0, id="recommendation"),
        pytest.param("CHK-STA-01", [], 0, id="platform"),
        pytest.param("CHK-SES-03", ["--strict"], 1, id="recommendation-strict"),
        pytest.param("CHK-STA-01", ["--strict"], 1, id="platform-strict"),
    ],
)
def test_a_failure_gates_by_level_and_basis(house: House, claims: str, options: list[str], status: int) -> None:
    house.write(whole=WHOLE, failing=FAILING.format(claims=claims))

    result = house.run(*options)

    assert result.ret == status
    assert house.judged()["exit_status"] == status
    result.stdout.fnmatch_lines([f"  F-1 *does not keep: * · {claims}, 1 check [[]*]"])


def test_an_error_of_the_suite_is_broken(house: House) -> None:
    house.write(whole=WHOLE, broken="def test_broken():\n    raise KeyError('oops')\n")
    assert house.run().ret == 4
    assert house.judged()["verdict"] == "broken"


def test_a_proven_failure_outweighs_an_error(house: House) -> None:
    house.write(
        whole=WHOLE, broken="def test_broken():\n    raise KeyError\n", failing=FAILING.format(claims="CHK-SES-01")
    )
    assert house.run().ret == 1
    assert any("error of the suite" in reason for reason in house.judged()["reasons"])


def test_a_required_requirement_that_is_inconclusive_leaves_the_run_undecided(house: House) -> None:
    house.write(whole=WHOLE, undecided=_skipping("inconclusive"))
    result = house.run()
    assert result.ret == 3
    assert house.judged()["verdict"] == "undecided"
    result.stdout.fnmatch_lines(["Could not be decided*", "  1 requirement (CHK-SES-01)", "*password in *credentials*"])


def test_an_inconclusive_recommendation_does_not_gate(house: House) -> None:
    house.write(whole=WHOLE, undecided=_skipping("inconclusive", "CHK-SES-03"))
    assert house.run().ret == 0


def test_what_is_not_applicable_does_not_hide_a_pass(house: House) -> None:
    house.write(whole=WHOLE, elsewhere=_skipping("not_applicable"))
    assert house.run().ret == 0


def test_a_run_in_which_nothing_passes_is_undecided(house: House) -> None:
    claims = 'CHK-SES-01", "CHK-SES-02", "CHK-SES-03", "CHK-STA-01", "CHK-STA-02'
    house.write(elsewhere=_skipping("not_applicable", claims))
    assert house.run().ret == 3
    assert house.judged()["incomplete_because"] == ["no check passed"]


def test_a_requirement_without_checks_is_undecided(house: House) -> None:
    house.write(some=WHOLE.replace('"CHK-SES-02", ', ""))
    assert house.run().ret == 3
    found = {each["id"]: each for each in house.judged()["requirements"]}["CHK-SES-02"]
    assert found["verdict"] == "not_run"
    assert "no check claims it" in found["reason"]


@pytest.mark.parametrize("when", ["first", "last"])
def test_a_failed_sanity_check_leaves_the_run_undecided(set_up_house: Callable[..., House], when: str) -> None:
    house = set_up_house(sanity={**SANITY, when: {"checkout": {"ok": False, "reason": "HTTP 503"}}})
    house.write(whole=WHOLE)
    assert house.run().ret == 3
    assert "HTTP 503" in house.judged()["incomplete_because"][0]


@pytest.mark.parametrize(
    "selection",
    [
        pytest.param(["suites/test_whole.py"], id="file"),
        pytest.param(["suites/test_whole.py::test_everything", "suites/test_other.py"], id="node-id"),
        pytest.param(["-k", "everything"], id="keyword"),
        pytest.param(["-m", "claims"], id="mark"),
        pytest.param(["--deselect", "suites/test_other.py::test_other"], id="deselect"),
        pytest.param(["--ignore", "suites/test_other.py"], id="ignore"),
    ],
)
def test_a_part_of_the_suite_is_never_conforming(house: House, selection: list[str]) -> None:
    house.write(whole=WHOLE, other="def test_other():\n    pass\n\n\ndef test_third():\n    pass\n")
    assert house.run(*selection).ret == 3
    assert "covers only part of the suite" in house.judged()["incomplete_because"][0]


def test_naming_the_whole_suite_is_complete(house: House) -> None:
    house.write(whole=WHOLE)
    assert house.run("suites").ret == 0


def test_last_failed_is_a_part(house: House) -> None:
    house.write(whole=WHOLE)
    result = house.pytester.runpytest_inprocess("-p", "reports.plugin", "--lf")
    assert result.ret == 3


def test_a_run_that_stops_early_says_what_was_not_run(house: House) -> None:
    house.write(a_failing=FAILING.format(claims="CHK-STA-01"), whole=WHOLE)
    assert house.run("-x").ret == 3
    judged = house.judged()
    assert judged["counts"]["not_run"] == 1
    assert judged["complete"] is False
    assert {each["id"]: each["verdict"] for each in judged["requirements"]}["CHK-SES-01"] == "not_run"


def test_an_interrupted_run_is_undecided(house: House) -> None:
    house.write(whole=WHOLE, z_stop="def test_stop():\n    raise KeyboardInterrupt\n")
    assert house.run().ret == 3
    judged = house.judged()
    assert "the run was interrupted" in judged["incomplete_because"]
    assert judged["counts"]["not_run"] == 1


def test_a_run_that_is_interrupted_between_two_lines_is_undecided(house: House) -> None:
    stop = (
        "def stop():\n    raise KeyboardInterrupt\n"
        "stop.__code__ = stop.__code__.replace(co_linetable=b'\\xff' * 8)\n"
        "def test_stop():\n    stop()\n"
    )
    house.write(whole=WHOLE, z_stop=stop)
    assert house.run().ret == 3
    assert "the run was interrupted" in house.judged()["incomplete_because"]


def test_a_run_that_is_ended_for_wrong_usage_keeps_status_2(house: House) -> None:
    house.write(whole=WHOLE, z_stop="import pytest\n\n\ndef test_stop():\n    pytest.exit('bad', returncode=2)\n")
    assert house.run().ret == 2


def test_a_file_that_cannot_be_collected_is_broken(house: House) -> None:
    house.write(whole=WHOLE, broken="import no_such_module_anywhere\n")
    assert house.run().ret == 4
    assert "suites/test_broken.py could not be collected" in house.judged()["errors"][0]


def test_a_path_that_is_not_there_is_wrong_usage(house: House) -> None:
    house.write(whole=WHOLE)
    assert house.run("suites/none.py").ret == 2


def test_nothing_collected_stays_status_5(house: House) -> None:
    house.write(empty="")
    assert house.run().ret == 5


def test_a_crash_of_pytest_is_broken(house: House) -> None:
    house.write(whole=WHOLE)
    with (house.pytester.path / "conftest.py").open("a", encoding="utf-8") as conftest:
        conftest.write("\ndef pytest_runtest_logfinish(nodeid):\n    raise RuntimeError('internal')\n")
    assert house.run().ret == 4
    assert "RuntimeError" in house.judged()["errors"][0]
    assert "internal" not in house.judged()["errors"][0]


@pytest.mark.parametrize(("claims", "status"), [("CHK-STA-01", 4), ("CHK-SES-01", 1)])
def test_a_crash_after_the_verdict_is_no_verdict(house: House, claims: str, status: int) -> None:
    house.write(whole=WHOLE, failing=FAILING.format(claims=claims))
    with (house.pytester.path / "conftest.py").open("a", encoding="utf-8") as conftest:
        conftest.write("\ndef pytest_unconfigure(config):\n    raise RuntimeError('late')\n")
    assert house.run().ret == status


def test_results_that_cannot_be_read_never_look_like_a_verdict(set_up_house: Callable[..., House]) -> None:
    house = set_up_house(sanity={"first": "fine"})
    house.write(whole=WHOLE)
    assert house.run().ret == 4
    assert not (house.output / "conformance.json").exists()


def test_a_check_without_verdict_is_an_error(house: House) -> None:
    house.write(whole=WHOLE, mute="import pytest\n\n\n@pytest.mark.facts(verdict=None)\ndef test_mute():\n    pass\n")
    assert house.run().ret == 4
    found = {check.id: check for check in house.stream().checks}["suites/test_mute.py::test_mute"]
    assert (found.verdict, found.reason) == (Verdict.ERROR, "no verdict was recorded")


def test_a_failing_check_that_claims_nothing_is_broken(house: House) -> None:
    house.write(whole=WHOLE, stray="def test_stray():\n    assert False\n")
    assert house.run().ret == 4


def test_a_failing_tear_down_is_not_hidden_by_a_pass(house: House) -> None:
    fixture = "@pytest.fixture\ndef late():\n    yield\n    raise KeyError\n"
    house.write(whole=WHOLE, late=f"import pytest\n\n{fixture}\ndef test_late(late):\n    pass\n")
    assert house.run().ret == 4


def test_without_facts_nothing_happens(set_up_house: Callable[..., House]) -> None:
    house = set_up_house(facts=None)
    house.write(own="def test_own():\n    assert False\n")
    result = house.run()
    assert result.ret == 1
    assert not house.output.exists()
    assert "conformance" not in result.stdout.str()


def test_collect_only_judges_nothing(house: House) -> None:
    house.write(whole=WHOLE)
    assert house.run("--collect-only").ret == 0
    assert not house.output.exists()


def test_collect_only_touches_nothing(house: House) -> None:
    house.write(whole=WHOLE)
    house.run()
    before = {path: path.stat().st_mtime_ns for path in house.output.rglob("*")}
    assert house.run("--collect-only").ret == 0
    assert {path: path.stat().st_mtime_ns for path in house.output.rglob("*")} == before


def test_former_runs_are_kept_and_the_oldest_forgotten(house: House) -> None:
    house.write(whole=WHOLE)
    found = []
    for _ in range(EARLIER_KEPT + 2):
        house.run()
        found.append((house.output / "results.jsonl").read_text(encoding="utf-8"))
    earlier = house.output / "earlier"
    kept = sorted(path for path in earlier.iterdir() if not path.is_symlink())
    assert [(path / "results.jsonl").read_text(encoding="utf-8") for path in kept] == found[1:-1]
    assert (earlier / "latest").resolve() == kept[-1]


def test_malformed_facts_are_broken(set_up_house: Callable[..., House]) -> None:
    house = set_up_house(facts={"run_id": "r1"})
    house.write(whole=WHOLE)
    assert house.run().ret == 4


def test_wrong_waivers_are_wrong_usage(house: House) -> None:
    house.write(whole=WHOLE)
    (house.pytester.path / "waivers.toml").write_text("[[waiver]]\nrequirement = 'CHK-SES-1'\n", encoding="utf-8")
    result = house.run("--waivers", "waivers.toml")
    assert result.ret == 2
    result.stderr.fnmatch_lines(["*waivers.toml: waiver 1: reason: *"])


def test_a_waiver_lets_a_known_failure_through(house: House) -> None:
    house.write(whole=WHOLE, failing=FAILING.format(claims="CHK-SES-01"))
    house.run()
    mark = {each["id"]: each for each in house.judged()["requirements"]}["CHK-SES-01"]["fingerprints"][0]
    (house.pytester.path / "waivers.toml").write_text(
        f'[[waiver]]\nrequirement = "CHK-SES-01"\nfingerprint = "{mark}"\nreason = "fixed soon"\nowner = "payments"\n'
        "expires = 2999-01-01\n",
        encoding="utf-8",
    )
    assert house.run("--waivers", "waivers.toml").ret == 0
    judged = house.judged()
    assert judged["waivers"][0]["state"] == "covers"
    assert {each["id"]: each["waived"] for each in judged["requirements"]}["CHK-SES-01"] is True


def test_evidence_is_kept_of_failures_and_of_the_first_pass(house: House) -> None:
    exchange = {"method": "POST", "url": "https://acme.example/api", "status": 200, "response_body": "x" * 100_000}
    facts = f"@pytest.mark.facts(exchanges=[{json.dumps(exchange)}])\n"
    claims = '@pytest.mark.claims("CHK-SES-01")\n'
    house.write(
        whole=WHOLE,
        evidence=f"import pytest\n\n{claims}{facts}def test_first(): pass\n\n{claims}{facts}def test_second(): pass\n\n"
        f"{claims}{facts}def test_third(): assert False\n",
    )
    house.run()
    run = house.stream()
    kept = {check.title: run.exchanges_of(check) for check in run.checks}
    assert len(kept["test_first"]) == len(kept["test_third"]) == 1
    assert kept["test_second"] == ()
    assert len(kept["test_third"][0].response_body) == 64 * 1024
    assert kept["test_third"][0].truncated
