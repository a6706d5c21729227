"""Coming to a table and going: new people get a token, and with it come back as who they were."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import orjson

from gunzi.apps.web import showing
from gunzi.apps.web.commands import Done
from gunzi.apps.web.errors import No
from gunzi.apps.web.people import Link, Member, clean_name, new_token, token_hash
from gunzi.apps.web.seating import expect_host, has_place_for

if TYPE_CHECKING:
    from gunzi.apps.web.room import Room

Json = dict[str, Any]


def new_member(room: Room, name: str) -> tuple[Member, str]:
    """Somebody new, with the token that is told once. Raises No where there is no room."""
    if len(room.members) >= room.limits.members:
        gone = next((e for e in room.members.values() if e.link is None and e.seat is None and e.id != room.host), None)
        if gone is None:
            raise No("full")
        del room.members[gone.id]
    token = new_token()
    member = Member(f"m{room.next_member}", name, token_hash(token))
    room.next_member += 1
    room.members[member.id] = member
    if room.host is None:
        room.host = member.id
    return member, token


def _expect_a_place(room: Room, member: Member | None) -> None:
    """Is there a place for somebody who comes (None: somebody new) or comes back? Raises No."""
    if not has_place_for(room, member):
        raise No("full")
    if member is not None and (member.seat is not None or member.id == room.host):
        return
    others = [each for each in room.members.values() if each.seat is None and each is not member]
    if sum(each.link is not None for each in others) >= room.limits.spectators:
        raise No("full")


async def enter(room: Room, link: Link, frame: Json, invited: bool) -> Member:
    """A ``hello``: somebody comes or comes back. Raises No."""
    token = frame.get("token")
    member = room.member_of(token) if token else None
    fresh = None
    if token and member is None:
        raise No("token")
    if member is None and not (invited or room.settings["public"]):
        raise No("invite")
    _expect_a_place(room, member)
    if member is None:
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


async def gone(room: Room, link: Link) -> None:
    """A connection has ended. Whose it was, if anybody's, the room knows: also of one that ended while its hello was in the queue."""
    member = next((each for each in room.members.values() if each.link is link), None)
    if member is None:
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
