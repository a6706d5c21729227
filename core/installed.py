"""Which plugins are installed: the entry-point group ``gunzi``, found once; their classes are loaded when they are needed."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final

from gunzi.errors import PluginError
from gunzi.options import closest
from gunzi.plugin import Plugin

GROUP: Final = "gunzi"
BUILT_IN: Final = "gunzi.plugins."


@lru_cache(maxsize=1)
def installed() -> MappingProxyType[str, tuple[EntryPoint, ...]]:
    """The entry points by plugin id; more than one under an id is an error as soon as the id is used."""
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        same = found.setdefault(point.name, [])
        if all(point.value != other.value for other in same):
            same.append(point)
    return MappingProxyType({name: tuple(points) for name, points in sorted(found.items())})


def built_in_ids() -> tuple[str, ...]:
    """The ids of gunzi's own plugins. Raises PluginError where gunzi's installation has lost them."""
    ids = tuple(name for name in installed() if name.startswith(BUILT_IN))
    if not ids:
        raise PluginError("gunzi's own rules are not installed as plugins: install gunzi again (pip install gunzi)")
    return ids


def external_ids() -> tuple[str, ...]:
    """The ids of all other installed plugins."""
    return tuple(name for name in installed() if not name.startswith(BUILT_IN))


def is_built_in(id: str) -> bool:
    """Is this the id of one of gunzi's own plugins?"""
    return id.startswith(BUILT_IN)


@lru_cache(maxsize=256)
def plugin_class(id: str) -> type[Plugin]:
    """The class of an installed plugin.

    Raises PluginError where there is none of that id (naming those there are), where two packages use the id, where the
    import raises, or where what is found is no plugin of that id.
    """
    points = installed().get(id, ())
    if not points:
        there = external_ids()
        guess = closest(id, there)
        maybe = f" (did you mean {guess}?)" if guess else ""
        listed = ", ".join(there) if there else "none"
        raise PluginError(f"plugin {id} is not installed{maybe}; installed besides the built-in ones: {listed}", id)
    if len(points) > 1:
        raise PluginError(f"two plugins are installed under the id {id}: {' and '.join(p.value for p in points)}", id)
    try:
        found = points[0].load()
    except Exception as error:
        raise PluginError(f"plugin {id} cannot be imported: {type(error).__name__}: {error}", id) from error
    if not isinstance(found, type) or not issubclass(found, Plugin):
        raise PluginError(f"plugin {id}: {points[0].value} is no plugin class (a subclass of gunzi.Plugin)", id)
    if found.id != id:
        raise PluginError(
            f"plugin {id}: the class {points[0].value} calls itself {found.id!r}; one plugin has one id", id
        )
    if not found.version:
        raise PluginError(f"plugin {id} has no version", id)
    return found


def forget_installed() -> None:
    """Look again at what is installed the next time; for long-lived processes and tests."""
    installed.cache_clear()
    plugin_class.cache_clear()
