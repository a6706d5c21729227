"""What may stand anywhere on the command line: the language (``--lang``, else the locale), and ``--no-external``."""

from __future__ import annotations

import locale
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Final

LANGUAGES: Final = ("zh", "en")
NO_EXTERNAL: Final = "--no-external"
Say = Callable[[str, str], str]
"""``say(zh, en)``: the one of the two texts that is in the language spoken."""


def speaker(lang: str) -> Say:
    """The ``Say`` of a language."""
    return _chinese if lang == "zh" else _english


def _chinese(zh: str, en: str) -> str:
    return zh


def _english(zh: str, en: str) -> str:
    return en


def asked_for(argv: Sequence[str]) -> str | None:
    """The language the arguments ask for; None where they do not, or ask for one there is not."""
    for place, word in enumerate(argv):
        if word == "--":
            break
        if word == "--lang" and place + 1 < len(argv):
            word = f"--lang={argv[place + 1]}"
        if word.startswith("--lang=") and word[7:] in LANGUAGES:
            return word[7:]
    return None


def without_language(argv: Sequence[str]) -> list[str]:
    """The arguments without a valid ``--lang``, which may stand anywhere."""
    found: list[str] = []
    skip = False
    for place, word in enumerate(argv):
        if skip:
            skip = False
            continue
        if word == "--":
            return found + list(argv[place:])
        if word == "--lang" and list(argv[place + 1 : place + 2]) and argv[place + 1] in LANGUAGES:
            skip = True
        elif not (word.startswith("--lang=") and word[7:] in LANGUAGES):
            found.append(word)
    return found


def without_external(argv: Sequence[str]) -> tuple[bool, list[str]]:
    """Is ``--no-external`` among the arguments, and the arguments without it."""
    words = list(argv)
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word != NO_EXTERNAL]
    return len(kept) < end, kept + words[end:]


def of_locale(environ: Mapping[str, str] = os.environ) -> str:
    """``zh`` where the locale is Chinese; the first of LC_ALL, LC_MESSAGES and LANG that is set tells."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    try:
        system = (locale.getlocale()[0] or "").lower()
    except ValueError:
        return "en"
    return "zh" if system.startswith(("zh", "chinese")) else "en"
