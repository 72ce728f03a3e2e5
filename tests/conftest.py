"""What holds for all tests."""

from __future__ import annotations

import os

# Hundreds of processes are started by the tests: with this set, each of them would compile all that it loads.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
