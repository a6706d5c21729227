"""Coming to a table and going: new people get a token, and with it come back as who they were."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import orjson

from gunzi.apps.web import showing
from gunzi.apps.web.commands import Done
from gunzi.apps.web.errors import No
from gunzi.apps.web.people import HUMAN, Link, Member, clean_name, new_token, token_hash
from gunzi.apps.web.seating import expect_host

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]


def new_member(room: Room, name: str) -> tuple[Member, str]:
    """Somebody new, with the token that is told once. Raises No where there is no room."""
    _make_room(room)
    token = new_token()
    member = Member(f"m{room.next_member}", name, token_hash(token))
    room.next_member += 1
    room.members[member.id] = member
    if room.host is None:
        room.host = member.id
    return member, token


def _make_room(room: Room) -> None:
    watching = sum(1 for each in room.members.values() if each.seat is None and each.link is not None)
    if watching >= room.limits.spectators and room.host is not None:
        raise No("full")
    if len(room.members) >= room.limits.members:
        gone = next((e for e in room.members.values() if e.link is None and e.seat is None and e.id != room.host), None)
        if gone is None:
            raise No("full")
        del room.members[gone.id]


async def enter(room: Room, link: Link, frame: Json, invited: bool) -> Member:
    """A ``hello``: somebody comes or comes back. Raises No."""
    token = frame.get("token")
    member = room.member_of(token) if token else None
    fresh = None
    if token and member is None:
        raise No("token")
    if member is None:
        if not (invited or room.settings["public"]):
            raise No("invite")
        if not room.settings["spectators"] and all(seat.kind == HUMAN for seat in room.seats):
            raise No("full")
        member, fresh = new_member(room, _name_of(frame.get("name"), room))
    if member.link is not None and member.link is not link:
        member.link.bye("replaced")
    member.link = link
    more: Json = {"member": member.id}
    if fresh is not None:
        more["token"] = fresh
        answer = await room.commit(Done(more, room=True), member, frame["id"])
    else:
        answer = orjson.dumps({"t": "ok", "re": frame["id"], "rev": room.rev, **more})
    assert answer is not None
    link.send(answer)
    expect_host(room)
    room.driver.plan()
    link.send(showing.state_frame(room, member))
    room.tell(frozenset({"room", "clock"}), but=member)
    return member


async def gone(room: Room, member: Member, link: Link) -> None:
    """A connection has ended."""
    if member.link is not link:
        return
    member.link, member.left_at = None, time.monotonic()
    expect_host(room)
    room.driver.plan()
    room.tell(frozenset({"room", "clock"}))


def _name_of(given: str | None, room: Room) -> str:
    """The name somebody comes with, or one for them. Raises No."""
    if given is None:
        return f"玩家{room.next_member}"
    name = clean_name(given)
    if name is None:
        raise No("name")
    return name
