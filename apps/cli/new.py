"""``gunzi new``: a variant file that states only what was chosen differently."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from gunzi import schemas
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules
from gunzi.errors import Text
from gunzi.loading import load, variant_path
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet
from gunzi.sharecode import is_code
from gunzi.variant import ID, kebab
from gunzi.variants import PRESETS
from gunzi.writing import modeline, variant_text


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "id",
        metavar="ID",
        help=t("新变体的名字：小写字母、数字、连字符", "the variant's id: small letters, digits, hyphens"),
    )
    parser.add_argument(
        "--extends",
        metavar="RULES",
        default="dalian",
        help=t("以哪套规则为底（不写就是 dalian）", "what it extends (default: dalian)"),
    )
    parser.add_set()
    parser.add_argument("--name-zh", metavar="NAME", help=t("中文名", "its Chinese name"))
    parser.add_argument("--name-en", metavar="NAME", help=t("英文名", "its English name"))
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=t(
            "写到哪个文件（不写就是 ID.yaml；- 是标准输出）",
            "the file to write (default: ID.yaml; - is standard output)",
        ),
    )
    parser.add_argument("--force", action="store_true", help=t("文件已经有了也照写", "overwrite the file if it exists"))


def run(args: Namespace, out: Out) -> int:
    """Write the file."""
    check_id(args.id)
    rules = load_rules(args.extends, args.overrides)
    target = args.out or f"{args.id}.yaml"
    text = text_of(rules, args.id, args.extends, target, args.name_zh, args.name_en)
    if target == "-":
        sys.stdout.write(text)
        return OK
    write_new(target, for_editors(rules, text), args.force)
    t = out.t
    out.line(t(f"写好了 {target}", f"wrote {target}"))
    out.line(
        t(
            f"检查：gunzi check {target}    打一桌：gunzi play {_as_rules(target)}",
            f"check it: gunzi check {target}    play it: gunzi play {_as_rules(target)}",
        )
    )
    return OK


def _as_rules(target: str) -> str:
    return target if os.path.dirname(target) else f"./{target}"


def check_id(id: str) -> None:
    """Raise Stop unless this can be a variant's id."""
    if id in PRESETS or id == BASE:
        raise Stop(f"{id} 是预设的名字，换一个", f"{id} is a preset's id: choose another")
    if not ID.fullmatch(id) or len(id) > 80:
        guess = kebab(id)
        maybe_zh, maybe_en = (f"，例如 {guess}", f", for example {guess}") if guess else ("", "")
        raise Stop(
            f"{id} 不能当名字：要用小写字母、数字和连字符，以字母开头{maybe_zh}",
            f"{id!r} is no id: small letters, digits and hyphens, beginning with a letter{maybe_en}",
        )


def text_of(
    rules: RuleSet, id: str, extends: str, target: str, name_zh: str | None = None, name_en: str | None = None
) -> str:
    """The variant file: the differences of ``rules`` from ``extends`` (as typed), to be written to ``target``."""
    parent = load(extends)
    name = extends
    if is_code(extends):
        # A code is no file to stand on: its preset is, and what the code changes is written out.
        parent = load(parent.id)
        name = parent.id
    elif extends not in PRESETS and extends != BASE:
        folder = os.path.dirname(os.path.abspath(target)) if target != "-" else os.getcwd()
        name = Path(os.path.relpath(variant_path(extends), folder)).as_posix()
        if "/" not in name:
            name = f"./{name}"
    return variant_text(rules, id, parent, name, Text(name_zh or name_en or id, name_en or name_zh or id))


def for_editors(rules: RuleSet, text: str) -> str:
    """The file with a first line by which editors find the installed schema, without a network.

    Where plugins add options the installed schema does not know them, and the file goes without.
    """
    if rules.host.strangers:
        return text
    return f"{modeline(schemas.path('variant').as_uri())}\n{text}"


def write_new(target: str, text: str, force: bool) -> None:
    """Write a file that is not there yet. Raises Stop where it is, unless forced; OSError where it cannot be written."""
    try:
        with open(target, "w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise Stop(
            f"{target} 已经有了；要覆盖它请加 --force", f"{target} exists already; --force overwrites it"
        ) from None
