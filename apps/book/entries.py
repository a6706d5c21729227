"""One option as a chapter tells it: the question, what these rules say, examples, and how that differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from gunzi.apps.book.answers import answer_rows, answer_text, reasons
from gunzi.apps.book.examples import Example, examples, told
from gunzi.apps.book.parts import Basis, Entry, Shown
from gunzi.apps.book.stories import story
from gunzi.apps.book.words import Words
from gunzi.cards import parse_rank, rank_text
from gunzi.errors import RulesError, Text
from gunzi.loading import load
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet
from gunzi.wording import counted

RECOMMENDED: Final = BASE
"""The rules that others are told apart from."""


@lru_cache(maxsize=1)
def recommended() -> RuleSet:
    """The recommended rules."""
    return load(RECOMMENDED)


def differs(rules: RuleSet, option: str) -> bool:
    """Is the value another than the recommended one? A stranger's option is, as the recommended rules lack it."""
    base = recommended()
    return option not in base.options or rules.options[option] != base.options[option]


def differing(rules: RuleSet) -> list[str]:
    """The options on which the rules differ from the recommended ones, in the rule book's order."""
    return [option for option in rules.option_ids() if differs(rules, option)]


def entry(rules: RuleSet, option: str, say: Words) -> Entry:
    """An option's entry."""
    found = rules.option(option)
    origin = rules.origin(option)
    base = recommended()
    other = option in base.options and differs(rules, option)
    return Entry(
        option,
        say.say(found.name),
        say.stopped(say.say(_ASKS.get(option, found.doc))),
        say.stopped(say.say(sentence(rules, option))),
        shown(rules, option, say),
        Basis(say.status(origin.status), origin.source, origin.where),
        say.stopped(say.say(sentence(base, option))) if other else "",
        say.say(idle(rules, option)) or say.say(replaced(rules, option)),
    )


_ASKS: Final[dict[str, Text]] = {
    "deck.hand": Text("每人摸几张牌。", "How many cards each player is dealt."),
    "points": Text("哪些牌带分，各值几分。", "Which cards are worth points, and how many."),
    "trump.permanent": Text(
        "除了大小王，哪些牌不管打几、什么花色主都是主。正打到的那一级算级牌。",
        "Which cards are trump whatever the level and the trump suit, besides the jokers. Where one is the level, it is a "
        "level card.",
    ),
    "direction": Text("往哪边轮着出牌。", "Which way the turn passes."),
    "phases": Text("一把牌依次有哪些步骤。", "What a hand consists of, in order."),
    "titles": Text(
        "总分到多少叫什么称号；不到第一档的也用第一档。",
        "Which title a score carries; scores below the first carry the first.",
    ),
}
"""What players are told that an option decides, where its own text speaks to those who write variant files."""


# -- what a value says -----------------------------------------------------------------------------------------------


def sentence(rules: RuleSet, option: str) -> Text:
    """What the value in force says, as a sentence."""
    made = _SENTENCES.get(option)
    value = rules.options[option]
    return made(value, rules) if made is not None else rules.option(option).value_text(value)


def _points(value: Mapping[str, int], rules: RuleSet) -> Text:
    if not value:
        return Text("没有分牌。", "No card is worth points.")
    zh = "，".join(f"{rank} 每张 {points} 分" for rank, points in value.items())
    en = ", ".join(f"{points} points for each {rank}" for rank, points in value.items())
    total = 4 * rules.options["deck.packs"] * sum(value.values())
    return Text(f"{zh}，一共 {total} 分。", f"{en}: {total} in all.")


def _permanent(value: list[int], rules: RuleSet) -> Text:
    if not value:
        return Text("除了大小王，没有常主。", "None but the jokers.")
    ranks = [rank_text(rank) for rank in value]
    if len(ranks) == 1:
        return Text(f"{ranks[0]} 是常主，什么时候都是主。", f"The {ranks[0]}s are always trump.")
    return Text(
        f"{ranks[0]} 和 {ranks[1]} 是常主，{ranks[0]} 大过 {ranks[1]}。",
        f"The {ranks[0]}s and the {ranks[1]}s are always trump, the {ranks[0]}s above the {ranks[1]}s.",
    )


def _phases(value: list[str], rules: RuleSet) -> Text:
    zh, en = Words("zh"), Words("en")
    return Text(" → ".join(map(zh.phase, value)) + "。", " → ".join(map(en.phase, value)) + ".")


def _deck(value: int, rules: RuleSet) -> Text:
    total = sum(rules.deck.copies)
    return Text(f"用 {value} 副牌，共 {total} 张。", f"{counted(value, 'pack')}, {total} cards in all.")


def _kings(value: Mapping[str, int], zh: str, en: str) -> Text:
    big, small = value["big"], value["small"]
    if not big and not small:
        return Text("王不算。", "Kings count for nothing.")
    return Text(
        f"大王每张 {big} {zh}，小王每张 {small} {zh}。", f"{big} {en} for a big joker, {small} for a small one."
    )


