"""Profiles for unit tests: the least that is valid, and some tables."""

from __future__ import annotations

from fixtures.profile import Profile


def profile_with(**tables: object) -> Profile:
    document: dict[str, object] = {
        "target": {"name": "box", "environment": "sandbox"},
        "endpoints": {"checkout": "https://box.example"},
        "credentials": {"checkout": {"key": "main", "password": "password-1"}},
    }
    return Profile.model_validate({**document, **tables})
