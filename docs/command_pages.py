"""The page of all commands, written from their argument parsers."""

from __future__ import annotations

import argparse
import re
from importlib import import_module

from gunzi.apps.cli import catalogue
from gunzi.apps.cli.catalogue import Command
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Parser
from gunzi.errors import Text

INTRO = Text(
    zh="""\
`RULES` 是一套规则：预设名（`yuwang`），变体文件（`my-house` 就是 `./my-house.yaml`，也可以写路径），或者分享码（`gz1.…`）。
一个名字既是预设又有文件的，算预设。`--set 选项=值` 在它上面再改一项，可以写多次。

每个命令都有 `--lang zh|en`（不写就看系统的语言）和 `--no-external`（另外装的插件一个都不用；环境变量 `GUNZI_PLUGINS=a,b` 只用这几个）。
`--json` 打印给程序看的数据。

退出状态：0 正常（有提醒也是 0），1 问的事不成立（场景没过、牌谱不对、变体有错），2 没法运行，130 被中断。
出错和过程的话在标准错误，要的结果在标准输出。""",
    en="""\
`RULES` is a rule set: a preset (`yuwang`), a variant file (`my-house` stands for `./my-house.yaml`; a path works too) or a share code
(`gz1.…`). A name that is both a preset and a file is the preset. `--set option=value`, repeatable, lays a value over it.

Every command takes `--lang zh|en` (default: the system's language) and `--no-external` (none of the plugins installed besides the
built-in ones; the environment variable `GUNZI_PLUGINS=a,b` allows only these). `--json` prints data for programs.

Exit status: 0 fine (warnings too), 1 what was asked about does not hold (a scenario fails, a record is wrong, a variant is invalid),
2 the command could not run, 130 interrupted. Results go to standard output, messages about the run to standard error.""",
)
EVERYWHERE = {"--lang", "--no-external", "--help"}


def commands_page(lang: str, written: str) -> str:
    """Every command with its usage and its arguments."""
    zh = lang == "zh"
    lines = ["# 命令" if zh else "# Commands", "", written, ""]
    lines += ["[English](commands.md)" if zh else "[中文](commands.zh.md)", "", INTRO.in_(lang), ""]
    for title, group in catalogue._GROUPS:
        lines += [f"## {title.in_(lang)}", ""]
        for command in group:
            lines += _command(command, lang)
    return "\n".join(lines).rstrip() + "\n"


def _command(command: Command, lang: str) -> list[str]:
    out = Out(lang, {})
    module = import_module(f"gunzi.apps.cli.{command.module}")
    parser = Parser(f"gunzi {command.name}", out.t, out.say(command.text), out.say(command.more))
    module.arguments(parser)
    said = command.text.in_(lang)
    lines = [f"### {command.name}", "", f"{said[:1].upper()}{said[1:]}{'。' if lang == 'zh' else '.'}", ""]
    lines += ["```", _usage(parser), "```", ""]
    rows = [_row(action) for action in parser._actions if not EVERYWHERE & set(action.option_strings)]
    if rows:
        heads = ("写法", "意思") if lang == "zh" else ("argument", "meaning")
        lines += [f"| {heads[0]} | {heads[1]} |", "| --- | --- |"]
        lines += [f"| {_cell(name)} | {_text(text)} |" for name, text in rows] + [""]
    more = command.more.in_(lang)
    return [*lines, _text(more), ""] if more else lines


def _usage(parser: argparse.ArgumentParser) -> str:
    """``gunzi show RULES [--origin] …`` without what every command takes."""
    formatter = argparse.HelpFormatter(parser.prog, width=90)
    actions = [action for action in parser._actions if not EVERYWHERE & set(action.option_strings)]
    positionals = [action for action in actions if not action.option_strings]
    optionals = [action for action in actions if action.option_strings]
    formatter.add_usage(None, [*optionals, *positionals], parser._mutually_exclusive_groups, prefix="")
    return formatter.format_help().rstrip()


def _row(action: argparse.Action) -> tuple[str, str]:
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    if action.option_strings and action.nargs != 0:
        shown = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
        names += f" {shown}"
    return names, action.help or ""


def _cell(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def _text(text: str) -> str:
    """A help text in a page: options and what is typed as code."""
    text = text.replace("|", "\\|").replace("<", "&lt;")
    return re.sub(r"(?<![\w`-])(--[a-z-]+|\w+\.\w+=\w+|RULES(?![\w=]))", r"`\1`", text)