def _multiplier(value: int, rules: RuleSet) -> Text:
    if value == 1:
        return Text("抠底不翻倍，底牌几分算几分。", "A capture counts the bottom's points once.")
    return Text(f"抠底时底牌的分翻 {value} 倍。", f"A capture counts the bottom's points {value} times.")


def _must_play(value: list[int], rules: RuleSet) -> Text:
    if not value:
        return Text("没有必打的级。", "No level has to be played.")
    zh, en = Words("zh"), Words("en")
    return Text(f"{zh.ranks(value)} 必打。", f"{en.ranks(value)} must be played.")


def _titles(value: list[list[Any]], rules: RuleSet) -> Text:
    if not value:
        return Text("没有称号。", "There are no titles.")
    first, last = value[0], value[-1]
    if len(value) == 1:
        return Text(f"只有一档：{first[1]}。", f"A single title: {first[1]}.")
    return Text(
        f"共 {len(value)} 档，从“{first[1]}”到“{last[1]}”。", f"{len(value)} titles, from {first[1]} to {last[1]}."
    )


_SENTENCES: Final[dict[str, Callable[[Any, RuleSet], Text]]] = {
    "deck.packs": _deck,
    "deck.hand": lambda value, _: Text(f"每人摸 {value} 张。", f"Each player is dealt {counted(value, 'card')}."),
    "deck.bottom": lambda value, _: Text(
        f"留 {value} 张底牌。", f"{counted(value, 'card is', 'cards are')} left as the bottom."
    ),
    "points": _points,
    "trump.permanent": _permanent,
    "phases": _phases,
    "direction": lambda value, rules: Text(
        f"{rules.value_text('direction').zh}出牌。", f"Play goes {rules.value_text('direction').en}."
    ),
    "tribute.low": lambda value, _: Text(
        f"抓分方不满 {value} 分，抓分方出血。", f"Attackers with less than {value} points bleed."
    ),
    "tribute.high": lambda value, _: Text(
        f"抓分方超过 {value} 分，庄家方出血。", f"Where the attackers have more than {value}, the dealer side bleeds."
    ),
    "tribute.step": lambda value, _: Text(
        f"每 {value} 分一个血，一个血进一张牌。", f"Every {value} points are one blood, and one blood is one card."
    ),
    "tribute.kings": lambda value, _: _kings(value, "个血", "blood"),
    "capture.multiplier": _multiplier,
    "levels.threshold": lambda value, _: Text(
        f"抓分方拿够 {value} 分上台。", f"The attackers take over with {value} points or more."
    ),
    "levels.kings": lambda value, _: _kings(value, "级", "more levels"),
    "levels.start": lambda value, _: Text(f"从 {rank_text(value)} 打起。", f"A round starts at {rank_text(value)}."),
    "levels.final": lambda value, _: Text(f"打到 {rank_text(value)} 为止。", f"The final level is {rank_text(value)}."),
    "levels.must_play": _must_play,
    "titles": _titles,
}
"""Sentences for the values that are numbers and lists; named values have texts of their own."""


# -- options that decide nothing here --------------------------------------------------------------------------------


def idle(rules: RuleSet, option: str) -> Text:
    """Why an option decides nothing under these rules; empty where it does."""
    check = _IDLE.get(option)
    return (check(rules) if check is not None else None) or Text("", "")


def replaced(rules: RuleSet, option: str) -> Text:
    """Who decides instead of the option's own plugin; empty where nobody does."""
    who = _replacing(rules, rules.option_set.owner[option])
    if who is None:
        return Text("", "")
    return Text(
        f"这一条由插件 {who.zh} 改过，和例子不一致时以例子为准。",
        f"The plugin {who.en} decides this; where the examples differ, they are right.",
    )


def laws(rules: RuleSet, say: Words, *ids: str) -> list[str]:
    """The sentences of fixed rules; in place of those whose plugin gives way to another, who decides instead."""
    owners = {id: plugin.id for plugin in rules.host.classes for id in plugin.rules}
    found = []
    for id in ids:
        who = _replacing(rules, owners.get(id, ""))
        if who is None:
            found.append(say.stopped(say.say(rules.rule_about(id))))
        else:
            zh = f"这里有插件 {who.zh} 的规矩，见“别的规矩”。"
            found.append(say(zh, f"Here the plugin {who.en} decides: see “Further rules”."))
    return list(dict.fromkeys(found))


def _replacing(rules: RuleSet, owner: str) -> Text | None:
    """The names of the plugins that decide instead of another; None where nobody does."""
    if owner not in {plugin for plugin, _ in rules.host.replaced}:
        return None
    who = [plugin for plugin in rules.host.classes if owner in plugin.replaces]
    return Text(
        "、".join(plugin.name.zh or plugin.id for plugin in who),
        ", ".join(plugin.name.en or plugin.id for plugin in who),
    )


