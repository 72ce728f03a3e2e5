"""Wires the plugins together; nothing else."""

pytest_plugins = [
    "fixtures.plugin",
    "fixtures.selection",
    "fixtures.workers",
    "fixtures.progress",
    "fixtures.pytest_fixtures",
    "fixtures.generated.plugin",
    "reports.plugin",
]
