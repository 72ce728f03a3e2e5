"""Registries without a list of modules: each module of a package, however deep, exports what it adds."""

import pkgutil
from importlib import import_module
from typing import Protocol, TypeVar


class Named(Protocol):
    """What a registry holds."""

    @property
    def name(self) -> str:
        """Under which it is found; given once."""
        ...


_Kind = TypeVar("_Kind", bound=Named)


def registered(package: str, export: str, kind: type[_Kind]) -> dict[str, _Kind]:
    """What the modules of ``package`` export as ``export``, by name; raises ValueError for a name given twice."""
    found: dict[str, _Kind] = {}
    for listed in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        for entry in getattr(import_module(listed.name), export, ()):
            if not isinstance(entry, kind) or entry.name in found:
                message = (
                    f"{listed.name} exports {getattr(entry, 'name', entry)!r}: no {kind.__name__}, or known already"
                )
                raise ValueError(message)
            found[entry.name] = entry
    return found
