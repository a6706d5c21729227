"""Tables of the web server, played over real sockets: whole hands, turns, requests, timers, hosts, votes."""

from __future__ import annotations

import asyncio
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from web_harness import FAST, Json, advised, four_at, record_of, run, serving, simple, tried

from gunzi.apps.web.client import Client, Rejected, create
from gunzi.apps.web.frames import web_schema
from gunzi.loading import from_header, preset_ids
from gunzi.verifying import verify
from gunzi.views import view

SCHEMA = web_schema()
FRAMES = Draft202012Validator({"$ref": "#/$defs/frame", "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize("place", range(len(preset_ids())))
def test_four_clients_play_whole_hands_under_every_preset(place: int, tmp_path: Path) -> None:
    preset, shapes = preset_ids()[place], ("loose", "strict")[place % 2]
    heard: list[list[Json]] = [[] for _ in range(4)]

    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, lambda seat: heard[seat].append, rules=preset, set={"follow.shapes": shapes})
            watching: list[Json] = []
            invite = people[0].state["room"]["invite"]
            async with Client(server, people[0].table, invite=invite, name="看客", heard=watching.append) as spectator:
                await people[0].request("start")
                await asyncio.gather(*map(advised, people))
                await spectator.until(lambda state: state["room"]["phase"] == "over")
                record = await record_of(server, people[0])
                assert verify(record).hands == 1
                rules = from_header(record.header)
                assert rules.options["follow.shapes"] == shapes and rules.id == preset
                for seat, person in enumerate((*people, spectator)):
                    assert person.state["hand"]["view"] == view(rules, record.events, seat if seat < 4 else None)
                    sheet = person.state["score"]["sheet"]
                    assert [row["scores"] for row in sheet] == [record.events[-1]["scores"]]
                assert record.events[0]["fair"]["contributions"] == [
                    next(frame["value"] for frame in sent[seat] if frame["t"] == "contribute") for seat in range(4)
                ]
                heard.append(watching)
                for person in people:
                    await person.close()

    sent: list[list[Json]] = [[] for _ in range(4)]
    original = Client._send

    async def send(self: Client, frame: Json) -> None:
        seat = self.state.get("you", {}).get("seat")
        if seat is not None:
            sent[seat].append(frame)
        await original(self, frame)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "_send", send)
        run(play())
    for frames in heard:
        seen: set[Any] = set()
        for frame in frames:
            shape = (frame["t"], *sorted(frame), (frame.get("ask") or {}).get("kind"))
            if shape not in seen:  # each kind of frame once: the schema is slow
                seen.add(shape)
                FRAMES.validate(frame)


