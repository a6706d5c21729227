"""The JSON Schema of mapping files, built from what the reader knows.

python -m gunzi.apps.audit.schema [FOLDER]     writes log.schema.json (into gunzi's own schemas where no folder is given)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gunzi import schemas
from gunzi.apps.audit.keys import EVENTS
from gunzi.apps.audit.mapping_files import ENCODINGS, FORMAT, FORMATS, ORDERS
from gunzi.cards import CARDS, RANKS, SUITS
from gunzi.schema import schema_text

_TEXT = {"type": ["string", "integer"]}


def _said(zh: str, en: str) -> dict[str, str]:
    return {"description": f"{zh}\n\n{en}"}


def log_schema() -> dict[str, Any]:
    """The schema of a mapping file. No ``oneOf`` anywhere."""
    names = {"type": "object"}
    orders = {"type": "array", "items": _TEXT}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gunzi log mapping",
        **_said("别的程序的日志（CSV 或每行一个 JSON）怎么读", "how another program's log, CSV or JSON lines, is read"),
        "type": "object",
        "required": ["gunzi-log"],
        "additionalProperties": False,
        "properties": {
            "gunzi-log": {"const": FORMAT, **_said("格式", "the format")},
            "format": {"enum": list(FORMATS), **_said("CSV，还是每行一个 JSON 对象", "CSV, or a JSON object a line")},
            "encoding": {
                "enum": list(ENCODINGS),
                **_said("文字编码，不写就是 utf-8", "the encoding; utf-8 by default"),
            },
            "separator": {
                "type": "string",
                **_said("CSV 的分隔符：一个字符，或 tab", "what separates CSV cells: a character, or tab"),
            },
            "columns": {
                **orders,
                **_said("CSV 没有表头时各列的名字", "the columns' names, where a CSV file has no heading"),
            },
            "seats": {
                "type": ["array", "object"],
                "items": _TEXT,
                "minItems": 4,
                "maxItems": 4,
                "properties": {"from": {"type": "integer", "minimum": 0, "maximum": 90}},
                "additionalProperties": False,
                **_said(
                    "四个座位按出牌顺序的名字，或 {from: 第一个座位的号}",
                    "the seats' names in playing order, or {from: the first one's number}",
                ),
            },
            "cards": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "suits": {
                        **names,
                        "additionalProperties": {"enum": list(SUITS)},
                        **_said("花色的写法", "how suits are written"),
                    },
                    "ranks": {
                        **names,
                        "additionalProperties": {"enum": [*RANKS, "10", *range(2, 11)]},
                        **_said("点数的写法", "how ranks are written"),
                    },
                    "names": {
                        **names,
                        "additionalProperties": {"enum": [str(card) for card in CARDS]},
                        **_said("整张牌的名字", "names of whole cards"),
                    },
                    "rank_first": {
                        "type": "boolean",
                        **_said("先写点数后写花色", "the rank is written before the suit"),
                    },
                    "between": {**_TEXT, **_said("一格里牌和牌之间是什么", "what stands between the cards of a cell")},
                    "numbers": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {
                            "from": {"type": "integer", **_said("第一张牌的号", "the first card's number")},
                            "suits": {**orders, **_said("花色的次序", "the order of the suits")},
                            "ranks": {**orders, **_said("点数的次序", "the order of the ranks")},
                            "jokers": {**orders, **_said("两个王的次序", "the order of the jokers")},
                        },
                        **_said("牌写成号码", "cards are written as numbers"),
                    },
                },
            },
            "words": {
                **names,
                **_said(
                    "日志里的词 → 我们的词（是、否、花色、怎么定的主……）",
                    "the log's words → ours (yes, no, how the trump was found …)",
                ),
            },
            "order": {
                "enum": list(ORDERS),
                **_said("知不知道牌是按什么次序发的", "is the order known in which the cards were dealt?"),
            },
            "kind": {**_TEXT, **_said("哪一列说一行是什么事", "the column that says what a row is about")},
            "events": {
                **names,
                "additionalProperties": _event(),
                **_said("日志里的事 → 我们的事件", "the log's acts → our events"),
            },
            "every": {"type": "array", "items": _event(), **_said("每一行都有的事件", "events that every row tells")},
        },
    }


def _event() -> dict[str, Any]:
    """An event: which it is, and its own keys alone."""
    keys: dict[str, Any] = {}
    for event in EVENTS.values():
        for key, kind in event.items():
            keys.setdefault(key, _spec(kind))
    return {
        "type": "object",
        "required": ["event"],
        "properties": {
            "event": {
                "enum": list(EVENTS),
                **_said("我们的哪种事件；skip 是用不着的", "which of our events; skip: not needed"),
            },
            "each": {
                **_TEXT,
                **_said("这一列是列表，每一项是一个事件", "this column is a list, and each item an event"),
            },
            **keys,
        },
        "additionalProperties": False,
        "allOf": [
            {
                "if": {"properties": {"event": {"const": name}}, "required": ["event"]},
                "then": {"propertyNames": {"enum": ["event", "each", *event]}},
            }
            for name, event in EVENTS.items()
        ],
    }


def _spec(kind: object) -> dict[str, Any]:
    """Where a value stands: a column, a constant, or a list or map of these."""
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        return {"type": ["string", "integer", "array", "object"], "minItems": len(kind), "maxItems": len(kind)}
    if isinstance(kind, Mapping):
        return {"type": ["string", "integer", "object"], "propertyNames": {"enum": [*kind, "is"]}}
    return {"type": ["string", "integer", "object"], "propertyNames": {"const": "is"}}


def main(arguments: list[str]) -> int:
    """Write the schema."""
    path = Path(arguments[0]) / "log.schema.json" if arguments else schemas.path("log")
    path.write_text(schema_text(log_schema()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
