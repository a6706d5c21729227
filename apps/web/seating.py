"""What people do at a table beside playing: sit, get ready, fill seats, set things, begin, leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from gunzi.apps.players import PLAYERS
from gunzi.apps.web.commands import BROKEN, LOBBY, OVER, PLAYING, SHUFFLE, Done
from gunzi.apps.web.errors import No, Said
from gunzi.apps.web.people import BOT, FREE, HUMAN, Member, clean_name
from gunzi.apps.web.ruling import rules_or_no
from gunzi.apps.web.showing import card_of
from gunzi.apps.web.table_settings import BadSettings, changed
from gunzi.apps.web.voting import Shuffle

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]
ROOM: Final = frozenset({"room"})
SEATED: Final = frozenset({"room", "you", "ask", "clock"})
HOST_AWAY_S: Final = 20.0
"""How long a host may be away, say to load the page again, before another becomes host."""


def expect_host(room: Room) -> None:
    """A host who is away, except in play, has ``HOST_AWAY_S`` to come back before another becomes host."""
    host = room.members.get(room.host or "")
    if host is None or host.link is not None or room.phase == PLAYING:
        return

    async def stays_away() -> None:
        if _pass_on_host(room):
            await room.commit(Done(room=True))
            room.tell(frozenset({"room", "you"}))

    left = max(0.0, HOST_AWAY_S - host.away())
    asyncio.get_running_loop().call_later(left + 0.1, room.put, stays_away)


def _pass_on_host(room: Room) -> bool:
    """A host who has been away too long hands over to who is there longest; did the host change?"""
    host = room.members.get(room.host or "")
    if host is not None and (host.link is not None or room.phase == PLAYING or host.away() < HOST_AWAY_S):
        return False
    heir = next((each for each in room.members.values() if each.link is not None), None)
    if heir is None:
        return False
    room.host = heir.id
    return True


def has_place_for(room: Room, member: Member | None) -> bool:
    """May somebody (None: somebody new) be here? Where nobody may watch, only who has a seat, could take one, or is host."""
    if room.settings["spectators"] or (member is not None and (member.seat is not None or member.id == room.host)):
        return True
    bots = not room.in_play or bool(room.settings["join"])
    return any(seat.kind == FREE or (bots and seat.kind == BOT) for seat in room.seats)


def _show_out(room: Room) -> None:
    """The seats are taken: where nobody may watch, whoever has none goes."""
    for member in room.members.values():
        if member.link is not None and not has_place_for(room, member):
            link, member.link = member.link, None
            link.bye("full")


def _name(room: Room, member: Member, frame: Json) -> Done:
    name = clean_name(frame["name"])
    if name is None:
        raise No("name")
    member.name = name
    if member.seat is not None:
        room.seats[member.seat].name = name
    return Done(room=True, parts=frozenset({"room", "you"}))


def _sit(room: Room, member: Member, frame: Json) -> Done:
    place = frame["seat"]
    seat = room.seats[place]
    room.check_phase(LOBBY, PLAYING, OVER)
    if room.phase == PLAYING:
        if not room.settings["join"] and member.id != room.host:
            raise No("off")
        if member.seat is not None or seat.kind != BOT:
            raise No("seat")
    elif seat.kind == HUMAN or (seat.kind == BOT and member.seat is not None):
        raise No("seat")
    elif member.seat is not None:
        room.seats[member.seat].clear()
    seat.take(member)
    member.seat = place
    if room.phase == PLAYING:
        _show_out(room)
    _reseated(room)
    return Done(room=True, parts=SEATED)


def _stand(room: Room, member: Member, frame: Json) -> Done:
    room.check_phase(LOBBY, OVER)
    place = room.seat_of(member)
    room.seats[place].clear()
    member.seat = None
    _reseated(room)
    return Done(room=True, parts=SEATED)


def _swap(room: Room, member: Member, frame: Json) -> Done:
    room.check_phase(LOBBY)
    if frame["seating"] != room.seating:
        raise No("stale", resync=True)
    other = frame["seat"]
    if "with" in frame:
        room.check_host(member)
        return _exchange(room, other, frame["with"])
    own = room.seat_of(member)
    if own == other:
        raise No("seat")
    if room.seats[other].kind != HUMAN or room.swaps.get(other) == own:
        return _exchange(room, own, other)
    room.swaps[own] = other
    return Done(parts=ROOM)


def _exchange(room: Room, one: int, other: int) -> Done:
    seats = room.seats
    seats[one], seats[other] = seats[other], seats[one]
    for place in (one, other):
        holder = room.members.get(seats[place].member or "")
        if holder is not None:
            holder.seat = place
    _reseated(room)
    return Done(room=True, parts=SEATED)


def _reseated(room: Room) -> None:
    """Somebody sits elsewhere than before: whoever asks for a seat has to look again who has it."""
    room.swaps.clear()
    room.seating = room.rev + 1


def _ready(room: Room, member: Member, frame: Json) -> Done:
    room.check_phase(LOBBY)
    place = room.seat_of(member)
    if frame["rules"] != room.card["hash"]:
        raise No("stale", resync=True)
    room.seats[place].ready = frame["on"]
    return Done(room=True, parts=ROOM)


def _fill(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(LOBBY, PLAYING)
    bot = PLAYERS.get(frame.get("bot", "steady"))
    if bot is None:
        raise No("member")
    place = frame.get("seat")
    pace = frame.get("pace", "normal")
    places = [place] if place is not None else [at for at, seat in enumerate(room.seats) if seat.kind == FREE]
    for at in places:
        if room.seats[at].kind == HUMAN and (room.phase == LOBBY or room.attends(at)):
            raise No("seat")
        if room.seats[at].kind == HUMAN and room.seats[at].member != frame.get("member"):
            raise No("stale", resync=True)
    for at in places:
        _out_of_seat(room, at)
        room.seats[at].fill(bot.name, pace, f"{bot.title.zh} {at}")
    _reseated(room)
    return Done(room=True, parts=SEATED)


def _out_of_seat(room: Room, place: int) -> None:
    holder = room.members.get(room.seats[place].member or "")
    if holder is not None:
        holder.seat = None


def _kick(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(LOBBY, PLAYING, OVER, BROKEN)
    place = frame.get("seat")
    who = room.members.get(frame.get("member", ""))
    if who is None and place is not None:
        if room.seats[place].kind == HUMAN:
            # A seat names the bot in it: a person who has come since is not meant.
            raise No("stale", resync=True)
        if room.seats[place].kind != BOT or room.in_play:
            raise No("member")
        room.seats[place].clear()
        _reseated(room)
        return Done(room=True, parts=ROOM)
    if who is None or who is member:
        raise No("member")
    if who.seat is not None:
        seat = room.seats[who.seat]
        if room.in_play:
            seat.fill("steady", "normal", f"{PLAYERS['steady'].title.zh} {who.seat}")
        else:
            seat.clear()
    del room.members[who.id]
    if who.link is not None:
        link, who.link = who.link, None
        link.bye("kicked")
    _reseated(room)
    return Done(room=True, parts=SEATED)


def _host(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    heir = room.members.get(frame["member"])
    if heir is None:
        raise No("member")
    room.host = heir.id
    return Done(room=True, parts=frozenset({"room", "you"}))


def _settings(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(LOBBY, OVER)
    try:
        room.settings = changed(room.settings, frame["settings"])
    except BadSettings as wrong:
        raise Said("settings", wrong.text) from None
    return Done(room=True, parts=ROOM)


def _rules(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(LOBBY, OVER)
    # Nothing but these keys, and what is named no rules is laid over those in force.
    rules = rules_or_no({key: frame.get(key) for key in ("rules", "set")}, room.card["code"])
    room.card, room.kept_rules = card_of(rules), rules.as_json()
    room.rules, room.rules_gone = rules, None
    for seat in room.seats:
        # Whoever was ready was so for other rules.
        seat.ready = seat.kind == BOT
    return Done(room=True, parts=frozenset({"room", "score"}))  # other titles, another level to start from


def _start(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(LOBBY)
    if room.rules_gone is not None:
        raise Said("rules", room.rules_gone)
    for seat in room.seats:
        if seat.kind == FREE or not (seat.ready or seat.member == member.id):
            raise No("not_ready")
    room.phase, room.shuffle = SHUFFLE, Shuffle.fresh(1, 0)
    _show_out(room)
    return Done(room=True, parts=frozenset({"room", "fair", "clock"}))


def _next(room: Room, member: Member, frame: Json) -> Done:
    place = room.seat_of(member)
    game = room.playing()
    if not game.table.between:
        raise No("phase")
    game.check_asked(frame["q"])
    room.passed.add(place)
    return Done(parts=frozenset({"ask", "clock"}))


def _auto(room: Room, member: Member, frame: Json) -> Done:
    place = room.seat_of(member)
    room.playing()
    seat = room.seats[place]
    seat.auto, seat.late = frame["on"], 0
    return Done(room=True, parts=SEATED)


def _rematch(room: Room, member: Member, frame: Json) -> Done:
    room.check_host(member)
    room.check_phase(OVER, BROKEN)
    room.kept_phase = None
    room.phase, room.game, room.shuffle, room.error, room.trace = LOBBY, None, None, None, ""
    for seat in room.seats:
        seat.ready, seat.auto, seat.late = seat.kind == BOT, False, 0
    return Done(room=True, parts=frozenset({"room", "score", "ask", "clock", "fair", "you", "hand"}))


def _leave(room: Room, member: Member, frame: Json) -> Done:
    if member.seat is not None:
        seat = room.seats[member.seat]
        if room.in_play:
            seat.auto = True
        else:
            seat.clear()
            member.seat = None
    _reseated(room)
    if member.id == room.host:
        heir = next((each for each in room.members.values() if each.link is not None and each is not member), None)
        if heir is not None:
            room.host = heir.id
    return Done(room=True, parts=SEATED)


HANDLERS: Final[dict[str, Callable[[Room, Member, Json], Done]]] = {
    "name": _name,
    "sit": _sit,
    "stand": _stand,
    "swap": _swap,
    "ready": _ready,
    "fill": _fill,
    "kick": _kick,
    "host": _host,
    "settings": _settings,
    "rules": _rules,
    "start": _start,
    "next": _next,
    "auto": _auto,
    "rematch": _rematch,
    "leave": _leave,
}
