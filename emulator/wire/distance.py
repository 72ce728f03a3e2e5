"""What lies between a gateway and its merchants: every request takes a while, as if it came from far away."""

import asyncio
import random
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

_CONTROL: Final = "/-/"
_SEED: Final = 0


class DistanceMiddleware:
    """Lets each request wait before the gateway sees it: evenly between nothing and twice the mean, in seconds.

    The address that moves the clock is near.
    """

    def __init__(self, app: ASGIApp, mean: float) -> None:
        """Stand in front of ``app``."""
        self._app = app
        self._mean = mean
        # The same waits in every run, so that runs can be compared.
        self._random = random.Random(_SEED)  # noqa: S311 - no secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, and hand the request on."""
        if scope["type"] == "http" and not scope["path"].startswith(_CONTROL):
            await asyncio.sleep(self._random.uniform(0, 2 * self._mean))
        await self._app(scope, receive, send)
