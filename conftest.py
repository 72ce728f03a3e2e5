"""Wires the plugins together; nothing else."""

pytest_plugins = ["fixtures.plugin", "fixtures.pytest_fixtures", "fixtures.fuzzing.plugin", "reports.plugin"]
