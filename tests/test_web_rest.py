"""The web server over REST: rules, records, the lobby, and what each route answers to junk."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
from jsonschema import Draft202012Validator
from web_harness import Json, run, serving

from gunzi.apps.web.app import ROUTES
from gunzi.apps.web.client import Client, create
from gunzi.apps.web.openapi import openapi

ROOT = Path(__file__).resolve().parent.parent


def test_rules_over_rest(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, _), aiohttp.ClientSession() as session:

            async def get(path: str, status: int = 200) -> Any:
                async with session.get(server + path) as response:
                    assert response.status == status, await response.text()
                    return await response.json() if "json" in response.content_type else await response.text()

            async def post(path: str, body: Any, status: int = 200) -> Any:
                async with session.post(server + path, json=body) as response:
                    assert response.status == status, await response.text()
                    return await response.json()

            presets = await get("/api/presets")
            assert [each["id"] for each in presets][0] == "base" and len(presets) == 7
            editor = await get("/api/options")
            options = [option for group in editor["groups"] for option in group["options"]]
            base = next(each for each in presets if each["base"])
            found = await post("/api/rules", {"rules": base["code"]})
            assert [option["option"] for option in options] == [
                option["option"] for option in found["rules"]["options"]
            ]
            for option in options:
                for value in option["values"]:
                    assert Draft202012Validator(option["schema"]).is_valid(value["value"])
            assert (await get("/api/options?id=follow.shapes"))["examples"]
            assert "follow.shapes" in (await get("/api/options?id=folow.shapes", 404))["en"]
            changed = await post("/api/rules", {"rules": "yuwang", "set": {"follow.shapes": "strict"}})
            assert changed["ok"] and any(each["option"] == "follow.shapes" for each in changed["rules"]["differs"])
            hash, code = changed["rules"]["hash"], changed["rules"]["code"]
            assert (await get(f"/api/rules/{hash}"))["code"] == code
            text = await get(f"/api/rules/{hash}/yaml?id=our-house")
            again = await post("/api/rules", {"yaml": text})
            assert again["rules"]["hash"] == hash and again["rules"]["id"] == "our-house"
            assert "打滚子" in await get(f"/api/rules/{hash}/book?lang=zh")
            wrong = await post("/api/rules", {"yaml": "gunzi: 1\nid: x\nextends: yuwang\nfollow: {shapes: strikt}\n"})
            assert (
                not wrong["ok"] and wrong["problems"][0]["line"] == 4 and wrong["problems"][0]["suggestion"] == "strict"
            )
            assert not (await post("/api/rules", {"yaml": "extends: /etc/passwd\n"}))["ok"]
            assert not (await post("/api/rules", {"yaml": "a: " + "x" * 70_000}))["ok"]
            table = await post(
                "/api/compare", {"rules": ["yuwang", "boke", {"rules": "dalian", "set": {"reveal.pick": "max"}}]}
            )
            assert len(table["sets"]) == 3 and all(len(row["values"]) == 3 for row in table["rows"])
            answers: Json = {}
            for _ in range(20):
                asked = await post("/api/pick", {"answers": answers})
                if asked["question"] is None:
                    break
                option = asked["question"]["option"]
                answers[option] = next(row for row in found["rules"]["options"] if row["option"] == option)["value"]
            assert asked["question"] is None and len(asked["nearest"]) == 6
            hand = {
                "dealer": 0,
                "trump": "H",
                "points": 85,
                "captured": False,
                "bottom": ["BJ", "LJ", "C7", "C8", "D8", "D9"],
                "dry": False,
            }
            sheet = await post(
                "/api/score", {"rules": "yuwang", "players": list("甲乙丙丁"), "hands": [hand, {"trump": "S"}]}
            )
            assert sheet["rows"][0]["result"]["explain"] and sheet["wrong"]["hand"] == 2 and sheet["standing"]["wanted"]

    run(play())


def test_the_rules_of_a_table_can_always_be_read(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub), aiohttp.ClientSession() as session:
            made = await create(server, player="甲", rules="dalian")
            async with Client(server, made["table"], token=made["token"]) as host:
                for keys in ({"rules": "yuwang"}, {"rules": "boke", "set": {"follow.shapes": "strict"}}):
                    await host.request("rules", **keys)
                    hash = host.state["room"]["rules"]["hash"]
                    for part in ("", "/book", "/yaml"):
                        async with session.get(f"{server}/api/rules/{hash}{part}") as response:
                            assert response.status == 200, (keys, part)
                # Options by themselves are laid over the rules in force; keys that the protocol has not are no keys.
                await host.request("rules", set={"levels.threshold": 100}, yaml="gunzi: 1")
                found = {row["option"]: row["value"] for row in host.state["room"]["rules"]["differs"]}
                assert found["levels.threshold"] == 100 and found["follow.shapes"] == "strict"
                assert host.state["room"]["rules"]["id"] == "boke"
                hash = host.state["room"]["rules"]["hash"]
                for low in range(0, 300):  # others look at more rules than are remembered
                    asked = {
                        "rules": "dalian",
                        "set": {
                            "tribute.kings": {"big": low % 10, "small": low // 10 % 10},
                            "deck.packs": 3,
                            "capture.multiplier": 1 + low // 100,
                        },
                    }
                    async with session.post(f"{server}/api/rules", json=asked) as response:
                        assert (await response.json())["ok"]
                async with session.get(f"{server}/api/rules/{hash}") as response:
                    assert response.status == 200 and (await response.json())["hash"] == hash

    run(play())


def test_every_route_answers_junk_as_it_says(tmp_path: Path) -> None:
    description = openapi(ROUTES)
    junk: list[Any] = [
        None,
        [],
        "x",
        7,
        {},
        {"rules": 5},
        {"rules": {}},
        {"set": []},
        {"yaml": 3},
        {"answers": [1]},
        {"answers": {"no": "no"}},
    ]
    junk += [
        {"hands": 3},
        {"hands": [{"dealer": {}}]},
        {"players": [1]},
        {"settings": {"rounds": "x"}},
        {"name": "\x00"},
        {"rules": ["yuwang", None]},
    ]

    async def play() -> None:
        async with serving(tmp_path) as (server, _), aiohttp.ClientSession() as session:
            for route in ROUTES:
                operation = description["paths"][route.path][route.method.lower()]
                path = route.path.replace("{hash}", "sha256:0").replace("{table}", "nothing")
                bodies = [json.dumps(each).encode() for each in junk] + [b"", b"\xff\xfe", b"[" * 5_000]
                for body in bodies if route.method == "POST" else [b""]:
                    query = "?" + "&".join(f"{name}=%00x" for name in route.query) if route.query else ""
                    for token in ("", "Bearer \u00ff"):
                        headers = {"Authorization": token} if token else {}
                        url = server + path + query
                        async with session.request(route.method, url, data=body or None, headers=headers) as response:
                            assert str(response.status) in operation["responses"], (route.path, body, response.status)
                            if response.status >= 400:
                                said = await response.json()
                                assert said["code"] and said["zh"] and said["en"]
            for method in ("DELETE", "PUT"):
                async with session.request(method, f"{server}/api/presets") as response:
                    assert response.status == 405 and "GET" in response.headers["Allow"]

    run(play())


def test_records_and_lobby(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as (server, hub), aiohttp.ClientSession() as session:
            made = await create(server, name="大家来", player="甲", settings={"public": True})
            hidden = await create(server, player="乙")
            async with session.get(f"{server}/api/tables") as response:
                rows = await response.json()
            assert [row["table"] for row in rows] == [made["table"]] and rows[0]["name"] == "大家来"
            looked: list[int] = []
            listed = hub.store.listed

            async def look(most: int, since: int = 0) -> list[bytes]:
                looked.append(most)
                return await listed(most, since)

            hub.store.listed = look  # type: ignore[method-assign]
            hub._listed_again = 0.0
            for each in await asyncio.gather(*(session.get(f"{server}/api/tables") for _ in range(20))):
                assert len(await each.json()) == 1
            assert len(looked) == 1  # however many ask
            async with Client(server, made["table"], name="路人") as visitor:
                assert visitor.state["room"]["phase"] == "lobby"
            for token, status in (("", 401), (made["token"], 404), (hidden["token"], 401)):
                headers = {"Authorization": f"Bearer {token}"}
                async with session.get(f"{server}/api/tables/{made['table']}/record", headers=headers) as response:
                    assert response.status == status
            good = (ROOT / "tests" / "records" / "yuwang-loose.jsonl").read_bytes()
            async with session.post(f"{server}/api/verify", data=good) as response:
                assert (await response.json())["ok"]
            async with session.post(
                f"{server}/api/verify", data=good.replace(b'"winner": 1', b'"winner": 2', 1)
            ) as response:
                said = await response.json()
                assert not said["ok"] and said["line"] and said["zh"]

    run(play())
