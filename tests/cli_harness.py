"""Running the command line inside the tests."""

from __future__ import annotations

import io
import json
import re
import sys
from typing import Any

import pytest

from gunzi.apps.cli import main


class Ran:
    """What a command left: exit status, standard output, standard error."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


class Cli:
    """``cli("show", "yuwang")`` runs ``gunzi show yuwang`` in English; ``cli.zh(…)`` in Chinese."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, stdin: str = "", lang: str = "en") -> Ran:
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(stdin))
            self._capsys.readouterr()
            status = main([*words, "--lang", lang])
        found = self._capsys.readouterr()
        return Ran(status, found.out, found.err)

    def zh(self, *words: str, stdin: str = "") -> Ran:
        """The same in Chinese."""
        return self(*words, stdin=stdin, lang="zh")


def assert_no_english(text: str) -> None:
    """Chinese output has no English sentence: no run of four plain words."""
    plain = re.sub(r"\S*[./=_\[\]{}<>:]\S*|--\S+", "|", text)
    found = re.search(r"(?<![A-Za-z])[a-z]{2,}(?: [a-z]+){3,}", plain)
    assert found is None, found
