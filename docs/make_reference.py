"""Writes the reference pages, and parts of other pages, from the program itself.

python docs/make_reference.py            writes hooks.md with its chart, options.md, conflicts.md, commands.md and api.md, the READMEs'
                                         tables, the examples in plugins.md, and their Chinese twins
python docs/make_reference.py --check    changes nothing; exit status 1 if a page is not what it would write
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import yaml
from api_pages import api_page
from chart import chart
from command_pages import commands_page

import gunzi
from gunzi import hooks, values
from gunzi.apps.cli.catalogue import help_page
from gunzi.apps.cli.output import Out
from gunzi.apps.lab import measures
from gunzi.errors import Text
from gunzi.optionset import CORE, CORE_LINTS
from gunzi.plugin import Plugin

HERE = Path(__file__).resolve().parent
LANGUAGES = ("en", "zh")
WRITTEN = Text(
    zh="<!-- docs/make_reference.py 写出来的：要改就改程序里的说明，再运行它。 -->",
    en="<!-- Written by docs/make_reference.py: change the texts in the program and run it. -->",
)
KINDS = {
    "decision": Text("裁定", "decision"),
    "contribution": Text("添补", "contribution"),
    "observer": Text("旁听", "observer"),
}


def built_in_plugins() -> list[type[Plugin]]:
    """The plugins that come with gunzi, in the order of the project file."""
    found = [point for point in metadata.entry_points(group="gunzi") if point.value.startswith("gunzi.plugins.")]
    return [point.load() for point in found]


# -- hooks ---------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Hook:
    """One hook as its specification states it."""

    name: str
    signature: str
    kind: str
    doc: str
    group: str


def all_hooks() -> list[Hook]:
    """The hooks in the order of ``core/hooks.py``; the comments there that look like ``# -- deal ---`` are the groups."""
    source = inspect.getsource(hooks.Hooks)
    found = []
    group = ""
    for line in source.splitlines():
        if heading := re.match(r" *# -- (.+?) -+$", line):
            group = heading[1]
        elif definition := re.match(r"    def (\w+)\(", line):
            method = getattr(hooks.Hooks, definition[1])
            signature = inspect.signature(method)
            if method.gunzi_spec["firstresult"]:
                kind = "decision"
            else:
                kind = "observer" if signature.return_annotation == "None" else "contribution"
            shown = signature.replace(parameters=list(signature.parameters.values())[1:])
            text = str(shown).replace("'", "")
            found.append(Hook(definition[1], text, kind, inspect.cleandoc(method.__doc__), group))
    return found


def answering(hook: str) -> list[str]:
    """The ids of the built-in plugins that implement a hook."""
    return [plugin.id for plugin in built_in_plugins() if hasattr(getattr(plugin, hook, None), "gunzi_impl")]


def value_classes(all_text: str) -> list[type]:
    """The value classes whose names the hooks' signatures use, in the order of ``core/values.py``."""
    named = set(re.findall(r"\w+", all_text))
    return [x for x in vars(values).values() if isinstance(x, type) and x.__name__ in named and _is_value(x)]


def _is_value(x: type) -> bool:
    return x.__module__ == values.__name__ and dataclasses.is_dataclass(x)


