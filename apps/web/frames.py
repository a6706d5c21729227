"""Frames from the server, as JSON Schema; with the requests they make ``schemas/web.schema.json``.

python -m gunzi.apps.web.frames [FOLDER]     writes it anew
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from gunzi import schemas
from gunzi.apps.web.commands import SHEET
from gunzi.apps.web.protocol import ACTS, ERRORS, PACES, PHRASES, SUITS, VERSION
from gunzi.apps.web.requests import defs, request_schema
from gunzi.apps.web.table_settings import SETTINGS
from gunzi.schema import DRAFT, schema_text

Schema = dict[str, Any]

PHASES: Final = ("lobby", "shuffle", "playing", "between", "over", "broken")
"""What a table is doing: gathering, waiting for contributions to the shuffle, playing, looking at a result, done, failed."""
CLOCKS: Final = ("act", "window", "contribute", "between", "vote")
VOTES: Final = ("take_back", "early")


def _says(schema: Schema, zh: str, en: str) -> Schema:
    return {**schema, "description": f"{zh}\n\n{en}"}


def _object(needed: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return {"type": "object", "required": list(needed), "properties": {**needed, **(optional or {})}}


def _list(items: Schema, low: int | None = None, high: int | None = None) -> Schema:
    bounds = {key: value for key, value in (("minItems", low), ("maxItems", high)) if value is not None}
    return {"type": "array", "items": items, **bounds}


def _null(schema: Schema) -> Schema:
    """The same, or null."""
    if "type" in schema:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return {**schema, "type": [*kinds, "null"]}
    return {"if": {"not": {"type": "null"}}, "then": schema}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


INT: Final[Schema] = {"type": "integer"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
BOOL: Final[Schema] = {"type": "boolean"}
STRING: Final[Schema] = {"type": "string"}
SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 3}
CARDS: Final[Schema] = _list(_ref("card"))
FOUR: Final = 4

TEXT: Final = _object({"zh": STRING, "en": STRING})
EVENT: Final = _says(
    {"type": "object", "required": ["e"], "properties": {"e": STRING, "n": COUNT}},
    "牌谱里的一个事件，按这个人看得见的样子（见牌谱那一页的“视角”）",
    "an event of the record as this person may see it (the record's page, Views)",
)
REFUSED: Final = _object(
    {
        "rule": _says(STRING, "规则的名字（选项全名，或者固定规则）", "the rule's id: an option's, or a fixed rule's"),
        "value": _says({}, "选项现在的取值；固定规则是 null", "the option's value in force; null for a fixed rule"),
        "origin": _says(_null(STRING), "这个取值是哪里定的", "where that value was set"),
        "seat": _null(SEAT),
        "cards": CARDS,
        "zh": STRING,
        "en": STRING,
    },
    {"shown": _says(TEXT, "取值是什么意思", "what the value means")},
)
DIFFERS: Final = _object(
    {
        "option": STRING,
        "name": TEXT,
        "value": {},
        "shown": _says(STRING, "取值写成文字", "the value as text"),
        "base": {},
        "meaning": TEXT,
        "where": STRING,
    }
)
RULES: Final = _object(
    {
        "id": STRING,
        "name": TEXT,
        "description": TEXT,
        "hash": STRING,
        "code": _says(STRING, "分享码", "the share code"),
        "differs": _says(
            _list(DIFFERS),
            "和底本不同的选项，按规则书的次序",
            "the options that differ from the base, in the rule book's order",
        ),
        "plugins": {"type": "object", "additionalProperties": STRING},
        "warnings": _list({"type": "object"}),
    }
)
SEAT_TAKEN: Final = _object(
    {
        "kind": {"enum": ["free", "human", "bot"]},
        "member": _null(STRING),
        "name": STRING,
        "bot": _null(STRING),
        "pace": _null({"enum": list(PACES)}),
        "online": BOOL,
        "ready": BOOL,
        "auto": _says(BOOL, "托管中", "a bot plays for this person"),
    }
)
MEMBER: Final = _object({"member": STRING, "name": STRING, "online": BOOL, "seat": _null(SEAT)})
ROOM: Final = _object(
    {
        "table": STRING,
        "name": STRING,
        "phase": {"enum": list(PHASES)},
        "game": _says(
            COUNT,
            "这张桌的第几局（再来一局加一）；0：还没开过",
            "the table's how-manieth game (a rematch adds one); 0: none yet",
        ),
        "host": _null(STRING),
        "invite": _says(STRING, "邀请码：链接 /t/桌号#k=邀请码", "the invitation: the link is /t/TABLE#k=INVITE"),
        "settings": _object({id: setting.schema() for id, setting in SETTINGS.items()}),
        "seats": _list(SEAT_TAKEN, FOUR, FOUR),
        "members": _list(MEMBER),
        "seating": _says(
            COUNT,
            "座位表的版本：有人换了座位就变；swap 要带上",
            "who sits where, by number: it changes when somebody sits elsewhere; to be sent with `swap`",
        ),
        "swaps": _says(_list(_list(SEAT, 2, 2)), "想换座位的：[从, 到]", "who asks to change seats: [from, to]"),
        "rules": RULES,
        "error": _says(
            _null(_object({"code": STRING, "zh": STRING, "en": STRING})),
            "这张桌的故障（phase 是 broken 时）",
            "what has failed (where `phase` is broken)",
        ),
    }
)
YOU: Final = _object(
    {
        "member": STRING,
        "name": STRING,
        "seat": _null(SEAT),
        "host": BOOL,
        "auto": BOOL,
        "muted": BOOL,
    }
)
SHEET_ROW: Final = _object(
    {
        "hand": COUNT,
        "round": COUNT,
        "levels": _list(INT, 2, 2),
        "dealer": SEAT,
        "suit": {"enum": list(SUITS)},
        "attackers_points": INT,
        "captured": BOOL,
        "takeover": BOOL,
        "level_up": _null({"type": "object"}),
        "ending": _null(STRING),
        "round_won_by": _null({"type": "integer", "minimum": 0, "maximum": 1}),
        "scores": _list(INT, FOUR, FOUR),
    }
)
SCORE: Final = _object(
    {
        "round": COUNT,
        "hand": COUNT,
        "levels": _says(
            _list(INT, 2, 2),
            "双方打到几级：0、2 号位一方，1、3 号位一方",
            "both sides' levels: seats 0 and 2, seats 1 and 3",
        ),
        "dealer": _null(SEAT),
        "scores": _list(INT, FOUR, FOUR),
        "titles": _list(STRING, FOUR, FOUR),
        "rounds_won": _list(COUNT, 2, 2),
        "hands": _says(COUNT, "这一局打完了几把", "how many hands of this game are finished"),
        "sheet": _says(
            _list(SHEET_ROW, high=SHEET),
            f"打完的最后 {SHEET} 把；更早的在 GET /api/tables/桌号/hands",
            f"the last {SHEET} finished hands; earlier ones: GET /api/tables/TABLE/hands",
        ),
    }
)
LANES: Final = _list(_object({"lane": {"enum": [*SUITS, "trump"]}, "cards": CARDS}))
NAMING: Final = _null(_object({"seat": SEAT, "kings": CARDS, "bottom": CARDS}))
HAND: Final = _object(
    {
        "view": _says(
            _list(EVENT),
            "这一把到现在的事件",
            "the running hand's events so far (between hands and after the end: the last one's)",
        ),
        "naming": _says(NAMING, "报了扣王、还没捡牌", "a seat that has named its kings and is picking"),
        "dealt": _says(COUNT, "一共发出几张了", "how many cards are out"),
        "lanes": _says(
            LANES,
            "按现在的主，每门牌从小到大（没定主时主一栏是王、级牌、常主）",
            "each suit's cards in the order in force, weakest first (trump not known: its lane has jokers, level cards, permanent trumps)",
        ),
    }
)
ASK: Final = _null(
    _object(
        {
            "q": _says(COUNT, "第几问；act 要带上", "the question's number, to be sent with `act`"),
            "kind": _says(
                STRING,
                "deal（发牌，随时可抢亮、亮主）、between（看结果），其余同牌谱：pay return bury bury_kings pick lead follow，和插件加的",
                "deal (claims and declarations at any moment), between (looking at a result), else as in the core: pay, return, bury, bury_kings, pick, lead, follow, and plugins' own",
            ),
            "seat": _says(_null(SEAT), "问谁；null：大家", "who is asked; null: everybody"),
            "mine": _says(BOOL, "问的有我", "am I (also) asked"),
        },
        {
            "closing": _says(BOOL, "deal：牌发完了，最后的亮主机会", "deal: all cards are out, the last chance"),
            "pass": _says(BOOL, "可以说不要", "may I pass"),
            "passed": _says(
                BOOL,
                "deal、between：我已经说过不要、下一把了",
                "deal, between: I have passed, or asked for the next hand",
            ),
            "count": _says(_null(COUNT), "要几张；领牌是 null", "how many cards; null when leading"),
            "suit": _says(_null({"enum": [*SUITS, "trump"]}), "跟哪一门", "the suit to be followed"),
            "lit": _says(
                CARDS,
                "能出的牌：至少在一种合法出法里。pick：底里能捡的",
                "the cards that are part of some legal answer, one entry a card held; pick: of the bottom",
            ),
            "acts": _says(
                _list(_ref("act")),
                "短的单子：亮主、扣王等的全部做法（不要除外）",
                "the whole list where it is short (claims, declarations, kings to bury); passing is not in it",
            ),
            "ways": _says(COUNT, "有几种答法（最多写到 10000）", "how many answers there are (counted up to 10,000)"),
            "forced": _says(_null(_ref("act")), "只有一种答法时，就是它", "the only answer, where there is but one"),
        },
    )
)
CLOCK: Final = _null(_object({"for": {"enum": list(CLOCKS)}, "seat": _null(SEAT), "left": COUNT, "total": COUNT}))
VOTE: Final = _null(
    _object(
        {
            "id": _says(COUNT, "哪一次表决；vote 要带上", "which vote it is, to be sent with `vote`"),
            "kind": {"enum": list(VOTES)},
            "by": SEAT,
            "agreed": _list(SEAT),
            "needed": _says(_list(SEAT), "还要谁表态", "whose word is still wanted"),
            "left": COUNT,
        }
    )
)
FAIR: Final = _null(
    _object(
        {
            "hash": _says(
                STRING,
                "服务器种子的 SHA-256，出牌以前公布",
                "SHA-256 of the server's seed, published before the shuffle",
            ),
            "hand": COUNT,
            "redeal": COUNT,
            "given": _says(_list(BOOL, FOUR, FOUR), "哪几家已经出了随机数", "which seats have contributed"),
            "wanted": _says(BOOL, "请我出一份（contribute）", "I am asked to contribute"),
        }
    )
)
REV: Final = _says(COUNT, "牌桌的版本号，只增不减", "the table's revision; it only grows")
PARTS: Final[dict[str, Schema]] = {
    "you": YOU,
    "room": ROOM,
    "score": SCORE,
    "ask": ASK,
    "clock": CLOCK,
    "vote": VOTE,
    "fair": FAIR,
}
"""What a ``state`` has whole; an ``events`` frame has those that changed, each whole."""

FRAMES: Final[dict[str, Schema]] = {
    "ok": _says(
        _object(
            {"re": STRING, "rev": REV},
            {
                "member": STRING,
                "token": _says(STRING, "我的令牌：自己留好，别给人看", "my token: keep it, show it to nobody"),
                "act": _ref("act"),
                "legal": BOOL,
                "refused": REFUSED,
                "now": _says(INT, "服务器的时间（毫秒）", "the server's time in milliseconds"),
            },
        ),
        "请求办好了（写进日志以后才说）",
        "a request is done (said after it is in the log)",
    ),
    "error": _says(
        _object(
            {"re": _null(STRING), "code": {"enum": list(ERRORS)}, "zh": STRING, "en": STRING},
            {"refused": REFUSED, "rev": REV},
        ),
        "请求没办成，什么也没变",
        "a request is refused, and nothing has changed",
    ),
    "state": _says(
        _object({"v": {"const": VERSION}, "rev": REV, **PARTS, "hand": _null(HAND)}),
        "全部现状：连上时、sync 时、请求过时的时候",
        "everything as it stands: on connecting, on sync, and after a stale request",
    ),
    "events": _says(
        _object(
            {"rev": REV},
            {
                "view": _says(
                    _list(EVENT),
                    "接在 hand.view 后面；遇到 hand 事件就是新的一把",
                    "to be appended to `hand.view`; a `hand` event begins a new one",
                ),
                "naming": NAMING,
                "dealt": COUNT,
                "lanes": LANES,
                **PARTS,
            },
        ),
        "变了什么：写了哪一项，哪一项就整个换掉（view 是接上去）",
        "what has changed: every key given replaces the old value whole (`view` is appended)",
    ),
    "phrase": _says(
        _object({"member": STRING, "seat": _null(SEAT), "phrase": {"enum": list(PHRASES)}}),
        "有人说了一句",
        "somebody said a phrase",
    ),
    "bye": _says(
        _object({"code": {"enum": list(ERRORS)}, "zh": STRING, "en": STRING}),
        "服务器要断开了，为什么",
        "the server is about to close the connection, and why",
    ),
}
"""Every kind of frame from the server by its ``t``."""


def frame_schema() -> Schema:
    """The JSON Schema of a frame from the server."""
    return {
        "type": "object",
        "required": ["t"],
        "properties": {"t": {"enum": list(FRAMES)}},
        "allOf": [
            {"if": {"properties": {"t": {"const": name}}, "required": ["t"]}, "then": schema}
            for name, schema in FRAMES.items()
        ],
    }


def web_schema() -> Schema:
    """The published schema: ``$defs/request`` for frames to the server, ``$defs/frame`` for frames from it."""
    return {
        "$schema": DRAFT,
        "title": f"gunzi web protocol {VERSION}",
        "description": "浏览器牌桌的 WebSocket 帧：#/$defs/request 是客户端发的，#/$defs/frame 是服务器发的\n\n"
        "frames of the table's WebSocket: #/$defs/request to the server, #/$defs/frame from it",
        "if": {"required": ["id"]},
        "then": _ref("request"),
        "else": _ref("frame"),
        "$defs": {**defs(), "request": request_schema(), "frame": frame_schema()},
    }


def main(arguments: Sequence[str]) -> int:
    """Write the schema file."""
    folder = Path(arguments[0]) if arguments else schemas.path("web").parent
    target = folder / "web.schema.json"
    target.write_text(schema_text(web_schema()), encoding="utf-8")
    print(f"{len(ACTS)} acts, {len(FRAMES)} frames: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
