"""The socket's protocol: its version, what a client may ask for, and why it may be told no.

One declaration a request: the check of a frame, the published schema (``schemas/web.schema.json``) and the tests all read
``REQUESTS``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from gunzi.errors import Text

VERSION: Final = 1
"""Raised when a client written for the version before could misread a frame. New keys and new kinds of frames do not raise it."""

MAX_FRAME: Final = 16_384
"""Bytes of the longest frame a client may send (a rule set as YAML goes over REST)."""
MAX_NAME: Final = 24
"""Characters of a player's or a table's name."""
MAX_ID: Final = 36
"""Characters of a request's id: a UUID fits."""
MAX_CARDS: Final = 162
MAX_DEPTH: Final = 6
"""How deep a frame's lists and objects may be nested."""

SUITS: Final = ("S", "H", "C", "D")
CARD: Final = "^(?:[SHCD](?:[2-9TJQKA]|10)|BJ|LJ)$"

PACES: Final = {
    "slow": Text("慢", "slow"),
    "normal": Text("正常", "normal"),
    "fast": Text("快", "fast"),
}
"""How fast bots answer."""

PHRASES: Final = {
    "hello": Text("大家好！", "Hello everybody!"),
    "hurry": Text("快点儿吧，等得花儿都谢了", "Hurry up, the flowers are wilting"),
    "well_played": Text("打得漂亮！", "Well played!"),
    "sorry": Text("不好意思，出错了", "Sorry, my mistake"),
    "thanks": Text("谢谢对家！", "Thank you, partner!"),
    "good_cards": Text("牌真好！", "What a hand!"),
    "bad_cards": Text("这牌没法打", "Nothing to play with"),
    "wait": Text("等一下，马上回来", "One moment, back soon"),
    "again": Text("再来一轮？", "Another round?"),
    "bye": Text("先走了，下次再打", "I have to go, until next time"),
}
"""All that can be said at a table; there is no free chat."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a request. ``type``: int, bool, str, cards, act, object; bounds are of the number or of the length."""

    type: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    pattern: str = ""
    needed: bool = True
    null: bool = False
    text: Text = Text("", "")


@dataclass(frozen=True, slots=True)
class Request:
    """A kind of request. ``lasting``: it may change the table, so its first answer is kept and given again to the same id."""

    text: Text
    fields: dict[str, Field]
    lasting: bool = True


A_SEAT: Final = Text("座位", "a seat")


def _seat(needed: bool = True, null: bool = False, text: Text = A_SEAT) -> Field:
    return Field("int", 0, 3, needed=needed, null=null, text=text)


def _on(zh: str, en: str) -> Field:
    return Field("bool", text=Text(zh, en))


_MEMBER: Final = Field(
    "str", 1, 16, text=Text("牌桌上的一个人（room 里的 member）", "somebody at the table (`member` in the room)")
)
_RULES: Final = {
    "rules": Field(
        "str",
        1,
        20_000,
        needed=False,
        text=Text("预设名或分享码；不写就是现在的规则", "a preset's id or a share code; by default the rules in force"),
    ),
    "set": Field(
        "object",
        0,
        200,
        needed=False,
        text=Text("在上面再改几项：选项全名 → 取值", "options laid over it: dotted id → value"),
    ),
}

_Q: Final = Field(
    "int",
    0,
    2**53,
    text=Text("说的是哪一问（ask.q）：已经过去了的不算", "which question it is about (`ask.q`): none that has passed"),
)

