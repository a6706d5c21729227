"""How a server is set up: flags over environment over a file over defaults, one declaration for all four."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from gunzi.errors import GunziError, Text
from gunzi.source import read

PREFIX: Final = "GUNZI_"
DECIMAL: Final = re.compile("0|-?[1-9][0-9]{0,9}", re.ASCII)
ORIGIN: Final = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@\\*]+")
STANDARD: Final = {"http": ":80", "https": ":443"}
"""The ports that browsers leave out."""


class BadConfiguration(GunziError, ValueError):
    """A setting of the server that is none; ``text`` says where it stands, what is wrong and what can be written."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Every setting of a server with its default; ``SETTINGS`` has their texts and bounds."""

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = "gunzi.db"
    durability: str = "full"
    origins: str = ""
    behind_proxy: bool = False
    tables: int = 10_000
    loaded_tables: int = 2_000
    members: int = 64
    spectators: int = 32
    connections: int = 10_000
    connections_per_address: int = 64
    frames_per_second: int = 20
    requests_per_second: int = 30
    tables_per_hour: int = 60
    keep_days: int = 90
    idle_minutes: int = 10
    bot_delay: int = 100
    log_level: str = "info"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a setting of the server means; whole numbers have bounds, words a choice, or are ``needed``: never empty."""

    text: Text
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    needed: bool = False


SETTINGS: Final[dict[str, Setting]] = {
    "host": Setting(
        Text("在哪个地址上听（0.0.0.0 是所有地址）", "the address to listen on (0.0.0.0: all)"), needed=True
    ),
    "port": Setting(Text("端口（0 是随便一个）", "the port (0: any free one)"), 0, 65_535),
    "database": Setting(
        Text("存在哪儿：SQLite 文件，或者 postgresql://…", "where tables are kept: an SQLite file, or postgresql://…"),
        needed=True,
    ),
    "durability": Setting(
        Text(
            "SQLite：full 断电也不丢，normal 只保程序被杀不丢",
            "SQLite: full survives a power cut, normal the end of the process",
        ),
        choices=("full", "normal"),
    ),
    "origins": Setting(
        Text(
            "还许可哪些网站连过来，用逗号隔开（不写就只有自己）",
            "other sites that may connect, with commas between them (default: only this server's own pages)",
        )
    ),
    "behind_proxy": Setting(
        Text(
            "前面有反向代理：来人的地址看 X-Forwarded-For 最后一个",
            "a reverse proxy stands before it: a caller's address is the last in X-Forwarded-For",
        )
    ),
    "tables": Setting(Text("一共最多几张桌", "tables at most"), 1, 10_000_000),
    "loaded_tables": Setting(Text("内存里最多几张桌", "tables in memory at most"), 1, 1_000_000),
    "members": Setting(
        Text("一张桌最多几个人（连旁观的）", "people at a table at most, spectators included"), 4, 10_000
    ),
    "spectators": Setting(Text("一张桌最多几个人旁观", "spectators of a table at most"), 0, 10_000),
    "connections": Setting(Text("一共最多几条连接", "connections at most"), 1, 1_000_000),
    "connections_per_address": Setting(
        Text("一个地址最多几条连接", "connections from one address at most"), 1, 1_000_000
    ),
    "frames_per_second": Setting(
        Text("一条连接每秒最多几帧（可以攒三倍）", "frames a second on one connection (three times as many at once)"),
        1,
        10_000,
    ),
    "requests_per_second": Setting(
        Text(
            "一个地址每秒最多几个请求、几条新连接（可以攒十倍）",
            "requests and new connections a second from one address (ten times as many at once)",
        ),
        1,
        1_000_000,
    ),
    "tables_per_hour": Setting(
        Text("一个地址每小时最多开几张桌", "tables that one address may open in an hour"), 1, 1_000_000
    ),
    "keep_days": Setting(
        Text("没动过的桌子留几天（0 永远留着）", "days after which an untouched table is deleted (0: never)"),
        0,
        100_000,
    ),
    "idle_minutes": Setting(
        Text("没人的桌子几分钟以后放回数据库", "minutes after which a table without people leaves the memory"),
        0,
        100_000,
    ),
    "bot_delay": Setting(
        Text("电脑出牌的快慢，百分之几（0 马上出）", "how long bots take, in percent (0: no time)"), 0, 1_000
    ),
    "log_level": Setting(Text("日志写多细", "how much is logged"), choices=("debug", "info", "warning", "error")),
}
KINDS: Final[dict[str, Any]] = {field.name: type(field.default) for field in fields(Configuration)}


def configuration(
    flags: Mapping[str, Any], environment: Mapping[str, str], file: str | os.PathLike[str] | None = None
) -> Configuration:
    """The settings in force. ``flags`` are those given, as values or texts; ``file`` is TOML or YAML. Raises BadConfiguration, OSError."""
    found: dict[str, Any] = {}
    if file is not None:
        for name, value in _of_file(Path(file)).items():
            known = _known(str(name), str(file))
            if known in found:
                raise BadConfiguration(Text(f"{file}：{known} 写了两次", f"{file}: {known} stands there twice"))
            found[known] = _read(known, value, f"{file}: {known}")
    _expect_no_slip(environment)
    for name in KINDS:
        key = PREFIX + name.upper()
        if key in environment:
            found[name] = _read(name, environment[key], key)
    for name, value in flags.items():
        if value is not None:
            found[name] = _read(name, value, f"--{name.replace('_', '-')}")
    return replace(Configuration(), **found)


def _expect_no_slip(environment: Mapping[str, str]) -> None:
    """A name that is nearly that of a setting is a slip; others beginning so are somebody else's. Raises BadConfiguration."""
    known = [PREFIX + name.upper() for name in KINDS]
    for key in environment:
        if key.startswith(PREFIX) and key not in known and (near := get_close_matches(key, known, 1, 0.85)):
            raise BadConfiguration(
                Text(f"环境变量 {key}：是不是 {near[0]}？", f"the environment's {key}: did you mean {near[0]}?")
            )


