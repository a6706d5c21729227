"""Arguments that several commands take, and an argparse that speaks both languages."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from gunzi.apps.cli.lang import LANGUAGES, NO_EXTERNAL, Say
from gunzi.errors import Text

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

OK: Final = 0
FAILED: Final = 1
"""What was asked about does not hold."""
COULD_NOT: Final = 2
INTERRUPTED: Final = 130


class Stop(Exception):
    """Why a command cannot run, in both languages, and its exit status."""

    def __init__(self, zh: str, en: str, status: int = COULD_NOT) -> None:
        super().__init__(en)
        self.text = Text(zh, en)
        self.status = status


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str, say: Say, width: int = 100) -> None:
        super().__init__(prog, max_help_position=30, width=width)
        self._say = say

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self._say("用法：", "usage: ") if prefix is None else prefix)

    def format_help(self) -> str:
        """The page; headings end in the colon of the language."""
        colon = self._say("：", ":")
        return re.sub(r"^(\S+):$", lambda found: found[1] + colon, super().format_help(), flags=re.MULTILINE)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from gunzi.apps.cli.output import wrap

        return wrap(text, width)


class Parser(argparse.ArgumentParser):
    """An argument parser whose headings, help and errors are in the language spoken."""

    def __init__(self, prog: str, say: Say, description: str, epilog: str = "") -> None:
        super().__init__(
            prog,
            description=description,
            epilog=epilog,
            add_help=False,
            allow_abbrev=False,
            formatter_class=lambda prog: _Formatter(prog, say),
        )
        self.say = say
        self._positionals.title = say("参数", "arguments")
        self._optionals.title = say("选项", "options")
        self.add_argument("-h", "--help", action="help", help=say("显示这段说明", "show this help"))

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """What these words say; options may stand before, between and after the arguments."""
        if {"-h", "--help", "--"} & {*words}:
            # Taken in turns, arguments are missing from the usage, and what comes after -- is taken for options.
            return self.parse_args(words)
        return self.parse_intermixed_args(words)

    def add_everywhere(self) -> None:
        """``--lang`` and ``--no-external``, which every command takes."""
        self.add_argument(
            "--lang",
            choices=LANGUAGES,
            help=self.say(
                "用中文（zh）还是英文（en）；不写就按系统的语言",
                "Chinese (zh) or English (en); by default the system's",
            ),
        )
        self.add_argument(
            NO_EXTERNAL,
            action="store_true",
            help=self.say(
                "另外装的插件一个都不用", "use none of the plugins that are installed besides the built-in ones"
            ),
        )

    def add_rules(self, nargs: str | int | None = None, optional: bool = False) -> None:
        """RULES and ``--set``."""
        more: dict[str, Any] = {"nargs": nargs} if nargs is not None else {}
        if optional:
            more = {"nargs": "?", "default": None}
        self.add_argument(
            "rules",
            metavar="RULES",
            help=self.say(
                "一套规则：预设名、变体文件（NAME 就是 ./NAME.yaml，或写路径）、分享码（gz1.…）",
                "a rule set: a preset, a variant file (NAME stands for ./NAME.yaml, or a path) or a share code (gz1.…)",
            ),
            **more,
        )
        self.add_set()

    def add_set(self) -> None:
        """``--set option=value``."""
        self.add_argument(
            "--set",
            metavar="OPTION=VALUE",
            action="append",
            default=[],
            dest="overrides",
            help=self.say(
                "改一项规则，可以写多次：follow.shapes=strict", "change an option, repeatable: follow.shapes=strict"
            ),
        )

    def add_json(self) -> None:
        """``--json``."""
        self.add_argument("--json", action="store_true", help=self.say("输出 JSON", "print JSON"))

    def error(self, message: str) -> NoReturn:
        said = self.say(_chinese(message), message)
        hint = self.say(f"看说明：{self.prog} --help", f"for help: {self.prog} --help")
        self.exit(COULD_NOT, f"{self.prog}: {said}\n{hint}\n")


_ERRORS: Final = (
    (r"the following arguments are required: (.*)", r"还缺参数：\1"),
    (r"unrecognized arguments: (.*)", r"不认得的参数：\1"),
    (r"argument (\S+): invalid choice: (.*?) \(choose from (.*)\)", r"\1 不能写 \2，可以写：\3"),
    (r"argument (\S+): invalid \S+ value: (.*)", r"\1 不能写 \2"),
    (r"argument (\S+): expected one argument", r"\1 后面要写一个值"),
    (r"argument (\S+): expected at least one argument", r"\1 至少要写一个值"),
    (r"argument (\S+): expected (\d+) arguments?", r"\1 后面要写 \2 个值"),
    (r"argument (\S+): not allowed with argument (\S+)", r"\1 不能和 \2 一起用"),
    (r"argument (\S+): ignored explicit argument (.*)", r"\1 后面不用写值：\2"),
    (r"one of the arguments (.*) is required", r"这几个参数要写一个：\1"),
    (r"argument (\S+): (.*)", r"\1：\2"),
)


def _chinese(message: str) -> str:
    for pattern, zh in _ERRORS:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return found.expand(zh)
    return message


# -- values ----------------------------------------------------------------------------------------------------


def whole(say: Say, low: int, high: int | None = None) -> Callable[[str], int]:
    """A whole number from ``low`` to ``high`` (None: of 19 digits at most)."""

    def read(text: str) -> int:
        digits = text[1:] if text[:1] in "+-" else text
        if digits.isascii() and digits.isdigit() and len(digits) <= 19:
            value = int(text)
            if value >= low and (high is None or value <= high):
                return value
        if digits.isascii() and digits.isdigit() and text[:1] != "-" and high is None and len(digits) > 19:
            raise argparse.ArgumentTypeError(
                say(f"要写最多 19 位的整数，不能写 {text}", f"a whole number of 19 digits at most, not {text!r}")
            )
        raise argparse.ArgumentTypeError(
            say(f"要写 {low} 以上的整数，不能写 {text}", f"a whole number from {low}, not {text!r}")
            if high is None
            else say(
                f"要写 {low} 到 {high} 的整数，不能写 {text}", f"a whole number from {low} to {high}, not {text!r}"
            )
        )

    return read


def overrides_of(texts: Sequence[str]) -> dict[str, str]:
    """What ``--set`` asks for: option → value as text; the last one of an option counts. Raises Stop."""
    found: dict[str, str] = {}
    for text in texts:
        option, sign, value = text.partition("=")
        option = option.strip()
        if not sign or not option:
            raise Stop(
                f"--set 要写成 选项=值，例如 follow.shapes=strict，不能写 {text}",
                f"--set takes option=value, for example follow.shapes=strict, not {text!r}",
            )
        found.pop(option, None)
        found[option] = value.strip()
    return found


def load_rules(name: str, overrides: Sequence[str] = ()) -> RuleSet:
    """The rule set named on the command line, with what ``--set`` lays over it."""
    from gunzi.loading import load

    return load(name, overrides_of(overrides), "--set")
