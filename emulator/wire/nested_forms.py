"""Bracket keys of forms: ``parameters[name]`` as nested objects."""

import re
from collections.abc import Mapping
from typing import Final

from emulator.wire.values import Object

_KEY: Final = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
_INNER: Final = re.compile(r"\[([^\[\]]*)\]")
_DEEPEST: Final = 12


def nested(form: Mapping[str, str]) -> Object:
    """The fields with bracket keys as nested objects; where two keys contradict each other, the later one wins.

    A key that is no proper bracket key, or deeper than anybody nests, is a name like any other.
    """
    result: Object = {}
    for key, value in form.items():
        *above, name = _names(key)
        place = result
        for part in above:
            place = _below(place, part)
        place[_free(place) if name == "" else name] = value
    return result


def _names(key: str) -> list[str]:
    found = _KEY.fullmatch(key)
    inner = _INNER.findall(found[2]) if found else []
    return [key] if found is None or len(inner) > _DEEPEST else [found[1], *inner]


def _below(place: Object, part: str) -> Object:
    name = _free(place) if part == "" else part
    below = place.get(name)
    if not isinstance(below, dict):
        below = place[name] = {}
    return below


def _free(place: Object) -> str:
    return str(len(place))
