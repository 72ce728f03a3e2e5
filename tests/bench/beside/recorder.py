"""A pytest plugin that notes what a run sends and what comes back, and how it is signed: cases for other tools.

``BESIDE_RECORDED`` names the file for the notes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


class Recorded:
    """What was sent, in order, and the recipe behind each signature that was made."""

    def __init__(self) -> None:
        self.exchanges: list[dict[str, Any]] = []
        self.recipes: dict[str, dict[str, Any]] = {}
        self.check = ""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    from fixtures.protocols.checkout import payments  # noqa: PLC0415 - not before pytest rewrites assertions
    from fixtures.signing.recipe import Recipe  # noqa: PLC0415
    from fixtures.wire.transport import Transport  # noqa: PLC0415

    # The other tools follow no payer's browser to where it is sent: payments of Checkout are looked up by their order.
    payments._returned = lambda _visit: ""  # type: ignore[assignment]
    recorded = Recorded()
    config.stash[KEY] = recorded
    send, sign = Transport._exchange, Recipe.sign

    def exchange(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Any:  # noqa: ANN401
        reply = send(self, method, url, headers, content)
        recorded.exchanges.append(
            {
                "check": recorded.check,
                "method": method,
                "url": url,
                "content_type": {name.lower(): value for name, value in headers.items()}.get("content-type", ""),
                "body": content.decode("utf-8", "surrogateescape"),
                "status": reply.status,
                "reply": reply.text,
            }
        )
        return reply

    def signed(self: Recipe) -> str:
        signature = sign(self)
        recorded.recipes[signature] = {
            "terms": [
                {"text": term.text, "reversed": term.is_reversed, "keeps_case": term.keeps_case} for term in self.terms
            ],
            "upper_case": self.upper_case,
            "digest": self.digest,
            "outer": self.outer,
            "inner_form": self.inner_form,
        }
        return signature

    Transport._exchange = exchange  # type: ignore[method-assign]
    Recipe.sign = signed  # type: ignore[method-assign]


KEY: pytest.StashKey[Recorded] = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.config.stash[KEY].check = item.nodeid


def pytest_unconfigure(config: pytest.Config) -> None:
    recorded = config.stash[KEY]
    rows = {"exchanges": recorded.exchanges, "recipes": recorded.recipes}
    Path(os.environ["BESIDE_RECORDED"]).write_text(json.dumps(rows), encoding="utf-8")
