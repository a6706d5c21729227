"""Tallies as plain data and back, exactly: dataclasses of whole numbers, words, lists and counters, by their type hints.

So a tally that grows another figure needs no line here. ``shape`` tells forms apart: data of another shape are not read. A class
whose fields cannot have just any values together says so in ``check()``, which raises ValueError; it is called of what is read.
"""

from __future__ import annotations

import hashlib
import types
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import index
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
MOST_BITS: Final = 128
"""No sum over hands that can be played is longer; much longer ones are no figures to reckon with."""
Plain = Any
"""What JSON can hold."""


def to_plain(value: object, kind: Any) -> Plain:
    """A value of a type as what JSON can hold. Raises TypeError where it is none."""
    return _codec(kind).write(value)


def from_plain(data: Plain, kind: type[T]) -> T:
    """The value that ``to_plain`` has written. Raises ValueError where the data are no such value."""
    try:
        codec: _Codec = _codec(kind)  # type: ignore[arg-type]
        found: T = codec.read(data)
    except (TypeError, KeyError, IndexError, AttributeError) as wrong:
        raise ValueError(f"no {getattr(kind, '__name__', kind)}: {wrong}") from wrong
    return found


def shape(kind: Any) -> str:
    """A short name for how values of a type are written: other fields or other types of them, another name."""
    return hashlib.sha256(_codec(kind).told.encode()).hexdigest()[:16]


class _Codec:
    """How values of one type are written and read; ``told`` is the type in words."""

    __slots__ = ("read", "told", "write")

    def __init__(self, told: str, write: Callable[[Any], Plain], read: Callable[[Plain], Any]) -> None:
        self.told = told
        self.write = write
        self.read = read


@cache
def _codec(kind: Any) -> _Codec:
    if kind is Any:
        return _Codec("any", lambda value: value, lambda data: data)
    if kind is type(None):
        return _Codec("none", _nothing, _nothing)
    if kind is int:
        # Numbers of compiled code are whole too, but not Python's own.
        return _Codec("int", lambda value: index(value), _whole)
    if kind in (str, bool):
        return _Codec(kind.__name__, lambda value: _of(value, kind), lambda data: _of(data, kind))
    if is_dataclass(kind):
        return _fields(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _optional(kind, inner)
    if origin is list:
        each = _codec(inner[0])
        return _Codec(
            f"[{each.told}]",
            lambda value: [each.write(one) for one in value],
            lambda data: [each.read(one) for one in _of(data, list)],
        )
    if origin is tuple:
        return _tuple(inner)
    if origin in (dict, Counter) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        counter = origin is Counter
        return _mapping(inner[0], int if counter else inner[1], Counter if counter else dict)
    raise TypeError(f"{kind} cannot be kept")


def _fields(kind: Any) -> _Codec:
    hints = get_type_hints(kind)
    parts = [(each.name, _codec(hints[each.name])) for each in fields(kind)]
    told = ",".join(f"{name}:{part.told}" for name, part in parts)
    check: Callable[[Any], None] | None = getattr(kind, "check", None)

    def write(value: Any) -> Plain:
        if type(value) is not kind:
            raise TypeError(f"{value!r:.80} is no {kind.__name__}")
        return [part.write(getattr(value, name)) for name, part in parts]

    def read(data: Plain) -> Any:
        if type(data) is not list or len(data) != len(parts):
            raise ValueError(f"no {kind.__name__}: {data!r:.80}")
        found = kind(**{name: part.read(one) for (name, part), one in zip(parts, data, strict=True)})
        if check is not None:
            check(found)
        return found

    return _Codec(f"{kind.__name__}({told})", write, read)


def _optional(kind: Any, inner: tuple[Any, ...]) -> _Codec:
    rest = [each for each in inner if each is not type(None)]
    if len(rest) != 1 or len(inner) != 2:
        raise TypeError(f"{kind} cannot be kept: what is None or one other type can")
    part = _codec(rest[0])
    return _Codec(
        f"{part.told}?",
        lambda value: None if value is None else part.write(value),
        lambda data: None if data is None else part.read(data),
    )


def _tuple(inner: tuple[Any, ...]) -> _Codec:
    if len(inner) == 2 and inner[1] is Ellipsis:
        each = _codec(inner[0])
        return _Codec(
            f"({each.told}…)",
            lambda value: [each.write(one) for one in value],
            lambda data: tuple(each.read(one) for one in _of(data, list)),
        )
    parts = [_codec(each) for each in inner]
    return _Codec(
        f"({','.join(part.told for part in parts)})",
        lambda value: [part.write(one) for part, one in zip(parts, value, strict=True)],
        lambda data: tuple(part.read(one) for part, one in zip(parts, _of(data, list), strict=True)),
    )


def _mapping(key: Any, value: Any, make: Callable[[Any], Any]) -> _Codec:
    """Pairs in their order: keys may be of any type that can be kept."""
    left, right = _codec(key), _codec(value)
    return _Codec(
        f"{make.__name__}{{{left.told}:{right.told}}}",
        lambda found: [[left.write(one), right.write(other)] for one, other in found.items()],
        lambda data: make({left.read(one): right.read(other) for one, other in _of(data, list)}),
    )


def _of(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise ValueError(f"{value!r:.80} is no {kind.__name__}")
    return value


def _whole(value: Any) -> int:
    found = _of(value, int)
    if found.bit_length() > MOST_BITS:
        raise ValueError(f"a number of {found.bit_length()} bits")
    return found


def _nothing(value: Any) -> None:
    if value is not None:
        raise ValueError(f"{value!r:.80} is not nothing")
