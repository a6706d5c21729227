"""``gunzi schema``: the JSON Schema of variant files (with the installed plugins' options), scenarios or records."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from gunzi import schemas
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser
from gunzi.apps.cli.writing import write_whole
from gunzi.errors import PluginError
from gunzi.installed import external_ids
from gunzi.resolve import option_set
from gunzi.schema import schema_text, variant_schema
from gunzi.writing import modeline


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "name",
        nargs="?",
        choices=schemas.NAMES,
        default="variant",
        metavar="NAME",
        help=t(
            "variant（变体）、scenario（场景）、record（牌谱）或 log（别的程序的日志怎么读）",
            "variant, scenario, record, or log (how another program's log is read)",
        ),
    )
    parser.add_argument(
        "--path",
        action="store_true",
        help=t(
            "只说装在哪个文件里（不含插件的选项），给编辑器用",
            "print the installed file's path instead, for editors; it has no plugin's options",
        ),
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=t("写到文件里（有插件的选项）", "write it to a file, the plugins' options included"),
    )


def run(args: Namespace, out: Out) -> int:
    """Print the schema, or where it is, or write it to a file."""
    if args.path:
        out.line(str(schemas.path(args.name)))
        return OK
    found: Any
    if args.name == "variant":
        found = variant_schema(option_set(_usable(out))[0])
    else:
        found = json.loads(schemas.path(args.name).read_text(encoding="utf-8"))
    if args.out is None:
        out.json(found)
        return OK
    write_whole(args.out, schema_text(found))
    t = out.t
    out.line(t(f"写好了 {args.out}", f"wrote {args.out}"))
    out.line(t("变体文件的第一行写：", "first line of a variant file: ") + modeline(Path(args.out).resolve().as_uri()))
    return OK


def _usable(out: Out) -> tuple[str, ...]:
    """The installed plugins whose options can stand beside each other; the others are named on standard error."""
    found: tuple[str, ...] = ()
    for id in external_ids():
        try:
            option_set((*found, id))
        except PluginError as error:
            out.tell(out.t(f"没算上插件 {id}：{error}", f"without plugin {id}: {error}"))
        else:
            found = (*found, id)
    return found
