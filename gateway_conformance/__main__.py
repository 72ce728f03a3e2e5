"""``python -m gateway_conformance``, or ``python path/to/gateway_conformance`` from any directory."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:
    # Started by its path: Python has put this directory on the search path, where its modules would be top-level ones.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gateway_conformance.command import main

main()
