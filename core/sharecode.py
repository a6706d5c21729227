"""Share codes: a rule set as a short text that can be sent in a message.

    encode(load("yuwang", {"reveal.pick": "min"}))      # 'gz1.…', 20 characters

A code is ``gz1.`` and bytes in the URL-safe base 64 alphabet: the preset it starts from, the options that differ from it,
and two checks. Options and their values stand in it by their numbers in ``sharetable.OPTIONS``, which only ever grows, so a code keeps
its meaning whatever the order of plugins and whatever options come later. Other plugins' options are written out.

The first check covers the code's own bytes: a damaged code is an error. The second covers the values it comes to: where a
preset has changed since the code was made, the code is an error too, never quietly another rule set.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from gunzi.cards import parse_rank, rank_text
from gunzi.errors import Text, VariantError
from gunzi.problems import Problem, problems_text
from gunzi.resolve import DEFAULT, Origin, Resolved, lay_over, option_set, resolve_preset
from gunzi.sharetable import BASES, KINGS, LIST, NAMES, ONE, OPTIONS, POINTS, RANK, SET, TITLES, WHOLE

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet

VERSION: Final = 1
PREFIX: Final = f"gz{VERSION}."
LONGEST: Final = 20_000
"""The longest code that is read, in characters."""
LONGEST_UNPACKED: Final = 200_000

_NUMBER: Final = {id: number for number, (id, _, _) in enumerate(OPTIONS)}
_OTHER: Final = 0
"""Stands where an option's number plus one would: a name written out and a value as JSON follow."""
_CODE: Final = re.compile(r"gz([0-9]+)\.([A-Za-z0-9_-]*)", re.ASCII)


def is_code(name: str) -> bool:
    """Is this meant as a share code? Not whether it is a good one."""
    return _CODE.fullmatch(name.strip()) is not None and not name.strip().endswith((".yaml", ".yml"))


def encode(rules: RuleSet) -> str:
    """The share code of a rule set: the shortest one, that is from the preset it differs least from."""
    found = [(_written(rules, base), base) for base in _bases(rules)]
    return PREFIX + base64.urlsafe_b64encode(min(found, key=lambda each: len(each[0]))[0]).decode().rstrip("=")


def decode(code: str, preset: Callable[[str], Resolved] = resolve_preset) -> Resolved:
    """The variant a code stands for, resolved: its preset with the differences laid over it.

    Raises VariantError where the code is damaged, was made by a newer gunzi or from a preset that has changed since;
    PluginError where it needs a plugin that is not installed.
    """
    reader = _Reader(_payload(code.strip()))
    base, plugins, values = _read(reader)
    external = _with_plugins(preset(base), plugins)
    shown = code.strip() if len(code.strip()) <= 40 else f"{code.strip()[:36]}…"
    found = lay_over(external, values, shown, data=True)
    if _content_check(found.options, reader.known, values) != reader.content:
        raise _wrong(
            "code-outdated",
            f"这个分享码是照着另一版 {base} 写的，现在的 {base} 改过了，按它还原会变成别的打法",
            f"the share code was made from another version of {base}, which has changed since: read with today's it would be "
            "other rules",
        )
    return found


def _wrong(code: str, zh: str, en: str) -> VariantError:
    problem = Problem(code, Text(zh, en))
    return VariantError(problems_text([problem]), [problem])


def _damaged() -> VariantError:
    return _wrong(
        "code-damaged",
        "分享码不对：少了字、多了字，或者抄错了，请重新复制",
        "the share code is damaged: something is missing or was changed, copy it again",
    )


def _newer() -> VariantError:
    return _wrong(
        "code-newer",
        "这个分享码是更新的 gunzi 写的：请升级 gunzi",
        "the share code was made by a newer gunzi: this one has to be brought up to date",
    )


# -- writing ---------------------------------------------------------------------------------------------------------


def _bases(rules: RuleSet) -> Iterator[RuleSet]:
    """The presets a code may start from; where several give codes of one length, the earliest: the rule set's own first."""
    from gunzi.loading import load

    own = [name for name in (rules.id, *_presets_of(rules)) if name in BASES]
    yield from (load(name) for name in dict.fromkeys([*own, *BASES]))


