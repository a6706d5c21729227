"""``gunzi presets``: the presets, each with what sets it apart from the base."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser
from gunzi.loading import load, preset_ids
from gunzi.resolve import BASE
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the presets."""
    base = load(BASE)
    presets = [load(id) for id in preset_ids()]
    if args.json:
        out.json([as_json(rules, base) for rules in presets])
        return OK
    t = out.t
    for rules in presets:
        out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
        if out.say(rules.description):
            out.wrapped(out.say(rules.description), "  ")
        rows = [(option, brief(rules, option), meaning(rules, option, out)) for option in differences(rules, base)]
        if rows:
            out.table(rows, indent="    ")
        else:
            out.line("    " + t("和底本一样", "as the base"))
        out.line()
    out.wrapped(
        t(
            "列的是和底本（base）不同的地方；全部选项：gunzi show 名字；互相比：gunzi compare 名字 名字；不知道选哪个：gunzi pick",
            "Listed is what differs from the base. All options: gunzi show ID; side by side: gunzi compare ID ID; "
            "not sure which: gunzi pick",
        )
    )
    return OK


def differences(rules: RuleSet, base: RuleSet) -> list[str]:
    """The options whose values are not the base's, in the rule book's order."""
    return [id for id in rules.option_ids() if rules.options[id] != base.options.get(id)]


def brief(rules: RuleSet, option: str) -> str:
    """An option's value as text, long ones cut."""
    shown = rules.option(option).show(rules.options[option])
    return shown if len(shown) <= 20 else f"{shown[:16]}…]" if shown.endswith("]") else f"{shown[:18]}…"


def meaning(rules: RuleSet, option: str, out: Out) -> str:
    """What an option is about and what its value means; where the value says it all, what it is about."""
    found = rules.option(option)
    return out.say(rules.rule_text(option) if found.values() else found.name)


def as_json(rules: RuleSet, base: RuleSet) -> dict[str, Any]:
    """A preset as data."""
    return {
        "id": rules.id,
        "name": {"zh": rules.name.zh, "en": rules.name.en},
        "description": {"zh": rules.description.zh, "en": rules.description.en},
        "hash": rules.hash,
        "differs": [
            {
                "option": option,
                "value": rules.options[option],
                "base": base.options.get(option),
                "meaning": {"zh": rules.value_text(option).zh, "en": rules.value_text(option).en},
            }
            for option in differences(rules, base)
        ],
    }
