"""The tables and the patches belong together, and a report is judged by what failed before what is undecided."""

from __future__ import annotations

import pytest

from tests.fault_patches.__main__ import FOLDERS, HERE, MISSED, NOTICED, ROOT, UNDECIDED, _judged, patches


def test_each_patch_is_described_and_changes_the_gateway_only() -> None:
    found = list(patches())

    assert {patch.file for patch in found} == set(HERE.glob("set_*/*.patch"))
    for patch in found:
        assert all((ROOT / folder).is_dir() for folder in FOLDERS[patch.protocol])
        changed = [line for line in patch.file.read_text(encoding="utf-8").splitlines() if line.startswith("+++ ")]
        assert changed
        assert all(line.startswith("+++ b/emulator/") for line in changed), patch.name


@pytest.mark.parametrize(
    ("verdicts", "fate"),
    [
        (("pass", "inconclusive", "fail"), (NOTICED, "R-2")),
        (("pass", "inconclusive", "not_run"), (UNDECIDED, "R-1")),
        (("pass", "not_applicable", "not_run"), (MISSED, "")),
    ],
)
def test_fate_is_that_of_the_worst_verdict(verdicts: tuple[str, ...], fate: tuple[str, str]) -> None:
    said = [{"id": f"R-{number}", "verdict": verdict} for number, verdict in enumerate(verdicts)]

    assert _judged(said) == fate
