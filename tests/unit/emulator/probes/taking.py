"""A merchant who takes callbacks without a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emulator.engine.callbacks.posting import Poster


@dataclass
class TakingPoster(Poster):
    """Hands every body to a merchant, who says the status of the answer."""

    take: Callable[[str], int] = lambda _: 200

    async def post(self, address: str, content_type: str, body: bytes) -> int:  # noqa: ARG002 - as the real one
        return self.take(body.decode())
