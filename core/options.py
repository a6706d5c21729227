"""Options: what a house rule can be set to, in words and as a schema.

An option belongs to the plugin that reads it. One declaration drives everything: parsing, the JSON Schema, errors with
suggestions, the rule book and the forms. Option ids are ``group.name`` (or a bare group: ``points``, ``titles``).
"""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from gunzi.cards import parse_rank, rank_text
from gunzi.errors import Text

RANK_NAMES: list[int | str] = [
    *range(2, 15),
    *(str(n) for n in range(2, 15)),
    "T", "J", "Q", "K", "A", "t", "j", "q", "k", "a",
]  # fmt: skip
"""Every way to write a rank in a file; ``parse_rank`` reads them all."""


class BadValue(ValueError):
    """A value an option does not take. ``path`` leads to the part that is wrong (list indices, map keys)."""

    def __init__(self, text: Text, *, path: tuple[Any, ...] = (), allowed: str = "", suggestion: str = "") -> None:
        super().__init__(text.en)
        self.text = text
        self.path = path
        self.allowed = allowed
        self.suggestion = suggestion

    def under(self, step: Any) -> BadValue:
        """The same, one step further in."""
        return BadValue(self.text, path=(step, *self.path), allowed=self.allowed, suggestion=self.suggestion)


def closest(word: str, words: Iterable[str]) -> str:
    """The word most like ``word``, or an empty text: for "did you mean"."""
    if len(word) > 100:
        return ""
    found = difflib.get_close_matches(word, list(words), n=1, cutoff=0.6)
    return found[0] if found else ""