def _of_file(path: Path) -> Mapping[str, Any]:
    data = path.read_bytes()
    content: Any
    if path.suffix == ".toml":
        try:
            content = tomllib.loads(data.decode("utf-8-sig"))
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            detail = str(error).split("\n")[0][:120]
            raise BadConfiguration(Text(f"{path} 读不懂：{detail}", f"{path} cannot be read: {detail}")) from None
    else:
        # As variant files are read: 010 is no 8, a name that stands there twice is an error, and every error has its place.
        source = read(data, str(path))
        if source.problems and source.problems[0].code != "empty-file":
            first = source.problems[0]
            raise BadConfiguration(
                Text(f"{first.where}: {first.message('zh')}", f"{first.where}: {first.message('en')}")
            )
        content = source.root.plain() if source.root is not None else None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise BadConfiguration(Text(f"{path} 要写成 名字: 值", f"{path} must map names to values"))
    return content


def _known(name: str, where: str) -> str:
    tidy = name.replace("-", "_")
    if tidy not in KINDS:
        listed = ", ".join(KINDS)
        raise BadConfiguration(
            Text(
                f"{where}：没有 {name} 这一项；有 {listed}", f"{where}: there is no setting {name}; there are {listed}"
            )
        )
    return tidy


def _read(name: str, value: Any, where: str) -> Any:
    kind, setting = KINDS[name], SETTINGS[name]
    if kind is bool:
        if isinstance(value, bool):
            return value
        if str(value).lower() in ("1", "true", "yes", "on"):
            return True
        if str(value).lower() in ("0", "false", "no", "off"):
            return False
        raise BadConfiguration(
            Text(f"{where} 要写 true 或 false，不能写 {value}", f"{where} is true or false, not {value!r}")
        )
    if kind is int:
        try:
            number = value if type(value) is int else int(value) if DECIMAL.fullmatch(value) else None
        except (TypeError, ValueError):
            number = None
        if number is None or not setting.low <= number <= setting.high:
            raise BadConfiguration(
                Text(
                    f"{where} 要写 {setting.low} 到 {setting.high} 的整数，不能写 {value}",
                    f"{where} is a whole number from {setting.low} to {setting.high}, not {value!r}",
                )
            )
        return number
    if not isinstance(value, str) or (setting.needed and not value.strip()):
        raise BadConfiguration(Text(f"{where} 要写一个名字，不能写 {value!r}", f"{where} is a text, not {value!r}"))
    text = value
    if setting.choices and text not in setting.choices:
        listed = ", ".join(setting.choices)
        raise BadConfiguration(
            Text(f"{where} 要写 {listed} 之一，不能写 {text}", f"{where} is one of {listed}, not {text!r}")
        )
    return _origins(text, where) if name == "origins" else text


def _origins(text: str, where: str) -> str:
    """Origins as browsers send them. One that no browser sends would let nobody in, and nobody would know why. Raises BadConfiguration."""
    found = []
    for each in filter(None, map(str.strip, text.split(","))):
        tidy = each.lower().removesuffix("/")
        if not ORIGIN.fullmatch(tidy):
            raise BadConfiguration(
                Text(
                    f"{where} 要写 https://example.org 这样的网址，没有后面的路径，多个用逗号隔开，不能写 {each}",
                    f"{where} are addresses such as https://example.org, without a path, with commas between them, not {each!r}",
                )
            )
        found.append(tidy.removesuffix(STANDARD.get(tidy.partition("://")[0], "/")))
    return ",".join(found)
