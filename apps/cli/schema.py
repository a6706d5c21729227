"""``gunzi schema``: the JSON Schema of variant files (with the installed plugins' options), scenarios or records."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from gunzi import schemas
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser
from gunzi.errors import PluginError
from gunzi.installed import external_ids
from gunzi.resolve import option_set
from gunzi.schema import variant_schema


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "name",
        nargs="?",
        choices=schemas.NAMES,
        default="variant",
        metavar="NAME",
        help=t("variant（变体）、scenario（场景）或 record（牌谱）", "variant, scenario or record"),
    )


def run(args: Namespace, out: Out) -> int:
    """Print the schema."""
    if args.name == "variant":
        out.json(variant_schema(option_set(_usable(out))[0]))
    else:
        found: Any = json.loads(schemas.path(args.name).read_text(encoding="utf-8"))
        out.json(found)
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
