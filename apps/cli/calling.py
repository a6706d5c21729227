"""One call of the command line: the language, the command, what becomes of what goes wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from gunzi.apps.cli.catalogue import COMMANDS, Command, help_page
from gunzi.apps.cli.failures import ended
from gunzi.apps.cli.lang import asked_for, of_locale, without_external, without_language
from gunzi.apps.cli.leaving import interruptible
from gunzi.apps.cli.output import Out, can_show
from gunzi.apps.cli.parser import COULD_NOT, Parser


def run(argv: Sequence[str] | None) -> int:
    """Run ``gunzi`` with these arguments (None: those of the process); returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    lang = asked_for(words)
    if lang is None:
        lang = of_locale()
        if lang == "zh" and not can_show(sys.stdout, "中"):
            lang = "en"
    out = Out(lang)
    try:
        with interruptible():
            alone, words = without_external(words)
            if alone:
                from gunzi.installed import no_external

                with no_external():
                    status = _run(words, out)
            else:
                status = _run(words, out)
            out.flush()
            return status
    except BaseException as error:
        return ended(error, out)


def _run(words: list[str], out: Out) -> int:
    rest = without_language(words)
    name = rest[0] if rest else ""
    if name in ("", "-h", "--help") or rest == ["help"]:
        out.line(help_page(out))
        return 0 if rest else COULD_NOT
    if name == "help":
        rest = [*rest[1:], "--help"]
        name = rest[0]
    if name in ("--version", "-V"):
        import gunzi

        out.line(f"gunzi {gunzi.__version__}")
        return 0
    command = COMMANDS.get(name)
    if command is None:
        _unknown(name, out)
        return COULD_NOT
    return _call(command, rest[1:], out)


def _call(command: Command, words: list[str], out: Out) -> int:
    module = import_module(f"gunzi.apps.cli.{command.module}")
    parser = Parser(f"gunzi {command.name}", out.t, out.say(command.text), out.say(command.more))
    module.arguments(parser)
    parser.add_everywhere()
    args = parser.parse(words)
    args.command = command.name
    status: int = module.run(args, out)
    return status


def _unknown(name: str, out: Out) -> None:
    from gunzi.options import closest

    guess = closest(name, COMMANDS)
    maybe = out.t(f"，是不是 {guess}？", f" (did you mean {guess}?)") if guess else ""
    out.tell(out.t(f"gunzi: 没有 {name} 这个命令{maybe}", f"gunzi: there is no command {name}{maybe}"))
    out.tell(out.t("全部命令：gunzi --help", "all commands: gunzi --help"))
