"""Options whose value is a list: names in order, titles by score."""

from __future__ import annotations

from typing import Any

from gunzi.options.option import Option, says, wrong


class Names(Option):
    """An ordered list of different names (the phases of a hand)."""

    most = 50

    def parse(self, value: Any) -> list[str]:
        if not isinstance(value, (list, tuple)) or not value:
            raise wrong(f"{self.id} 要写成不空的列表", f"{self.id} is a list of names, not {says(value)}", "[…]")
        if len(value) > self.most:
            raise wrong(
                f"{self.id} 最多 {self.most} 个名字", f"{self.id} takes at most {self.most} names", f"≤ {self.most}"
            )
        for place, item in enumerate(value):
            if not isinstance(item, str) or not item or len(item) > 80:
                raise wrong(f"{says(item)} 不是名字", f"{says(item)} is no name", "a name").under(place)
            if item in value[:place]:
                raise wrong(f"{item} 写了两次", f"{self.id} names {item} twice", "once").under(place)
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


class Titles(Option):
    """A list of ``[from, title]`` with rising scores; empty for none. Canonical: sorted by score."""

    def parse(self, value: Any) -> list[list[Any]]:
        if not isinstance(value, (list, tuple)):
            raise wrong(
                f"{self.id} 要写成 [[0, 赤脚], [5, 穿鞋]] 的样子",
                f"{self.id} is a list like [[0, 赤脚], [5, 穿鞋]], not {says(value)}",
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
                raise wrong(
                    f"{self.id} 的每一项要写成 [起始分, 称号]",
                    f"each item of {self.id} is [score from 0, title], not {says(item)}",
                    "[from, title]",
                ).under(place)
            if item[0] in found:
                raise wrong(
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
