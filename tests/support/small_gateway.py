"""A target of which a complete run is short: S2S APM alone, on an embedded gateway that a test starts itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from fixtures.wire.embedded import EmbeddedGateway


@contextmanager
def small_gateway(directory: Path, *faults: str, name: str = "a small gateway") -> Iterator[Path]:
    """Start it; yields the profile in which nothing but the address, the account and one outcome is said."""
    main = load_profile(DEFAULT_TARGET).credentials.s2s_apm
    assert main is not None
    gateway = EmbeddedGateway.start(release="6.7.0", faults=faults)
    profile = directory / "profile.toml"
    profile.write_text(
        f"""
[target]
name = "{name}"
environment = "sandbox"
[endpoints]
s2s_apm = "{gateway.address("s2s_apm")}"
[credentials.s2s_apm]
key = "{main.key}"
password = "{main.password.reveal()}"
[capabilities]
s2s_apm = true
[test_data.apm.success]
brand = "vcard"
identifier = "success@gmail.com"
[run]
clock = "{gateway.control_url}"
fuzz_requests = 0
""",
        encoding="utf-8",
    )
    try:
        yield profile
    finally:
        gateway.stop()
