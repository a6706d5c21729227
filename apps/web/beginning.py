"""How a game begins: a new one, or one that is taken up again from its journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from weakref import ref

from gunzi.apps.web.game import Game
from gunzi.fairness import FairDeal
from gunzi.record import Record
from gunzi.resuming import resume
from gunzi.ruleset import RuleSet
from gunzi.table import Deals, Table

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]


def deals_of(room: Room) -> Deals:
    """``room.deal``, for its game to keep: without a cycle, so that an ended table leaves the memory at once."""
    found = ref(room)

    def deal(hand: int, redeal: int) -> FairDeal:
        room = found()
        assert room is not None  # who else would ask?
        return room.deal(hand, redeal)

    return deal


def new_game(
    rules: RuleSet, number: int, players: Sequence[Json], name: str, settings: Mapping[str, Any], deals: Deals
) -> Game:
    """A game about to begin: call ``begin`` for its first journal rows."""
    created = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    limits = _limits(settings)
    table = Table(rules, paced=True, hold=True, players=players, name=name, created=created, deals=deals, **limits)
    return Game(table, number)


def _limits(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"rounds": settings["rounds"] or None, "hands": settings["hands"] or None}


def resumed(header: Json, number: int, rows: Sequence[Json], settings: Mapping[str, Any], deals: Deals) -> Game:
    """The game as its journal has it: same hand, same turn, same question.

    Raises RecordError, VariantError or PluginError where this program plays it otherwise than the one that wrote it.
    """
    record = Record(header, [row for row in rows if "n" in row])
    table = resume(record, paced=True, hold=True, deals=deals, thorough=False, **_limits(settings))
    assert table.log is not None
    table.log.events.clear()
    game = Game(table, number)
    game.catch_up(rows)
    return game
