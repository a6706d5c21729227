"""A rule set written as a book: the chapters in their order."""

from __future__ import annotations

from gunzi.apps.book import bottom, dealing, playing
from gunzi.apps.book.entries import differing, entry, idle, recommended, sentence
from gunzi.apps.book.parts import Block, Book, Bullets, Cell, Chapter, Code, Entry, Link, Para, Table, anchor
from gunzi.apps.book.words import Words, plain
from gunzi.ruleset import RuleSet
from gunzi.sharecode import encode

CHAPTERS = (
    dealing.names_and_cards,
    dealing.card_order,
    dealing.first_dealer,
    dealing.declaring,
    bottom.bottom_and_dry_pot,
    bottom.burying,
    bottom.tribute,
    playing.play,
    playing.result,
    playing.endings,
    playing.score_sheet,
    playing.titles,
)


def write(rules: RuleSet, lang: str = "zh") -> Book:
    """The rule book of a rule set in one language; every example is run."""
    say = Words(lang)
    chapters = [chapter(rules, say) for chapter in CHAPTERS]
    told = {block.option for chapter in chapters for block in chapter.blocks if isinstance(block, Entry)}
    rest = [option for option in rules.option_ids() if option not in told]
    more = [*_strangers(rules, say), *(entry(rules, option, say) for option in rest)]
    if more:
        chapters.append(Chapter("more", say("别的规矩", "Further rules"), tuple(more)))
    name = say.say(rules.name)
    return Book(
        lang,
        say(f"打滚子：{name}", f"打滚子 (da gunzi): {name}"),
        say.say(rules.description),
        _facts(rules, say),
        (_differences(rules, say), *chapters, _every_option(rules, say)),
    )


def _strangers(rules: RuleSet, say: Words) -> list[Block]:
    """What the plugins that are not gunzi's own are, and the rules they go by."""
    blocks: list[Block] = []
    for plugin in rules.host.classes:
        if plugin.id in recommended().plugins:
            continue
        blocks.append(
            Para(say(f"插件 {plugin.id}：", f"Plugin {plugin.id}: ") + say.stopped(say.say(plugin.name) or plugin.id))
        )
        texts = [say.say(text) for text in plugin.rules.values() if "{" not in text.zh + text.en]
        if texts:
            blocks.append(Bullets(tuple(say.stopped(text) for text in texts)))
    return blocks


def _facts(rules: RuleSet, say: Words) -> tuple[tuple[str, Cell], ...]:
    plugins = [f"{id} {version}" for id, version in rules.plugins.items() if id not in recommended().plugins]
    facts: list[tuple[str, Cell]] = [(say("规则", "rules"), rules.id)]
    if plugins:
        facts.append((say("插件", "plugins"), say.list(plugins)))
    return (
        *facts,
        (say("分享码", "share code"), Code(encode(rules))),
        (say("指纹", "fingerprint"), Code(rules.hash)),
    )


def _differences(rules: RuleSet, say: Words) -> Chapter:
    """What this table plays differently from the recommended rules, first of all."""
    title = say("和推荐打法不一样的地方", "What differs from the recommended rules")
    found = differing(rules)
    if not found:
        return Chapter(
            "differences", title, (Para(say("没有，全按推荐打法。", "Nothing: these are the recommended rules.")),)
        )
    base = recommended()
    rows: list[tuple[Cell, ...]] = []
    for option in found:
        origin = rules.origin(option)
        source = say.status(origin.status) + (say("：", ": ") + origin.source if origin.source else "")
        here = say.say(sentence(rules, option))
        if idle(rules, option).en:
            here += say("（", " (") + say.say(idle(rules, option)) + say("）", ")")
        there = say.say(sentence(base, option)) if option in base.options else say("没有这一项", "no such option")
        rows.append((Link(say.say(rules.option(option).name), anchor(option)), here, there, source))
    head = (
        say("哪一条", "rule"),
        say("这桌", "this table"),
        say("推荐打法", "recommended"),
        say("凭什么", "on what authority"),
    )
    intro = say(
        f"推荐打法：原文说到的按多数定，没说到的由规则书裁定。这桌有 {len(found)} 条不一样，例子写在后面各条下面：",
        "The recommended rules are what most texts say where they speak, and a ruling where none does. This table differs on "
        f"{say.count(len(found), '', 'point', 'points')}; each has its example in its chapter:",
    )
    return Chapter("differences", title, (Para(intro), Table(head, tuple(rows))))


def _every_option(rules: RuleSet, say: Words) -> Chapter:
    """Every option with its value, for those who want to look one up."""
    rows: list[tuple[Cell, ...]] = []
    for option in rules.option_ids():
        known, origin = rules.option(option), rules.origin(option)
        rows.append(
            (
                Code(option),
                Link(say.say(known.name), anchor(option)),
                Code(plain(known.show(rules.options[option]))),
                say.status(origin.status) + (say("：", ": ") + origin.source if origin.source else ""),
            )
        )
    head = (say("选项", "option"), say("名字", "name"), say("取值", "value"), say("凭什么", "on what authority"))
    return Chapter("options", say("全部选项", "Every option"), (Table(head, tuple(rows)),))