def hooks_page(lang: str) -> str:
    """The page of all hooks, and of the values they take and give."""
    chinese = yaml.safe_load((HERE / "hooks.zh.yaml").read_text(encoding="utf-8"))
    zh = lang == "zh"
    every = all_hooks()
    classes = value_classes(" ".join(hook.signature for hook in every))
    lines = ["# 钩子" if zh else "# Hooks", "", WRITTEN.in_(lang), ""]
    if zh:
        lines += ["[English](hooks.md)", "", chinese["intro"].rstrip(), ""]
    else:
        intro = inspect.cleandoc(hooks.__doc__ or "")
        lines += ["[中文](hooks.zh.md)", "", _markdown(intro), "", "Sections (3.3 …) are those of the rule book.", ""]
    words = ("一把牌的各步和钩子", "The phases of a hand and their hooks")
    lines += [f"![{words[0] if zh else words[1]}](hooks{'.zh' if zh else ''}.svg)", ""]
    group = ""
    for hook in every:
        if hook.group != group:
            group = hook.group
            lines += [f"## {chinese['groups'][group] if zh else group[0].upper() + group[1:]}", ""]
        kind = KINDS[hook.kind].in_(lang)
        answers = ", ".join(f"`{plugin}`" for plugin in answering(hook.name))
        if zh:
            who = f"自带的回答：{answers}。" if answers else "自带的插件都不回答。"
        else:
            who = f"Built-in answer: {answers}." if answers else "No built-in plugin answers."
        lines += [f"### {hook.name}", "", f"`{hook.name}{hook.signature}`", ""]
        lines += [f"{kind}。{who}" if zh else f"{kind.capitalize()}. {who}", ""]
        lines += [chinese["hooks"][hook.name] if zh else _markdown(hook.doc), ""]
    lines += ["## 值" if zh else "## Values", ""]
    lines += [
        "钩子收到和给出的值（`gunzi.values`），都不可变。"
        if zh
        else "What hooks are given and give (`gunzi.values`); all immutable.",
        "",
    ]
    for value in classes:
        lines += [f"### {value.__name__}", "", f"`{value.__name__}({_fields(value)})`", ""]
        lines += [chinese["values"][value.__name__] if zh else _markdown(inspect.getdoc(value) or ""), ""]
    unknown = (set(chinese["hooks"]) - {h.name for h in every}) | (
        set(chinese["values"]) - {c.__name__ for c in classes}
    )
    if unknown:
        raise SystemExit(f"hooks.zh.yaml describes what does not exist: {', '.join(sorted(unknown))}")
    return "\n".join(lines).rstrip() + "\n"


def _fields(value: type) -> str:
    shown = []
    for field in dataclasses.fields(value):
        default = "" if field.default is dataclasses.MISSING else f" = {field.default!r}"
        shown.append(f"{field.name}: {field.type}{default}")
    return ", ".join(shown)


def _markdown(doc: str) -> str:
    """A docstring as Markdown: code in single backticks, and no break inside a sentence's line."""
    return re.sub(r"``(.+?)``", r"`\1`", doc)


# -- options -------------------------------------------------------------------------------------------------------

STATUSES = {
    "stated": Text("原文写明", "stated"),
    "inferred": Text("推断", "inferred"),
    "ruled": Text("裁定", "ruled"),
    "operator": Text("自定", "operator"),
}
OPTIONS_INTRO = Text(
    zh="""\
每个选项：定什么，有哪些取值，各套预设怎么定、凭什么。变体文件里按组写（`reveal: {pick: max}`），
命令行上写全名（`--set reveal.pick=max`）。节号（3.1 等）指规则书的节。

凭什么：**原文写明**，出处就是那一句；**推断**，这份原文少了这一句，但离了它不行，而且别家的原文写着；
**裁定**，哪份原文都没写，这里定的；**自定**，自家的规矩。""",
    en="""\
Every option: what it decides, its values, what each preset says and on whose authority. A variant file writes them by
group (`reveal: {pick: max}`), the command line by full name (`--set reveal.pick=max`). Sections (3.1 …) are those of
the rule book.

Status: **stated**, the source's own words; **inferred**, this text needs it and a sibling text says it; **ruled**, no
text says it and gunzi decides; **operator**, a house rule.""",
)


