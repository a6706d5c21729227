"""A variant with everything it extends, laid one over the other: every option's value, and who set it where.

A file reached twice applies once, at its first place; later files win. ``base`` comes first wherever nothing else is
extended. Nothing here runs a rule: conflicts between options are found by the plugins, in ``ruleset.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from gunzi import variants
from gunzi.errors import PluginError, Text, VariantError
from gunzi.files import file_bytes
from gunzi.installed import built_in_ids, is_built_in, plugin_class, who_has
from gunzi.options import BadValue, Option, closest
from gunzi.optionset import CORE_LINTS, OptionSet
from gunzi.os_errors import os_text
from gunzi.plugin import Plugin
from gunzi.problems import Problem, has_errors, in_file_order, problems_text
from gunzi.source import MAX_BYTES, Node
from gunzi.variant import VariantFile, read_variant
from gunzi.variant_options import Note, OptionReader, Setting, renamed_problem

BASE: Final = "base"
MAX_FILES: Final = 64
OVERRIDE: Final = "override"
DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an option's value comes from.

    ``where`` is ``file:line`` (or what laid it over: ``override``, ``--set``, ``record``), ``chain`` every place that set
    it, the first one first, ``status`` stated, inferred, ruled or operator, ``source`` the clause, ``overridden`` whether
    it was laid over the variant.
    """

    value: Any
    where: str
    chain: tuple[str, ...]
    status: str
    source: str
    overridden: bool = False
    line: int = 0
    col: int = 0
    excerpt: str = ""

    @property
    def path(self) -> str:
        """The file, or what laid it over."""
        return self.where.rpartition(":")[0] if self.line else self.where


@dataclass(frozen=True, slots=True)
class Resolved:
    """A variant with its chain applied: plain data. ``stamps`` are the local files read, with what they looked like."""

    id: str
    name: Text
    description: Text
    version: str
    origins: Mapping[str, Origin]
    plugins: tuple[str, ...]
    silence: tuple[str, ...]
    warnings: tuple[Problem, ...]
    files: tuple[str, ...]
    stamps: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """Every option's value by id, in the rule book's order."""
        return {id: origin.value for id, origin in self.origins.items()}


@lru_cache(maxsize=64)
def option_set(plugins: tuple[str, ...]) -> tuple[OptionSet, tuple[type[Plugin], ...]]:
    """The options and classes of the built-in plugins and of those named. Raises PluginError."""
    classes = tuple(plugin_class(id) for id in (*built_in_ids(), *plugins))
    return OptionSet(classes), classes


@lru_cache(maxsize=128)
def _parsed(data: bytes, path: str) -> VariantFile:
    return read_variant(data, path)


@dataclass(frozen=True, slots=True)
class _Place:
    """A variant to be read. ``key`` is the same for the same file, ``path`` is shown, ``real`` None for a preset or a text;
    files it extends are looked for in ``folder`` (None: presets only)."""

    key: str
    path: str
    real: str | None = None
    folder: str | None = None


def _preset(id: str) -> _Place:
    return _Place(id, variants.shown(id))


def _local(path: str) -> _Place:
    real = os.path.realpath(path)
    return _Place(real, path, real, os.path.dirname(path))