def _presets_of(rules: RuleSet) -> list[str]:
    """The presets in a rule set's chain, the nearest first."""
    from gunzi import variants

    shown = {variants.shown(name): name for name in BASES}
    return [shown[file] for file in reversed(rules.resolved.files) if file in shown]


def _written(rules: RuleSet, base: RuleSet) -> bytes:
    changed = [id for id in rules.option_ids() if id not in base.options or rules.options[id] != base.options[id]]
    changed = sorted(changed, key=lambda id: (_NUMBER.get(id, len(OPTIONS)), id))
    plugins = sorted(rules.resolved.plugins)
    body = bytearray(_whole(len(plugins)))
    for plugin in plugins:
        body += _text(plugin)
    for id in changed:
        body += _option(id, rules.options[id])
    packed = zlib.compress(bytes(body), 9)
    shorter = len(packed) < len(body)
    head = _whole(BASES.index(base.id) * 2 + shorter) + _whole(len(OPTIONS))
    payload = head + _content_check(rules.options, len(OPTIONS), changed) + (packed if shorter else bytes(body))
    return _own_check(payload) + payload


def _option(id: str, value: Any) -> bytes:
    number = _NUMBER.get(id)
    if number is not None:
        _, form, named = OPTIONS[number]
        try:
            return _whole(number + 1) + _WRITE[form](value, named)
        except ValueError:
            pass  # a value without a number of its own
    return bytes([_OTHER]) + _text(id) + _text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _whole(value: int) -> bytes:
    """A whole number from 0, seven bits a byte."""
    if value < 0:
        raise ValueError(value)
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _text(text: str) -> bytes:
    data = text.encode("utf-8")
    return _whole(len(data)) + data


def _number_of(value: Any, named: tuple[Any, ...]) -> bytes:
    return _whole([(type(each), each) for each in named].index((type(value), value)))


def _titles(value: Any, _: tuple[Any, ...]) -> bytes:
    found, last = bytearray(_whole(len(value))), 0
    for score, title in value:
        found += _whole(score - last) + _text(title)
        last = score
    return bytes(found)


def _names(value: Any, named: tuple[Any, ...]) -> bytes:
    return _whole(len(value)) + b"".join(
        _whole(named.index(name) + 1) if name in named else _whole(0) + _text(name) for name in value
    )


