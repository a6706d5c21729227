"""``gunzi new-plugin``: a package for a rule of one's own, installable and tested as it is written."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop
from gunzi.apps.kit import NAME, Names, package_files
from gunzi.optionset import GROUPS, META_KEYS
from gunzi.variant import kebab
from gunzi.wording import counted

LONGEST = 40


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "name",
        metavar="NAME",
        help=t(
            "插件的名字，也是包名：小写字母、数字、连字符，例如 gunzi-lucky",
            "the plugin's id and the package's name: small letters, digits, hyphens; gunzi-lucky, for example",
        ),
    )
    parser.add_argument(
        "--out", metavar="DIR", help=t("写到哪个文件夹（不写就是 NAME）", "the folder to write (default: NAME)")
    )


def run(args: Namespace, out: Out) -> int:
    """Write the package."""
    names = Names(args.name)
    check_names(names)
    folder = Path(args.out or names.name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Stop(f"{folder} 已经有了，不会去覆盖它", f"{folder} exists already, and is not overwritten")
    written = package_files(names)
    for path, text in written.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    t = out.t
    out.line(t(f"写好了 {folder}，{len(written)} 个文件：", f"wrote {folder}, {counted(len(written), 'file')}:"))
    for path in written:
        out.line(f"  {path}")
    install = f"pip install -e '{folder}[dev]'" if os.name == "posix" else f"pip install -e {folder}[dev]"
    out.line(t("装上：", "install it: ") + install)
    out.line(t("测一遍：", "test it: ") + f"pytest {folder}")
    out.line(t("打一桌：", "play it: ") + f"gunzi play {folder / names.variant}.yaml")
    return OK


def check_names(names: Names) -> None:
    """Raise Stop where this cannot be the name of a new plugin: of a package, a module and a group of options."""
    name = names.name
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        guess = kebab(name)
        maybe_zh, maybe_en = (
            (f"，例如 {guess}", f", for example {guess}") if guess and NAME.fullmatch(guess) else ("", "")
        )
        raise Stop(
            f"{name} 不能当插件名：要用小写字母、数字和连字符，以字母开头，最多 {LONGEST} 个{maybe_zh}",
            f"{name!r} is no plugin's name: small letters, digits and hyphens, beginning with a letter, at most {LONGEST}{maybe_en}",
        )
    if names.group in (*GROUPS, *META_KEYS):
        raise Stop(
            f"{names.group} 是 gunzi 自己用的名字，换一个，例如 {name}-house",
            f"{names.group} is a name gunzi itself uses: choose another, for example {name}-house",
        )
    if names.module in sys.stdlib_module_names or _is_there(names.module):
        raise Stop(
            f"已经有叫 {names.module} 的模块了，换一个名字",
            f"there is a module {names.module} already: choose another name",
        )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return True
