"""What the lab refuses to do."""

from __future__ import annotations

from gunzi.errors import GunziError, Text


class LabError(GunziError, ValueError):
    """Arguments that make no sense, or a worker that died; ``text`` says so in both languages."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(zh, en)
