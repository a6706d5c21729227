"""REST: presets, options, rule sets, the interview, the scorekeeper."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from aiohttp import web

from gunzi.apps.cli.explain import option_json as explained_json
from gunzi.apps.cli.new import text_of
from gunzi.apps.web.errors import No
from gunzi.apps.web.rest import Call, Json, Route, Schema, bad, reply, typed
from gunzi.apps.web.ruling import both, card_json, find_rules, full_json, problems_of
from gunzi.errors import RulesError, Text
from gunzi.loading import check_text, load, preset_ids
from gunzi.options import (
    Choice,
    Flag,
    KingCounts,
    Names,
    Number,
    Option,
    Rank,
    RankPoints,
    Ranks,
    Titles,
)
from gunzi.problems import has_errors
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet

WIDGETS: Final[Mapping[type[Option], str]] = {
    Choice: "choice",
    Flag: "flag",
    Number: "number",
    Rank: "rank",
    Ranks: "ranks",
    RankPoints: "points",
    KingCounts: "kings",
    Titles: "titles",
    Names: "names",
}
MOST_COMPARED: Final = 8
MOST_HANDS: Final = 500
ANY: Final[Schema] = {"type": "object"}
LIST: Final[Schema] = {"type": "array", "items": ANY}
TEXTUAL: Final[Schema] = {"type": "string"}
RULES_BODY: Final[Schema] = {
    "type": "object",
    "properties": {"rules": TEXTUAL, "set": ANY, "yaml": TEXTUAL},
}


@lru_cache(maxsize=1)
def _presets() -> list[Json]:
    base = load(BASE)
    found = [(base, True), *((load(id), False) for id in preset_ids())]
    keys = ("id", "name", "description", "hash", "code", "differs")
    return [{**{key: card_json(rules)[key] for key in keys}, "base": is_base} for rules, is_base in found]


async def presets(call: Call) -> web.StreamResponse:
    """``GET /api/presets``."""
    return reply(await asyncio.to_thread(_presets), Cache_Control="max-age=300")


@lru_cache(maxsize=1)
def _options() -> Json:
    base = load(BASE)
    sets = [load(id) for id in preset_ids()]
    return {
        "groups": [
            {"group": group, "options": [_option(base, sets, id) for id in ids]}
            for group, ids in base.option_set.groups.items()
        ]
    }


def _option(base: RuleSet, sets: Sequence[RuleSet], id: str) -> Json:
    option = base.option(id)
    return {
        "option": id,
        "name": both(option.name),
        "doc": both(option.doc),
        "clause": option.clause,
        "widget": WIDGETS.get(type(option), "json"),
        "schema": option.schema(),
        "values": [{"value": option.read(value), **both(text)} for value, text in option.values().items()],
        "base": base.options[id],
        "shown": option.show(base.options[id]),
        "examples": [
            {"value": value, "shown": option.show(value), **both(option.value_text(value))}
            for value in option.examples()
        ],
        "uses": [
            {
                "preset": rules.id,
                "value": rules.options[id],
                "shown": option.show(rules.options[id]),
                "status": rules.origin(id).status,
                "source": rules.origin(id).source,
            }
            for rules in (base, *sets)
        ],
    }


@lru_cache(maxsize=64)
def _explained(id: str) -> Json:
    base = load(BASE)
    sets = [load(preset) for preset in preset_ids()]
    return {**_option(base, sets, id), "examples": explained_json(id, base, sets)["examples"]}


async def options(call: Call) -> web.StreamResponse:
    """``GET /api/options``."""
    id = call.query("id")
    if not id:
        return reply(await asyncio.to_thread(_options), Cache_Control="max-age=300")
    if id not in load(BASE).options:
        guess = load(BASE).option_set.suggest(id[:100])
        raise bad(
            Text(
                f"没有选项 {id[:60]}" + (f"，是不是 {guess}？" if guess else ""),
                f"there is no option {id[:60]}" + (f" (did you mean {guess}?)" if guess else ""),
            ),
            404,
        )
    return reply(await asyncio.to_thread(_explained, id), Cache_Control="max-age=300")


# -- rule sets -------------------------------------------------------------------------------------------------


async def resolve(call: Call) -> web.StreamResponse:
    """``POST /api/rules``: what is wrong with them is an answer, not an error."""
    asked = await call.body()
    typed(asked, rules=str, yaml=str, set=dict)
    return reply(await asyncio.to_thread(_resolve, call, asked))


def _resolve(call: Call, asked: Json) -> Json:
    try:
        rules = find_rules(asked, BASE)
        found = full_json(rules)
    except No as no:
        return {
            "ok": False,
            "problems": no.more.get("problems") or [{"code": no.code, "severity": "error", **both(no.text)}],
            "rules": None,
        }
    except RulesError as wrong:
        return {"ok": False, "problems": problems_of(wrong), "rules": None}
    call.hub.known.add(rules)
    problems = [problem.as_json() for problem in rules.warnings]
    yaml = asked.get("yaml")
    if isinstance(yaml, str):
        seen = check_text(yaml, "rules.yaml")
        problems = [problem.as_json() for problem in seen if not has_errors([problem])]
    return {"ok": True, "problems": problems, "rules": found}


def _known(call: Call) -> RuleSet:
    found = call.hub.rules_of(call.path("hash"))
    if found is None:
        raise bad(
            Text("服务器不认得这个指纹，请先 POST /api/rules", "unknown hash: POST /api/rules first"), 404, "rules"
        )
    return found


async def shown(call: Call) -> web.StreamResponse:
    """``GET /api/rules/{hash}``."""
    return reply(await asyncio.to_thread(full_json, _known(call)), Cache_Control="max-age=3600")


async def book(call: Call) -> web.StreamResponse:
    """``GET /api/rules/{hash}/book``."""
    rules, lang = _known(call), "en" if call.query("lang", "zh") == "en" else "zh"
    text = await asyncio.to_thread(_book, rules, lang)
    # The book is one page with its style in it, and no script: that very style may be used.
    styles = " ".join(f"'sha256-{_digest(style)}'" for style in re.findall(r"<style>(.*?)</style>", text, re.S))
    policy = f"default-src 'none'; style-src {styles}; img-src data:; frame-ancestors 'self'; base-uri 'none'"
    headers = {"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"}
    return web.Response(text=text, content_type="text/html", headers=headers)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@lru_cache(maxsize=32)
def _book(rules: RuleSet, lang: str) -> str:
    from gunzi.apps.book import page, write

    return page(write(rules, lang))


async def yaml_text(call: Call) -> web.StreamResponse:
    """``GET /api/rules/{hash}/yaml``."""
    rules, id = _known(call), call.query("id", "my-house")
    from gunzi.variant import ID

    if len(id) > 60 or not ID.fullmatch(id):
        raise bad(Text("id 用小写字母、数字和 -", "`id` is made of small letters, digits and -"))
    parent = rules.id if rules.id in preset_ids() else BASE
    text = await asyncio.to_thread(text_of, rules, id, parent, "-")
    return web.Response(
        text=text,
        content_type="text/yaml",
        headers={"Content-Disposition": f'attachment; filename="{id}.yaml"'},
    )


async def compare(call: Call) -> web.StreamResponse:
    """``POST /api/compare``."""
    names = (await call.body()).get("rules")
    if not isinstance(names, list) or not 2 <= len(names) <= MOST_COMPARED:
        raise bad(Text(f"rules 要写 2 到 {MOST_COMPARED} 套规则", f"`rules` lists 2 to {MOST_COMPARED} rule sets"))
    return reply(await asyncio.to_thread(_compare, names))


def _compare(names: Sequence[Any]) -> Json:
    sets = [
        find_rules({"rules": name} if isinstance(name, str) else name if isinstance(name, dict) else {})
        for name in names
    ]
    ids = [id for id in sets[0].option_ids() if len({repr(rules.options.get(id)) for rules in sets}) > 1]
    return {
        "sets": [{"id": rules.id, "name": both(rules.name), "hash": rules.hash} for rules in sets],
        "rows": [
            {
                "option": id,
                "name": both(sets[0].option(id).name),
                "values": [_value(rules, id) for rules in sets],
            }
            for id in ids
        ],
    }


def _value(rules: RuleSet, id: str) -> Json | None:
    if id not in rules.options:
        return None
    value = rules.options[id]
    return {"value": value, "shown": rules.option(id).show(value), "meaning": both(rules.value_text(id))}


ROUTES: Final = (
    Route(
        "GET", "/api/presets", presets, Text("预设，各自特别在哪", "the presets, each with what sets it apart"), LIST
    ),
    Route(
        "GET",
        "/api/options",
        options,
        Text("每个选项，做编辑器用", "every option, for an editor"),
        ANY,
        {"id": {"type": "string", "maxLength": 100}},
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/rules",
        resolve,
        Text("一套规则的全部取值，或者错在哪", "a rule set's every value, or what is wrong"),
        ANY,
        body=RULES_BODY,
    ),
    Route("GET", "/api/rules/{hash}", shown, Text("指纹对应的规则", "the rule set of a hash"), ANY, errors=(404,)),
    Route(
        "GET",
        "/api/rules/{hash}/book",
        book,
        Text("规则书", "the rule book"),
        TEXTUAL,
        {"lang": {"enum": ["zh", "en"]}},
        kind="text/html",
        errors=(404,),
    ),
    Route(
        "GET",
        "/api/rules/{hash}/yaml",
        yaml_text,
        Text("写成变体文件", "the rule set as a variant file"),
        TEXTUAL,
        {"id": {"type": "string", "maxLength": 60}},
        kind="text/yaml",
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/compare",
        compare,
        Text("几套规则差在哪", "where rule sets differ"),
        ANY,
        body={
            "type": "object",
            "required": ["rules"],
            "properties": {
                "rules": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": MOST_COMPARED,
                    "items": {"type": ["string", "object"]},
                }
            },
        },
    ),
)
"""What this file serves."""
