"""Where rule sets come from: a preset's id, a variant file, a share code, a text, the header of a record."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, ParamSpec, TypeVar

from gunzi import variants
from gunzi.errors import GunziError, PluginError, RecordError, RulesError, Text, VariantError
from gunzi.installed import built_in_ids, external_ids, forget_installed, installed, is_built_in, plugin_class
from gunzi.options import closest
from gunzi.problems import Problem, problems_text
from gunzi.resolve import (
    BASE,
    DEFAULT,
    OVERRIDE,
    Origin,
    Resolved,
    lay_over,
    option_set,
    resolve_data,
    resolve_file,
    resolve_preset,
    stamp,
)
from gunzi.ruleset import RuleSet, forget_hosts
from gunzi.sharecode import decode, is_code

RECORD: Final = "record"
"""What ``Origin.where`` says of a value that a record carries."""
_MOST: Final = 512
_loaded: dict[tuple[Any, ...], RuleSet] = {}
_presets: dict[str, Resolved] = {}


P = ParamSpec("P")
R = TypeVar("R")


def _naming_the_culprit(function: Callable[P, R]) -> Callable[P, R]:
    """What a stranger's code raises where no hook is asked (an option that parses) comes out as a PluginError too."""

    @functools.wraps(function)
    def call(*args: P.args, **more: P.kwargs) -> R:
        try:
            return function(*args, **more)
        except GunziError:
            raise
        except Exception as error:
            from gunzi.guarding import blamed  # it knows tables, which loading does without

            blame = blamed(error, _external_modules())
            if blame is None:
                raise
            raise blame from error

    return call


def _external_modules() -> dict[str, str]:
    return {point.value.partition(":")[0]: id for id in external_ids() for point in installed()[id]}


@_naming_the_culprit
def load(
    rules: str | os.PathLike[str] | RuleSet,
    overrides: Mapping[str, Any] | None = None,
    override_origin: str = OVERRIDE,
) -> RuleSet:
    """The rule set that ``rules`` names, with ``overrides`` (dotted id → value, or text as on a command line) laid over it.

    A preset's id comes first, then a share code (``gz1.…``); otherwise a text with ``/`` or ending in ``.yaml`` is a path,
    any other NAME stands for ``./NAME.yaml``. Cached until a file of the chain changes. Raises VariantError or PluginError,
    both with ``problems``.
    """
    if isinstance(rules, RuleSet):
        return rules.with_options(overrides, override_origin) if overrides else rules
    name = os.fspath(rules)
    code = isinstance(rules, str) and is_code(name)
    local = not code and (not isinstance(rules, str) or not (name in variants.PRESETS or name == BASE))
    path = variant_path(name, isinstance(rules, str)) if local else ""
    key = (name, os.path.abspath(path) if local else "", path, override_origin, _key(overrides))
    found = _loaded.get(key)
    if found is not None and all(stamp(file) == seen for file, seen in found.resolved.stamps):
        return found
    resolved = resolve_file(path) if local else decode(name, _preset) if code else _preset(name)
    if overrides:
        resolved = lay_over(resolved, overrides, override_origin)
    found = RuleSet(resolved)
    while len(_loaded) >= _MOST:
        _loaded.pop(next(iter(_loaded)), None)
    _loaded[key] = found
    return found


def preset_ids() -> tuple[str, ...]:
    """The ids of the presets; ``base``, which they stand on, can be loaded too."""
    return variants.PRESETS


def _key(overrides: Mapping[str, Any] | None) -> str:
    return repr(sorted(overrides.items(), key=repr)) if overrides else ""


def _preset(id: str) -> Resolved:
    found = _presets.get(id)
    if found is None:
        found = _presets[id] = resolve_preset(id)
    return found


def variant_path(name: str, guess: bool = True) -> str:
    """The file that RULES names where it is no preset. Raises VariantError naming the presets where there is none."""
    if not guess or "/" in name or os.sep in name or name.endswith((".yaml", ".yml")):
        return name
    for candidate in (f"{name}.yaml", f"{name}.yml"):
        if "\0" not in name and os.path.isfile(candidate):
            return candidate
    known = (*variants.PRESETS, BASE)
    listed = ", ".join(known)
    said = Text(
        f"没有叫 {name} 的规则：不是预设，这里也没有 {name}.yaml",
        f"there are no rules {name}: no preset, and no {name}.yaml here",
    )
    problem = Problem("unknown-rules", said, allowed=listed, suggestion=closest(name, known))
    raise VariantError(problems_text([problem]), [problem])


@_naming_the_culprit
def load_text(
    data: bytes | str,
    name: str = "<text>",
    overrides: Mapping[str, Any] | None = None,
    override_origin: str = OVERRIDE,
    folder: str | None = None,
) -> RuleSet:
    """The rule set a variant file's content describes; ``name`` stands for the file in messages.

    It may extend presets; files only where ``folder`` says where they are. Raises VariantError or PluginError.
    """
    resolved = resolve_data(_bytes(data), name, folder)
    if overrides:
        resolved = lay_over(resolved, overrides, override_origin)
    return RuleSet(resolved)


def _bytes(data: bytes | str) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)


