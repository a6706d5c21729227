"""``gunzi serve``: the table in the browser."""

from __future__ import annotations

import logging
import os
from argparse import Namespace
from typing import Any

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop
from gunzi.apps.extras import install_command
from gunzi.apps.web.configuration import KINDS, SETTINGS, BadConfiguration, Configuration, configuration


def arguments(parser: Parser) -> None:
    """What the command takes: each setting as a flag."""
    t = parser.say
    defaults = Configuration()
    for name, setting in SETTINGS.items():
        flag, text, default = f"--{name.replace('_', '-')}", setting.text, getattr(defaults, name)
        if KINDS[name] is bool:
            parser.add_argument(flag, action="store_const", const=True, help=t(text.zh, text.en))
            continue
        shown = (f"（不写就是 {default}）", f" (default {default})") if default != "" else ("", "")
        metavar = "|".join(setting.choices) or ("N" if KINDS[name] is int else name.upper())
        parser.add_argument(flag, metavar=metavar, help=t(text.zh + shown[0], text.en + shown[1]))
    parser.add_argument(
        "--config",
        metavar="FILE",
        help=t("从文件读这些设置（TOML 或 YAML）", "read these settings from a file (TOML or YAML)"),
    )


def run(args: Namespace, out: Out) -> int:
    """Serve until interrupted."""
    flags: dict[str, Any] = {name: getattr(args, name) for name in SETTINGS}
    try:
        config = configuration(flags, os.environ, args.config)
    except BadConfiguration as wrong:
        raise Stop(wrong.text.zh, wrong.text.en) from None
    try:
        from gunzi.apps.web import serving
    except ImportError as missing:
        command = install_command("web")
        raise Stop(
            f"网页牌桌要装 gunzi[web]：{command}（缺 {missing.name}）",
            f"the web table needs gunzi[web]: {command} ({missing.name} is missing)",
        ) from None
    logging.basicConfig(level=config.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s")

    def ready(address: str) -> None:
        out.line(out.t(f"打滚子：{address}/（Ctrl-C 关掉）", f"打滚子: {address}/ (Ctrl-C stops it)"))
        out.flush()

    serving.run(config, ready)
    return OK
