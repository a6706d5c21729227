"""REST: the interview that finds the nearest preset, and the scorekeeper for tables with real cards."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import orjson
from aiohttp import web

from gunzi.apps.cli.entry import Wrong
from gunzi.apps.cli.pick import FEWEST, FREE, best_question, rank, running
from gunzi.apps.cli.sheet import Row, Sheet
from gunzi.apps.cli.told import asks_for_last_play, wanted
from gunzi.apps.web.errors import No, Said
from gunzi.apps.web.reckoning import answer_of
from gunzi.apps.web.rest import Call, Json, Route, bad, reply, typed
from gunzi.apps.web.rest_rules import ANY, RULES_BODY
from gunzi.apps.web.ruling import both, find_rules
from gunzi.errors import Text
from gunzi.loading import load, preset_ids
from gunzi.options import BadValue, Option
from gunzi.ruleset import RuleSet
from gunzi.sharecode import encode

MOST_HANDS: Final = 500
MOST_RECKONINGS: Final = 64
"""Reckonings that are kept for the next who plays by the same rules."""
MOST_WAITING: Final = 16
"""Reckonings that may be asked for at once."""
LONGEST: Final = 60
"""Seconds that making one may take."""
log: Final = logging.getLogger("gunzi.web")


# -- the interview ---------------------------------------------------------------------------------------------


async def pick(call: Call) -> web.StreamResponse:
    """``POST /api/pick``."""
    given = (await call.body()).get("answers", {})
    if not isinstance(given, dict) or len(given) > 100:
        raise bad(Text("answers 要写成 选项 → 取值", "`answers` maps options to values"))
    return reply(await asyncio.to_thread(_pick, given))


def _pick(given: Json) -> Json:
    sets = [load(id) for id in preset_ids()]
    answers: dict[str, Any] = {}
    for id, value in given.items():
        option = sets[0].option(str(id))
        try:
            answers[id] = (
                None if value is None else option.read(value) if isinstance(value, str) else option.parse(value)
            )
        except BadValue as wrong:
            raise bad(Text(f"{id}：{wrong.text.zh}", f"{id}: {wrong.text.en}")) from None
    left = running(sets, answers)
    asked = best_question(left, answers) if len(left) > 1 else None
    if asked is None and len(answers) < FEWEST:
        asked = best_question(sets, answers)
    if asked is None:
        asked = next((free for free in FREE if free not in answers), None)
    ranked = rank(sets, answers)
    nearest, misses = ranked[0]
    return {
        "question": _question(sets[0].option(asked)) if asked is not None else None,
        "asked": len(answers),
        "nearest": [
            {
                "id": rules.id,
                "name": both(rules.name),
                "description": both(rules.description),
                "agrees": not [id for id in missed if id not in FREE],
                "differs": [{"option": id, "value": rules.options[id], "answer": answers[id]} for id in missed],
            }
            for rules, missed in ranked
        ],
        "set": {id: answers[id] for id in misses},
    }


def _question(option: Option) -> Json:
    return {
        "option": option.id,
        "name": both(option.name),
        "doc": both(option.doc),
        "values": [{"value": option.read(value), **both(text)} for value, text in option.values().items()],
    }


# -- the scorekeeper -------------------------------------------------------------------------------------------


async def score(call: Call) -> web.StreamResponse:
    """``POST /api/score``."""
    asked = await call.body()
    typed(asked, rules=str, yaml=str, set=dict)
    hands, players = asked.get("hands", []), asked.get("players") or []
    if not isinstance(hands, list) or len(hands) > MOST_HANDS or not all(isinstance(hand, dict) for hand in hands):
        raise bad(Text(f"hands 要写一列，最多 {MOST_HANDS} 把", f"`hands` is a list of at most {MOST_HANDS} hands"))
    named = isinstance(players, list) and all(isinstance(name, str) and 0 < len(name) <= 40 for name in players)
    if not named or len(players) not in (0, 4) or len(set(players)) != len(players):
        raise bad(Text("players 要写四个不同的名字", "`players` are four different names"))
    return reply(await asyncio.to_thread(_score, asked, hands, players))


def _score(asked: Json, hands: Sequence[Json], players: Sequence[str]) -> Json:
    rules = find_rules(asked, "dalian")
    sheet = Sheet(rules, players)
    wrong: Json | None = None
    for place, hand in enumerate(hands):
        try:
            sheet.add({str(key): _word(value) for key, value in hand.items() if value is not None})
        except Wrong as error:
            wrong = {"hand": place + 1, "key": error.key, **both(error.text)}
            break
    standing = sheet.standing
    return {
        "rules": {"id": rules.id, "name": both(rules.name), "hash": rules.hash},
        "rows": [_row(row) for row in sheet.rows],
        "standing": {**standing.as_json(), "wanted": wanted(standing, {})},
        "last": asks_for_last_play(rules),
        "scores": list(sheet.scores),
        "titles": [rules.hook.title(score=each) for each in sheet.scores],
        "rounds_won": list(sheet.rounds_won),
        "wrong": wrong,
    }


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "no"
    text = str(value)
    if len(text) > 400:
        raise Said("rules", Text("写得太长", "an entry is too long"))
    return text


def _row(row: Row) -> Json:
    standing = row.standing
    return {
        "number": standing.number,
        "round": standing.round,
        "hand": standing.hand,
        "levels": list(standing.levels),
        "dealer": int(row.told["dealer"]),
        "told": dict(row.told),
        "result": row.settlement.as_json(),
        "remarks": [both(text) for text in row.remarks],
    }


# -- without a network -----------------------------------------------------------------------------------------


async def reckoning(call: Call) -> web.StreamResponse:
    """``GET /api/reckoning``."""
    rules = await asyncio.to_thread(find_rules, {"rules": call.query("rules") or None}, "dalian")
    call.hub.known.add(rules)
    if rules.hash not in _kept and len(_waiting) >= MOST_WAITING:
        raise No("busy")
    _waiting.append(rules.hash)
    try:
        found = await asyncio.get_running_loop().run_in_executor(_maker, _reckoning, rules)
    finally:
        _waiting.remove(rules.hash)
    answer = web.Response(body=found, content_type="application/json", headers={"Cache-Control": "no-cache"})
    answer.enable_compression()
    return answer


_kept: OrderedDict[str, bytes] = OrderedDict()
_waiting: list[str] = []
_maker: Final = ThreadPoolExecutor(1, "reckoning")
"""One at a time."""


def _reckoning(rules: RuleSet) -> bytes:
    found = _kept.get(rules.hash)
    if found is None:
        found = _kept[rules.hash] = _made(rules)
    _kept.move_to_end(rules.hash)
    while len(_kept) > MOST_RECKONINGS:
        _kept.popitem(last=False)
    return found


def _made(rules: RuleSet) -> bytes:
    """The answer, made by a process of its own: it takes a second or more, and the tables play on meanwhile."""
    command = [sys.executable, "-P", "-m", "gunzi.apps.web.reckoning", encode(rules)]
    try:
        return subprocess.run(command, capture_output=True, check=True, timeout=LONGEST).stdout
    except (OSError, subprocess.SubprocessError) as error:
        log.error("a reckoning could not be made: %s", getattr(error, "stderr", None) or error)
        return orjson.dumps(answer_of(rules, None, type(error).__name__))


ROUTES: Final = (
    Route(
        "GET",
        "/api/reckoning",
        reckoning,
        Text(
            "一套规则的算表：没有网络也能算每把的结果",
            "the reckoning of a rule set: what any hand comes to, for the time without a network",
        ),
        ANY,
        {"rules": {"type": "string", "maxLength": 2600, "pattern": "^[!-~]*$"}},
    ),
    Route(
        "POST",
        "/api/pick",
        pick,
        Text(
            "打哪种规则？下一个问题和最接近的预设", "which rules do we play? the next question and the nearest presets"
        ),
        ANY,
        body={"type": "object", "properties": {"answers": {"type": "object", "maxProperties": 100}}},
    ),
    Route(
        "POST",
        "/api/score",
        score,
        Text("真人牌桌的记分表", "the score sheet of a real table"),
        ANY,
        body={
            "type": "object",
            "properties": {
                **RULES_BODY["properties"],
                "players": {
                    "type": "array",
                    "maxItems": 4,
                    "items": {"type": "string", "minLength": 1, "maxLength": 40},
                },
                "hands": {"type": "array", "maxItems": MOST_HANDS, "items": ANY},
            },
        },
    ),
)
"""What this file serves."""
