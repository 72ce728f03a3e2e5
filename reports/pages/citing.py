"""How the page cites the contract: section and lines, as links where the profile says where it can be read."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup, escape

from contract.model import Requirement

Cites = Callable[[Requirement], Markup]


def citing(address: str) -> Cites:
    """Return what cites a requirement's passage.

    Args:
        address: where the contract can be read, with ``{line}`` in place of a line number; what is no address of the
            web is no link.
    """
    is_link = address.startswith(("https://", "http://"))

    def cite(requirement: Requirement) -> Markup:
        numbers = [_line(address, line) if is_link else Markup(line) for line in requirement.lines]  # noqa: S704 - a number
        word = "line" if len(numbers) == 1 else "lines"
        return Markup("{}, {} {}").format(requirement.section, word, Markup(", ").join(numbers))

    return cite


def _line(address: str, line: int) -> Markup:
    return Markup('<a href="{}" rel="noreferrer">{}</a>').format(escape(address.replace("{line}", str(line))), line)