def options_page(lang: str) -> str:
    """The page of all options of the built-in plugins and the core, with every preset's value."""
    presets = {name: gunzi.load(name) for name in preset_ids()}
    base = presets["base"]
    zh = lang == "zh"
    lines = ["# 选项" if zh else "# Options", "", WRITTEN.in_(lang), ""]
    lines += ["[English](options.md)" if zh else "[中文](options.zh.md)", "", OPTIONS_INTRO.in_(lang), ""]
    group = ""
    for id in base.option_ids():
        option = base.option(id)
        if id.partition(".")[0] != group:
            group = id.partition(".")[0]
            lines += [f"## {group}", ""]
        lines += [f"### {id}", "", f"**{option.name.in_(lang)}**{_clause(option.clause, lang)}", ""]
        lines += [option.doc.in_(lang), ""]
        if option.values():
            rows = [(_code(value), text.in_(lang)) for value, text in option.values().items()]
            lines += _table(("取值", "意思") if zh else ("value", "meaning"), rows)
        said: dict[tuple[str, str, str], list[str]] = {}
        for name, rules in presets.items():
            origin = rules.origin(id)
            key = (_code(option.show(origin.value)), STATUSES[origin.status].in_(lang), origin.source)
            said.setdefault(key, []).append(name)
        heads = ("预设", "取值", "凭什么", "出处") if zh else ("presets", "value", "status", "source")
        lines += _table(heads, [(" ".join(names), *key) for key, names in said.items()])
    return "\n".join(lines).rstrip() + "\n"


def preset_ids() -> list[str]:
    """The presets that come with gunzi, base last."""
    found = [
        file.name.removesuffix(".yaml") for file in files("gunzi.variants").iterdir() if file.name.endswith(".yaml")
    ]
    order = ["boke", "zixun", "chayuan", "yuwang", "baike", "dalian", "base"]
    return sorted(found, key=lambda name: (order.index(name) if name in order else -1, name))


def _clause(clause: str, lang: str) -> str:
    if not clause:
        return ""
    return f" · 规则书 {clause} 节" if lang == "zh" else f" · section {clause}"


def _code(text: str) -> str:
    return f"`{text}`"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [heads, ["---"] * len(heads), *rows]
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in shown]
    return [*(f"| {' | '.join(row)} |" for row in cells), ""]


# -- README --------------------------------------------------------------------------------------------------------


def readme(lang: str, text: str) -> str:
    """A README with the lines between its two pairs of markers written anew."""
    zh = lang == "zh"
    heads = ("预设", "名字", "有什么不同") if zh else ("preset", "name", "what sets it apart")
    rules = [gunzi.load(name) for name in gunzi.preset_ids()]
    rows = [
        (_code(each.id), each.name.zh if zh else f"{each.name.en} {each.name.zh}", each.description.in_(lang).strip())
        for each in rules
    ]
    commands = help_page(Out(lang, {})).partition("\n\n")[2].partition("\n\n")[2]
    text = between(text, "presets: docs/make_reference.py", "presets", _table(heads, rows)[:-1])
    return between(text, "commands: docs/make_reference.py", "commands", ["```", *commands.splitlines(), "```"])


def between(text: str, name: str, short: str, lines: Sequence[str]) -> str:
    """The text with these lines between the markers ``<!-- name -->`` and ``<!-- end of short -->``."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {short} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"a page lacks the markers {begin} and {end}")
    return "\n".join([before + begin, *lines, end + after])


def plugins_page(text: str) -> str:
    """The page on writing plugins, with the example's files as they are."""
    for path in re.findall(r"^<!-- example: (.+) -->$", text, re.MULTILINE):
        head, _, tail = text.partition(f"<!-- example: {path} -->")
        content = (HERE.parent / path).read_text(encoding="utf-8").rstrip()
        language = {"py": "python"}.get(path.rpartition(".")[2], path.rpartition(".")[2])
        shown = [f"```{language}", *content.splitlines(), "```"]
        text = head + between(f"<!-- example: {path} -->{tail}", f"example: {path}", "example", shown)
    return text


# -- conflicts -----------------------------------------------------------------------------------------------------

