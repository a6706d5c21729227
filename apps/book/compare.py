"""Rule sets side by side as one HTML page: every option on which they differ, and how each answers its examples."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gunzi.apps.book.answers import answer_text
from gunzi.apps.book.drawing import definitions
from gunzi.apps.book.entries import sentence
from gunzi.apps.book.examples import Example, examples
from gunzi.apps.book.html import cards_in, document, row_of_cards
from gunzi.apps.book.parts import anchor
from gunzi.apps.book.stories import story
from gunzi.apps.book.words import Words
from gunzi.cards import Card
from gunzi.ruleset import RuleSet


def comparison(sets: Sequence[RuleSet], labels: Sequence[str], differing: Sequence[str], lang: str = "zh") -> str:
    """The page. ``labels`` are what to call the rule sets, ``differing`` the options on which not all agree."""
    say = Words(lang)
    title = say("规则对比：", "Compared: ") + say.list(labels)
    used: list[Card] = []
    sections = [_section(option, sets, labels, say, used) for option in differing]
    total = len(dict.fromkeys(option for rules in sets for option in rules.option_ids()))
    if differing:
        intro = say(
            f"{total} 个选项里有 {len(differing)} 个不一样。每个例子都当场问过每套规则。",
            f"They differ on {len(differing)} of {total} options. Every example was put to each of the rule sets.",
        )
    else:
        intro = say("每个选项都一样。", "They agree on every option.")
    names = "".join(
        f"<dt>{escape(label)}</dt><dd>{escape(say.say(rules.name))} <code>{escape(rules.hash[:19])}…</code></dd>"
        for label, rules in zip(labels, sets, strict=True)
    )
    contents = "".join(
        f'<li><a href="#{anchor(option)}">{escape(_name(option, sets, say))}</a></li>' for option in differing
    )
    body = [
        definitions(used, say),
        f'<header><h1>{escape(title)}</h1><p class="intro">{escape(intro)}</p><dl class="facts">{names}</dl></header>',
        f"<nav><ol>{contents}</ol></nav>" if contents else "",
        "<main>",
        *sections,
        "</main>",
    ]
    return document(lang, title, "\n".join(part for part in body if part))


def _owner(option: str, sets: Sequence[RuleSet]) -> RuleSet:
    return next(rules for rules in sets if option in rules.options)


def _name(option: str, sets: Sequence[RuleSet], say: Words) -> str:
    return say.say(_owner(option, sets).option(option).name)


def _section(option: str, sets: Sequence[RuleSet], labels: Sequence[str], say: Words, used: list[Card]) -> str:
    known = _owner(option, sets).option(option)
    heads = [say("规则", "rules"), say("怎么定", "what it says"), say("凭什么", "on what authority")]
    found = [example for example in examples().get(option, ()) if any(_asked(example, rules) for rules in sets)]
    heads += [say("例", "example") + (f" {number}" if len(found) > 1 else "") for number in range(1, len(found) + 1)]
    rows = []
    for label, rules in zip(labels, sets, strict=True):
        cells = [escape(label), *_said(option, rules, say), *(_answered(example, rules, say) for example in found)]
        shown = "".join(
            f'<td data-head="{escape(head, quote=True)}">{text}</td>' if place else f"<td><b>{text}</b></td>"
            for place, (head, text) in enumerate(zip(heads, cells, strict=True))
        )
        rows.append(f"<tr>{shown}</tr>")
    stories = "".join(
        _story(example, number if len(found) > 1 else 0, say, used) for number, example in enumerate(found, 1)
    )
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return (
        f'<section><h2 id="{anchor(option)}">{escape(say.say(known.name))} <code>{escape(option)}</code></h2>'
        f'<p class="asks">{escape(say.say(known.doc))}</p>{stories}'
        f'<div class="scroll"><table class="stack"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        "</section>"
    )


def _said(option: str, rules: RuleSet, say: Words) -> tuple[str, str]:
    if option not in rules.options:
        return escape(say("没有这一项（没装它的插件）", "no such option (its plugin is not in use)")), ""
    origin = rules.origin(option)
    shown = rules.option(option).show(rules.options[option])
    value = f"<code>{escape(shown)}</code> " if rules.option(option).values() else ""
    basis = say.status(origin.status) + (say("：", ": ") + origin.source if origin.source else "")
    return value + escape(say.say(sentence(rules, option))), escape(basis)


def _asked(example: Example, rules: RuleSet) -> bool:
    return example.suits(rules) and example.run(rules) is not None


def _answered(example: Example, rules: RuleSet, say: Words) -> str:
    answer = example.run(rules) if example.suits(rules) else None
    return "—" if answer is None else escape(answer_text(example, answer, say))


def _story(example: Example, number: int, say: Words, used: list[Card]) -> str:
    setting, rows = story(example.ask, example.given, say)
    used += cards_in(rows)
    label = say("例", "Example") + (f" {number}" if number else "")
    shown = "".join(row_of_cards(row, say) for row in rows)
    return f'<div class="example"><p><span class="label">{label}</span>{escape(setting)}</p>{shown}</div>'
