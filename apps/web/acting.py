"""What people do in play: answer what is asked, and claim or declare while the cards are dealt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.web.commands import Done
from gunzi.apps.web.errors import No
from gunzi.apps.web.game import Game
from gunzi.apps.web.people import Member
from gunzi.apps.web.wire import act_of

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]


def _act(room: Room, member: Member, frame: Json) -> Done:
    """An answer to what is asked. Raises No, Refused, CardError or NoSuchChoice."""
    seat = room.seat_of(member)
    game = room.playing()
    found = game.question()
    assert found is not None
    wire = frame["act"]
    was_auto = room.seats[seat].auto
    if found.kind == "deal":
        done = _act_in_deal(room, game, seat, wire, frame["q"])
    else:
        game.check_asked(frame["q"])
        if found.kind == "between":
            raise No("phase")
        if found.seat != seat:
            raise No("turn")
        done = Done(rows=game.do(seat, act_of(wire, found.ask)))
    room.seats[seat].late = 0
    if was_auto:
        room.seats[seat].auto = False
        done.room, done.parts = True, done.parts | {"room", "you"}
    return done


def _act_in_deal(room: Room, game: Game, seat: int, wire: Json, q: int) -> Done:
    if wire["act"] != "pass":
        # While cards go out the question changes faster than anybody answers: it has to be one of this deal's.
        if not game.began <= q <= game.q:
            raise No("stale", resync=True)
        return Done(rows=game.do(seat, act_of(wire, game.offer(seat))))
    if not game.closing:
        raise No("phase")
    game.check_asked(q)
    room.passed.add(seat)
    return Done(parts=frozenset({"ask"}))


HANDLERS: Final[dict[str, Callable[[Room, Member, Json], Done]]] = {"act": _act}
