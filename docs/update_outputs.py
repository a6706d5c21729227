"""Runs the commands on the pages and writes their output below them.

python docs/update_outputs.py [PAGE…]    PAGE: a file's name; without one, every page

Lines that a page leaves out (``…``) stay left out: the first piece keeps its number of lines, so does the last, and a piece
between them is looked for by its first line, or the word that begins it. What cannot be placed is named, and left as it is.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from console import LEFT_OUT, Folder, fits, language, pages, split, steps


def renewed(shown: Sequence[str], printed: Sequence[str]) -> list[str] | None:
    """The lines to show now; None where a piece has no place any more."""
    pieces = split(shown)
    if len(pieces) == 1:
        return list(printed)
    head = printed[: len(pieces[0])]
    tail = printed[len(printed) - len(pieces[-1]) :]
    found = [*head]
    at = len(head)
    for piece in pieces[1:-1]:
        start = _found(piece[0], printed, at)
        if start is None:
            return None
        at = start + len(piece)
        found += [LEFT_OUT, *printed[start:at]]
    return [*found, LEFT_OUT, *tail]


def _found(line: str, printed: Sequence[str], at: int) -> int | None:
    """Where a line stands now; a line that has changed is known by its indent and its first word."""
    for same in (lambda text: text == line, lambda text: _beginning(text) == _beginning(line)):
        for place in range(at, len(printed)):
            if same(printed[place]):
                return place
    return None


def _beginning(line: str) -> str:
    word = line.split(maxsplit=1)[:1]
    return line[: len(line) - len(line.lstrip())] + "".join(word)


def update(page: Path) -> bool:
    """Write a page's outputs anew; True where something changed."""
    text = page.read_text(encoding="utf-8")
    changes: list[tuple[int, int, str]] = []
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "here").mkdir()
        folder = Folder(Path(name) / "here", language(page))
        for step in steps(text):
            printed = [line.rstrip() for line in folder.run(step)]
            if step.kind == "file" or not step.end or fits(step.shown, printed):
                continue
            lines = renewed(step.shown, printed)
            if lines is None:
                print(f"{page.name}: where do the shown lines stand in the output of: {step.text}")
                continue
            changes.append((step.start, step.end, "".join(line + "\n" for line in lines)))
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    if changes:
        page.write_text(text, encoding="utf-8")
    return bool(changes)


def main(arguments: list[str]) -> int:
    """Update the pages named, or all of them."""
    for page in pages():
        if (not arguments or page.name in arguments) and update(page):
            print(f"{page.name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
