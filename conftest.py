"""Wires the plugins together; nothing else."""

pytest_plugins = [
    "fixtures.plugin",
    "fixtures.scheduling.selection",
    "fixtures.depth.plugin",
    "fixtures.scheduling.workers",
    "fixtures.scheduling.scheduler",
    "fixtures.scheduling.progress",
    "fixtures.pytest_fixtures",
    "fixtures.generated.plugin",
    "reports.plugin",
]
