"""Runs what the pages show: files, commands with their output, Python; used by the tests and by update_outputs.py.

A page is worked through from top to bottom in a folder of its own:

* a block whose first line is a comment with a file's name (``# my-house.yaml``) writes that file;
* a ``console`` block runs the commands after ``$``: gunzi, ``cat FILE``, ``echo TEXT | gunzi …``, ``… > FILE`` and
  ``pip install -q ./FOLDER``. A line ``…`` stands for any lines left out;
* a ``python`` block is run; a ``text`` block right after it is what it prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from unittest import mock

from gunzi.apps.cli import main

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = "…"
FENCE = re.compile(r"^( *)```([\w-]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# ([\w.-]+\.(?:yaml|py|toml|jsonl))\n")


def pages() -> list[Path]:
    """Every page whose commands are run."""
    return sorted([*ROOT.glob("README*.md"), *(ROOT / "docs").glob("*.md")])


def language(page: Path) -> str:
    """``zh`` or ``en``, by the file's name."""
    return "zh" if page.name.endswith(".zh.md") else "en"


@dataclass
class Step:
    """A command and the lines shown below it; or a piece of Python and what it prints; or a file that is written."""

    kind: str
    text: str
    shown: list[str] = field(default_factory=list)
    start: int = 0
    """Where the shown lines begin in the page, in characters; ``end`` is where they end."""
    end: int = 0


def steps(text: str) -> list[Step]:
    """What a page shows, in order."""
    found: list[Step] = []
    last_end = -1
    for block in FENCE.finditer(text):
        kind, body = block[2], block[3]
        named = FILE_NAME.match(body)
        if kind == "console":
            found += _commands(body, block.start(3))
        elif named:
            found.append(Step("file", f"{named[1]}\n{body}"))
        elif kind == "python":
            found.append(Step("python", body))
        elif kind == "text" and found and found[-1].kind == "python" and not text[last_end : block.start()].strip():
            found[-1].shown = body.splitlines()
            found[-1].start, found[-1].end = block.start(3), block.end(3)
        last_end = block.end()
    return found


def _commands(body: str, offset: int) -> Iterator[Step]:
    starts = [line.start() for line in re.finditer(r"^\$ ", body, re.MULTILINE)]
    for start, stop in zip(starts, [*starts[1:], len(body)], strict=True):
        command, _, shown = body[start + 2 : stop].partition("\n")
        begin = offset + start + 2 + len(command) + 1
        yield Step("command", command, shown.splitlines(), begin, offset + stop)


