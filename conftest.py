"""Wires the plugins together; nothing else."""

pytest_plugins = [
    "fixtures.plugin",
    "fixtures.selection",
    "fixtures.depth.plugin",
    "fixtures.workers",
    "fixtures.scheduler",
    "fixtures.progress",
    "fixtures.pytest_fixtures",
    "fixtures.generated.plugin",
    "reports.plugin",
]
