"""Which plugins are installed: the entry-point group ``gunzi``, found once; their classes are loaded when they are needed.

The environment variable ``GUNZI_PLUGINS`` names the only external ones that may be used (``a,b``); empty, it shuts out all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final

from gunzi.errors import PluginError, Text
from gunzi.options import Option, closest
from gunzi.plugin import Plugin
from gunzi.values import Lint

GROUP: Final = "gunzi"
BUILT_IN: Final = "gunzi.plugins."
ALLOWED: Final = "GUNZI_PLUGINS"
"""The environment variable that limits which external plugins are used."""


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
        raise PluginError(
            Text(
                "找不到 gunzi 自带的规则：请重新安装 gunzi",
                "gunzi's own rules are not installed as plugins: install gunzi again",
            )
        )
    return ids


def external_ids() -> tuple[str, ...]:
    """The ids of all other installed plugins that may be used."""
    return tuple(name for name in installed() if not name.startswith(BUILT_IN) and not is_shut_out(name))


def allowed_ids() -> tuple[str, ...] | None:
    """The external plugins that ``GUNZI_PLUGINS`` allows; None: all."""
    text = os.environ.get(ALLOWED)
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def is_shut_out(id: str) -> bool:
    """Does ``GUNZI_PLUGINS`` forbid this plugin?"""
    allowed = allowed_ids()
    return allowed is not None and not is_built_in(id) and id not in allowed


@contextmanager
def no_external() -> Iterator[None]:
    """Without any external plugin: what the command line's ``--no-external`` does, for processes started inside as well."""
    from gunzi.loading import forget  # what was loaded before knows other plugins

    before = os.environ.get(ALLOWED)
    os.environ[ALLOWED] = ""
    forget()
    try:
        yield
    finally:
        if before is None:
            del os.environ[ALLOWED]
        else:
            os.environ[ALLOWED] = before
        forget()


def who_has(name: str) -> Text:
    """Which installed plugin has an option or a group of options of this name, to be said behind "there is none"; empty: none has.

    A plugin counts only where the variant lists it, and whoever has installed one easily forgets that.
    """
    for id in external_ids():
        try:
            options = plugin_class(id).options
        except PluginError:
            continue
        if any(name in (option.id, option.id.partition(".")[0]) for option in options):
            return Text(
                f"：它是插件 {id} 的，变体文件里要写 plugins: [{id}]",
                f": it is the plugin {id}'s, and the variant must list that: plugins: [{id}]",
            )
    return Text("", "")


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
    if points and is_shut_out(id):
        allowed = allowed_ids()
        listed = ", ".join(allowed or ())
        only = (
            Text(f"{ALLOWED} 只让用 {listed}", f"{ALLOWED} allows only {listed}")
            if allowed
            else Text(f"写了 --no-external，或者 {ALLOWED} 是空的", f"--no-external, or an empty {ALLOWED}")
        )
        said = Text("插件 {id} 装了，可是不让用：{only}", "plugin {id} is installed but shut out: {only}")
        raise PluginError(said.format(id=id, only=only), id)
    if not points:
        there = external_ids()
        guess = closest(id, there)
        maybe = Text(f"（是不是 {guess}？）", f" (did you mean {guess}?)") if guess else Text("", "")
        names = Text("、".join(there) or "没有", ", ".join(there) or "none")
        said = Text(
            "没装插件 {id}{maybe}；自带的以外，装了的有：{names}",
            "plugin {id} is not installed{maybe}; installed besides the built-in ones: {names}",
        )
        raise PluginError(said.format(id=id, maybe=maybe, names=names), id)
    if len(points) > 1:
        both = [point.value for point in points]
        raise PluginError(
            Text(
                f"装了两个都叫 {id} 的插件：{' 和 '.join(both)}",
                f"two plugins are installed under the id {id}: {' and '.join(both)}",
            ),
            id,
        )
    try:
        found = points[0].load()
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise PluginError(Text(f"插件 {id} 导入不了：{why}", f"plugin {id} cannot be imported: {why}"), id) from error
    if not isinstance(found, type) or not issubclass(found, Plugin):
        raise PluginError(
            Text(
                f"插件 {id}：{points[0].value} 不是插件类（要继承 gunzi.Plugin）",
                f"plugin {id}: {points[0].value} is no plugin class (a subclass of gunzi.Plugin)",
            ),
            id,
        )
    if found.id != id:
        raise PluginError(
            Text(
                f"插件 {id}：{points[0].value} 这个类自称 {found.id!r}，一个插件只能有一个名字",
                f"plugin {id}: the class {points[0].value} calls itself {found.id!r}; one plugin has one id",
            ),
            id,
        )
    if not found.version:
        raise PluginError(Text(f"插件 {id} 没写版本", f"plugin {id} has no version"), id)
    for attribute, (sound, wanted) in _SHAPES.items():
        if not sound(getattr(found, attribute)):
            is_now = f"{getattr(found, attribute)!r:.200}"
            raise PluginError(
                Text(
                    f"插件 {id}：`{attribute}` 要是{wanted.zh}，不能是 {is_now}",
                    f"plugin {id}: `{attribute}` must be {wanted.en}, not {is_now}",
                ),
                id,
            )
    return found


def _is_texts(found: Any) -> bool:
    return isinstance(found, Mapping) and all(
        isinstance(key, str) and isinstance(text, Text) for key, text in found.items()
    )


_SHAPES: Final[Mapping[str, tuple[Callable[[Any], bool], Text]]] = {
    "version": (lambda found: isinstance(found, str), Text("文字", "a text")),
    "name": (lambda found: isinstance(found, Text), Text("一个 Text", "a Text")),
    "options": (
        lambda found: isinstance(found, (tuple, list)) and all(isinstance(each, Option) for each in found),
        Text("一组选项", "a tuple of options"),
    ),
    "rules": (_is_texts, Text("规则名到 Text 的对照表", "a map from rule ids to Texts")),
    "lints": (
        lambda found: isinstance(found, Mapping) and all(isinstance(lint, Lint) for lint in found.values()),
        Text("代号到 Lint 的对照表", "a map from codes to Lints"),
    ),
    "replaces": (
        lambda found: isinstance(found, (tuple, list)) and all(isinstance(each, str) for each in found),
        Text("一组插件名", "a tuple of plugin ids"),
    ),
    "defaults": (
        lambda found: isinstance(found, Mapping),
        Text("选项名到取值的对照表", "a map from option ids to values"),
    ),
}
"""What the attributes of a plugin class must be."""


def forget_installed() -> None:
    """Look again at what is installed the next time; for long-lived processes and tests."""
    installed.cache_clear()
    plugin_class.cache_clear()
