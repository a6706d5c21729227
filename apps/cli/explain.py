"""``gunzi explain``: an option or a rule in words, its values, and what the presets say."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules, overrides_of
from gunzi.errors import Text
from gunzi.loading import load, preset_ids
from gunzi.options import closest
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "option",
        metavar="OPTION",
        help=t(
            "选项名（reveal.pick）、一组选项（reveal）或规则名（follow.suit）",
            "an option (reveal.pick), a group (reveal) or a rule (follow.suit)",
        ),
    )
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help=t("再说说这套规则是怎么定的", "also what this rule set says, and its plugins' options"),
    )
    parser.add_set()
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the explanation."""
    overrides_of(args.overrides)
    sets = [load(id) for id in preset_ids()]
    own: RuleSet | None = None
    if args.rules or args.overrides:
        own = load_rules(args.rules or BASE, args.overrides)
    rules = own or load(BASE)
    asked = rules.option_set.renamed.get(args.option, args.option)
    ids = [asked] if asked in rules.option_set else list(rules.option_set.groups.get(asked, ()))
    if not ids:
        return _fixed_rule(asked, rules, args.json, out)
    told = [(option, rules) for option in ids]
    shown = [*sets, *([own] if own and own.id not in preset_ids() else [])]
    if args.json:
        found = [option_json(option, rules, shown) for option, rules in told]
        out.json(found[0] if len(found) == 1 else found)
        return OK
    for place, (option, rules) in enumerate(told):
        if place:
            out.line()
        print_option(option, rules, shown, out)
    return OK


def _fixed_rule(asked: str, rules: RuleSet, json: bool, out: Out) -> int:
    try:
        text = rules.rule_about(asked)
    except KeyError:
        known = rules.rule_ids()
        guess = rules.option_set.suggest(asked) or closest(asked, known)
        raise Stop(
            f"没有叫 {asked} 的选项或规则" + (f"，是不是 {guess}？" if guess else ""),
            f"there is no option or rule {asked}" + (f" (did you mean {guess}?)" if guess else ""),
        ) from None
    if json:
        out.json({"rule": asked, "text": {"zh": text.zh, "en": text.en}})
    else:
        out.line(out.style(asked, "bold") + out.t("  固定规则，没有选项", "  a fixed rule, not an option"))
        out.wrapped(out.say(text), "  ")
    return OK


def print_option(option: str, rules: RuleSet, sets: list[RuleSet], out: Out) -> None:
    """An option in words: what it decides, its values, and who has which."""
    t = out.t
    found = rules.option(option)
    out.line(f"{out.style(option, 'bold')}  {out.say(found.name)}")
    out.wrapped(out.say(found.doc), "  ")
    if found.clause:
        out.line("  " + t(f"规则书 {found.clause} 节", f"rule book, section {found.clause}"))
    values = found.values()
    if values:
        out.line()
        out.table([(value, out.say(text)) for value, text in values.items()], indent="    ")
    out.line()
    holders: dict[str, list[RuleSet]] = {}
    for each in sets:
        if option in each.options:
            holders.setdefault(each.option(option).show(each.options[option]), []).append(each)
    for value, who in holders.items():
        out.wrapped(out.style(value, "cyan"), "      ", first="  ")
        rows = []
        for each in who:
            origin = each.origin(option)
            rows.append((each.id, out.say(names.status(origin.status)), origin.source))
        out.table(rows, indent="      ")
    print_examples(option, rules, out)


def print_examples(option: str, rules: RuleSet, out: Out) -> None:
    """An option's worked examples, each put to every value."""
    from gunzi.apps.book.explaining import explained
    from gunzi.apps.book.words import Words

    say = Words(out.lang)
    found = explained(rules, option, out.lang)
    for number, each in enumerate(found, 1):
        out.line()
        label = out.t("例", "Example") + (f" {number}" if len(found) > 1 else "")
        first, *rest = each.lines(say)
        out.wrapped(first, "    ", first=f"  {out.style(label, 'bold')}  ")
        for row in rest:
            out.wrapped(row, "      ", first="    ")
        out.table(each.answers, indent="      ")


def option_json(option: str, rules: RuleSet, sets: list[RuleSet]) -> dict[str, Any]:
    """An option as data."""
    from gunzi.apps.book.explaining import explained

    found = rules.option(option)

    def both(text: Text) -> dict[str, str]:
        return {"zh": text.zh, "en": text.en}

    spoken = zip(explained(rules, option, "zh"), explained(rules, option, "en"), strict=True)
    worked = [
        {
            "example": zh.name,
            "with": dict(zh.needs),
            "answers": {value: {"zh": said, "en": dict(en.answers)[value]} for value, said in zh.answers},
        }
        for zh, en in spoken
    ]
    return {
        "option": option,
        "name": both(found.name),
        "doc": both(found.doc),
        "clause": found.clause,
        "schema": found.schema(),
        "values": {value: both(text) for value, text in found.values().items()},
        "rules": {
            each.id: {
                "value": each.options[option],
                "status": each.origin(option).status,
                "source": each.origin(option).source,
            }
            for each in sets
            if option in each.options
        },
        "examples": worked,
    }
