"""``make lint`` asks whether a hole is known in what is installed: pip-audit over ``constraints.txt``.

The service that knows is not reachable from everywhere, and then this says so and fails nothing; a hole does.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

CONSTRAINTS: Final = Path(__file__).parents[1] / "constraints.txt"
SECONDS: Final = 300
Json = Any


def holes_in(report: Json) -> Iterator[str]:
    """Yield what is known of each package, one line for each hole."""
    for package in report["dependencies"]:
        for hole in package.get("vulns", ()):
            fixed = ", ".join(hole["fix_versions"]) or "no version yet"
            yield f"{package['name']} {package['version']}: {hole['id']}; fixed in {fixed}"


def asked_of(report: Json) -> int:
    """Return of how many packages the service knows anything."""
    return sum("skip_reason" not in package for package in report["dependencies"])


def main() -> int:
    """Return 1 where a hole is known, otherwise 0."""
    words = ["-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner=off", "--format=json"]
    try:
        ended = subprocess.run(
            [sys.executable, *words, "--requirement", str(CONSTRAINTS)],
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        report = json.loads(ended.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        sys.stdout.write("pip-audit: the service that knows of holes was not reached, so nothing was looked up\n")
        return 0
    found = list(holes_in(report))
    sys.stdout.writelines(f"pip-audit: {line}\n" for line in found)
    asked, packages = asked_of(report), len(report["dependencies"])
    sys.stdout.write(f"pip-audit: {asked} of {packages} packages could be looked up, {len(found)} holes are known\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
