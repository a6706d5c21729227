"""How a command ends that does not end well: one clear message, the right exit status, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import Final

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import COULD_NOT, INTERRUPTED, Stop
from gunzi.errors import GunziError, RulesError
from gunzi.os_errors import os_text
from gunzi.problems import format_problems

DEBUG: Final = "GUNZI_DEBUG"


def ended(error: BaseException, out: Out) -> int:
    """Tell what went wrong and return the exit status."""
    if isinstance(error, SystemExit):
        return _flushed(error, out)
    if isinstance(error, BrokenPipeError):
        _forget_output()
        return COULD_NOT
    if isinstance(error, KeyboardInterrupt):
        _tell(out, "\n" + out.t("已中断", "interrupted"))
        return INTERRUPTED
    if os.environ.get(DEBUG):
        import traceback

        with contextlib.suppress(OSError, ValueError):
            traceback.print_exception(error)
    _tell(out, message(error, out))
    if isinstance(error, OSError):
        _forget_output()
    return error.status if isinstance(error, Stop) else COULD_NOT


def message(error: BaseException, out: Out) -> str:
    """What a person is told about an error, in the language spoken."""
    if isinstance(error, Stop):
        return f"gunzi: {out.say(error.text)}"
    if isinstance(error, RulesError) and error.problems:
        return format_problems(error.problems, "text", out.lang)
    if isinstance(error, GunziError):
        return f"gunzi: {out.say(error.text)}"
    if isinstance(error, OSError):
        return f"gunzi: {os_trouble(error, out)}"
    if isinstance(error, UnicodeDecodeError):
        return "gunzi: " + out.t("读到的不是 UTF-8 文字", "what was read is not UTF-8 text")
    name = type(error).__name__
    detail = f"{name}: {error}" if str(error) else name
    return out.t(
        f"gunzi: 程序出错了（{detail}）。请报告这个问题；设置 {DEBUG}=1 再运行一次，能看到出错的地方。",
        f"gunzi: this is a bug ({detail}). Please report it; running again with {DEBUG}=1 shows where it happened.",
    )


def os_trouble(error: OSError, out: Out) -> str:
    """What the operating system refused, and on which file."""
    text = out.say(os_text(error))
    name = error.filename if error.filename is not None else error.filename2
    if name is None:
        return out.t(f"写不出去：{text}", f"cannot write: {text}") if error.errno == errno.ENOSPC else text
    return f"{os.fsdecode(name) if isinstance(name, bytes) else name}: {text}"


def _flushed(error: SystemExit, out: Out) -> int:
    try:
        out.flush()
    except OSError:
        _forget_output()
        return COULD_NOT
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else COULD_NOT


def _tell(out: Out, text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        out.tell(text)


def _forget_output() -> None:
    """Nobody reads standard output any more: keep Python from complaining about it when the process ends."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None and stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                with contextlib.suppress(OSError, ValueError):
                    null = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(null, stream.fileno())
                    os.close(null)
