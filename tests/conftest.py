"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# Hundreds of processes are started by the tests: with this set, each of them would compile all that it loads.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

if not os.environ.get("KILL_MATRIX"):
    # Generated examples are the same in every run, and no time limit of theirs depends on what runs beside them:
    # whoever commits must not be stopped by what somebody else's change made. New ones are tried by the whole matrix.
    settings.load_profile("ci")