REQUESTS: Final[dict[str, Request]] = {
    "hello": Request(
        Text(
            "连上以后的第一帧：哪张桌、我是谁。没有 token 就是新来的，先旁观",
            "the first frame of a connection: which table, and who I am. Without a token one is new, and a spectator",
        ),
        {
            "v": Field("int", 1, 1_000_000, text=Text("协议版本", "the protocol's version")),
            "table": Field("str", 1, 32, text=Text("牌桌号", "the table's id")),
            "token": Field(
                "str", 1, 64, needed=False, null=True, text=Text("以前发给我的令牌", "the token I was given before")
            ),
            "invite": Field(
                "str",
                1,
                64,
                needed=False,
                null=True,
                text=Text("邀请码（不公开的桌要有）", "the invitation (tables that are not public want one)"),
            ),
            "name": Field("str", 1, MAX_NAME, needed=False, null=True, text=Text("名字", "my name")),
        },
        lasting=False,
    ),
    "sync": Request(Text("把现在的样子整个再发一遍", "send me everything as it stands"), {}, lasting=False),
    "ping": Request(Text("在不在", "are you there"), {}, lasting=False),
    "name": Request(Text("改名字", "change my name"), {"name": Field("str", 1, MAX_NAME)}),
    "sit": Request(
        Text("坐下：空位，或者顶替电脑", "sit down: on a free seat, or on a bot's in its place"), {"seat": _seat()}
    ),
    "stand": Request(Text("站起来旁观（开局前、打完后）", "get up and watch (before the start and after the end)"), {}),
    "swap": Request(
        Text(
            "开局前换座位：对方是人，要他也说换过来；房主写 with，直接换",
            "before the start: change seats with somebody, who has to ask for the same; the host may say `with` and do it at once",
        ),
        {
            "seat": _seat(),
            "with": _seat(needed=False),
            "seating": Field(
                "int",
                0,
                2**53,
                text=Text("看的是哪一版座位表（room.seating）", "the seating that was seen (`room.seating`)"),
            ),
        },
    ),
    "ready": Request(
        Text("准备好了没有", "am I ready"),
        {
            "on": _on("准备好了", "ready"),
            "rules": Field(
                "str", 1, 200, text=Text("照哪套规则打（room.rules.hash）", "for which rules (`room.rules.hash`)")
            ),
        },
    ),
    "fill": Request(
        Text(
            "房主：让电脑坐下；不写座位就坐满空位。打牌当中也可以顶替离开的人",
            "host: seat a bot, in all free seats where none is named; in play it may take over from somebody who left",
        ),
        {
            "seat": _seat(needed=False, null=True),
            "bot": Field("str", 1, 32, needed=False, text=Text("哪一种电脑", "which bot")),
            "member": Field(
                "str", 1, 16, needed=False, text=Text("顶替离开的谁", "in whose place, of somebody who is away")
            ),
            "pace": Field("str", choices=tuple(PACES), needed=False, text=Text("快慢", "how fast")),
        },
    ),
    "start": Request(Text("房主：开局（坐满了，人都准备好了）", "host: begin (all seats taken, everybody ready)"), {}),
    "next": Request(Text("看完结果，打下一把", "I have seen the result: the next hand"), {"q": _Q}),
    "host": Request(Text("房主：把房主交给别人", "host: hand the host's rights to somebody else"), {"member": _MEMBER}),
    "kick": Request(
        Text(
            "房主：请出一个人（座位归电脑），或者撤掉一个电脑",
            "host: remove somebody (a bot takes the seat in play), or a bot",
        ),
        {
            "member": Field("str", 1, 16, needed=False),
            "seat": _seat(needed=False, text=Text("撤掉哪一个座位上的电脑", "whose bot: of which seat")),
        },
    ),
    "settings": Request(
        Text(
            "房主：改牌桌设置（开局前、一局打完后）",
            "host: change the table's settings (before the start, or after the end)",
        ),
        {"settings": Field("object", 1, 40)},
    ),
    "rules": Request(
        Text(
            "房主：换规则（开局前、一局打完后）；YAML 文件先在 REST 那边换成分享码",
            "host: other rules (before the start, or after the end); a YAML file becomes a share code over REST first",
        ),
        dict(_RULES),
    ),
    "act": Request(
        Text("打牌：抢亮、亮主、进贡、扣底、出牌……", "play: claim, declare, pay, bury, play cards, …"),
        {
            "q": Field(
                "int",
                0,
                2**53,
                text=Text(
                    "回答的是哪一问（ask.q）；发牌当中抢亮、亮主，写这次发牌的哪一问都行",
                    "which question is answered (`ask.q`); a claim or declaration may name any of the running deal's",
                ),
            ),
            "act": Field("act"),
        },
    ),
    "check": Request(
        Text("这样行不行？不行是为什么", "may I do this? if not, why"), {"act": Field("act")}, lasting=False
    ),
    "suggest": Request(
        Text("电脑会怎么打（桌上许可的话）", "what would a bot do (where the table allows it)"), {}, lasting=False
    ),
    "auto": Request(Text("托管、取消托管", "let a bot play for me, or come back"), {"on": _on("托管", "a bot plays")}),
    "take_back": Request(
        Text("悔牌：收回我刚才那一手（要别人同意）", "take back my last act (the others must agree)"), {"q": _Q}
    ),
    "early": Request(
        Text("提议提前结束这一把（结果已定时）", "offer to end the hand early (when its result is certain)"), {"q": _Q}
    ),
    "vote": Request(
        Text("同意、不同意", "agree or not to what is asked"),
        {
            "vote": Field("int", 0, 2**53, text=Text("哪一次表决（vote.id）", "which vote (`vote.id`)")),
            "agree": _on("同意", "agree"),
        },
    ),
    "phrase": Request(
        Text("说一句现成的话", "say one of the phrases"),
        {"phrase": Field("str", choices=tuple(PHRASES))},
        lasting=False,
    ),
    "mute": Request(Text("不听别人说话", "hear no phrases"), {"on": _on("不听", "muted")}, lasting=False),
    "contribute": Request(
        Text("给下一次洗牌出一份随机数", "my random part of the next shuffle"),
        {
            "hash": Field(
                "str",
                64,
                64,
                pattern="^[0-9a-f]{64}$",
                text=Text("服务器公布的指纹（fair.hash）", "the hash the server has published (`fair.hash`)"),
            ),
            "value": Field("str", 64, 64, pattern="^[0-9a-f]{64}$", text=Text("32 个随机字节", "32 random bytes")),
        },
    ),
    "rematch": Request(Text("房主：一局打完，再来一局", "host: after the end, another game"), {}),
    "leave": Request(
        Text("离开（打牌当中由电脑接手，可以再回来）", "leave (in play a bot goes on, and one may return)"), {}
    ),
}
"""Every kind of request by its ``t``. Each frame also carries ``id``, chosen by the client."""

