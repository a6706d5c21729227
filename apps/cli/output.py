"""What is printed: tables that line up in Chinese too, colour and suit symbols only where the terminal can show them."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TextIO

from gunzi.apps.cli.lang import speaker
from gunzi.cards import Card
from gunzi.errors import Text
from gunzi.wording import SUIT_NAMES

SIGNS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
_JOKERS_ZH: Final = {"BJ": "大王", "LJ": "小王"}
_STYLES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}
_SUIT_STYLES: Final = {"S": "bold", "H": "red", "C": "green", "D": "cyan", None: "magenta"}
_NO_BREAK_BEFORE: Final = "，。；：？！、）」』》】”’…,.;:?!)]}%·—"
_NO_BREAK_AFTER: Final = "（「『《【“‘([{"


def can_show(stream: TextIO, text: str) -> bool:
    """Can the stream's encoding write the text?"""
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Out:
    """Where a command prints, and how: language, colour, suit symbols, width in columns.

    Messages about the run itself go to ``err``; what was asked for goes to standard output.
    """

    def __init__(self, lang: str, environ: Mapping[str, str] = os.environ) -> None:
        self.lang = lang
        self.t = speaker(lang)
        # Python has no stream where the process was started without one.
        self.stream: TextIO = sys.stdout or io.StringIO()
        self.err: TextIO = sys.stderr or io.StringIO()
        terminal = is_terminal(self.stream) and environ.get("TERM", "" if os.name == "posix" else "nt") not in (
            "",
            "dumb",
        )
        if os.name == "nt" and terminal:
            terminal = bool(environ.get("WT_SESSION") or environ.get("ANSICON") or environ.get("TERM"))
        self.colour = terminal and not environ.get("NO_COLOR")
        self.signs = terminal and can_show(self.stream, "".join(SIGNS.values()))
        columns = shutil.get_terminal_size((100, 24)).columns
        self.width = max(40, min(columns, 120))

    # -- text --------------------------------------------------------------------------------------------------

    def say(self, text: Text) -> str:
        """A text in the language spoken."""
        return text.in_(self.lang)

    def style(self, text: str, *names: str) -> str:
        """The text in colours, where there are any."""
        if not self.colour or not names or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[name] for name in names)}m{text}\x1b[0m"

    def card(self, card: Card | str) -> str:
        """A card: ``♠3`` in its suit's colour, or ``S3`` where the terminal cannot."""
        card = Card(card)
        if not self.signs:
            return str(card)
        if card.suit is None:
            shown = _JOKERS_ZH[card] if self.lang == "zh" else str(card)
        else:
            shown = SIGNS[card.suit] + card[1:].replace("T", "10")
        return self.style(shown, _SUIT_STYLES[card.suit])

    def cards(self, cards: Iterable[Card | str]) -> str:
        """Cards with spaces between them."""
        return " ".join(self.card(card) for card in cards)

    def suit(self, suit: str) -> str:
        """A suit's symbol, or its name where the terminal cannot."""
        if self.signs:
            return self.style(SIGNS[suit], _SUIT_STYLES[suit])
        return self.say(SUIT_NAMES[suit])

    # -- printing ----------------------------------------------------------------------------------------------

    def line(self, text: str = "") -> None:
        """Print a line."""
        write(self.stream, text + "\n")

    def lines(self, texts: Iterable[str]) -> None:
        """Print several lines."""
        for text in texts:
            self.line(text)

    def title(self, text: str) -> None:
        """Print a heading."""
        self.line(self.style(text, "bold"))

    def tell(self, text: str) -> None:
        """Print a message about the run itself."""
        self.flush()
        write(self.err, text + "\n")
        self.err.flush()

    def json(self, data: Any) -> None:
        """Print data as one JSON document."""
        text = json.dumps(data, ensure_ascii=not can_show(self.stream, "中"), indent=2)
        self.line(text)

    def flush(self) -> None:
        """Hand everything over to the terminal, pipe or file. Raises OSError where it does not take it."""
        self.stream.flush()

    def ask(self, prompt: str) -> str | None:
        """A line from standard input without blanks around it; None at its end. What comes from a pipe is printed too."""
        source: TextIO | None = sys.stdin
        try:
            if source is not None and is_terminal(source) and is_terminal(self.stream):
                self.flush()
                return input(prompt).strip()
            write(self.stream, prompt)
            self.flush()
            line = source.readline() if source is not None else ""
        except EOFError:
            line = ""
        except UnicodeDecodeError:
            line = "\ufffd\n"
        self.line(line.rstrip("\r\n"))
        return line.strip() if line else None

    def wrapped(self, text: str, indent: str = "", first: str | None = None) -> None:
        """Print a paragraph wrapped to the width, each line after ``indent``, the first after ``first``."""
        head = indent if first is None else first
        for row in wrap(text, self.width - columns(indent), columns(head) - columns(indent)) or [""]:
            self.line((head + row).rstrip())
            head = indent

    def table(
        self, rows: Iterable[Sequence[str]], heads: Sequence[str] = (), *, indent: str = "", right: Sequence[int] = ()
    ) -> None:
        """Print rows in columns; the last column wraps. ``right``: the columns of figures."""
        body = [list(row) for row in rows]
        head = [[self.style(text, "dim") for text in heads]] if heads else []
        every = head + body
        if not every:
            return
        count = max(len(row) for row in every)
        widths = [max((columns(row[place]) for row in every if len(row) > place), default=0) for place in range(count)]
        gap = "  "
        left = columns(indent) + sum(widths[:-1]) + len(gap) * (count - 1)
        room = self.width - left
        for row in every:
            cells = [
                pad(text, widths[place], place in right) if place < count - 1 or place in right else text
                for place, text in enumerate(row)
            ]
            if len(row) < count or room < 16 or columns(cells[-1]) <= room:
                self.line((indent + gap.join(cells)).rstrip())
                continue
            pieces = wrap(row[-1], room)
            self.line((indent + gap.join([*cells[:-1], pieces[0]])).rstrip())
            for piece in pieces[1:]:
                self.line(" " * left + piece)


def is_terminal(stream: TextIO) -> bool:
    """Is the stream a terminal? False for closed ones."""
    try:
        return stream.isatty()
    except (ValueError, AttributeError):
        return False


def write(stream: TextIO, text: str) -> None:
    """Write a text; characters the stream's encoding lacks become question marks."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "replace").decode(encoding))


def columns(text: str) -> int:
    """How many terminal columns a text takes; colour codes take none, wide characters two."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    count = 0
    inside = False
    for char in text:
        if inside:
            inside = char != "m"
        elif char == "\x1b":
            inside = True
        elif unicodedata.east_asian_width(char) in "WF":
            count += 2
        elif not unicodedata.combining(char):
            count += 1
    return count


def pad(text: str, width: int, right: bool = False) -> str:
    """The text filled up to a width in columns."""
    fill = " " * max(0, width - columns(text))
    return fill + text if right else text + fill


def _pieces(text: str) -> list[str]:
    """What may not be torn: Latin words with the blanks after them, single wide characters with their punctuation."""
    found: list[str] = []
    for char in text:
        wide = unicodedata.east_asian_width(char) in "WF"
        if found:
            last = found[-1][-1]
            last_wide = unicodedata.east_asian_width(last) in "WF"
            glued = char in _NO_BREAK_BEFORE or last in _NO_BREAK_AFTER
            if char == " " or glued or (not wide and not last_wide and last != " "):
                found[-1] += char
                continue
        found.append(char)
    return found


def wrap(text: str, width: int, taken: int = 0) -> list[str]:
    """The text in lines of at most ``width`` columns, broken at blanks and between wide characters.

    ``taken``: columns of the first line that something else stands in (below 0: room that only the first line has).
    """
    rows: list[str] = []
    row, used = "", taken
    for piece in _pieces(text):
        need = columns(piece.rstrip())
        if row and used + need > width:
            rows.append(row.rstrip())
            row, used = "", 0
        row += piece
        used += columns(piece)
    if row.strip():
        rows.append(row.rstrip())
    return rows
