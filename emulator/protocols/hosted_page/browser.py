"""What a payer's browser says of itself: in its headers, and in the hidden fields that the script of the page adds."""

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers

_BY_SCRIPT: Final = (
    "browser_color_depth",
    "browser_screen_height",
    "browser_screen_width",
    "browser_java_enabled",
    "browser_javascript_enabled",
    "browser_language",
    "browser_timezone_offset",
    "browser_platform",
)
_LONGEST: Final = 2048


def browser_of(headers: Headers, form: Mapping[str, str]) -> dict[str, str]:
    """The attributes of a browser, by their names in callbacks; what it does not say is left out."""
    languages = headers.get("accept-language", "")
    found = {
        "browser_language": languages.partition(",")[0].partition(";")[0].strip(),
        **{name: form.get(name, "") for name in _BY_SCRIPT if form.get(name)},
        "browser_user_agent": headers.get("user-agent", ""),
        "browser_accept_headers": headers.get("accept", ""),
    }
    return {name: value[:_LONGEST] for name, value in found.items() if value}
