"""How a reference gateway is started."""

from dataclasses import dataclass

from emulator.releases import LATEST


@dataclass(frozen=True, slots=True)
class Settings:
    """Release, deviations and address of a reference gateway.

    ``faults`` and ``variations`` are names of their registries; ``control`` opens the address that moves the clock,
    and ``control_token`` is the last part of its path, so that nobody else on this machine moves it;
    ``callback_url`` is where merchants get their callbacks, None where they get none; port 0 takes a free one;
    ``public_url`` is the address under which payers and merchants reach it, where that is not the one it listens at;
    ``trusts_proxy`` lets the X-Forwarded headers of each request say so; ``latency`` is how many seconds a request
    takes to get here, on average.
    """

    release: str = LATEST
    faults: tuple[str, ...] = ()
    variations: tuple[str, ...] = ()
    control: bool = False
    control_token: str = ""
    callback_url: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    public_url: str | None = None
    trusts_proxy: bool = False
    latency: float = 0.0

    @property
    def control_path(self) -> str:
        """The path of the address that moves the clock."""
        return f"/-/clock/{self.control_token}" if self.control_token else "/-/clock"


class SettingsError(ValueError):
    """The settings name something that does not exist; the message says what does."""
