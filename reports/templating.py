"""The templates of the reports: everything that is put into one is escaped, and hidden characters are written out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.text import markdown, one_line, visible

TEMPLATES = Path(__file__).parent / "templates"


def _harmless(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def pages() -> Environment:
    """Return the environment of HTML and SVG templates."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cut"] = visible
    environment.filters["line"] = one_line
    return environment


@cache
def documents() -> Environment:
    """Return the environment of Markdown templates; every value from outside goes through ``md``."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=False,  # noqa: S701 - Markdown: the filter md escapes what is markup
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["md"] = markdown
    environment.filters["line"] = one_line  # inside a block of code, where nothing is markup
    return environment