@_naming_the_culprit
def from_options(
    id: Any,
    options: Any,
    plugins: Any = None,
    name: Text | None = None,
    version: Any = None,
) -> RuleSet:
    """The rule set a record's header describes: options it does not list are those of the preset ``id``.

    ``plugins`` maps plugin ids to the versions it was played with; {} or None: not told. ``version`` is the variant's (None:
    the preset's of today). The arguments may be anything. Raises VariantError naming unknown, wrong or missing options,
    PluginError naming missing plugins and versions that behave otherwise.
    """
    if not (isinstance(options, Mapping) and isinstance(plugins or {}, Mapping) and isinstance(id, str)):
        said = Text("规则要写成 id、options、plugins", "the rules of a record are an id, options and plugins")
        raise VariantError(said, [Problem("record-rules", said, path=RECORD)])
    external = _same_versions(plugins or {})
    known, _ = option_set(external)
    if id in variants.PRESETS or id == BASE:
        resolved = replace(_preset(id), plugins=external, name=name or _preset(id).name)
    else:
        resolved = Resolved(id, name or Text(id, id), Text("", ""), "", {}, external, (), (), ())
    if isinstance(version, str):
        resolved = replace(resolved, version=version)
    defaults = {
        option: Origin(known[option].parse(value), f"{DEFAULT} of {known.owner[option]}", (), "operator", "")
        for option, value in known.defaults.items()
    }
    resolved = lay_over(replace(resolved, origins={**defaults, **resolved.origins}), options, RECORD, data=True)
    missing = [option for option in known if option not in resolved.origins]
    if missing:
        listed = ", ".join(missing)
        said = Text(
            f"{id} 不是预设，记录里又缺这些选项：{listed}",
            f"{id} is no preset, and the record lacks these options: {listed}",
        )
        raise VariantError(said, [Problem("no-value", said, path=RECORD)])
    return RuleSet(resolved)


def from_header(header: Mapping[str, Any]) -> RuleSet:
    """The rule set of a record, from the record's first line: as recorded, whatever a preset says today.

    Raises VariantError, PluginError, or RecordError where the recorded hash does not fit the recorded options.
    """
    rules = header.get("rules")
    if not isinstance(rules, Mapping):
        said = Text("第 1 行没写规则：表头要有 rules", "line 1 names no rules: the header needs a rules object")
        raise RecordError(said, line=1)
    recorded = rules.get("hash")
    version = rules.get("version", None if recorded is None else "")
    found = from_options(rules.get("id", ""), rules.get("options", {}), rules.get("plugins"), version=version)
    if recorded is not None and recorded != found.hash:
        raise RecordError(
            Text(
                f"第 1 行：记录的指纹 {recorded} 和记录的选项、插件对不上（应为 {found.hash}）：表头被改过，或者别的版本多了选项",
                f"line 1: the recorded hash {recorded} does not fit the recorded options and plugins ({found.hash}): "
                "the header was edited, or another gunzi added options since",
            ),
            line=1,
            rule="record.hash",
        )
    return found


def _same_versions(plugins: Mapping[str, str]) -> tuple[str, ...]:
    """The external ones among a record's plugins, all installed in the recorded versions. Raises PluginError."""
    for plugin, version in plugins.items():
        try:
            found = plugin_class(plugin)
        except PluginError as error:
            said = Text(
                f"牌谱用的是插件 {plugin} 的版本 {version}：{error.text.zh}",
                f"recorded with plugin {plugin} in version {version}: {error.text.en}",
            )
            raise PluginError(said, plugin) from error
        if found.version != version:
            said = Text(
                f"牌谱用的是插件 {plugin} 的版本 {version}；装的是版本 {found.version}，打法不一样",
                f"recorded with plugin {plugin} in version {version}; installed is version {found.version}, which behaves "
                f"otherwise",
            )
            raise PluginError(said, plugin)
    missing = [id for id in built_in_ids() if plugins and id not in plugins]
    if missing:
        raise PluginError(
            Text(
                f"记录里没有 {'、'.join(missing)}，这个 gunzi 一定会用它",
                f"recorded without {', '.join(missing)}, which this gunzi always has",
            ),
            missing[0],
        )
    return tuple(id for id in plugins if not is_built_in(id))


def check_file(path: str | os.PathLike[str]) -> list[Problem]:
    """Every problem of a variant file and its chain, warnings included, in file order; nothing is raised."""
    shown = os.fspath(path)
    return _check(lambda: resolve_file(shown), shown)


def check_text(data: bytes | str, name: str = "<text>", folder: str | None = None) -> list[Problem]:
    """The same for a variant file's content."""
    return _check(lambda: resolve_data(_bytes(data), name, folder), name)


def _check(resolve: Any, path: str) -> list[Problem]:
    resolved: Resolved | None = None
    try:
        resolved = _naming_the_culprit(resolve)()
        return list(_naming_the_culprit(RuleSet)(resolved).warnings)
    except RulesError as error:
        found: Sequence[Problem] = error.problems
        before = resolved.warnings if resolved is not None else ()
        if not found:
            found = [Problem("plugin", error.text, path=path, line=1, col=1)]
        return [*before, *found]


def forget() -> None:
    """Forget what was loaded and what is installed; for long-lived processes after an installation, and for tests."""
    _loaded.clear()
    _presets.clear()
    option_set.cache_clear()
    forget_hosts()
    forget_installed()
