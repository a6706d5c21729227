"""Every byte a room sends: to each seat and to a spectator, its view of the core and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path

import orjson
import pytest
from web_harness import FAST, Json, run

from gunzi.apps.web.commands import Done, Limits
from gunzi.apps.web.databases import open_store
from gunzi.apps.web.entering import new_member
from gunzi.apps.web.people import Member
from gunzi.apps.web.room import Room
from gunzi.loading import from_header, load, preset_ids
from gunzi.views import view

DEALS = int(os.environ.get("GUNZI_REDACTION_DEALS", "12"))
"""By hand: fifty."""
CARD = re.compile(rb'"(?:[SHCD][2-9TJQKA]|BJ|LJ)"')
EVERYBODY_KNOWS = ("lanes", "naming")


class Ear:
    """A connection that keeps every frame, and looks at each when it comes."""

    def __init__(self, room: Room, place: int) -> None:
        self.room = room
        self.place = place
        self.frames: list[bytes] = []
        self.seen: list[Json] = []
        self.kinds: set[str] = set()
        self.disclosed = 0
        self.member: Member | None = None

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)
        found: Json = orjson.loads(frame)
        hand = found.get("hand") or found
        if found["t"] == "state":
            self.seen = list(hand.get("view", ()))
        else:
            self.seen += found.get("view", ())
        self.look_at_secrets([event["e"] for event in hand.get("view", ())])
        ask = found.get("ask")
        if ask is not None:
            self.look_at(ask)
        if found.get("fair") and found["fair"]["wanted"]:
            fair = {
                "t": "contribute",
                "id": os.urandom(8).hex(),
                "hash": found["fair"]["hash"],
                "value": os.urandom(32).hex(),
            }
            self.room.put((self.member, self, fair))
        rest = {key: value for key, value in found.items() if key not in ("hand", "view", "ask", *EVERYBODY_KNOWS)}
        assert not CARD.search(json.dumps(rest).encode()), rest

    def look_at_secrets(self, kinds: list[str]) -> None:
        """Private cards come to a spectator once the hand is settled, in the very frame that says so, and never to a seat."""
        for place, kind in enumerate(kinds):
            if kind == "disclose":
                assert self.place == 4 and kinds[place - 1] == "settle"
                self.disclosed += 1
            elif kind == "deal":
                assert self.place < 4

    def look_at(self, ask: Json) -> None:
        """A question shows its own seat's cards to that seat alone."""
        table = self.room.game.table if self.room.game else None
        if not ask["mine"]:
            assert set(ask) <= {"q", "kind", "seat", "mine", "closing"}
            return
        assert table is not None and self.place < 4 and ask["seat"] in (None, self.place)
        self.kinds.add(ask["kind"])
        own = [str(card) for card in table.hand.cards_of(self.place)]
        if ask["kind"] == "pick":
            own += [str(card) for card in table.hand.bottom]
        shown = {card.decode().strip('"') for card in CARD.findall(json.dumps(ask).encode())}
        assert shown <= set(own)

    def bye(self, code: str) -> None:
        raise AssertionError(code)


@pytest.mark.parametrize("preset", preset_ids())
def test_every_byte_is_the_view_of_the_core(preset: str, tmp_path: Path) -> None:
    deals = max(1, DEALS // len(preset_ids()))

    async def play() -> None:
        store = open_store(str(tmp_path / "t.db"), "normal")
        await store.open()
        room = Room("t", store, load(preset), Limits(), lambda: None)
        room.settings = {**room.settings, **FAST, "hands": deals}
        room.driver.hurry = 0.0
        task = asyncio.create_task(room.run())
        ears, members, tokens = [], [], []
        for place in range(5):
            member, token = new_member(room, f"人{place}")
            ear = Ear(room, place)
            member.link, ear.member = ear, member
            if place < 4:
                room.seats[place].take(member)
                member.seat = place
                room.seats[place].ready = room.seats[place].auto = True
            ears.append(ear)
            members.append(member)
            tokens.append(token.encode())
        await room.commit(Done(room=True))
        events: list[Json] = []
        room.put((members[0], ears[0], {"t": "start", "id": "s"}))
        while room.phase != "over":
            await asyncio.sleep(0.02)
            assert not room.error, (room.error, room.trace)
        told = asyncio.Event()

        async def after_the_end() -> None:
            told.set()

        room.put(after_the_end)  # the table is over before that is written and told
        await told.wait()
        for body in await store.journal("t", 1):
            events += [row for row in orjson.loads(body)["rows"] if "n" in row]
        assert room.header is not None
        rules = from_header(room.header)
        for place, ear in enumerate(ears):
            assert ear.seen == view(rules, events, place if place < 4 else None)
            sent = b"\n".join(ear.frames)
            assert not any(token in sent for token in tokens)
            assert place == 4 or b'"deck"' not in sent
            assert place < 4 or ear.disclosed >= deals
            opened = [frame for frame in ear.frames if b'"deck"' in frame or b'"fair_seed"' in frame]
            assert all(b'"e":"settle"' in frame for frame in opened)
            assert place == 4 or {"follow", "deal"} <= ear.kinds
        # Not every seat wins a trick in two hands: all together have been asked everything.
        assert {"lead", "follow", "deal"} <= set[str]().union(*(ear.kinds for ear in ears))
        assert sum(event["e"] == "settle" for event in events) == deals
        for member in members:
            member.link = None
        room.close("closing")
        await task
        await store.close()

    run(play(), 600)
