"""Writing a variant file: the differences of a rule set from what it extends, ready to be read back as the same rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from gunzi.errors import Text
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet
from gunzi.source import resolve
from gunzi.variant import FORMAT

_PLAIN: Final = re.compile(r"[A-Za-z_\u4e00-\u9fff][A-Za-z0-9_.\u4e00-\u9fff-]*")


def flow(value: Any) -> str:
    """Plain data as YAML on one line; texts are quoted wherever they would read as something else."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return quoted(str(value))


def _key(key: Any) -> str:
    # Keys are read as text in any case, so a number needs no quotes: {5: 5}.
    text = str(key)
    return text if text.isascii() and text.isdigit() else quoted(text)


def quoted(text: str) -> str:
    """A text as a YAML scalar, in double quotes unless it reads as the same text without."""
    if _PLAIN.fullmatch(text) and isinstance(resolve(text), str) and text.lower() not in _DOUBTFUL:
        return text
    made = "".join(_escaped(char) for char in text)
    return f'"{made}"'


_DOUBTFUL: Final = {"yes", "no", "on", "off", "y", "n", "true", "false", "null"}


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def differences(rules: RuleSet, base: RuleSet) -> list[str]:
    """The options on which two rule sets differ, or which only the first has, in the rule book's order."""
    return [id for id in rules.option_ids() if id not in base.options or rules.options[id] != base.options[id]]


def modeline(schema: str) -> str:
    """The comment that tells editors where a file's schema is: a path seen from the file, or a URI."""
    return f"# yaml-language-server: $schema={schema}"


def variant_text(
    rules: RuleSet, id: str, extends: RuleSet | None = None, extends_name: str = "", name: Text | None = None
) -> str:
    """A variant file that says ``rules`` as differences from ``extends`` (default: ``base``), with what each value means.

    ``extends_name`` is how the file names what it extends: a preset's id (the default) or a path.
    """
    from gunzi.loading import load

    parent = extends if extends is not None else load(BASE)
    said = name or Text(id, id)
    rows = [
        f"gunzi: {FORMAT}",
        f"id: {quoted(id)}",
        f"name: {{zh: {quoted(said.zh)}, en: {quoted(said.en)}}}",
        f"extends: {quoted(extends_name or parent.id)}",
    ]
    added = [plugin for plugin in rules.resolved.plugins if plugin not in parent.resolved.plugins]
    if added:
        rows.append(f"plugins: {flow(added)}")
    quiet = [code for code in rules.resolved.silence if code not in parent.resolved.silence]
    if quiet:
        rows.append(f"silence: {flow(quiet)}")
    changed = differences(rules, parent)
    group = ""
    for option in changed:
        here, _, own = option.partition(".")
        value = flow(rules.options[option])
        comment = _comment(rules, option)
        if not own:
            rows += ["", *comment, f"{here}: {value}"]
            continue
        if here != group:
            rows += ["", f"{here}:"]
            group = here
        rows += [*(f"  {row}" for row in comment), f"  {own}: {value}"]
    notes = [
        f"  {option}: {{status: {rules.origin(option).status}, source: {quoted(rules.origin(option).source)}}}"
        for option in changed
        if rules.origin(option).source or rules.origin(option).status != "operator"
    ]
    if notes:
        rows += ["", "notes:", *notes]
    if not changed:
        rows += [
            "",
            "# 在这里写不同的地方，例如 / write here what your table does differently, for example:",
            "# follow: {shapes: strict}",
        ]
    return "\n".join(rows) + "\n"


def _comment(rules: RuleSet, option: str) -> list[str]:
    known = rules.option(option)
    if not known.values():
        return [f"# {known.name.zh} / {known.name.en}"]
    value = rules.value_text(option)
    return [f"# {known.name.zh}：{value.zh}", f"# {known.name.en}: {value.en}"]
