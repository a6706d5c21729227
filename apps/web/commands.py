"""What a command does to a room, and what a room keeps beside its game: clocks, votes, limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]
LOBBY, SHUFFLE, PLAYING, OVER, BROKEN = "lobby", "shuffle", "playing", "over", "broken"
"""What a room is doing; clients are also told ``between``, which is a moment of playing."""
SHEET: Final = 20
"""Hands on the sheet that goes with a frame, the latest: however long a game is, its frames do not grow."""
EVERYTHING: Final = frozenset({"room", "score", "ask", "clock", "vote", "fair", "you"})
PLAY: Final = frozenset({"ask", "clock"})


@dataclass(slots=True)
class Done:
    """What a command has done: the answer's further keys, journal rows, what of the room and of the frames has changed; the
    header of a game that has begun."""

    answer: Json = field(default_factory=dict)
    rows: list[bytes] = field(default_factory=list)
    room: bool = False
    parts: frozenset[str] = frozenset()
    header: Json | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How many of what a table may have."""

    members: int = 64
    spectators: int = 32


@dataclass(slots=True)
class Clock:
    """A countdown that is shown: until ``due`` (the loop's time)."""

    kind: str
    seat: int | None
    due: float
    total: float


@dataclass(slots=True)
class Vote:
    """Something that the others are asked to agree to. ``id``: the revision that it began with, so no two have the same."""

    id: int
    kind: str
    by: int
    needed: list[int]
    due: float
    agreed: list[int]
    q: int
