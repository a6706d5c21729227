"""Options that speak of cards: ranks, what they are worth, and kings."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from gunzi.cards import parse_rank, rank_text
from gunzi.errors import Text
from gunzi.options.option import BadValue, Option, closest, others, says, wrong

RANK_NAMES: list[int | str] = [
    *range(2, 15),
    *(str(n) for n in range(2, 15)),
    "T", "J", "Q", "K", "A", "t", "j", "q", "k", "a",
]  # fmt: skip
"""Every way to write a rank in a file; ``parse_rank`` reads them all."""


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


class Ranks(Option):
    """A list of different ranks. ``ordered``: the order means something; otherwise it is sorted. At most ``most``."""

    def __init__(self, id: str, name: Text, doc: Text, *, most: int = 13, ordered: bool = False, **more: Any) -> None:
        super().__init__(id, name, doc, **more)
        self.most, self.ordered = most, ordered

    def parse(self, value: Any) -> list[int]:
        if not isinstance(value, (list, tuple)):
            raise wrong(
                f"{self.id} 要写成列表，例如 [3, 10]，不能写 {says(value)}",
                f"{self.id} is a list like [3, 10], not {says(value)}",
                "[…]",
            )
        ranks: list[int] = []
        for place, item in enumerate(value):
            ranks.append(_another_rank(self.id, item, ranks, place))
        if len(ranks) > self.most:
            raise wrong(
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
        return others(value, [[], *fewer, *self.examples()])


class RankPoints(Option):
    """A map from rank to points: 0 or more, multiples of 5. Canonical keys are ``"5"``, ``"10"``, ``"K"``; zeros are left out."""

    most = 100

    def parse(self, value: Any) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise wrong(
                f"{self.id} 要写成对照表，例如 {{5: 5, 10: 10, K: 10}}",
                f"{self.id} is a map like {{5: 5, 10: 10, K: 10}}, not {says(value)}",
                "{rank: points}",
            )
        found: dict[int, int] = {}
        for key, points in value.items():
            rank = _another_rank(self.id, key, found, key)
            if not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= self.most or points % 5:
                raise wrong(
                    f"{self.id} 的分值要写 0 到 {self.most} 之间 5 的倍数，不能写 {says(points)}",
                    f"{self.id} takes points from 0 to {self.most}, multiples of 5, not {says(points)}",
                    f"0..{self.most}",
                ).under(key)
            found[rank] = points
        return {rank_text(rank): found[rank] for rank in sorted(found) if found[rank]}

    def read(self, text: str) -> dict[str, int]:
        return self.parse(_pairs(text))

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
        return others(value, [*fewer, *self.examples()])


class KingCounts(Option):
    """``{big: n, small: n}``, each 0-9: what a buried king is worth. Both keys are needed."""

    def parse(self, value: Any) -> dict[str, int]:
        if not isinstance(value, Mapping):
            raise wrong(
                f"{self.id} 要写成 {{big: 2, small: 1}} 的样子",
                f"{self.id} is a map like {{big: 2, small: 1}}, not {says(value)}",
                "{big, small}",
            )
        for key in value:
            if key not in ("big", "small"):
                raise wrong(
                    f"{self.id} 里没有 {says(key)}",
                    f"{self.id} has no {says(key)}",
                    "big, small",
                    closest(str(key), ("big", "small")),
                ).under(key)
        for key in ("big", "small"):
            if key not in value:
                raise wrong(f"{self.id} 缺少 {key}", f"{self.id} lacks {key}", "{big: 0-9, small: 0-9}")
            count = value[key]
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= 9:
                raise wrong(
                    f"{self.id} 的 {key} 要写 0 到 9，不能写 {says(count)}",
                    f"{key} of {self.id} is 0 to 9, not {says(count)}",
                    "0..9",
                ).under(key)
        return {"big": value["big"], "small": value["small"]}

    def read(self, text: str) -> dict[str, int]:
        return self.parse(_pairs(text))

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
        return others(value, [{"big": b, "small": s} for b, s in [(0, 0), *near] if 0 <= b <= 9 and 0 <= s <= 9])


def _parse_rank(id: str, value: Any) -> int:
    try:
        return parse_rank(value)
    except ValueError:
        raise wrong(f"{id}：{says(value)} 不是点数", f"{id}: {says(value)} is no rank", "2-10, J, Q, K, A") from None


def _another_rank(id: str, value: Any, known: Container[int], step: Any) -> int:
    """A rank that is not among those known already; ``step`` leads to where it is written. Raises BadValue."""
    try:
        rank = _parse_rank(id, value)
    except BadValue as bad:
        raise bad.under(step) from None
    if rank in known:
        twice = wrong(f"{id} 里 {rank_text(rank)} 写了两次", f"{id} names {rank_text(rank)} twice", "once")
        raise twice.under(step)
    return rank


def _pairs(text: str) -> dict[str, Any]:
    """``5: 5, K: 10``, braces around it or not, as a map; whole numbers are read, anything else stays as it stands."""
    pairs: dict[str, Any] = {}
    for part in text.strip("{} ").replace(",", " ").replace(": ", ":").split():
        key, _, value = part.partition(":")
        pairs[key] = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else value
    return pairs