CONFLICTS_INTRO = Text(
    zh="""\
`gunzi check` 查得出的矛盾和多余。**错误**：这样打不了。**提醒**：能打，但写的东西不起作用，或者多半不是本意；
是本意的话，在那个文件里写上代号就不再提醒：

```yaml
silence: [titles-with-rounds]
```

插件可以加自己的代号（类里的 `lints`）。""",
    en="""\
What `gunzi check` finds to contradict itself or to be idle. **Error**: such rules cannot be played. **Warning**: they can, but what
is written has no effect or is hardly meant. Where it is meant, the file that means it silences the code:

```yaml
silence: [titles-with-rounds]
```

Plugins add codes of their own (`lints` of their class).""",
)


def comparing_page(lang: str, text: str) -> str:
    """The page on comparisons with its table of figures."""
    heads = Text("数|名字|数的是什么", "figure|name|what is counted").in_(lang).split("|")
    rows = [
        [f"`{each.id}`", each.name.in_(lang), each.means.in_(lang)]
        for each in (*measures.MEASURES, measures.HANDS_A_ROUND)
    ]
    kinds = [[f"`{each.id}`", each.name.in_(lang), each.means.in_(lang)] for each in measures.KINDS]
    clause = Text(
        "括号里是[规则书](rules.zh.md)的章节。", "Numbers in brackets are clauses of [the rules](rules.md)."
    ).in_(lang)
    apart = Text("按种类数的：", "Counted by kind:").in_(lang)
    lines = ["", *_table(heads, rows), apart, "", *_table(heads, kinds), clause, ""]
    return between(text, "measures: docs/make_reference.py", "measures", lines)


def conflicts_page(lang: str) -> str:
    """The page of all codes of conflicts between options."""
    zh = lang == "zh"
    lines = ["# 矛盾和多余的选项" if zh else "# Conflicts between options", "", WRITTEN.in_(lang), ""]
    lines += ["[English](conflicts.md)" if zh else "[中文](conflicts.zh.md)", "", CONFLICTS_INTRO.in_(lang), ""]
    owners = [(CORE, CORE_LINTS), *((plugin.id, plugin.lints) for plugin in built_in_plugins())]
    found = sorted((code, owner, lint) for owner, lints in owners for code, lint in lints.items())
    kinds = {True: Text("错误", "error"), False: Text("提醒", "warning")}
    rows = [
        (_code(code), kinds[lint.error].in_(lang), lint.text.in_(lang), _code(owner)) for code, owner, lint in found
    ]
    heads = ("代号", "轻重", "意思", "谁查的") if zh else ("code", "kind", "meaning", "found by")
    return "\n".join(lines + _table(heads, rows)).rstrip() + "\n"


# -- all pages -----------------------------------------------------------------------------------------------------


def pages() -> Iterator[tuple[Path, str]]:
    """Every page: its file and its text."""
    for lang in LANGUAGES:
        suffix = "" if lang == "en" else f".{lang}"
        yield HERE / f"hooks{suffix}.md", hooks_page(lang)
        yield HERE / f"options{suffix}.md", options_page(lang)
        yield HERE / f"conflicts{suffix}.md", conflicts_page(lang)
        yield HERE / f"hooks{suffix}.svg", chart(((each.name, each.kind, each.group) for each in all_hooks()), lang)
        yield HERE / f"commands{suffix}.md", commands_page(lang, WRITTEN.in_(lang))
        yield HERE / f"api{suffix}.md", api_page(lang, WRITTEN.in_(lang))
        file = HERE.parent / f"README{suffix}.md"
        yield file, readme(lang, file.read_text(encoding="utf-8"))
        file = HERE / f"plugins{suffix}.md"
        yield file, plugins_page(file.read_text(encoding="utf-8"))
        file = HERE / f"comparing{suffix}.md"
        yield file, comparing_page(lang, file.read_text(encoding="utf-8"))


def main(arguments: list[str]) -> int:
    """Writes the pages, or with ``--check`` says which are out of date."""
    checking = arguments == ["--check"]
    if arguments and not checking:
        print(__doc__)
        return 2
    status = 0
    for file, text in pages():
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        if checking:
            print(f"{file.name} is out of date: run docs/make_reference.py")
            status = 1
        else:
            file.write_text(text, encoding="utf-8")
            print(f"{file.name} written")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
