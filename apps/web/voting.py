"""What needs the others' word: taking back an act, ending a hand early; and everybody's part of the shuffle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import orjson

from gunzi.apps.web.commands import Done, Vote
from gunzi.apps.web.errors import No
from gunzi.apps.web.people import HUMAN, Member
from gunzi.fairness import Fair

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]
VOTE_S: Final = 20.0
CONTRIBUTE_S: Final = 5.0
VOTE: Final = frozenset({"vote"})


# -- the shuffle -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Shuffle:
    """The shuffle that is coming: the published seed, and what the seats have added. ``due``: until when it waits for them."""

    fair: Fair
    hand: int
    redeal: int
    due: float

    @classmethod
    def fresh(cls, hand: int, redeal: int) -> Shuffle:
        """A new seed, to be published at once."""
        return cls(Fair.fresh(), hand, redeal, asyncio.get_running_loop().time() + CONTRIBUTE_S)

    def wants(self, room: Room, seat: int) -> bool:
        """Is this seat's part still wanted?"""
        return room.seats[seat].kind == HUMAN and self.fair.contributions[seat] is None

    def complete(self, room: Room) -> bool:
        """Has everybody who is there given theirs?"""
        return not any(self.wants(room, seat) and room.attends(seat) for seat in range(4))

    def as_kept(self) -> Json:
        """The shuffle as the database has it: what was published is kept to, whatever happens to the server."""
        given = [share and share.hex() for share in self.fair.contributions]
        return {"seed": self.fair.seed.hex(), "given": given, "hand": self.hand, "redeal": self.redeal}

    @classmethod
    def of(cls, kept: Json) -> Shuffle:
        """The shuffle that was kept."""
        given = [bytes.fromhex(share) if share else None for share in kept["given"]]
        fair = Fair(bytes.fromhex(kept["seed"])).with_contributions(given)
        return cls(fair, kept["hand"], kept["redeal"], asyncio.get_running_loop().time() + CONTRIBUTE_S)


def _contribute(room: Room, member: Member, frame: Json) -> Done:
    seat = room.seat_of(member)
    shuffle = room.shuffle
    if shuffle is None or frame["hash"] != shuffle.fair.hash or not shuffle.wants(room, seat):
        raise No("commitment")
    given = list(shuffle.fair.contributions)
    given[seat] = bytes.fromhex(frame["value"])
    shuffle.fair = shuffle.fair.with_contributions(given)
    return Done(room=True, parts=frozenset({"fair", "clock"}))


# -- votes -----------------------------------------------------------------------------------------------------


def _take_back(room: Room, member: Member, frame: Json) -> Done:
    seat, game = room.seat_of(member), room.playing()
    if not room.settings["take_back"]:
        raise No("off")
    game.check_asked(frame["q"])
    found = game.may_take_back()
    if found is None or found[0] != seat:
        raise No("nothing")
    return _call(room, "take_back", seat)


def _early(room: Room, member: Member, frame: Json) -> Done:
    seat, game = room.seat_of(member), room.playing()
    if not room.settings["early"]:
        raise No("off")
    game.check_asked(frame["q"])
    game.sight(seat)
    if game.table.between or game.table.early_end() is None:
        raise No("open")
    return _call(room, "early", seat)


def _call(room: Room, kind: str, seat: int) -> Done:
    if room.vote is not None:
        raise No("phase")
    assert room.game is not None
    needed = [other for other in room.people() if other != seat]
    due = asyncio.get_running_loop().time() + VOTE_S
    room.vote = Vote(room.rev + 1, kind, seat, needed, due, [seat], room.game.q)
    _see_through(room)
    return Done(parts=VOTE)


def _vote(room: Room, member: Member, frame: Json) -> Done:
    seat, vote = room.seat_of(member), room.vote
    if vote is None:
        raise No("vote")
    if frame["vote"] != vote.id:
        raise No("stale", resync=True)
    if seat not in vote.needed:
        raise No("vote")
    vote.needed.remove(seat)
    if frame["agree"]:
        vote.agreed.append(seat)
        _see_through(room)
    else:
        room.vote = None
    return Done(parts=VOTE)


def _see_through(room: Room) -> None:
    vote = room.vote
    if vote is not None and not vote.needed:
        room.put(partial(_carry_out, room, vote))


async def _carry_out(room: Room, vote: Vote) -> None:
    """Everybody has agreed."""
    game = room.game
    if room.vote is not vote or game is None or game.q != vote.q:
        return
    room.vote = None
    if vote.kind == "early":
        rows = game.end_early()
    else:
        bodies = await room.store.journal(room.id, room.number)
        kept = [row for body in bodies for row in orjson.loads(body)["rows"]]
        rows = await asyncio.to_thread(game.take_back, kept, sorted(vote.agreed))
    done = Done(rows=rows, parts=frozenset({"vote", "score"}))
    await room.commit(done)
    await room.settle_down(done)


HANDLERS: Final[dict[str, Callable[[Room, Member, Json], Done]]] = {
    "contribute": _contribute,
    "take_back": _take_back,
    "early": _early,
    "vote": _vote,
}
