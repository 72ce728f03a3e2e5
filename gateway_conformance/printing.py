"""``gateway-conformance print``: a page of a run as PDF, by a browser that is there anyway."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from fixtures.payer.chromium.installed import PROGRAMS, program

WRONG_USAGE: Final = 2
_SECONDS: Final = 120


def print_page(page: Path, pdf: Path) -> int:
    """Write a page as PDF; return the exit status.

    Args:
        page: a page of a report.
        pdf: where it goes.
    """
    browser = program()
    if browser is None or not page.is_file():
        missing = f"{page}: there is no such page" if browser else f"there is no browser: {', '.join(PROGRAMS)}"
        sys.stderr.write(f"{missing}\n")
        return WRONG_USAGE
    with tempfile.TemporaryDirectory() as directory:
        words = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
            "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={directory}",
            f"--print-to-pdf={pdf.absolute()}", page.absolute().as_uri(),
        ]  # fmt: skip
        try:
            subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - the words are ours
        except subprocess.TimeoutExpired:
            sys.stderr.write(f"{page}: the browser did not end within {_SECONDS} s\n")
    if pdf.is_file():
        sys.stdout.write(f"{pdf}\n")
        return 0
    sys.stderr.write(f"{page}: the browser wrote no PDF\n")
    return WRONG_USAGE