class Folder:
    """A folder in which a page's steps are run, one after the other."""

    def __init__(self, path: Path, lang: str) -> None:
        self.path = path
        self.lang = lang
        self.site = path.parent / f"{path.name}-installed"
        self.status = 0
        (path / "examples").symlink_to(ROOT / "examples")

    @contextlib.contextmanager
    def _inside(self) -> Iterator[None]:
        before = Path.cwd()
        locale = {"zh": "zh_CN.UTF-8", "en": "en_GB.UTF-8"}[self.lang]
        setting = {"LC_ALL": locale, "COLUMNS": "88", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        with mock.patch.dict(os.environ, setting):
            os.environ.pop("GUNZI_PLUGINS", None)
            os.chdir(self.path)
            try:
                yield
            finally:
                os.chdir(before)

    def run(self, step: Step) -> list[str]:
        """The lines a step prints, on either stream."""
        with self._inside():
            if step.kind == "file":
                name, _, body = step.text.partition("\n")
                Path(name).write_text(body, encoding="utf-8")
                return []
            printed = self._python(step.text) if step.kind == "python" else self._command(step.text)
            return self._anywhere(printed).splitlines()

    def _anywhere(self, text: str) -> str:
        """The text with the folder and gunzi's own place named alike on every machine."""
        schemas = str(files("gunzi.schemas").joinpath(""))
        for folder in {str(self.path), str(self.path.resolve())}:
            text = text.replace(folder, "/home/you")
        for folder in {str(Path(schemas)), str(Path(schemas).resolve())}:
            text = text.replace(folder, "/…/gunzi/schemas")
        return text

    def _python(self, code: str) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "<page>", "exec", dont_inherit=True), {"__name__": "__page__"})
        return printed.getvalue()

    def _command(self, line: str) -> str:
        words = shlex.split(line)
        stdin = ""
        if "|" in words:
            bar = words.index("|")
            if words[0] not in ("echo", "printf") or bar != 2:
                raise ValueError(f"cannot run this in a page: {line}")
            stdin = words[1].encode().decode("unicode_escape") if words[0] == "printf" else words[1] + "\n"
            words = words[bar + 1 :]
        target = None
        if len(words) > 2 and words[-2] == ">":
            words, target = words[:-2], words[-1]
        if words[0] == "gunzi":
            out, err = self._gunzi(words[1:], stdin, apart=target is not None)
        elif words[0] == "cat" and len(words) == 2:
            out, err = Path(words[1]).read_text(encoding="utf-8"), ""
        elif words == ["echo", "$?"]:
            out, err = f"{self.status}\n", ""
        elif words[:3] == ["pip", "install", "-q"] and len(words) == 4:
            self._install(Path(words[3]))
            out = err = ""
        else:
            raise ValueError(f"cannot run this in a page: {line}")
        if target is None:
            return out + err
        Path(target).write_text(out, encoding="utf-8")
        return err

    def _gunzi(self, words: Sequence[str], stdin: str, apart: bool) -> tuple[str, str]:
        if self.site.exists():
            return self._gunzi_process(words, stdin)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") if apart else out
        given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            mock.patch.object(sys, "stdin", given),
        ):
            self.status = main(words)
        return _read(out), _read(err) if apart else ""

    def _gunzi_process(self, words: Sequence[str], stdin: str) -> tuple[str, str]:
        """With strangers' plugins, in a process that finds them installed."""
        code = "import sys; from gunzi.apps.cli import main; sys.exit(main())"
        path = os.pathsep.join([str(self.site), *filter(None, [os.environ.get("PYTHONPATH")])])
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            input=stdin,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        self.status = done.returncode
        return done.stdout, done.stderr

    def _install(self, folder: Path) -> None:
        """What pip would leave: the package's modules and a note of its entry points."""
        with (folder / "pyproject.toml").open("rb") as file:
            project = tomllib.load(file)["project"]
        self.site.mkdir(exist_ok=True)
        info = self.site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        rows = [f"[{group}]\n" + "".join(f"{a} = {b}\n" for a, b in x.items()) for group, x in _groups(project)]
        (info / "entry_points.txt").write_text("\n".join(rows), encoding="utf-8")
        source = folder / "src" if (folder / "src").is_dir() else folder
        for item in source.iterdir():
            if item.suffix == ".py":
                shutil.copy(item, self.site)
            elif (item / "__init__.py").exists():
                shutil.copytree(item, self.site / item.name)


def _groups(project: dict[str, dict[str, dict[str, str]]]) -> list[tuple[str, dict[str, str]]]:
    return list(project["entry-points"].items())


def _read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def fits(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Is what the page shows what was printed, where lines are not left out?"""
    return place(shown, printed) is not None


def place(shown: Sequence[str], printed: Sequence[str]) -> list[tuple[int, int]] | None:
    """Where the pieces between the ``…`` lines stand in what was printed; None where they do not."""
    pieces = split(shown)
    lines = [line.rstrip() for line in printed]
    found: list[tuple[int, int]] = []
    at = 0
    for number, piece in enumerate(pieces):
        wanted = [line.rstrip() for line in piece]
        size = len(wanted)
        first, last = number == 0, number == len(pieces) - 1
        starts: Sequence[int] = range(at, len(lines) - size + 1)
        if first:
            starts = [0]
        if last:
            end = len(lines) - size
            starts = [end] if end >= at and (not first or end == 0) else []
        start = next((i for i in starts if lines[i : i + size] == wanted), None)
        if start is None:
            return None
        found.append((start, start + size))
        at = start + size
    return found


def split(shown: Sequence[str]) -> list[list[str]]:
    """The pieces between the lines ``…``; the first and the last may be empty."""
    pieces: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == LEFT_OUT:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces
