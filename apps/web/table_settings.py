"""What a table's host can set, apart from the rules of the game: limits, pace, times, what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gunzi.errors import GunziError, Text


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: a whole number within bounds, or (``low`` None) yes or no. Times are in milliseconds."""

    text: Text
    default: int | bool
    low: int | None = None
    high: int = 0

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        kind: dict[str, Any] = (
            {"type": "boolean"} if self.low is None else {"type": "integer", "minimum": self.low, "maximum": self.high}
        )
        return {**kind, "default": self.default, "description": f"{self.text.zh}\n\n{self.text.en}"}


SETTINGS: Final[dict[str, Setting]] = {
    "public": Setting(Text("大厅里看得见，谁都能进", "listed in the lobby, open to everybody"), False),
    "spectators": Setting(Text("可以旁观", "spectators may watch"), True),
    "rounds": Setting(
        Text("打几轮（3 到 10 是一轮；0 不限）", "rounds to play (a round is 3 to 10; 0: no limit)"), 1, 0, 100
    ),
    "hands": Setting(Text("最多打几把（0 不限）", "hands at most (0: no limit)"), 0, 0, 10_000),
    "deal_ms": Setting(Text("每张牌发多久", "time to deal one card"), 100, 1, 2_000),
    "window_ms": Setting(
        Text("最后一张发完以后，还能亮主多久", "time to claim or declare after the last card"), 8_000, 50, 120_000
    ),
    "think_ms": Setting(Text("出牌想多久（0 不限）", "time for a play (0: no limit)"), 30_000, 0, 3_600_000),
    "bury_ms": Setting(
        Text("进贡、扣底想多久（0 不限）", "time for tribute and burying (0: no limit)"), 120_000, 0, 3_600_000
    ),
    "kings_ms": Setting(
        Text("每家扣王想多久（0 不限）", "time for each seat to bury kings (0: no limit)"), 15_000, 0, 3_600_000
    ),
    "between_ms": Setting(
        Text(
            "结果最多看多久就打下一把（0 不限，等大家点“下一把”）",
            "the next hand begins after this time at the latest (0: when everybody has asked for it)",
        ),
        60_000,
        0,
        3_600_000,
    ),
    "auto_after": Setting(Text("连着超时几次就托管", "timeouts in a row after which a bot takes over"), 2, 1, 100),
    "join": Setting(Text("打牌当中可以坐下来顶替电脑", "people may take a bot's seat during play"), True),
    "take_back": Setting(Text("可以悔牌（要别人同意）", "an act may be taken back (the others agreeing)"), True),
    "early": Setting(Text("结果定了可以提前结束", "a hand may end early when its result is certain"), True),
    "suggest": Setting(Text("可以问电脑怎么打", "a bot may be asked what it would do"), True),
    "counting": Setting(Text("记牌：看还剩哪些牌", "the page shows which cards are left"), False),
    "history": Setting(
        Text("可以翻看前面各圈（不许就只看上一圈）", "all earlier tricks can be looked at (else the last one)"), True
    ),
    "phrases": Setting(Text("可以说现成的话", "phrases may be said"), True),
}
"""The settings by id, with their defaults."""


class BadSettings(GunziError, ValueError):
    """Settings that are none; ``text`` says which and why."""


def defaults() -> dict[str, int | bool]:
    """Every setting at its default."""
    return {id: setting.default for id, setting in SETTINGS.items()}


def changed(now: Mapping[str, int | bool], changes: Mapping[str, Any]) -> dict[str, int | bool]:
    """The settings with some of them changed. Raises BadSettings; then nothing is changed."""
    found = dict(now)
    for id, value in changes.items():
        setting = SETTINGS.get(id)
        if setting is None:
            raise BadSettings(Text(f"没有 {id!r:.60} 这一项", f"there is no setting {id!r:.60}"))
        if setting.low is None:
            if not isinstance(value, bool):
                raise BadSettings(Text(f"{id} 要写 true 或 false", f"{id} is true or false"))
        elif type(value) is not int or not setting.low <= value <= setting.high:
            raise BadSettings(
                Text(
                    f"{id} 要写 {setting.low} 到 {setting.high} 的整数",
                    f"{id} is a whole number from {setting.low} to {setting.high}",
                )
            )
        found[id] = value
    return found


def as_json() -> list[dict[str, Any]]:
    """The settings for a form."""
    return [
        {
            "id": id,
            "zh": setting.text.zh,
            "en": setting.text.en,
            "type": "bool" if setting.low is None else "int",
            "default": setting.default,
            "low": setting.low,
            "high": None if setting.low is None else setting.high,
        }
        for id, setting in SETTINGS.items()
    ]
