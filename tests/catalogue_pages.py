"""Renders the catalogue of requirements with the checks that claim them and the faults that break them.

``python -m tests.catalogue_pages [DIRECTORY]``. It stands here because only tests may know suites, reports and the
emulator.
"""

from __future__ import annotations

import sys
from pathlib import Path

from contract.catalogue import load_catalogue
from contract.watched import load_watched
from emulator.faults import registry
from reports.pages.catalogue import DEFAULT_OUTPUT, Fault, render_catalogue
from tests.support.suite_in_process import InProcessSuite


def write_pages(directory: Path) -> list[Path]:
    """Write index, one Markdown page a protocol and the HTML page; return what was written."""
    suite, watched = InProcessSuite("suites"), load_watched()
    pages = render_catalogue(
        load_catalogue(),
        checks_of=lambda requirement: [
            *(item.nodeid for item in suite.by_requirement.get(requirement, [])),
            *(
                [f"watched on every exchange: {', '.join(sorted(watched[requirement]))}"]
                if requirement in watched
                else []
            ),
        ],
        faults=[
            Fault(name=fault.name, requirements=fault.requirements, summary=fault.summary)
            for fault in registry().values()
        ],
    )
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (directory / name).write_text(text, encoding="utf-8")
    return [directory / name for name in pages]


if __name__ == "__main__":
    for page in write_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT):
        sys.stdout.write(f"{page}\n")