_WRITE: Final[dict[int, Callable[[Any, tuple[Any, ...]], bytes]]] = {
    ONE: _number_of,
    WHOLE: lambda value, _: _whole(value),
    RANK: lambda value, _: _whole(value),
    SET: lambda value, _: _whole(sum(1 << rank - 2 for rank in value)),
    LIST: lambda value, _: _whole(len(value)) + bytes(value),
    KINGS: lambda value, _: _whole(value["big"] * 10 + value["small"]),
    POINTS: lambda value, _: (
        _whole(len(value)) + b"".join(bytes([parse_rank(rank)]) + _whole(points // 5) for rank, points in value.items())
    ),
    TITLES: _titles,
    NAMES: _names,
}


def _own_check(payload: bytes) -> bytes:
    # Made for texts that people copy: every change of up to four neighbouring characters shows.
    return binascii.crc32(PREFIX.encode() + payload).to_bytes(4, "big")[:3]


def _content_check(options: Mapping[str, Any], known: int, written: Iterable[str]) -> bytes:
    """Two bytes of what the code comes to: the first ``known`` numbered options, and the others it writes out."""
    ids = {id for id, _, _ in OPTIONS[:known]} | set(written)
    content = {id: options[id] for id in sorted(ids) if id in options}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:2]


# -- reading ---------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads a code's bytes from the front. ``known`` options were numbered when it was made, ``content`` is its second
    check."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.known = 0
        self.content = b""

    @property
    def over(self) -> bool:
        """Is everything read?"""
        return self.at >= len(self.data)

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise _damaged()
        self.at += count
        return self.data[self.at - count : self.at]

    def whole(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise _damaged()

    def text(self) -> str:
        try:
            return self.take(self.whole()).decode("utf-8")
        except UnicodeDecodeError:
            raise _damaged() from None


def _payload(code: str) -> bytes:
    """The bytes of a code that is undamaged and not too new. Raises VariantError."""
    found = _CODE.fullmatch(code)
    if found is None or len(code) > LONGEST:
        raise _damaged()
    if found[1] != str(VERSION):
        raise _newer() if found[1][:1] != "0" else _damaged()
    text = found[2]
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise _damaged() from None
    own, payload = data[:3], data[3:]
    # Two codes that differ only in the idle bits of the last character are not both right.
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text or _own_check(payload) != own:
        raise _damaged()
    return payload


def _read(reader: _Reader) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """The base, the plugins, and the values written, in the code's order."""
    head, reader.known = reader.whole(), reader.whole()
    reader.content = reader.take(2)
    if reader.known > len(OPTIONS) or head // 2 >= len(BASES):
        raise _newer()
    if head % 2:
        unpacker = zlib.decompressobj()
        try:
            body = unpacker.decompress(reader.take(len(reader.data) - reader.at), LONGEST_UNPACKED)
        except zlib.error:
            raise _damaged() from None
        if not unpacker.eof or unpacker.unused_data:
            raise _damaged()
        reader.data, reader.at = body, 0
    plugins = tuple(reader.text() for _ in _many(reader))
    values: dict[str, Any] = {}
    while not reader.over:
        number = reader.whole()
        if number > len(OPTIONS):
            raise _newer()
        if number == _OTHER:
            id, value = reader.text(), _json(reader.text())
        else:
            id, form, named = OPTIONS[number - 1]
            value = _READ[form](reader, named)
        if id in values:
            raise _damaged()
        values[id] = value
    return BASES[head // 2], plugins, values


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged() from None


def _named(reader: _Reader, named: tuple[Any, ...]) -> Any:
    number = reader.whole()
    if number >= len(named):
        raise _newer()
    return named[number]


def _many(reader: _Reader) -> range:
    count = reader.whole()
    if count > len(reader.data):
        raise _damaged()
    return range(count)


def _read_titles(reader: _Reader, _: tuple[Any, ...]) -> list[list[Any]]:
    found: list[list[Any]] = []
    score = 0
    for _title in _many(reader):
        score += reader.whole()
        found.append([score, reader.text()])
    return found


def _read_points(reader: _Reader, _: tuple[Any, ...]) -> dict[str, int]:
    found = {}
    for _rank in _many(reader):
        rank = reader.whole()
        found[rank_text(rank) if 2 <= rank <= 14 else str(rank)] = reader.whole() * 5
    return found


def _read_names(reader: _Reader, named: tuple[Any, ...]) -> list[str]:
    found = []
    for _name in _many(reader):
        number = reader.whole()
        if number > len(named):
            raise _newer()
        found.append(str(named[number - 1]) if number else reader.text())
    return found


def _read_set(reader: _Reader, _: tuple[Any, ...]) -> list[int]:
    bits = reader.whole()
    return [rank for rank in range(2, bits.bit_length() + 2) if bits >> rank - 2 & 1]


def _read_kings(reader: _Reader, _: tuple[Any, ...]) -> dict[str, int]:
    big, small = divmod(reader.whole(), 10)
    return {"big": big, "small": small}


_READ: Final[dict[int, Callable[[_Reader, tuple[Any, ...]], Any]]] = {
    ONE: _named,
    WHOLE: lambda reader, _: reader.whole(),
    RANK: lambda reader, _: reader.whole(),
    SET: _read_set,
    LIST: lambda reader, _: [reader.whole() for _rank in _many(reader)],
    KINGS: _read_kings,
    POINTS: _read_points,
    TITLES: _read_titles,
    NAMES: _read_names,
}


def _with_plugins(base: Resolved, plugins: tuple[str, ...]) -> Resolved:
    """A preset with other plugins beside the built-in ones, their options at their defaults."""
    if not plugins:
        return base
    known, _ = option_set(plugins)
    origins = dict(base.origins)
    for id, default in known.defaults.items():
        if id not in origins:
            origins[id] = Origin(known[id].parse(default), f"{DEFAULT} of {known.owner[id]}", (), "operator", "")
    return replace(base, plugins=plugins, origins=origins)
