"""What each person at a table is sent: the whole state, or what has changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import orjson

from gunzi.apps.web.commands import BROKEN, PLAYING
from gunzi.apps.web.errors import Said
from gunzi.apps.web.game import BETWEEN, DEAL, SPECTATOR, Game, Question
from gunzi.apps.web.people import HUMAN, Member
from gunzi.apps.web.protocol import VERSION
from gunzi.apps.web.ruling import card_json
from gunzi.errors import RulesError
from gunzi.ruleset import RuleSet

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]
NOTHING: Final = b"null"


def card_of(rules: RuleSet) -> Json:
    """What a room shows of its rules. Raises No where they cannot be shared."""
    try:
        return card_json(rules)
    except RulesError as error:
        raise Said("rules", error.text) from None


# -- the parts of a frame --------------------------------------------------------------------------------------


def you_json(room: Room, member: Member) -> Json:
    """``you``."""
    return {
        "member": member.id,
        "name": member.name,
        "seat": member.seat,
        "host": member.id == room.host,
        "auto": member.seat is not None and room.seats[member.seat].auto,
        "muted": member.muted,
    }


def room_json(room: Room) -> Json:
    """``room``."""
    between = room.phase == PLAYING and room.game is not None and room.game.table.between
    return {
        "table": room.id,
        "name": room.name,
        "phase": BETWEEN if between else room.phase,
        "game": room.number,
        "host": room.host,
        "invite": room.invite,
        "settings": room.settings,
        "seats": [
            {
                "kind": seat.kind,
                "member": seat.member,
                "name": seat.name,
                "bot": seat.bot,
                "pace": seat.pace,
                "online": seat.kind != HUMAN or room.attends(place),
                "ready": seat.ready,
                "auto": seat.auto,
            }
            for place, seat in enumerate(room.seats)
        ],
        "members": [
            {"member": each.id, "name": each.name, "online": each.link is not None, "seat": each.seat}
            for each in room.members.values()
            if each.link is not None or each.seat is not None
        ],
        "seating": room.seating,
        "swaps": [[one, other] for one, other in room.swaps.items()],
        "rules": room.card,
        "error": room.error,
    }


def score_json(room: Room) -> Json:
    """``score``: before the first game the start of one."""
    if room.game is not None:
        return room.game.score(titled=room.phase != BROKEN)
    start = room.rules.start_level
    title = room.rules.hook.title(score=0) if room.phase != BROKEN else ""
    return {
        "round": 1,
        "hand": 0,
        "levels": [start, start],
        "dealer": None,
        "scores": [0, 0, 0, 0],
        "titles": [title] * 4,
        "rounds_won": [0, 0],
        "hands": 0,
        "sheet": [],
    }


def ask_json(room: Room, seat: int | None, found: Question | None) -> Json | None:
    """``ask`` for a seat (None: a spectator)."""
    if room.game is None or found is None:
        return None
    shown = room.game.ask_json(seat, found)
    if shown is not None and seat is not None and found.kind in (DEAL, BETWEEN):
        shown["passed"] = seat in room.passed
    return shown


def clock_json(room: Room) -> Json | None:
    """``clock``, as of now."""
    clock = room.clock
    if clock is None:
        return None
    left = clock.due - asyncio.get_running_loop().time()
    return {
        "for": clock.kind,
        "seat": clock.seat,
        "left": max(0, round(left * 1000)),
        "total": round(clock.total * 1000),
    }


def vote_json(room: Room) -> Json | None:
    """``vote``."""
    vote = room.vote
    if vote is None:
        return None
    left = vote.due - asyncio.get_running_loop().time()
    return {
        "id": vote.id,
        "kind": vote.kind,
        "by": vote.by,
        "agreed": vote.agreed,
        "needed": vote.needed,
        "left": max(0, round(left * 1000)),
    }


def fair_json(room: Room, member: Member) -> Json | None:
    """``fair``: the shuffle that is coming."""
    shuffle = room.shuffle
    if shuffle is None:
        return None
    return {
        "hash": shuffle.fair.hash,
        "hand": shuffle.hand,
        "redeal": shuffle.redeal,
        "given": [share is not None for share in shuffle.fair.contributions],
        "wanted": member.seat is not None and shuffle.wants(room, member.seat),
    }


def hand_json(room: Room, game: Game, seat: int | None) -> Json | None:
    """``hand``; None where it is what has failed that would be needed to show it."""
    try:
        return _hand_json(game, seat)
    except Exception:
        if room.phase != BROKEN:
            raise
        return None


def _hand_json(game: Game, seat: int | None) -> Json:
    return {"view": game.view(seat), "naming": game.naming, "dealt": game.dealt, "lanes": game.lanes()}


# -- frames ----------------------------------------------------------------------------------------------------


def state_frame(room: Room, member: Member) -> bytes:
    """Everything, as this member may see it."""
    found = room.question()
    game = room.game
    member.told_as = member.seat
    return orjson.dumps(
        {
            "t": "state",
            "v": VERSION,
            "rev": room.rev,
            "you": you_json(room, member),
            "room": room_json(room),
            "score": score_json(room),
            "hand": hand_json(room, game, member.seat) if game is not None else None,
            "ask": ask_json(room, member.seat, found),
            "clock": clock_json(room),
            "vote": vote_json(room),
            "fair": fair_json(room, member),
        }
    )


def tell(room: Room, parts: frozenset[str], but: Member | None = None) -> None:
    """Send everybody what is new. The same bytes serve all where all see the same: most plays."""
    if "hand" in parts:
        if room.game is not None and room.phase != BROKEN:
            room.game.told()  # it is all in the state
        for member in room.members.values():
            if member.link is not None:
                member.link.send(state_frame(room, member))
        return
    game = room.game
    found = room.question()
    # Of a table that has failed everybody has got the state: the news of its game may be what cannot be made.
    views, common = _of_the_game(room, game if room.phase != BROKEN else None)
    if "room" in parts:
        common += b',"room":' + orjson.dumps(room_json(room))
    if "score" in parts:
        common += b',"score":' + orjson.dumps(score_json(room))
    if "clock" in parts:
        common += b',"clock":' + orjson.dumps(clock_json(room))
    if "vote" in parts:
        common += b',"vote":' + orjson.dumps(vote_json(room))
    head = b'{"t":"events","rev":%d' % room.rev
    others = orjson.dumps(ask_json(room, None, found)) if "ask" in parts else NOTHING
    for member in room.members.values():
        if member.link is None or member is but:
            continue
        seat = member.seat
        if seat != member.told_as and game is not None:
            # Another seat, another view.
            member.link.send(state_frame(room, member))
            continue
        own = views[SPECTATOR if seat is None else seat] + common
        if "ask" in parts:
            mine = seat is not None and found is not None and found.seat in (None, seat)
            own += b',"ask":' + (orjson.dumps(ask_json(room, seat, found)) if mine else others)
        if "fair" in parts:
            own += b',"fair":' + orjson.dumps(fair_json(room, member))
        if "you" in parts:
            own += b',"you":' + orjson.dumps(you_json(room, member))
        if own:
            member.link.send(head + own + b"}")


def _of_the_game(room: Room, game: Game | None) -> tuple[list[bytes], bytes]:
    """What each place has not seen yet, and what goes with it for all."""
    if game is None:
        return [b""] * 5, b""
    told = game.told()
    first = told[SPECTATOR]
    shared = b',"view":' + orjson.dumps(first) if first else b""
    views = [shared if each == first else b',"view":' + orjson.dumps(each) if each else b"" for each in told]
    common = b""
    kinds = {event["e"] for event in first}
    if kinds & {"hand", "trump", "undo"}:
        common += b',"lanes":' + orjson.dumps(game.lanes())
    if game.dealt != room.told_dealt:
        room.told_dealt = game.dealt
        common += b',"dealt":%d' % game.dealt
    naming = game.naming
    if naming != room.told_naming:
        room.told_naming = naming
        common += b',"naming":' + orjson.dumps(naming)
    return views, common