def test_a_stranger_cannot_do_what_another_seat_is_asked(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="yuwang", settings={"hands": 0})
            spectator = Client(server, people[0].table, invite=people[0].state["room"]["invite"])
            await spectator.connect()
            await people[0].request("start")
            tried_at: set[str] = set()
            every = {"deal", "pay", "return", "bury", "bury_kings", "pick", "lead", "follow"}

            async def declare_for(other: Client, acts: list[Json]) -> None:
                """Claim or declare with cards that only somebody else has been dealt."""
                own = [event["card"] for event in other.state["hand"]["view"] if event["e"] == "deal"]
                for act in acts:
                    if not set(act.get("cards", [act.get("card")])) & set(own):
                        tried_at.add("deal")
                        with pytest.raises(Rejected) as no:
                            await other.request("act", act=act)
                        assert no.value.code in ("refused", "seated", "stale", "turn")

            async def meddle(other: Client, ask: Json) -> None:
                cards = (ask.get("lit") or ["S3"])[: ask.get("count") or 1]
                acts = [{"act": kind, "cards": cards} for kind in ("pay", "return", "bury", "pick", "play")]
                acts += [{"act": "pass"}, {"act": "bury_kings", "kings": ["BJ"]}, {"act": "choose", "k": 0}]
                room = hub.rooms[other.table]
                before = room.rev
                for act in acts:
                    for q in (ask["q"], ask["q"] + 1, 0):
                        with pytest.raises(Rejected) as no:
                            await other.request("act", q=q, act=act)
                        assert no.value.code in ("turn", "stale", "seated")
                        assert "cards" not in (no.value.refused or {})
                with pytest.raises(Rejected):
                    await other.request("suggest")
                for request in ("kick", "fill", "settings", "rules", "start", "rematch"):
                    keys: Json = {"kick": {"seat": 0}, "settings": {"settings": {"rounds": 2}}}.get(request, {})
                    with pytest.raises(Rejected):
                        await other.request(request, **keys)
                assert room.rev == before

            async def careful(person: Client) -> None:
                async for ask in person.asks():
                    if tried_at >= every:
                        break
                    if ask["kind"] == "between":
                        await tried(person.request("next"))
                        continue
                    if ask["kind"] not in ("deal", *tried_at):
                        tried_at.add(ask["kind"])
                        seat = person.state["you"]["seat"]
                        for other in (people[(seat + 1) % 4 or 1], spectator):
                            if other is not person:
                                await meddle(other, ask)
                    if ask["kind"] == "deal":
                        if ask["acts"] and "deal" not in tried_at:
                            for other in (*people, spectator):
                                if other is not person:
                                    await declare_for(other, ask["acts"])
                        if ask["closing"] and not ask["passed"]:
                            await tried(person.request("act", act={"act": "pass"}))
                    elif ask["kind"] == "bury_kings" and ask["acts"]:
                        await person.answer(ask, ask["acts"][0])
                    else:
                        if await tried(person.answer(ask, ask.get("forced") or simple(ask))) is None:
                            act = (await person.request("suggest"))["act"]
                            await person.answer(ask, act)

            tasks = [asyncio.create_task(careful(person)) for person in people]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            assert all(task.exception() is None for task in done) and tried_at >= every
            for task in tasks:
                task.cancel()
            for person in (*people, spectator):
                await person.close()

    run(play())


def test_a_request_counts_once_and_stale_ones_get_the_present_state(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub):
            people = await four_at(server, rules="dalian")
            first = await people[1].request("ready", id="once", on=False)
            again = await people[1].request("ready", id="once", on=False)
            assert first == again
            assert (await people[1].request("ready", id="once", on=True)) == first
            assert not people[1].state["room"]["seats"][1]["ready"]
            await people[1].request("ready", on=True)
            await people[0].request("start")
            state = await people[0].until(lambda state: (state["ask"] or {}).get("kind") == "bury")
            asked = people[state["ask"]["seat"]]
            ask = (await asked.until(lambda state: state["ask"]["kind"] == "bury"))["ask"]
            act = (await asked.request("suggest"))["act"]
            rev = hub.rooms[asked.table].rev
            told = await asked.request("act", id="bury", q=ask["q"], act=act)
            assert told["rev"] == rev + 1
            assert await asked.request("act", id="bury", q=ask["q"], act=act) == told
            states = []
            asked.heard = lambda frame: states.append(frame) if frame["t"] == "state" else None
            with pytest.raises(Rejected) as no:
                await asked.request("act", q=ask["q"], act=act)
            assert no.value.code == "stale"
            await asked.request("ping")
            assert len(states) == 1 and states[0]["ask"]["q"] == told["rev"] == hub.rooms[asked.table].rev
            for person in people:
                await person.close()

    run(play())