class Option(ABC):
    """One option: its id, what it decides, and (in the subclasses) its values.

    ``doc`` says what the option decides, ``clause`` where the rule book says it (``3.3``). ``renamed_from`` lists ids it
    had in earlier versions; they keep working, with a warning.
    """

    def __init__(self, id: str, name: Text, doc: Text, *, clause: str = "", renamed_from: tuple[str, ...] = ()) -> None:
        self.id = id
        self.name = name
        self.doc = doc
        self.clause = clause
        self.renamed_from = renamed_from

    @abstractmethod
    def parse(self, value: Any) -> Any:
        """The value in its one canonical form (plain JSON data). Raises BadValue."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """A JSON Schema (draft 2020-12) that accepts exactly what ``parse`` accepts in a file."""

    def values(self) -> dict[str, Text]:
        """The named values and what each means; empty where the values are not a short list."""
        return {}

    def value_text(self, value: Any) -> Text:
        """What a canonical value means, in both languages."""
        shown = self.show(value)
        return Text(shown, shown)

    def show(self, value: Any) -> str:
        """A canonical value as text; what ``read`` accepts."""
        return str(value)

    def read(self, text: str) -> Any:
        """The canonical value from text given on a command line (``--set``). Raises BadValue."""
        return self.parse(text)

    def examples(self) -> list[Any]:
        """Some canonical values, all of them where they are few: for tests and for sweeps."""
        return []

    def neighbours(self, value: Any) -> list[Any]:
        """The canonical values a sweep tries beside this one: all others where there are few, else a fair choice near it."""
        return [each for each in self.examples() if each != value]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"


def _wrong(zh: str, en: str, allowed: str, suggestion: str = "") -> BadValue:
    return BadValue(Text(zh, en), allowed=allowed, suggestion=suggestion)


def _says(value: Any) -> str:
    return "true" if value is True else "false" if value is False else "null" if value is None else repr(value)


class Choice(Option):
    """One of a few named values, each with its meaning."""

    def __init__(self, id: str, name: Text, doc: Text, choices: Mapping[str, Text], **more: Any) -> None:
        super().__init__(id, name, doc, **more)
        self.choices = dict(choices)

    def parse(self, value: Any) -> str:
        if isinstance(value, str) and value in self.choices:
            return value
        allowed = ", ".join(self.choices)
        guess = closest(value, self.choices) if isinstance(value, str) else ""
        raise _wrong(
            f"{self.id} 没有 {_says(value)} 这个取值", f"{_says(value)} is no value of {self.id}", allowed, guess
        )

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}

    def values(self) -> dict[str, Text]:
        return self.choices

    def value_text(self, value: Any) -> Text:
        return self.choices[value]

    def examples(self) -> list[Any]:
        return list(self.choices)


class Flag(Option):
    """true or false, each with its meaning; ``yes``, ``no``, ``on``, ``off`` and quoted words are refused."""

    def __init__(self, id: str, name: Text, doc: Text, true: Text, false: Text, **more: Any) -> None:
        super().__init__(id, name, doc, **more)
        self.texts = {True: true, False: false}

    def parse(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        guess = ""
        if isinstance(value, str):
            guess = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(value.lower(), "")
            if value.lower() in ("true", "false"):
                guess = value.lower()
        raise _wrong(
            f"{self.id} 只能写 true 或 false，不能写 {_says(value)}",
            f"{self.id} is true or false, not {_says(value)}",
            "true, false",
            guess,
        )

    def read(self, text: str) -> bool:
        return self.parse({"true": True, "false": False}.get(text, text))

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def values(self) -> dict[str, Text]:
        return {"true": self.texts[True], "false": self.texts[False]}

    def value_text(self, value: Any) -> Text:
        return self.texts[value]

    def show(self, value: Any) -> str:
        return "true" if value else "false"

    def examples(self) -> list[Any]:
        return [True, False]


class Number(Option):
    """A whole number from ``low`` to ``high``, a multiple of ``step``; ``unit`` is what it counts."""

    def __init__(
        self,
        id: str,
        name: Text,
        doc: Text,
        low: int,
        high: int,
        *,
        step: int = 1,
        unit: Text | None = None,
        **more: Any,
    ) -> None:
        super().__init__(id, name, doc, **more)
        self.low, self.high, self.step = low, high, step
        self.unit = unit

    def parse(self, value: Any) -> int:
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.low <= value <= self.high
            and value % self.step == 0
        ):
            return value
        multiple_zh = f"，且为 {self.step} 的倍数" if self.step > 1 else ""
        multiple_en = f", a multiple of {self.step}" if self.step > 1 else ""
        raise _wrong(
            f"{self.id} 要写 {self.low} 到 {self.high} 的整数{multiple_zh}，不能写 {_says(value)}",
            f"{self.id} is a whole number from {self.low} to {self.high}{multiple_en}, not {_says(value)}",
            f"{self.low}..{self.high}",
        )

    def read(self, text: str) -> int:
        return self.parse(int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text)

    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.step > 1:
            found["multipleOf"] = self.step
        return found

    def value_text(self, value: Any) -> Text:
        unit = self.unit or Text("", "")
        return Text(f"{value}{unit.zh}", f"{value} {unit.en}".rstrip())

    def neighbours(self, value: Any) -> list[Any]:
        """All others where there are ten values or fewer; else one and two grains to each side, a grain being the largest of
        1, 2, 5, 10, 20, 50 … that goes sixteen times into the range."""
        low, high = -(-self.low // self.step) * self.step, self.high // self.step * self.step
        every = range(low, high + 1, self.step)
        if len(every) > 10:
            grain = self.step
            most = (high - low) // 16
            for power in range(len(str(most))):
                grain = max(
                    [grain, *(n for n in (10**power, 2 * 10**power, 5 * 10**power) if n <= most and n % self.step == 0)]
                )
            return [each for each in (value + n * grain for n in (-2, -1, 1, 2)) if low <= each <= high]
        return [each for each in every if each != value]

    def examples(self) -> list[Any]:
        low = -(-self.low // self.step) * self.step
        middle = (self.low + self.high) // 2 // self.step * self.step
        return sorted({max(low, self.low), max(middle, low), self.high // self.step * self.step})


class Rank(Option):
    """A rank 2-14; ``10``, ``"10"``, ``T``, ``K`` and 13 are understood."""

    def parse(self, value: Any) -> int:
        return _parse_rank(self.id, value)

    def schema(self) -> dict[str, Any]:
        return {"enum": RANK_NAMES}

    def show(self, value: Any) -> str:
        return rank_text(value)

    def examples(self) -> list[Any]:
        return list(range(2, 15))


def _parse_rank(id: str, value: Any) -> int:
    try:
        return parse_rank(value)
    except ValueError:
        raise _wrong(f"{id}：{_says(value)} 不是点数", f"{id}: {_says(value)} is no rank", "2-10, J, Q, K, A") from None


class Ranks(Option):
    """A list of different ranks. ``ordered``: the order means something; otherwise it is sorted. At most ``most``."""

    def __init__(self, id: str, name: Text, doc: Text, *, most: int = 13, ordered: bool = False, **more: Any) -> None:
        super().__init__(id, name, doc, **more)
        self.most, self.ordered = most, ordered

    def parse(self, value: Any) -> list[int]:
        if not isinstance(value, (list, tuple)):
            raise _wrong(
                f"{self.id} 要写成列表，例如 [3, 10]，不能写 {_says(value)}",
                f"{self.id} is a list like [3, 10], not {_says(value)}",
                "[…]",
            )
        ranks: list[int] = []
        for place, item in enumerate(value):
            try:
                rank = _parse_rank(self.id, item)
            except BadValue as wrong:
                raise wrong.under(place) from None
            if rank in ranks:
                raise _wrong(
                    f"{self.id} 里 {rank_text(rank)} 写了两次", f"{self.id} names {rank_text(rank)} twice", "once"
                ).under(place)
            ranks.append(rank)
        if len(ranks) > self.most:
            raise _wrong(
                f"{self.id} 最多 {self.most} 个点数", f"{self.id} takes at most {self.most} ranks", f"≤ {self.most}"
            )
        return ranks if self.ordered else sorted(ranks)

    def read(self, text: str) -> list[int]:
        return self.parse(text.strip("[] ").replace(",", " ").split())

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"enum": RANK_NAMES}, "uniqueItems": True, "maxItems": self.most}

    def show(self, value: Any) -> str:
        return "[" + ", ".join(rank_text(rank) for rank in value) + "]"

    def examples(self) -> list[Any]:
        return [[], [3], [3, 10]] if self.most >= 2 else [[], [3]]

    def neighbours(self, value: Any) -> list[Any]:
        """None at all, each one left out, and the examples."""
        fewer = [[rank for rank in value if rank != out] for out in value]
        return _others(value, [[], *fewer, *self.examples()])


class RankPoints(Option):
    """A map from rank to points: 0 or more, multiples of 5. Canonical keys are ``"5"``, ``"10"``, ``"K"``; zeros are left out."""

    most = 100

    def parse(self, value: Any) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise _wrong(
                f"{self.id} 要写成对照表，例如 {{5: 5, 10: 10, K: 10}}",
                f"{self.id} is a map like {{5: 5, 10: 10, K: 10}}, not {_says(value)}",
                "{rank: points}",
            )
        found: dict[int, int] = {}
        for key, points in value.items():
            try:
                rank = _parse_rank(self.id, key)
            except BadValue as wrong:
                raise wrong.under(key) from None
            if rank in found:
                raise _wrong(
                    f"{self.id} 里 {rank_text(rank)} 写了两次", f"{self.id} names {rank_text(rank)} twice", "once"
                ).under(key)
            if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= self.most or points % 5:
                raise _wrong(
                    f"{self.id} 的分值要写 0 到 {self.most} 之间 5 的倍数，不能写 {_says(points)}",
                    f"{self.id} takes points from 0 to {self.most}, multiples of 5, not {_says(points)}",
                    f"0..{self.most}",
                ).under(key)
            found[rank] = points
        return {rank_text(rank): found[rank] for rank in sorted(found) if found[rank]}

    def read(self, text: str) -> dict[str, int]:
        pairs: dict[str, Any] = {}
        for part in text.strip("{} ").replace(",", " ").replace(": ", ":").split():
            key, _, points = part.partition(":")
            pairs[key] = int(points) if points.isascii() and points.isdigit() and len(points) < 6 else points
        return self.parse(pairs)

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "propertyNames": {"enum": list(dict.fromkeys(str(name) for name in RANK_NAMES))},
            "additionalProperties": {"type": "integer", "minimum": 0, "maximum": self.most, "multipleOf": 5},
        }

    def show(self, value: Any) -> str:
        return "{" + ", ".join(f"{rank}: {points}" for rank, points in value.items()) + "}"

    def examples(self) -> list[Any]:
        return [{"5": 5, "10": 10, "K": 10}, {"5": 5, "10": 10}, {}]

    def neighbours(self, value: Any) -> list[Any]:
        """Each rank without its points, and the examples."""
        fewer = [{rank: points for rank, points in value.items() if rank != out} for out in value]
        return _others(value, [*fewer, *self.examples()])


class KingCounts(Option):
    """``{big: n, small: n}``, each 0-9: what a buried king is worth. Both keys are needed."""

    def parse(self, value: Any) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise _wrong(
                f"{self.id} 要写成 {{big: 2, small: 1}} 的样子",
                f"{self.id} is a map like {{big: 2, small: 1}}, not {_says(value)}",
                "{big, small}",
            )
        for key in value:
            if key not in ("big", "small"):
                raise _wrong(
                    f"{self.id} 里没有 {_says(key)}",
                    f"{self.id} has no {_says(key)}",
                    "big, small",
                    closest(str(key), ("big", "small")),
                ).under(key)
        for key in ("big", "small"):
            if key not in value:
                raise _wrong(f"{self.id} 缺少 {key}", f"{self.id} lacks {key}", "{big: 0-9, small: 0-9}")
            count = value[key]
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 9:
                raise _wrong(
                    f"{self.id} 的 {key} 要写 0 到 9，不能写 {_says(count)}",
                    f"{key} of {self.id} is 0 to 9, not {_says(count)}",
                    "0..9",
                ).under(key)
        return {"big": value["big"], "small": value["small"]}

    def read(self, text: str) -> dict[str, int]:
        pairs: dict[str, Any] = {}
        for part in text.strip("{} ").replace(",", " ").replace(": ", ":").split():
            key, _, count = part.partition(":")
            pairs[key] = int(count) if count.isascii() and count.isdigit() and len(count) < 6 else count
        return self.parse(pairs)

    def schema(self) -> dict[str, Any]:
        count = {"type": "integer", "minimum": 0, "maximum": 9}
        return {
            "type": "object",
            "properties": {"big": count, "small": count},
            "required": ["big", "small"],
            "additionalProperties": False,
        }

    def value_text(self, value: Any) -> Text:
        return Text(f"大王 {value['big']}，小王 {value['small']}", f"big {value['big']}, small {value['small']}")

    def show(self, value: Any) -> str:
        return f"{{big: {value['big']}, small: {value['small']}}}"

    def examples(self) -> list[Any]:
        return [{"big": 2, "small": 1}, {"big": 0, "small": 0}, {"big": 9, "small": 9}]

    def neighbours(self, value: Any) -> list[Any]:
        """Nothing for either, and one more or less for each."""
        big, small = value["big"], value["small"]
        near = [(big - 1, small), (big + 1, small), (big, small - 1), (big, small + 1)]
        return _others(value, [{"big": b, "small": s} for b, s in [(0, 0), *near] if 0 <= b <= 9 and 0 <= s <= 9])


class Titles(Option):
    """A list of ``[from, title]`` with rising scores; empty for none. Canonical: sorted by score."""

    def parse(self, value: Any) -> list[list[Any]]:
        if not isinstance(value, (list, tuple)):
            raise _wrong(
                f"{self.id} 要写成 [[0, 赤脚], [5, 穿鞋]] 的样子",
                f"{self.id} is a list like [[0, 赤脚], [5, 穿鞋]], not {_says(value)}",
                "[[from, title], …]",
            )
        found: dict[int, str] = {}
        for place, item in enumerate(value):
            if (
                not isinstance(item, (list, tuple))
                or len(item) != 2
                or not isinstance(item[0], int)
                or isinstance(item[0], bool)
                or not 0 <= item[0] <= 10**9
                or not isinstance(item[1], str)
                or not item[1].strip()
                or len(item[1]) > 40
            ):
                raise _wrong(
                    f"{self.id} 的每一项要写成 [起始分, 称号]",
                    f"each item of {self.id} is [score from 0, title], not {_says(item)}",
                    "[from, title]",
                ).under(place)
            if item[0] in found:
                raise _wrong(
                    f"{self.id} 里起始分 {item[0]} 写了两次", f"{self.id} starts two titles at {item[0]}", "once"
                ).under(place)
            found[item[0]] = item[1].strip()
        return [[score, found[score]] for score in sorted(found)]

    def read(self, text: str) -> list[list[Any]]:
        items: list[list[Any]] = []
        for part in text.strip("[] ").replace("], [", "|").replace("],[", "|").replace(",", ":").split("|"):
            if part.strip():
                score, _, title = part.partition(":")
                digits = score.strip()
                whole = digits.isascii() and digits.isdigit() and len(digits) < 11
                items.append([int(digits) if whole else score, title.strip()])
        return self.parse(items)

    def schema(self) -> dict[str, Any]:
        pair = {
            "type": "array",
            "prefixItems": [
                {"type": "integer", "minimum": 0, "maximum": 10**9},
                {"type": "string", "pattern": r"\S", "maxLength": 40},
            ],
            "minItems": 2,
            "maxItems": 2,
        }
        return {"type": "array", "items": pair}

    def show(self, value: Any) -> str:
        return "[" + ", ".join(f"[{score}, {title}]" for score, title in value) + "]"

    def examples(self) -> list[Any]:
        return [[], [[0, "赤脚"], [5, "穿鞋"]]]


class Names(Option):
    """An ordered list of different names (the phases of a hand)."""

    most = 50

    def parse(self, value: Any) -> list[str]:
        if not isinstance(value, (list, tuple)) or not value:
            raise _wrong(f"{self.id} 要写成不空的列表", f"{self.id} is a list of names, not {_says(value)}", "[…]")
        if len(value) > self.most:
            raise _wrong(
                f"{self.id} 最多 {self.most} 个名字", f"{self.id} takes at most {self.most} names", f"≤ {self.most}"
            )
        for place, item in enumerate(value):
            if not isinstance(item, str) or not item or len(item) > 80:
                raise _wrong(f"{_says(item)} 不是名字", f"{_says(item)} is no name", "a name").under(place)
            if item in value[:place]:
                raise _wrong(f"{item} 写了两次", f"{self.id} names {item} twice", "once").under(place)
        return list(value)

    def read(self, text: str) -> list[str]:
        return self.parse(text.strip("[] ").replace(",", " ").split())

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 80},
            "minItems": 1,
            "maxItems": self.most,
            "uniqueItems": True,
        }

    def show(self, value: Any) -> str:
        return "[" + ", ".join(value) + "]"

    def neighbours(self, value: Any) -> list[Any]:
        """Each name left out."""
        return [fewer for out in value if (fewer := [name for name in value if name != out])]


class Schema(Option):
    """Any value a JSON Schema accepts: for plugins whose option fits none of the other kinds."""

    def __init__(self, id: str, name: Text, doc: Text, accepts: dict[str, Any], **more: Any) -> None:
        super().__init__(id, name, doc, **more)
        self.accepts = accepts

    def parse(self, value: Any) -> Any:
        from jsonschema import Draft202012Validator  # 150 ms: only where such an option is used

        for error in Draft202012Validator(self.accepts).iter_errors(value):
            raise BadValue(Text(f"{self.id}：{error.message}", f"{self.id}: {error.message}"), path=tuple(error.path))
        return value

    def read(self, text: str) -> Any:
        import json

        try:
            return self.parse(json.loads(text))
        except json.JSONDecodeError:
            return self.parse(text)

    def schema(self) -> dict[str, Any]:
        return self.accepts

    def examples(self) -> list[Any]:
        if isinstance(self.accepts.get("enum"), list):
            return list(self.accepts["enum"])
        return [True, False] if self.accepts.get("type") == "boolean" else []


def _others(value: Any, values: Iterable[Any]) -> list[Any]:
    """The values that are not this one, each once."""
    found: list[Any] = []
    for each in values:
        if each != value and each not in found:
            found.append(each)
    return found
