"""Sends what another run sent, with nothing but httpx: ``python -m tests.bench.raw NOTES``."""

from __future__ import annotations

import base64
import json
import sys
import time
from pathlib import Path

import httpx


def main(notes: Path) -> None:
    """Print CPU seconds, seconds and requests of the loop."""
    sent = json.loads(notes.read_text(encoding="utf-8"))["sent"]
    requests = [(one["method"], one["url"], json.loads(one["headers"]), base64.b64decode(one["body"])) for one in sent]
    with httpx.Client(trust_env=False, follow_redirects=False, timeout=10) as client:
        began, used = time.perf_counter(), time.process_time()
        for method, url, headers, content in requests:
            client.request(method, url, headers=headers, content=content)
        cpu, seconds = time.process_time() - used, time.perf_counter() - began
    sys.stdout.write(json.dumps({"cpu": cpu, "seconds": seconds, "requests": len(requests)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
