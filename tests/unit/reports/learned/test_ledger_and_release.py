"""The ambiguity ledger and the fingerprint of the release."""

from __future__ import annotations

import json
from pathlib import Path

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.judging.release import release_fingerprint
from reports.learned.ledger import former_readings, ledger_of
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of


def test_a_reading_comes_with_its_exchange_and_a_question(mixed: Conclusion) -> None:
    (row,) = ledger_of(mixed.run, mixed.results.values(), {})

    assert [reading.id for reading in row.followed] == ["upper"]
    assert row.check is not None
    assert "Upper case; or: Lower case?" in row.question
    assert row.former is None
    assert not row.has_changed


def test_another_reading_than_in_the_last_run_has_changed(mixed: Conclusion, tmp_path: Path) -> None:
    document = tmp_path / "conformance.json"
    document.write_text(json.dumps({"readings": [{"requirement": "CHK-STA-02", "followed": ["lower"]}]}))

    (row,) = ledger_of(mixed.run, mixed.results.values(), former_readings(document))

    assert row.former == ("lower",)
    assert row.has_changed


def test_a_former_run_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    document = tmp_path / "conformance.json"
    document.write_text('{"readings": 7}')

    assert former_readings(document) == {}
    assert former_readings(tmp_path / "none") == {}


def catalogue() -> Catalogue:
    return catalogue_of(
        requirement(id="CHK-SES-01", sentence="What is old is kept.", since="6.6.3"),
        requirement(id="CHK-SES-02", sentence="What is new is kept: one.", since="6.7.0"),
        requirement(id="CHK-SES-03", sentence="What is new is kept: two.", since="6.7.0"),
    )


def test_a_target_that_keeps_everything_is_what_it_claims() -> None:
    run = run_of(*(check(f"a{number}", "pass", f"CHK-SES-0{number}") for number in (1, 2, 3)))

    found = release_fingerprint("6.7.0", conclude(run, catalogue()).results.values())

    assert (found.likely, found.contradicting) == ("6.7.0", ())
    assert found.sentence == "It behaves as release 6.7.0, as it claims."


def test_a_target_without_what_came_last_is_older() -> None:
    run = run_of(check("a", "pass", "CHK-SES-01"), check("b", "fail", "CHK-SES-02"), check("c", "fail", "CHK-SES-03"))

    found = release_fingerprint("6.7.0", conclude(run, catalogue()).results.values())

    assert found.likely == "6.6.3"
    assert found.sentence.startswith("It claims release 6.7.0 and behaves as 6.6.3")


def test_what_public_documents_alone_say_contradicts_no_release() -> None:
    platform = requirement(id="CHK-CAP-14", sentence="It has the code 208004.", since="6.6.3", basis="platform")
    checks = [check(f"a{number}", "pass", f"CHK-SES-0{number}") for number in (1, 2, 3)]
    run = run_of(*checks, check("b", "fail", "CHK-CAP-14"))

    found = release_fingerprint("6.7.0", conclude(run, catalogue_of(*catalogue().values(), platform)).results.values())

    assert (found.likely, found.contradicting) == ("6.7.0", ())


def test_one_thing_that_is_broken_contradicts_the_release() -> None:
    checks = [check("a", "pass", "CHK-SES-01"), check("b", "pass", "CHK-SES-02"), check("c", "fail", "CHK-SES-03")]
    catalogue_with_more = catalogue_of(
        *catalogue().values(), requirement(id="CHK-SES-04", sentence="What is new is kept: three.", since="6.7.0")
    )
    run = run_of(*checks, check("d", "pass", "CHK-SES-04"))

    found = release_fingerprint("6.7.0", conclude(run, catalogue_with_more).results.values())

    assert (found.likely, found.contradicting) == ("6.7.0", ("CHK-SES-03",))
