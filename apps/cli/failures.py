"""How a command ends that does not end well: one clear message, the right exit status, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import Final

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import COULD_NOT, INTERRUPTED, Stop
from gunzi.errors import GunziError, Refused, RulesError
from gunzi.problems import format_problems

DEBUG: Final = "GUNZI_DEBUG"
_OS_ZH: Final = {
    errno.ENOENT: "没有这个文件或文件夹",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EISDIR: "这是文件夹，不是文件",
    errno.ENOTDIR: "路径里有一段不是文件夹",
    errno.EEXIST: "文件已经有了",
    errno.ENOSPC: "磁盘满了",
    errno.EROFS: "磁盘是只读的",
    errno.ENAMETOOLONG: "文件名太长",
    errno.ELOOP: "链接绕成了圈",
    errno.EIO: "读写出错",
}


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
        return os_words(format_problems(error.problems, "text", out.lang), out)
    if isinstance(error, Refused):
        return f"gunzi: {out.say(error.text)}"
    if isinstance(error, GunziError):
        return f"gunzi: {said(error, out)}"
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


def said(error: GunziError, out: Out) -> str:
    """An error's own sentence, in the language spoken where it has one in both."""
    return out.say(error.text)


def os_trouble(error: OSError, out: Out) -> str:
    """What the operating system refused, and on which file."""
    english = error.strerror or str(error) or type(error).__name__
    text = out.t(_OS_ZH.get(error.errno or 0, english), english)
    name = error.filename if error.filename is not None else error.filename2
    if name is None:
        return out.t(f"写不出去：{text}", f"cannot write: {text}") if error.errno == errno.ENOSPC else text
    return f"{os.fsdecode(name) if isinstance(name, bytes) else name}: {text}"


def os_words(text: str, out: Out) -> str:
    """The text with the operating system's English sentences put into the language spoken."""
    if out.lang == "zh":
        for number, zh in _OS_ZH.items():
            text = text.replace(os.strerror(number), zh)
    return text


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
