"""Which CI system runs us, known by its environment variables, in the shape of Allure's ``executor.json``."""

from __future__ import annotations

from collections.abc import Mapping

_SYSTEMS: tuple[tuple[str, Mapping[str, str]], ...] = (
    (
        "GITHUB_ACTIONS",
        {
            "name": "GitHub Actions",
            "type": "github",
            "buildOrder": "{GITHUB_RUN_NUMBER}",
            "buildName": "{GITHUB_WORKFLOW} #{GITHUB_RUN_NUMBER}",
            "buildUrl": "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}",
        },
    ),
    (
        "GITLAB_CI",
        {
            "name": "GitLab CI",
            "type": "gitlab",
            "buildOrder": "{CI_PIPELINE_IID}",
            "buildName": "{CI_JOB_NAME} #{CI_PIPELINE_IID}",
            "buildUrl": "{CI_JOB_URL}",
        },
    ),
    (
        "JENKINS_URL",
        {
            "name": "Jenkins",
            "type": "jenkins",
            "buildOrder": "{BUILD_NUMBER}",
            "buildName": "{JOB_NAME} #{BUILD_NUMBER}",
            "buildUrl": "{BUILD_URL}",
        },
    ),
    (
        "BUILDKITE",
        {
            "name": "Buildkite",
            "type": "buildkite",
            "buildOrder": "{BUILDKITE_BUILD_NUMBER}",
            "buildName": "{BUILDKITE_PIPELINE_SLUG} #{BUILDKITE_BUILD_NUMBER}",
            "buildUrl": "{BUILDKITE_BUILD_URL}",
        },
    ),
)
"""The variable that gives a system away, and how its variables fill the executor."""


class _Variables(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return ""


def executor(environment: Mapping[str, str]) -> dict[str, str | int]:
    """Return who runs us; a shell of a person where no CI system shows."""
    variables = _Variables(environment)
    for mark, fields in _SYSTEMS:
        if environment.get(mark):
            filled = {name: pattern.format_map(variables) for name, pattern in fields.items()}
            order = filled.pop("buildOrder")
            return {**filled, **({"buildOrder": int(order)} if order.isdecimal() else {})}
    return {"name": "local", "type": "local"}


_COMMITS = (
    "CONFORMANCE_COMMIT",
    "GITHUB_SHA",
    "CI_COMMIT_SHA",
    "GIT_COMMIT",
    "BUILDKITE_COMMIT",
    "BUILD_SOURCEVERSION",
)
"""Variables that name the commit; the first is for whoever tests another repository than the one that CI has."""
_LONGEST_COMMIT = 64


def commit(environment: Mapping[str, str]) -> str:
    """Return the commit that is tested; empty where nothing names one."""
    return next((environment[name][:_LONGEST_COMMIT] for name in _COMMITS if environment.get(name)), "")
