"""Options with one plain value: a name from a list, true or false, a number, anything that a JSON Schema accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunzi.errors import Text
from gunzi.options.option import BadValue, Option, closest, says, wrong


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
        raise wrong(f"{self.id} 没有 {says(value)} 这个取值", f"{says(value)} is no value of {self.id}", allowed, guess)

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
        raise wrong(
            f"{self.id} 只能写 true 或 false，不能写 {says(value)}",
            f"{self.id} is true or false, not {says(value)}",
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
        raise wrong(
            f"{self.id} 要写 {self.low} 到 {self.high} 的整数{multiple_zh}，不能写 {says(value)}",
            f"{self.id} is a whole number from {self.low} to {self.high}{multiple_en}, not {says(value)}",
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