def _no_dry_pot(rules: RuleSet) -> Text | None:
    if rules.options["dry_pot.side_leg"] == "never":
        return Text("这桌不打干锅，这一项用不上。", "This table has no dry pots, so it never matters.")
    return _without(rules, "bottom")


def _no_kings(rules: RuleSet) -> Text | None:
    if rules.options["bury_kings.others"] == "none":
        return Text("别家不能扣王，这一项用不上。", "The others bury no kings here, so it never matters.")
    return _without(rules, "bury_kings")


def _without(rules: RuleSet, phase: str) -> Text | None:
    if phase in rules.options["phases"]:
        return None
    zh, en = Words("zh").phase(phase), Words("en").phase(phase)
    return Text(f"这桌没有“{zh}”这一步，这一项用不上。", f"This table has no phase “{en}”, so it never matters.")


def _no_level_points(rules: RuleSet) -> Text | None:
    if rules.options["tribute.cards"] == "any":
        return Text("分牌也要进贡，这一项用不上。", "Point cards are paid anyway, so it never matters.")
    levels = range(rules.options["levels.start"], rules.options["levels.final"] + 1)
    if not any(parse_rank(rank) in levels for rank in rules.options["points"]):
        return Text("打不到分牌那一级，这一项用不上。", "No level of this table is a point rank, so it never matters.")
    return _without(rules, "tribute")


def _loose(rules: RuleSet) -> Text | None:
    if rules.options["follow.shapes"] == "loose":
        return Text(
            "打活棒，没有这个问题；打死棒才用得上。",
            "It matters only where shapes must be followed; here they need not.",
        )
    return None


def _no_must_play(rules: RuleSet) -> Text | None:
    if not rules.options["levels.must_play"]:
        return Text("没有必打的级，这一项用不上。", "No level must be played, so it never matters.")
    return None


def _rounds_only(rules: RuleSet) -> Text | None:
    if rules.options["scoring.scheme"] == "rounds":
        return Text("只记轮数，这一项用不上。", "Only rounds are counted, so it never matters.")
    return None


def _no_three(rules: RuleSet) -> Text | None:
    if rules.options["deck.packs"] < 3 or rules.options["deck.bottom"] < 3:
        return Text(
            "底里凑不齐三个一样的王，这一项用不上。",
            "Three equal jokers never lie in this bottom, so it never matters.",
        )
    return None


def _no_tribute(rules: RuleSet) -> Text | None:
    return _without(rules, "tribute")


_IDLE: Final[dict[str, Callable[[RuleSet], Text | None]]] = {
    "dry_pot.side_leg": lambda rules: _without(rules, "bottom"),
    "dry_pot.hidden_bottom": _no_dry_pot,
    "dry_pot.first_hand": _no_dry_pot,
    "bury_kings.others": lambda rules: _without(rules, "bury_kings"),
    "bury_kings.pick_kings": _no_kings,
    "bury_kings.blocked_by": _no_kings,
    "tribute.cards": _no_tribute,
    "tribute.return": _no_tribute,
    "tribute.three_big": _no_tribute,
    "tribute.level_points": _no_level_points,
    "follow.triple_against_pair": _loose,
    "levels.must_play_as": _no_must_play,
    "scoring.levels": _rounds_only,
    "scoring.tribute_for": _rounds_only,
    "endings.three_big": _no_three,
    "endings.three_small": _no_three,
}


# -- examples --------------------------------------------------------------------------------------------------------


def shown(rules: RuleSet, option: str, say: Words) -> tuple[Shown, ...]:
    """An option's examples as these rules answer them; none where it decides nothing here.

    Beside the answer stands what the recommended value would answer, all else being as here, where that is another.
    """
    if idle(rules, option).en:
        return ()
    found = []
    for example in examples().get(option, ()):
        answer = example.run(rules) if example.suits(rules) else None
        if answer is None:
            continue
        setting, rows = story(example.ask, example.given, say)
        found.append(
            Shown(
                example.name,
                example.ask,
                setting,
                (*rows, *answer_rows(example, answer, say)),
                answer_text(example, answer, say),
                reasons(example, answer, say),
                _otherwise(example, rules, told(example, answer.value), say),
            )
        )
    return tuple(found)


def _otherwise(example: Example, rules: RuleSet, own: Any, say: Words) -> tuple[tuple[str, str], ...]:
    option, base = example.option, recommended()
    if option not in base.options or rules.options[option] == base.options[option]:
        return ()
    value = base.options[option]
    other = _with(rules, option, value)
    answer = example.run(other) if other is not None and example.suits(other) else None
    if answer is None or told(example, answer.value) == own:
        return ()
    shown = rules.option(option).show(value)
    who = say(f"按推荐打法（{shown}）", f"with the recommended {shown}")
    return ((who, answer_text(example, answer, say)),)


def _with(rules: RuleSet, option: str, value: Any) -> RuleSet | None:
    """The rules with one value changed; None where that cannot stand."""
    try:
        return rules.with_options({option: value})
    except RulesError:
        return None
