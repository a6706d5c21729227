# -*- coding: utf-8 -*-
"""Sets gunzi up in this folder and runs it. Needs Python 3.11 or newer and, the first time, a network.

    python3 run.py           compares two presets and plays 200 paired hands under both
    python3 run.py test      runs the tests (options after it go to pytest: python3 run.py test -x -k tribute)

Everything is installed into .venv in this folder; nothing outside it is touched. When nothing has changed since the
last run, nothing is installed. To undo: delete the folders .venv and build.
"""

# Old Pythons must be able to read this file, to be told that they are too old: no annotations, no f-strings.

from __future__ import print_function

import hashlib
import json
import locale
import os
import subprocess
import sys

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "gunzi-setup.json")
LOG = os.path.join(VENV, "gunzi-setup.log")
FOLDERS = ("core", "plugins", "variants", "schemas", "apps")
GUNZI = "import sys; from gunzi.apps.cli import main; sys.exit(main())"


class Stop(Exception):
    """What the person at the keyboard has to do before this can go on."""


def chinese():
    # type: () -> bool
    """Does this person read Chinese? The first of these variables that is set tells; else the system's own setting.
    Not where the output cannot show it."""
    try:
        "中".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        return False
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return os.environ[name].lower().startswith("zh")
    try:
        return (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese"))
    except ValueError:
        return False


ZH = chinese()


def say(zh, en):
    # type: (str, str) -> None
    print(zh if ZH else en)
    sys.stdout.flush()


def stop(zh, en):
    # type: (str, str) -> Stop
    return Stop(zh if ZH else en)


def venv_python():
    # type: () -> str
    if os.name == "nt":
        return os.path.join(VENV, "Scripts", "python.exe")
    return os.path.join(VENV, "bin", "python")


def answer(*command):
    # type: (*str) -> str
    """What a command prints, or an empty text where it cannot run or fails."""
    try:
        made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    return made.stdout.decode("utf-8", "replace") if made.returncode == 0 else ""


def logged(*command):
    # type: (*str) -> str
    """Runs a command with its output going to the log; an empty text if it succeeded, else what it printed."""
    made = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    text = made.stdout.decode("utf-8", "replace")
    if os.path.isdir(VENV):
        with open(LOG, "a", encoding="utf-8") as log:
            log.write("$ {}\n{}\n".format(" ".join(command), text))
    return "" if made.returncode == 0 else text or "exit status {}".format(made.returncode)


def fingerprint():
    # type: () -> str
    """Changes when a reinstall is needed: the project file, the list of files (an editable install links each file
    by itself and does not see new ones), the place of this folder, the Python."""
    names = []
    for folder in FOLDERS:
        for here, below, files in os.walk(os.path.join(ROOT, folder)):
            below[:] = sorted(name for name in below if name != "__pycache__")
            names += [os.path.join(os.path.relpath(here, ROOT), name) for name in sorted(files)]
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        project = file.read()
    told = "\n".join([ROOT, "{}.{}".format(*sys.version_info[:2])] + names)
    return hashlib.sha256(told.encode("utf-8", "surrogateescape") + b"\0" + project).hexdigest()


def is_ready(mark, dev):
    # type: (str, bool) -> bool
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return False
    if not isinstance(stamp, dict) or stamp.get("fingerprint") != mark or (dev and not stamp.get("dev")):
        return False
    return bool(answer(venv_python(), "-P", "-c", "import gunzi; print(gunzi.__name__)"))


def make_environment():
    # type: () -> None
    """A virtual environment in .venv whose Python runs, is new enough and has pip."""
    python = venv_python()
    version = answer(python, "-c", "import sys; print('%d %d' % sys.version_info[:2])").split()
    if version and tuple(int(part) for part in version) < OLDEST:
        raise stop(
            "{} 里的 Python 是 {}，太旧了。请删掉这个文件夹，再运行一次。".format(VENV, ".".join(version)),
            "The Python in {} is {}, which is too old. Delete that folder and run this again.".format(
                VENV, ".".join(version)
            ),
        )
    if version and answer(python, "-m", "pip", "--version"):
        return
    if not answer(sys.executable, "-c", "import ensurepip, venv; print(True)"):
        package = "python{}.{}-venv".format(*sys.version_info[:2])
        raise stop(
            "这个 Python 少了建虚拟环境用的模块。Debian、Ubuntu 上先运行：sudo apt install " + package,
            "This Python lacks the modules that make virtual environments. On Debian or Ubuntu, first run: "
            "sudo apt install " + package,
        )
    say("建立虚拟环境 .venv …", "Making a virtual environment in .venv …")
    if version:
        wrong = logged(python, "-m", "ensurepip", "--upgrade")
    else:
        wrong = logged(sys.executable, "-m", "venv", "--clear", VENV)
    if wrong:
        raise stop("建不了 .venv：\n{}".format(wrong), "Could not make .venv:\n{}".format(wrong))


def install(dev):
    # type: (bool) -> None
    say(
        "安装 gunzi 和它要用的包{} …（第一次大约{}，要联网）".format(
            *(("，连同测试工具", "一两分钟") if dev else ("", "半分钟"))
        ),
        "Installing gunzi and what it needs{} … (the first time about {}; needs a network)".format(
            *((", with the test tools", "a minute or two") if dev else ("", "half a minute"))
        ),
    )
    what = ".[dev]" if dev else "."
    pip = [venv_python(), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    wrong = logged(*(pip + ["-e", what, "--config-settings", "editable_mode=strict"]))
    if not wrong:
        return
    signs = ("connection", "resolution", "getaddrinfo", "timed out", "timeout", "unreachable", "proxy", "ssl")
    offline = any(sign in wrong.lower() for sign in signs)
    lines = [line.strip() for line in wrong.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines[-5:]
    raise stop(
        "{}\npip 说：\n  {}\n全部输出在 {}".format(
            "下载不了要用的包：网络通吗？连上以后再运行一次。" if offline else "安装没有成功。",
            "\n  ".join(errors),
            LOG,
        ),
        "{}\npip says:\n  {}\nIts whole output is in {}".format(
            "Could not download what gunzi needs: is there a network? Run this again when there is."
            if offline
            else "The installation failed.",
            "\n  ".join(errors),
            LOG,
        ),
    )


def set_up(dev):
    # type: (bool) -> None
    mark = fingerprint()
    if is_ready(mark, dev):
        return
    make_environment()
    # what an earlier run installed for the tests stays installed, so one stamp speaks for both
    install(dev)
    with open(STAMP, "w", encoding="utf-8") as file:
        json.dump({"fingerprint": mark, "dev": dev}, file)


def run(*command):
    # type: (*str) -> int
    """Runs a command of the environment with this terminal. ``-P`` keeps this folder off the import path."""
    return subprocess.call([venv_python(), "-P"] + list(command), cwd=ROOT)


def main_job():
    # type: () -> int
    steps = (
        (
            "两套规则差在哪里",
            "What sets two presets apart",
            ("compare", "yuwang", "chayuan"),
        ),
        (
            "同样的牌，两套规则各打 200 把",
            "The same 200 deals played under both",
            ("diff", "yuwang", "chayuan", "--hands", "200", "--seed", "1"),
        ),
    )
    for zh, en, arguments in steps:
        say(
            "\n== {}: gunzi {}\n".format(zh, " ".join(arguments)), "\n== {}: gunzi {}\n".format(en, " ".join(arguments))
        )
        status = run("-c", GUNZI, *arguments)
        if status:
            return status
    gunzi = os.path.join(".venv", "Scripts" if os.name == "nt" else "bin", "gunzi")
    say(
        "\n接下来：{0} play yuwang 在终端里打一桌；{0} --help 看全部命令。".format(gunzi),
        "\nNext: {0} play yuwang plays at the terminal; {0} --help lists all commands.".format(gunzi),
    )
    return 0


def pytest_options(given):
    # type: (list[str]) -> list[str]
    """What is given, spread over the processors unless it says how many, or wants to talk to a debugger."""
    alone = ("-n", "--numprocesses", "--pdb", "--trace", "--collect-only", "--co")
    if any(option.startswith(alone) for option in given):
        return given
    return ["-n", "auto", "--dist", "worksteal"] + given


def main(arguments):
    # type: (list[str]) -> int
    testing = arguments[:1] == ["test"]
    if arguments and not testing:
        print(__doc__)
        return 0 if arguments[0] in ("-h", "--help", "help") else 2
    try:
        if sys.version_info < OLDEST:
            found = "{}.{}".format(*sys.version_info[:2])
            raise stop(
                "gunzi 要用 Python 3.11 或更新的版本，这个是 {}（{}）。".format(found, sys.executable),
                "gunzi needs Python 3.11 or newer; this is {} ({}).".format(found, sys.executable),
            )
        set_up(dev=testing)
        return run("-m", "pytest", *pytest_options(arguments[1:])) if testing else main_job()
    except Stop as told:
        print(told, file=sys.stderr)
        return 2
    except OSError as wrong:
        print("{}: {}".format(wrong.filename or "run.py", wrong.strerror or wrong), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console that cannot show Chinese shows question marks
    sys.exit(main(sys.argv[1:]))