ACTS: Final[dict[str, dict[str, str]]] = {
    "pass": {},
    "claim": {"card": "card"},
    "declare": {"cards": "cards", "suit": "suit"},
    "pay": {"cards": "cards"},
    "return": {"cards": "cards"},
    "bury": {"cards": "cards"},
    "bury_kings": {"kings": "cards"},
    "pick": {"cards": "cards"},
    "play": {"cards": "cards"},
    "choose": {"k": "int"},
}
"""The acts by name, each with its keys. ``choose``: the k-th of the listed acts, for questions that plugins add."""

ERRORS: Final[dict[str, Text]] = {
    "frame": Text("这一帧看不懂：{why}", "this frame cannot be read: {why}"),
    "hello": Text("第一帧要是 hello", "the first frame must be hello"),
    "version": Text("这个服务器说的是协议版本 {version}", "this server speaks version {version} of the protocol"),
    "no_table": Text("没有这张桌", "there is no such table"),
    "invite": Text("这张桌要有邀请链接才能进", "this table can only be entered by its invitation link"),
    "token": Text("这个令牌在这张桌上没有用", "this token is not known at this table"),
    "name": Text(
        "名字要写 1 到 24 个字，看得见，不能有控制字符",
        "a name has 1 to 24 characters, can be seen, and holds no control characters",
    ),
    "full": Text("人满了", "there is no room for more"),
    "host": Text("只有房主可以", "only the host may do this"),
    "seated": Text("要先坐下", "sit down first"),
    "seat": Text("这个座位坐不了", "this seat cannot be taken"),
    "phase": Text("现在不能这样", "this is not possible now"),
    "not_ready": Text("还有人没坐好或者没准备好", "not everybody is seated and ready"),
    "member": Text("没有这个人", "there is nobody of that id"),
    "settings": Text("设置不对：{why}", "the settings are wrong: {why}"),
    "rules": Text("规则用不了：{why}", "these rules cannot be used: {why}"),
    "turn": Text("没有轮到你", "it is not your turn"),
    "stale": Text("牌局已经变了，请看最新的样子", "the game has moved on: look at it as it is now"),
    "refused": Text("{zh}", "{en}"),
    "card": Text("{zh}", "{en}"),
    "off": Text("这张桌不许这样", "this table does not allow it"),
    "nothing": Text(
        "悔不了：最后一手不是你的，或者后面已经看见新牌了",
        "nothing can be taken back: the last act was not yours, or something new has been seen since",
    ),
    "open": Text("结果还没定，或者这一圈还没打完", "the result is not certain yet, or the trick is not finished"),
    "vote": Text("现在没有要表决的事", "nothing is being voted on"),
    "commitment": Text("指纹对不上现在这一次洗牌", "this is not the hash of the shuffle that is coming"),
    "rate": Text("发得太快了", "too many frames"),
    "broken": Text("这张桌出了故障，停在这里了", "this table has failed and stands still"),
    "closing": Text("服务器正在重启，马上回来", "the server is restarting"),
    "busy": Text("服务器忙不过来，请稍后再试", "the server is too busy; try again soon"),
    "replaced": Text("你在别的地方连上了这张桌", "you have connected to this table from elsewhere"),
    "kicked": Text("房主把你请出去了", "the host has removed you"),
    "server": Text("服务器出错了", "the server has failed"),
}
"""Why a request is refused or a connection closed, by ``code``; ``{…}`` is filled in."""


def act_schema() -> dict[str, Any]:
    """The JSON Schema of an act on the wire."""
    cards = {"type": "array", "maxItems": MAX_CARDS, "items": {"$ref": "#/$defs/card"}}
    kinds: dict[str, dict[str, Any]] = {
        "card": {"$ref": "#/$defs/card"},
        "cards": cards,
        "suit": {"enum": list(SUITS)},
        "int": {"type": "integer", "minimum": 0},
    }
    return {
        "type": "object",
        "required": ["act"],
        "properties": {"act": {"enum": list(ACTS)}},
        "allOf": [
            {
                "if": {"properties": {"act": {"const": name}}, "required": ["act"]},
                "then": {"required": list(keys), "properties": {key: kinds[kind] for key, kind in keys.items()}},
            }
            for name, keys in ACTS.items()
            if keys
        ],
    }