def test_a_seat_in_time_and_out_of_time(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            settings = {"think_ms": 40, "bury_ms": 40, "kings_ms": 40, "auto_after": 2, "between_ms": 40, "hands": 2}
            people = await four_at(server, rules="yuwang", settings=settings)
            await people[0].request("start")
            state = await people[0].until(lambda state: state["clock"] and state["clock"]["for"] == "act")
            assert state["clock"]["total"] == 40 >= state["clock"]["left"]
            state = await people[0].until(lambda state: any(seat["auto"] for seat in state["room"]["seats"]))
            late = next(place for place, seat in enumerate(state["room"]["seats"]) if seat["auto"])
            await people[late].request("auto", on=False)
            assert not people[late].state["you"]["auto"]
            await people[0].until(lambda state: state["room"]["phase"] == "over")
            assert len(people[0].state["score"]["sheet"]) == 2
            record = await record_of(server, people[1])
            assert verify(record).hands == 2
            first = await record_of(server, people[1], hand=1)
            assert verify(first).hands == 1 and record.events[: len(first.events)] == first.events
            for person in people:
                await person.close()

    run(play())


def test_one_person_and_three_bots_and_all_that_a_host_does(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            made = await create(server, player="主", rules="dalian", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            guest = Client(server, made["table"], invite=made["invite"], name="  客 人  ")
            await guest.connect()
            assert guest.state["you"]["name"] == "客 人"
            await host.request("sit", seat=1)
            for refused, keys in (("sit", {"seat": 1}), ("start", {}), ("stand", {}), ("host", {"member": "m1"})):
                with pytest.raises(Rejected):
                    await guest.request(refused, **keys)
            await guest.request("sit", seat=3)
            await host.until(lambda state: state["room"]["seats"][3]["kind"] == "human")
            await host.request("swap", seat=0)
            assert host.state["you"]["seat"] == 0
            await host.request("swap", seat=3)
            assert host.state["room"]["swaps"] == [[0, 3]] and host.state["you"]["seat"] == 0
            await guest.request("swap", seat=0)
            await host.until(lambda state: state["you"]["seat"] == 3)
            with pytest.raises(Rejected) as no:
                await host.request("start")
            assert no.value.code == "not_ready"
            await host.request("fill", bot="steady", pace="fast")
            await host.request("settings", settings={"hands": 1, "history": False})
            with pytest.raises(Rejected):
                await host.request("settings", settings={"hands": -1})
            await host.request("rules", rules="yuwang", set={"follow.shapes": "strict"})
            assert host.state["room"]["rules"]["id"] == "yuwang"
            with pytest.raises(Rejected) as no:
                await host.request("rules", rules="/etc/passwd")
            assert no.value.code == "rules"
            await guest.until(lambda state: state["room"]["rules"]["id"] == "yuwang")
            await guest.request("ready", on=True)
            await guest.request("phrase", phrase="hello")
            await host.request("start")
            await host.until(lambda state: state["room"]["phase"] == "playing")
            await guest.request("leave")
            await host.until(lambda state: state["room"]["seats"][0]["auto"])
            await host.request("kick", member=guest.member)
            state = await host.until(lambda state: state["room"]["seats"][0]["kind"] == "bot")
            again = Client(server, made["table"], invite=made["invite"], name="又来")
            await again.connect()
            # In play, as before the start: who has no seat may have a bot's.
            await again.request("sit", seat=0)
            assert any(event["e"] == "deal" for event in again.state["hand"]["view"]) or state["hand"]["dealt"] == 0
            await again.request("sync")
            await asyncio.gather(advised(host), advised(again))
            assert host.state["room"]["phase"] == "over"
            await host.request("rematch")
            state = await again.until(lambda state: state["room"]["phase"] == "lobby")
            assert state["hand"] is None and state["score"]["sheet"] == []
            await again.request("stand")
            await host.request("fill")
            with pytest.raises(Rejected) as no:
                await host.request("sit", seat=0)  # who has one moves with `swap`
            assert no.value.code == "seat"
            await again.request("sit", seat=0)
            state = await host.until(lambda state: state["room"]["seats"][0]["member"] == again.member)
            assert not state["room"]["seats"][0]["ready"]
            await host.request("host", member=again.member)
            await host.request("leave")
            await again.request("fill")
            await again.request("start")
            await advised(again)
            assert again.state["room"]["game"] == 2
            for person in (host, guest, again):
                await person.close()

    run(play())


def test_all_that_changes_is_told_and_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            made = await create(server, player="主", rules="baike", settings=FAST)
            host = Client(server, made["table"], token=made["token"])
            await host.connect()
            guest = Client(server, made["table"], invite=made["invite"], name="客")
            await guest.connect()

            async def done(person: Client, refused: str, t: str, **keys: Any) -> None:
                """A request, after which both have been told all that a fresh look shows."""
                if refused:
                    before = deepcopy(person.state)
                    with pytest.raises(Rejected) as no:
                        await person.request(t, **keys)
                    assert no.value.code == refused and person.state == before, t
                else:
                    await person.request(t, **keys)
                for each in (host, guest):
                    if each is person or each.state["rev"] < person.rev:
                        await each.until(lambda state: state["rev"] >= person.rev)
                    told = {key: each.state[key] for key in ("you", "room", "score")}
                    await each.request("sync")
                    assert told == {key: each.state[key] for key in told}, t

            for seat, person in enumerate((host, guest)):
                await done(person, "", "sit", seat=seat)
            await done(host, "", "rules", rules="yuwang")  # which has no titles
            await done(host, "", "rules", rules="dalian", set={"levels.start": 5, "levels.must_play": []})
            assert guest.state["score"]["levels"] == [5, 5] and guest.state["score"]["titles"][0]
            await done(host, "", "settings", settings={"hands": 2})
            await done(guest, "host", "settings", settings={"hands": 3})
            await done(host, "", "host", member=guest.member)
            await done(guest, "", "fill")
            await guest.close()  # who is away is still host, whatever the one who stands in tries
            await host.until(lambda state: not state["room"]["seats"][1]["online"])
            guest = host
            await done(host, "settings", "settings", settings={"hands": -1})
            await done(host, "", "settings", settings={"hands": 4})
            assert not host.state["you"]["host"]
            await host.close()

    run(play())


def test_an_act_is_taken_back_when_the_others_agree(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _):
            people = await four_at(server, rules="dalian")
            await people[0].request("start")
            waiting = [asyncio.create_task(play_on_until_lead(person)) for person in people]
            await asyncio.gather(*waiting)
            leader = people[people[0].state["ask"]["seat"]]
            others = [person for person in people if person is not leader]
            before = leader.state["hand"]["view"]
            ask = leader.state["ask"]
            await leader.answer(ask, {"act": "play", "cards": ask["lit"][:1]})
            with pytest.raises(Rejected) as no:
                await others[0].request("take_back")
            assert no.value.code == "nothing"
            await leader.request("take_back")
            await others[0].until(lambda state: state["vote"] is not None)
            await others[0].request("vote", agree=False)
            await leader.until(lambda state: state["vote"] is None)
            await leader.request("take_back")
            for person in others:
                await person.until(lambda state: state["vote"] is not None)
                await person.request("vote", agree=True)
            state = await leader.until(lambda state: state["hand"]["view"][-1]["e"] == "undo")
            seats = sorted(person.state["you"]["seat"] for person in people)
            assert state["hand"]["view"][-1]["agreed"] == seats
            assert state["ask"]["kind"] == "lead" and sorted(state["ask"]["lit"]) == sorted(ask["lit"])
            assert state["hand"]["view"][: len(before)] == before
            with pytest.raises(Rejected) as no:
                await leader.request("early")
            assert no.value.code == "open"
            await asyncio.gather(*map(advised, people))
            assert verify(await record_of(server, people[0])).hands == 1
            for person in people:
                await person.close()

    run(play())


async def play_on_until_lead(person: Client) -> None:
    """Answer what comes before the first lead."""
    while True:
        state = await person.until(lambda state: state["ask"] is not None)
        ask = state["ask"]
        if ask["kind"] == "lead":
            return
        if ask["kind"] == "deal" and ask["closing"] and not ask["passed"]:
            await tried(person.request("act", act={"act": "pass"}))
        elif ask["mine"] and ask["kind"] != "deal":
            await tried(person.answer(ask, (await person.request("suggest"))["act"]))
        else:
            rev = person.rev
            await person.until(lambda state, rev=rev: state["rev"] != rev or state["ask"]["kind"] == "lead")


@pytest.mark.parametrize("page", ["web-protocol.md", "web-protocol.zh.md"])
def test_the_first_client_of_the_documentation_plays_a_game(page: str, tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parent.parent / "docs" / page).read_text(encoding="utf-8")
    (tmp_path / "client.py").write_text(text.split("```py\n")[1].split("```")[0], encoding="utf-8")

    async def play() -> None:
        async with serving(tmp_path, bot_delay=0) as (server, hub):
            process = await asyncio.create_subprocess_exec(sys.executable, str(tmp_path / "client.py"), server)
            while not any(room.phase == "playing" for room in hub.rooms.values()):
                await asyncio.sleep(0.05)
            room = next(iter(hub.rooms.values()))
            room.settings = {**room.settings, "deal_ms": 1, "window_ms": 50, "between_ms": 50, "kings_ms": 50}
            assert await process.wait() == 0
            assert room.phase == "over"

    run(play())
