"""All options a rule set knows: the built-in plugins', those of the plugins it names, and core's own two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gunzi.errors import PluginError, Text
from gunzi.options import Choice, Names, Option, closest
from gunzi.plugin import Plugin
from gunzi.values import Conflict, Lint

CORE: Final = "gunzi"
"""The owner of core's own options, beside the plugin ids."""

META_KEYS: Final = (
    "gunzi", "id", "name", "description", "version", "extends", "plugins", "notes", "silence",
)  # fmt: skip
"""The top-level keys of a variant file that are no options."""

GROUPS: Final = (
    "deck", "points", "trump", "direction", "phases", "first_dealer", "reveal", "declare", "dry_pot", "bury_kings",
    "tribute", "follow", "capture", "levels", "rotation", "endings", "scoring", "titles",
)  # fmt: skip
"""The order of the rule book's section 5; options of further groups come after."""

PHASES: Final = ("deal", "reveal", "tribute", "bottom", "bury", "bury_kings", "play", "settle")
"""The phases core has, in the rule book's order."""

DIRECTION: Final = Choice(
    "direction",
    Text("出牌方向", "Direction of play"),
    Text(
        "座位按出牌顺序编号，这一项只影响桌面怎么画",
        "seats are numbered in playing order; this only says how the table is drawn",
    ),
    {
        "counterclockwise": Text("逆时针", "counterclockwise"),
        "clockwise": Text("顺时针", "clockwise"),
    },
    clause="3.10",
)
PHASE_LIST: Final = Names(
    "phases",
    Text("一把牌的步骤", "Phases of a hand"),
    Text(
        "一把牌依次有哪些步骤；插件可以加步骤（例如双明）",
        "the phases of a hand in their order; a plugin may add some (双明 is one)",
    ),
    clause="2",
)
CORE_OPTIONS: Final[tuple[Option, ...]] = (DIRECTION, PHASE_LIST)


CORE_LINTS: Final[Mapping[str, Lint]] = {
    "phases-unknown": Lint(Text("phases 里有不认识的步骤", "`phases` names a phase that does not exist"), error=True),
    "phases-missing": Lint(Text("phases 里缺了少不得的步骤", "`phases` lacks a phase that is needed"), error=True),
    "renamed-option": Lint(Text("选项写的是旧名字", "an option is called by its old name")),
    "silence-unknown": Lint(Text("silence 里写的提醒不存在", "`silence` names no warning that there is")),
    "phases-order": Lint(Text("phases 的顺序没法打", "`phases` stand in an order that cannot be played"), error=True),
}
"""The codes of what core itself warns of, and of what can be wrong with its own options."""


