"""Frames from clients: read, checked against ``protocol.REQUESTS``, never trusted."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from gunzi.apps.web.protocol import ACTS, CARD, MAX_CARDS, MAX_DEPTH, MAX_ID, REQUESTS, SUITS, Field, act_schema
from gunzi.errors import GunziError, Text

_CARD: Final = re.compile(CARD, re.ASCII)
_ID: Final = re.compile(f"[A-Za-z0-9._:-]{{1,{MAX_ID}}}", re.ASCII)
_PATTERNS: Final = {
    field.pattern: re.compile(field.pattern, re.ASCII)
    for r in REQUESTS.values()
    for field in r.fields.values()
    if field.pattern
}
_LARGEST: Final = 2**53


class BadFrame(GunziError, ValueError):
    """A frame that is no request. ``re`` is its id where that could be read."""

    def __init__(self, text: Text, re: str | None = None) -> None:
        super().__init__(text)
        self.re = re


def read(data: str) -> dict[str, Any]:
    """A request from a text frame: an object with ``t``, ``id`` and the keys of its kind. Raises BadFrame."""
    if _too_deep(data):
        raise BadFrame(Text("括号套得太深", "too deeply nested"))
    try:
        frame = json.loads(data, parse_constant=_no_constant, parse_float=_number)
    except (ValueError, RecursionError):
        raise BadFrame(Text("不是 JSON", "not JSON")) from None
    if not isinstance(frame, dict):
        raise BadFrame(Text("要是 JSON 对象", "it must be a JSON object"))
    if "\\u" in data and not _is_text(frame):
        raise BadFrame(Text("里面有半个字符", "half a character in it (a lone surrogate)"))
    return check(frame)


def _is_text(frame: Any) -> bool:
    """Can it be written as UTF-8? JSON's escapes can spell halves of characters, which no database takes."""
    try:
        json.dumps(frame, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _too_deep(data: str) -> bool:
    # Brackets in texts count as well: no honest frame comes near.
    return data.count("[") + data.count("{") > 200 or "[" * (MAX_DEPTH + 1) in data.replace(" ", "")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return value


def check(frame: dict[str, Any]) -> dict[str, Any]:
    """The frame if it is a request; keys that no request has are let pass, so that newer clients may send them. Raises BadFrame."""
    id = frame.get("id")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise BadFrame(
            Text(f"id 要写 1 到 {MAX_ID} 个字母、数字或 ._:-", f"`id` is 1 to {MAX_ID} letters, digits or ._:-")
        )
    kind = frame.get("t")
    request = REQUESTS.get(kind) if isinstance(kind, str) else None
    if request is None:
        raise BadFrame(Text("t 不是哪一种请求", "`t` is no kind of request"), id)
    for key, field in request.fields.items():
        if key not in frame:
            if field.needed:
                raise BadFrame(Text(f"缺 {key}", f"`{key}` is missing"), id)
        elif not (_fits(field, frame[key]) or (field.null and frame[key] is None)):
            raise BadFrame(Text(f"{key} 写得不对", f"`{key}` is wrong"), id)
    return frame


def _fits(field: Field, value: Any) -> bool:
    match field.type:
        case "int":
            return type(value) is int and field.low <= value <= field.high
        case "bool":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, dict) and field.low <= len(value) <= field.high and depth(value) <= MAX_DEPTH
        case "act":
            return is_act(value)
    if not isinstance(value, str):
        return False
    if field.choices:
        return value in field.choices
    if not field.low <= len(value) <= field.high:
        return False
    return not field.pattern or _PATTERNS[field.pattern].fullmatch(value) is not None


def is_act(value: Any) -> bool:
    """Is this an act on the wire: an object with the name of an act and that act's keys?"""
    if not isinstance(value, dict):
        return False
    name = value.get("act")
    keys = ACTS.get(name) if isinstance(name, str) else None
    return keys is not None and all(_fits_act(kind, value.get(key)) for key, kind in keys.items())


def _fits_act(kind: str, value: Any) -> bool:
    if kind == "card":
        return isinstance(value, str) and _CARD.fullmatch(value) is not None
    if kind == "suit":
        return isinstance(value, str) and value in SUITS
    if kind == "int":
        return type(value) is int and 0 <= value <= _LARGEST
    return (
        isinstance(value, list)
        and len(value) <= MAX_CARDS
        and all(isinstance(card, str) and _CARD.fullmatch(card) for card in value)
    )


def depth(value: Any, limit: int = MAX_DEPTH) -> int:
    """How deep lists and objects are nested in each other, counted up to ``limit`` + 1."""
    if limit < 0 or not isinstance(value, (dict, list)):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max((depth(each, limit - 1) for each in inner), default=0)


# -- the schema ------------------------------------------------------------------------------------------------


def request_schema() -> dict[str, Any]:
    """The JSON Schema of a request."""
    return {
        "type": "object",
        "required": ["t", "id"],
        "properties": {
            "t": {"enum": list(REQUESTS)},
            "id": {
                "type": "string",
                "pattern": f"^{_ID.pattern}$",
                "description": "客户端自己定的请求号；同一个号再发一遍，得到的是第一次的答复\n\nchosen by the client; the same id sent again gets the first answer",
            },
        },
        "allOf": [
            {
                "if": {"properties": {"t": {"const": name}}, "required": ["t"]},
                "then": {
                    "description": f"{request.text.zh}\n\n{request.text.en}",
                    "required": [key for key, field in request.fields.items() if field.needed],
                    "properties": {key: field_schema(field) for key, field in request.fields.items()},
                },
            }
            for name, request in REQUESTS.items()
        ],
    }


def field_schema(field: Field) -> dict[str, Any]:
    """The JSON Schema of one key."""
    found: dict[str, Any]
    match field.type:
        case "int":
            found = {"type": "integer", "minimum": field.low, "maximum": field.high}
        case "bool":
            found = {"type": "boolean"}
        case "object":
            found = {"type": "object", "minProperties": field.low, "maxProperties": field.high}
        case "act":
            return {"$ref": "#/$defs/act"}
        case _:
            found = {"type": "string"}
            if field.choices:
                found = {"enum": list(field.choices)}
            elif field.pattern:
                found["pattern"] = field.pattern
            else:
                found |= {"minLength": field.low, "maxLength": field.high}
    if field.null and "type" in found:
        found["type"] = [found["type"], "null"]
    if field.text.en:
        found["description"] = f"{field.text.zh}\n\n{field.text.en}"
    return found


def defs() -> dict[str, Any]:
    """What the request schema refers to."""
    return {"card": {"type": "string", "pattern": CARD}, "act": act_schema()}
