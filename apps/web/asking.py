"""Requests that change nothing that is kept: is it allowed, what would a bot do, show me everything, a phrase."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import orjson

from gunzi.apps.web import showing
from gunzi.apps.web.errors import No
from gunzi.apps.web.game import Game
from gunzi.apps.web.people import Member
from gunzi.apps.web.protocol import PHRASES
from gunzi.apps.web.wire import act_of, refused_json, wire_of
from gunzi.errors import Refused

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]


def _ping(room: Room, member: Member, frame: Json) -> Json:
    return {"now": int(time.time() * 1000)}


def _sync(room: Room, member: Member, frame: Json) -> Json:
    if member.link is not None:
        member.link.send(showing.state_frame(room, member))
    return {}


def _check(room: Room, member: Member, frame: Json) -> Json:
    seat, game = room.seat_of(member), room.playing()
    found = game.question()
    assert found is not None
    ask = game.offer(seat) if found.kind == "deal" else found.ask if found.seat == seat else None
    act = act_of(frame["act"], ask)
    refused: Refused | None
    if found.kind == "deal":
        refused = _no_offer(game, seat, act)
    elif found.seat != seat:
        raise No("turn")
    elif ask is None:
        refused = None if wire_of(act) == {"act": "pass"} else game.table.hand.wrong_phase(seat, act)
    else:
        refused = ask.refusal(act)
    if refused is None:
        return {"legal": True}
    return {"legal": False, "refused": refused_json(refused, room.rules)}


def _no_offer(game: Game, seat: int, act: Any) -> Refused | None:
    hand = game.table.hand
    refusal: Refused | None = game.rules.phases[hand.index].refusal(hand, seat, act)  # type: ignore[attr-defined]
    return refusal


def _suggest(room: Room, member: Member, frame: Json) -> Json:
    seat, game = room.seat_of(member), room.playing()
    if not room.settings["suggest"]:
        raise No("off")
    return {"act": wire_of(*room.driver.advice(game, seat))}


def _phrase(room: Room, member: Member, frame: Json) -> Json:
    room.seat_of(member)
    if not room.settings["phrases"]:
        raise No("off")
    assert frame["phrase"] in PHRASES
    said = orjson.dumps({"t": "phrase", "member": member.id, "seat": member.seat, "phrase": frame["phrase"]})
    for each in room.members.values():
        if each.link is not None and not each.muted:
            each.link.send(said)
    return {}


def _mute(room: Room, member: Member, frame: Json) -> Json:
    member.muted = frame["on"]
    if member.link is not None:
        member.link.send(orjson.dumps({"t": "events", "rev": room.rev, "you": showing.you_json(room, member)}))
    return {}


READS: Final[dict[str, Callable[[Room, Member, Json], Json]]] = {
    "ping": _ping,
    "sync": _sync,
    "check": _check,
    "suggest": _suggest,
    "phrase": _phrase,
    "mute": _mute,
}
"""Requests that change nothing that is kept."""