class OptionSet(Mapping[str, Option]):
    """Options by id in the order of the rule book; who owns each, and which old names still work.

    Raises PluginError where two plugins own the same id, or an id cannot be written in a variant file.
    """

    def __init__(self, plugins: Iterable[type[Plugin]]) -> None:
        owned: list[tuple[Option, str]] = [(option, CORE) for option in CORE_OPTIONS]
        self.defaults: dict[str, Any] = {}
        for plugin in plugins:
            owned += [(option, plugin.id) for option in plugin.options]
            self.defaults.update(plugin.defaults)
        place = {group: number for number, group in enumerate(GROUPS)}
        owned.sort(key=lambda pair: place.get(group_of(pair[0].id), len(GROUPS)))
        self.owner: dict[str, str] = {}
        self._options: dict[str, Option] = {}
        self.renamed: dict[str, str] = {}
        for option, owner in owned:
            self._add(option, owner)
        self.groups: dict[str, tuple[str, ...]] = {}
        for id in self._options:
            group = group_of(id)
            self.groups[group] = (*self.groups.get(group, ()), id)
        for group, ids in self.groups.items():
            if group in ids and len(ids) > 1:
                other = next(id for id in ids if id != group)
                one, two = self.owner[group], self.owner[other]
                raise PluginError(
                    Text(
                        f"选项 {group}（{one} 的）和选项 {other}（{two} 的）不能都有：{group} 要么是选项，要么是一组选项",
                        f"option {group} (of {one}) and option {other} (of {two}) cannot both be: {group} is either an option "
                        f"or a group",
                    ),
                    two,
                )

    def _add(self, option: Option, owner: str) -> None:
        id = option.id
        parts = id.split(".")
        if len(parts) > 2 or not all(_is_name(part) for part in parts) or parts[0] in META_KEYS:
            raise PluginError(
                Text(
                    f"插件 {owner}：{id!r} 不能当选项名，要写成 组.名，用小写字母",
                    f"plugin {owner}: {id!r} cannot be an option id; write group.name in small letters",
                ),
                owner,
            )
        if id in self._options:
            raise PluginError(
                Text(
                    f"选项 {id} 有两个插件都要：{self.owner[id]} 和 {owner}，不能一起用",
                    f"two plugins own the option {id}: {self.owner[id]} and {owner}; they cannot be used together",
                ),
                owner,
            )
        self._options[id] = option
        self.owner[id] = owner
        for old in option.renamed_from:
            self.renamed[old] = id

    def __getitem__(self, id: str) -> Option:
        return self._options[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def suggest(self, id: str) -> str:
        """The option id most like a wrong one: also where only the group is wrong or missing. Empty if there is none."""
        name = id.rpartition(".")[2]
        same_name = [known for known in self if known.rpartition(".")[2] == name]
        return same_name[0] if len(same_name) == 1 else closest(id, self)


def group_of(id: str) -> str:
    """The group of an option id: ``reveal`` for ``reveal.pick``, the id itself where it has none."""
    return id.partition(".")[0]


def _is_name(text: str) -> bool:
    return text.isascii() and text.replace("_", "a").isalnum() and text == text.lower() and not text[:1].isdigit()


def phase_conflicts(phases: Iterable[str], known: Iterable[str]) -> list[Conflict]:
    """What is wrong with a list of phases: an unknown one, a needed one missing, or an order that cannot be played."""
    names, known = list(phases), list(known)
    found = [
        _phases(
            "phases-unknown",
            f"没有叫 {name} 的步骤{_maybe(name, known, '，是不是 ', '？')}；有：{'、'.join(known)}",
            f"there is no phase {name}{_maybe(name, known, ' (did you mean ', '?)')}; there are {', '.join(known)}",
        )
        for name in [name for name in names if name not in known][:10]
    ]
    for name, why_zh, why_en in _NEEDED:
        if name not in names:
            found.append(
                _phases("phases-missing", f"缺少步骤 {name}：{why_zh}", f"the phase {name} is missing: {why_en}")
            )
    if names[0] != "deal" and "deal" in names:
        found.append(_phases("phases-order", "deal 必须是第一步", "deal must be the first phase"))
    if names[-1] != "settle" and "settle" in names:
        found.append(_phases("phases-order", "settle 必须是最后一步", "settle must be the last phase"))
    for before, after, why_zh, why_en in _ORDER:
        if before in names and after in names and names.index(before) > names.index(after):
            found.append(
                _phases(
                    "phases-order",
                    f"{before} 必须在 {after} 前面：{why_zh}",
                    f"{before} must come before {after}: {why_en}",
                )
            )
    if "bury_kings" in names and "bury" not in names:
        found.append(
            _phases(
                "phases-missing",
                "有 bury_kings 就要有 bury：庄家先扣底",
                "bury_kings needs bury: the dealer buries first",
            )
        )
    return found


_NEEDED: Final = (
    ("deal", "没有牌可打", "there is nothing to play with"),
    ("reveal", "没人亮主时定不了庄和主", "where nobody declares, dealer and trump come from it"),
    ("play", "没有打牌", "nothing is played"),
    ("settle", "没有结算", "nothing is settled"),
)
_TRUMP_ZH, _TRUMP_EN = "要先定庄定主", "dealer and trump must be known"
_ORDER: Final = (
    ("reveal", "tribute", _TRUMP_ZH, _TRUMP_EN),
    ("reveal", "bottom", _TRUMP_ZH, _TRUMP_EN),
    ("reveal", "bury", _TRUMP_ZH, _TRUMP_EN),
    ("reveal", "play", _TRUMP_ZH, _TRUMP_EN),
    ("bottom", "bury", "先看是不是干锅", "the dry-pot test comes first"),
    ("bury", "bury_kings", "庄家先扣底", "the dealer buries first"),
    ("tribute", "play", "打起来就不能再进贡", "tribute is paid before the first lead"),
    ("bottom", "play", "打起来就不能再亮底", "the bottom is shown before the first lead"),
    ("bury", "play", "打起来就不能再扣底", "the burial comes before the first lead"),
    ("bury_kings", "play", "打起来就不能再扣王", "kings are buried before the first lead"),
)


def _maybe(name: str, known: list[str], before: str, after: str) -> str:
    guess = closest(name, known)
    return f"{before}{guess}{after}" if guess else ""


def _phases(code: str, zh: str, en: str) -> Conflict:
    return Conflict(code, ("phases",), Text(zh, en))
