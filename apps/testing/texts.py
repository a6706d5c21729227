"""Texts: complete in Chinese and in English."""

from __future__ import annotations

import string

from gunzi.apps.testing.report import Report
from gunzi.errors import Text


def is_chinese(text: str) -> bool:
    """Does a Chinese character occur in it?"""
    return any("一" <= sign <= "鿿" for sign in text)


def check_text(text: object, what: str, where: str, report: Report) -> None:
    """A sentence or a name said in both languages, with the same ``{names}`` in both."""
    if not report.that(isinstance(text, Text), "texts", where, f"{what} is {text!r}, no Text"):
        return
    assert isinstance(text, Text)
    report.that(is_chinese(text.zh), "texts", where, f"{what} says nothing in Chinese: {text.zh!r}")
    letters = any(sign.isascii() and sign.isalpha() for sign in text.en)
    report.that(letters, "texts", where, f"{what} says nothing in English: {text.en!r}")
    names = {lang: _fields(text.in_(lang)) for lang in ("zh", "en")}
    same = names["zh"] == names["en"]
    report.that(
        same, "texts", where, f"{what} has other {{names}} in Chinese than in English: {text.zh!r}, {text.en!r}"
    )


def check_shown(text: object, what: str, where: str, report: Report) -> None:
    """A text that may be a bare number or a name in both languages."""
    sound = isinstance(text, Text) and bool(text.zh) and bool(text.en)
    report.that(sound, "texts", where, f"{what} is shown as {text!r}")


def _fields(text: str) -> set[str] | None:
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return None
