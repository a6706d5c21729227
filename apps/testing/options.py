"""A plugin's own declarations: its id and version, its texts, its options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from gunzi.apps.testing.report import Report
from gunzi.apps.testing.texts import check_shown, check_text
from gunzi.errors import PluginError
from gunzi.host import hook_methods
from gunzi.installed import installed, is_built_in, plugin_class
from gunzi.options import BadValue, Option
from gunzi.plugin import Plugin
from gunzi.schema import option_schema

CHECK: Final = "options"
JUNK: Final[tuple[Any, ...]] = (
    None, True, False, -1, 0, 1, 3, 10, 10**9, 1.5, "", "x", "true", "yes", "10", "K",
    [], {}, [None], ["x"], [3], [3, 3], [3, 10], [[0, "x"]], {"x": 1}, {"5": 5}, {"K": 7}, {"big": 1, "small": 0}, {"big": 1},
)  # fmt: skip
"""Values that most options do not take: what the schema says of them is what ``parse`` does."""


def check_declarations(plugin: type[Plugin], report: Report) -> None:
    """What the class says about itself."""
    where = plugin.id or plugin.__name__
    report.that(plugin.id, "plugin", where, "it has no `id`")
    report.that(plugin.version, "plugin", where, f"its `version` is {plugin.version!r}")
    with report.part("plugin", where):
        hook_methods(plugin)
    _check_entry_point(plugin, where, report)
    check_text(plugin.name, "its name", where, report)
    ids = [option.id for option in plugin.options]
    for rule, text in plugin.rules.items():
        check_text(text, f"the rule {rule}", where, report)
        report.that(rule not in ids, "plugin", where, f"{rule} is a rule and an option")
    for code, lint in plugin.lints.items():
        check_text(lint.text, f"the code {code}", where, report)
    for id in plugin.defaults:
        report.that(id in ids, "plugin", where, f"`defaults` names {id}, which is none of its options")
    for option in plugin.options:
        with report.part(CHECK, f"{where}, {option.id}"):
            check_option(option, f"{where}, {option.id}", report)
            _check_default(plugin, option, report)
    for other in plugin.replaces:
        report.that(other in installed(), "plugin", where, f"`replaces` names {other}, which is not installed")


def _check_entry_point(plugin: type[Plugin], where: str, report: Report) -> None:
    points = installed().get(plugin.id, ())
    said = f"no entry point of the group gunzi is called {plugin.id!r}: install the package (pip install -e .)"
    if report.that(points, "plugin", where, said):
        try:
            found = plugin_class(plugin.id)
        except PluginError as error:
            report.fail("plugin", where, str(error))
        else:
            report.that(
                found is plugin, "plugin", where, f"the entry point {plugin.id} leads to another class, {found!r}"
            )


def _check_default(plugin: type[Plugin], option: Option, report: Report) -> None:
    where = f"{plugin.id}, {option.id}"
    if is_built_in(plugin.id):
        return
    said = "it has no value in `defaults`: variants that do not set it could not be loaded"
    if report.that(option.id in plugin.defaults, CHECK, where, said):
        default = plugin.defaults[option.id]
        try:
            option.parse(default)
        except BadValue as bad:
            report.fail(CHECK, where, f"its default {default!r} is no value: {bad}")


def check_option(option: Option, where: str, report: Report) -> None:
    """An option: texts, examples, and a schema that accepts what ``parse`` accepts."""
    check_text(option.name, "its name", where, report)
    check_text(option.doc, "its doc", where, report)
    for value, text in option.values().items():
        check_text(text, f"the value {value}", where, report)
    examples = option.examples()
    report.that(examples, CHECK, where, "it has no examples()")
    for example in examples:
        _check_example(option, example, where, report)
    _check_schema(option, examples, where, report)


def _check_example(option: Option, example: Any, where: str, report: Report) -> None:
    try:
        parsed = option.parse(example)
    except BadValue as bad:
        report.fail(CHECK, where, f"its example {example!r} is refused: {bad}")
        return
    report.that(parsed == example, CHECK, where, f"its example {example!r} is not canonical: parse gives {parsed!r}")
    same = json.loads(json.dumps(parsed)) == parsed
    report.that(same, CHECK, where, f"its value {parsed!r} is no plain JSON data")
    check_shown(option.value_text(parsed), f"the value {parsed!r}", where, report)
    shown = option.show(parsed)
    try:
        again = option.read(shown)
    except BadValue as bad:
        report.fail(CHECK, where, f"{parsed!r} is shown as {shown!r}, which read() refuses: {bad}")
    else:
        report.that(again == parsed, CHECK, where, f"{parsed!r} is shown as {shown!r}, which reads as {again!r}")


def _check_schema(option: Option, examples: list[Any], where: str, report: Report) -> None:
    from jsonschema import Draft202012Validator  # slow to import, and needed here alone

    schema = option_schema(option)
    report.that(_is_plain(schema), CHECK, where, "its schema is no plain JSON data")
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for value in (*examples, *JUNK):
        try:
            option.parse(value)
            parses = True
        except BadValue:
            parses = False
        if isinstance(value, Mapping | list) and not parses and not examples:
            continue
        accepts = validator.is_valid(value)
        said = f"parse {'takes' if parses else 'refuses'} {value!r}, its schema {'takes' if accepts else 'refuses'} it"
        report.that(accepts == parses, CHECK, where, said)


def _is_plain(data: object) -> bool:
    try:
        return bool(json.loads(json.dumps(data, allow_nan=False)) == data)
    except (TypeError, ValueError):
        return False
