"""Names by number, and what is said where something has no compiled form."""

from __future__ import annotations

from typing import Final

from gunzi.errors import Text

PLAYERS: Final = {"random": 0, "steady": 1}
"""The players that have a compiled form, by name, and their numbers."""
RANDOMS: Final = ("random",) * 4


class NotCovered(Exception):
    """The rule set has something the compiled form does not know; ``text`` says what."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text

    def __reduce__(self) -> tuple[type[NotCovered], tuple[Text]]:
        return NotCovered, (self.text,)  # it comes from other processes too


class Names:
    """The rules that events name, and the names of endings, by number; 0 is no rule."""

    def __init__(self) -> None:
        self.rules = [""]
        self.endings = ["final_level", "shutout", "sweep", "three_big", "three_small"]

    def rule(self, name: str) -> int:
        """The number of a rule."""
        return _number(self.rules, name)

    def ending(self, name: str) -> int:
        """The number of an ending."""
        return _number(self.endings, name)


def _number(names: list[str], name: str) -> int:
    if name not in names:
        names.append(name)
    return names.index(name)
