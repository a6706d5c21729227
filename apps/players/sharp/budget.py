"""How long ``sharp`` thinks: so many playouts, or so many seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from gunzi.errors import GunziError, Text

USUAL: Final = 200
MOST_PLAYOUTS: Final = 10_000_000
MOST_SECONDS: Final = 3600.0


class BudgetError(GunziError, ValueError):
    """A budget that is none."""


@dataclass(frozen=True, slots=True)
class Budget:
    """So many ``playouts`` for a question (the same question, the same answer), or so many ``seconds`` (not so)."""

    playouts: int = USUAL
    seconds: float | None = None

    def of(self, cost: int) -> Budget:
        """The budget for playouts that cost so many times as much; a time stays the same time."""
        return self if self.seconds is not None else Budget(max(1, self.playouts // cost))

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.seconds:g}s"
        return "" if self.playouts == USUAL else str(self.playouts)


def parse_budget(text: str) -> Budget:
    """``200`` or ``0.2s``; an empty text: as usual. Raises BudgetError."""
    if not text:
        return Budget()
    seconds = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})s", text)
    if seconds and 0 < float(seconds[1]) <= MOST_SECONDS:
        return Budget(seconds=float(seconds[1]))
    if re.fullmatch(r"\d{1,9}", text) and 0 < int(text) <= MOST_PLAYOUTS:
        return Budget(int(text))
    raise BudgetError(
        Text(
            f"sharp 后面写试打几次（sharp:200）或者想几秒（sharp:0.2s），不能写 {text}",
            f"after sharp: so many playouts (sharp:200) or seconds (sharp:0.2s), not {text!r}",
        )
    )