def stamp(path: str) -> tuple[int, ...]:
    """What tells that a file has changed; all zeros where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino)


class Chain:
    """Reads a variant and what it extends, depth first, and collects the problems of all of them."""

    def __init__(self) -> None:
        self.files: list[VariantFile] = []
        self.problems: list[Problem] = []
        self.stamps: list[tuple[str, tuple[int, ...]]] = []
        self.order: list[str] = []
        self._done: set[str] = set()
        self._path: list[tuple[str, str]] = []

    def read_place(self, place: _Place) -> VariantFile | None:
        """Read a file and its chain; the file itself comes last. None where it cannot be read."""
        if place.real is None:
            data = variants.read(place.key)
        else:
            try:
                self.stamps.append((place.real, stamp(place.real)))
                data = file_bytes(place.real, MAX_BYTES)
            except OSError as error:
                said = Text("打不开文件：{why}", "the file cannot be opened: {why}").format(why=os_text(error))
                self.problems.append(Problem("unreadable", said, path=place.path))
                return None
        return self.read_data(data, place)

    def read_data(self, data: bytes, place: _Place) -> VariantFile:
        """The same from the content."""
        file = _parsed(data, place.path)
        self.order.append(file.path)
        self.problems += file.problems
        self._path.append((place.key, file.path))
        for name, node in file.extends:
            self._extend(name, node, file, place)
        if not file.extends and place.key != BASE:
            self._apply(_preset(BASE))
        self._path.pop()
        self._done.add(place.key)
        self.files.append(file)
        return file

    def _apply(self, place: _Place) -> None:
        if place.key not in self._done:
            self.read_place(place)

    def _extend(self, name: str, node: Node, file: VariantFile, place: _Place) -> None:
        target = locate(name, place.folder)
        if target is None:
            known = (*variants.PRESETS, BASE)
            local = place.folder is not None
            zh = f"没有叫 {name} 的变体" + (
                "（不是预设，这个目录里也没有这个文件）" if local else "（只有预设可以继承）"
            )
            en = f"there is no variant {name}" + (
                ": no preset, and no such file beside this one" if local else ": only presets can be extended here"
            )
            self.problems.append(
                file.source.at(
                    node, "extends-missing", Text(zh, en), allowed=", ".join(known), suggestion=closest(name, known)
                )
            )
            return
        keys = [key for key, _ in self._path]
        if target.key in keys:
            names = [shown for _, shown in self._path[keys.index(target.key) :]] + [target.path]
            cycle = " -> ".join(names)
            said = Text(f"继承绕成了圈：{cycle}", f"extends goes in a circle: {cycle}")
            self.problems.append(file.source.at(node, "extends-cycle", said))
            return
        if len(self.order) >= MAX_FILES:
            said = Text(f"继承的文件太多：最多 {MAX_FILES} 个", f"too many files are extended: at most {MAX_FILES}")
            self.problems.append(file.source.at(node, "extends-many", said))
            return
        self._apply(target)


def locate(name: str, folder: str | None) -> _Place | None:
    """The variant a name in ``extends`` stands for: a preset first, else a file seen from ``folder`` (None: presets only)."""
    if name in variants.PRESETS or name == BASE:
        return _preset(name)
    if folder is None or "\0" in name:
        return None
    for candidate in (name, f"{name}.yaml", f"{name}.yml"):
        path = os.path.normpath(os.path.join(folder, candidate))
        if os.path.isfile(path):
            return _local(path)
    return None


def resolve_file(path: str) -> Resolved:
    """A local variant file, resolved. Raises VariantError, or PluginError where a plugin is the trouble."""
    chain = Chain()
    return _finish(chain, chain.read_place(_local(path)), path)


def resolve_preset(id: str) -> Resolved:
    """A packaged preset, resolved."""
    chain = Chain()
    return _finish(chain, chain.read_place(_preset(id)), variants.shown(id))


def resolve_data(data: bytes, path: str, folder: str | None = None) -> Resolved:
    """A variant from its content; what it extends is looked for in ``folder`` (None: presets only)."""
    chain = Chain()
    return _finish(chain, chain.read_data(data, _Place(f"\0{path}", path, folder=folder)), path)


def _finish(chain: Chain, file: VariantFile | None, path: str) -> Resolved:
    plugins, failed = _plugins(chain)
    if file is None or file.source.root is None:
        raise_problems(chain.problems, [path, *chain.order], failed)
    assert file is not None
    options, classes = option_set(plugins)
    _check_silence(chain, classes)
    # The places of one option's settings, and its last note, in the order the files apply.
    settings: dict[str, list[tuple[str, Setting]]] = {}
    notes: dict[str, Note] = {}
    for each in chain.files:
        found = OptionReader(each, options)
        chain.problems += found.problems
        for id, setting in found.settings.items():
            settings.setdefault(id, []).append((each.path, setting))
            notes.pop(id, None)
        notes.update(found.notes)
    origins: dict[str, Origin] = {}
    for id in options:
        origin = _origin(id, options, settings.get(id, []), notes.get(id))
        if origin is not None:
            origins[id] = origin
        elif not has_errors(chain.problems):
            chain.problems.append(_no_value(id, options, file))
    if has_errors(chain.problems) or failed:
        raise_problems(chain.problems, [path, *chain.order], failed)
    return Resolved(
        file.id,
        file.name,
        file.description,
        file.version,
        origins,
        plugins,
        tuple(dict.fromkeys(code for each in chain.files for code, _ in each.silence)),
        tuple(in_file_order(chain.problems, [path, *chain.order])),
        tuple(each.path for each in chain.files),
        tuple(chain.stamps),
    )


def _origin(id: str, options: OptionSet, set_at: Sequence[tuple[str, Setting]], note: Note | None) -> Origin | None:
    if not set_at:
        if id not in options.defaults:
            return None
        status, source = (note.status, note.source) if note else ("operator", "")
        value = options[id].parse(options.defaults[id])
        where = f"{DEFAULT} of {options.owner[id]}"
        return Origin(value, where, (where,), status, source)
    path, last = set_at[-1]
    chain = tuple(f"{file}:{setting.line}" for file, setting in set_at)
    status, source = (note.status, note.source) if note else ("operator", "")
    return Origin(last.value, chain[-1], chain, status, source, False, last.line, last.col, last.excerpt)


def _check_silence(chain: Chain, classes: Iterable[type[Plugin]]) -> None:
    """A code that no plugin of these rules reports silences nothing; neither does that of an error."""
    known = {**CORE_LINTS, **{code: lint for plugin in classes for code, lint in plugin.lints.items()}}
    for file in chain.files:
        for code, node in file.silence:
            if code not in known:
                guess = closest(code, known)
                said = Text(f"没有 {code} 这种提醒", f"there is no warning {code}")
            elif known[code].error:
                guess, said = "", Text(f"{code} 是错误，压不住", f"{code} is an error and cannot be silenced")
            else:
                continue
            chain.problems.append(file.source.at(node, "silence-unknown", said, severity="warning", suggestion=guess))


def _no_value(id: str, options: OptionSet, file: VariantFile) -> Problem:
    owner = options.owner[id]
    said = Text(
        f"选项 {id}（插件 {owner}）没有值：请在变体里写上",
        f"option {id} (of {owner}) has no value: set it in the variant",
    )
    return file.source.place(1, 1, "no-value", said)


def _plugins(chain: Chain) -> tuple[tuple[str, ...], str | None]:
    """The external plugins the chain names, and the first that cannot be used."""
    found: list[str] = []
    failed: str | None = None
    for file in chain.files:
        for id, node in file.plugins:
            if id in found:
                continue
            if is_built_in(id):
                said = Text(f"{id} 是自带的，不用写", f"{id} is built in and always there: take it out")
                chain.problems.append(file.source.at(node, "plugin-built-in", said))
                continue
            try:
                plugin_class(id)
                option_set((*found, id))
            except PluginError as error:
                failed = failed or id
                chain.problems.append(file.source.at(node, "plugin", Text(f"插件：{error.text.zh}", error.text.en)))
            else:
                found.append(id)
    return tuple(found), failed


def raise_problems(problems: Iterable[Problem], files: Sequence[str], plugin: str | None = None) -> None:
    """Raise what stands in the way, in file order."""
    listed = in_file_order(problems, list(dict.fromkeys(files)))
    message = problems_text(listed)
    if plugin is not None:
        raise PluginError(message, plugin, listed)
    raise VariantError(message, listed)


def lay_over(resolved: Resolved, overrides: Mapping[str, Any], where: str, *, data: bool = False) -> Resolved:
    """Values laid over a resolved variant; texts are read as on the command line.

    ``data``: the values are a record's; texts are no shorthand, and a value equal to the variant's own keeps its origin.
    Raises VariantError with every problem.
    """
    options, _ = option_set(resolved.plugins)
    origins = dict(resolved.origins)
    problems: list[Problem] = []
    taken: set[str] = set()
    for given, value in overrides.items():
        id = options.renamed.get(given, given) if given not in options else given
        path = f"{where} {given}"
        if id not in options:
            problems.append(unknown_option(given, options, path))
            continue
        if id != given:
            problems.append(renamed_problem(given, id, None, None, path))
        if id in taken:
            said = Text(f"{id} 设了两次（新旧名字各一次）", f"{id} is set twice (by its old and its new name)")
            problems.append(Problem("duplicate-key", said, path=path))
            continue
        taken.add(id)
        try:
            parsed = options[id].read(value) if isinstance(value, str) and not data else options[id].parse(value)
        except BadValue as bad:
            said = bad.text
            problems.append(Problem("bad-value", said, path=path, allowed=bad.allowed, suggestion=bad.suggestion))
            continue
        before = origins.get(id)
        if data and before is not None and before.value == parsed:
            continue
        chain = (*before.chain, where) if before is not None else (where,)
        origins[id] = Origin(parsed, where, chain, "operator", "", True)
    if has_errors(problems):
        raise VariantError(problems_text(problems), problems)
    ordered = {id: origins[id] for id in options if id in origins}
    return replace(resolved, origins=ordered, warnings=(*resolved.warnings, *problems))


def unknown_option(id: Any, options: OptionSet, path: str) -> Problem:
    """The problem of an option id nobody knows; a group's name gets its dotted ids listed."""
    if not isinstance(id, str):
        return Problem("unknown-option", Text(f"{id!r} 不是选项名", f"{id!r} is no option id"), path=path)
    if id in options.groups:
        ids = options.groups[id]
        said = Text(f"{id} 是一组选项：这里要写全名", f"{id} is a group of options: write the full id here")
        return Problem("unknown-option", said, path=path, allowed=", ".join(ids), suggestion=ids[0])
    plugin = who_has(id)
    said = Text(f"没有选项 {id}{plugin.zh}", f"there is no option {id}{plugin.en}")
    return Problem("unknown-option", said, path=path, suggestion="" if plugin.en else options.suggest(id))


def option_of(id: str, options: Mapping[str, Option]) -> Option:
    """An option by id. Raises VariantError naming the most similar one."""
    found = options.get(id)
    if found is None:
        assert isinstance(options, OptionSet)
        problem = unknown_option(id, options, "")
        raise VariantError(Text(problem.message("zh"), problem.message("en")), [problem])
    return found
