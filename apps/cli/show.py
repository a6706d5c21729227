"""``gunzi show``: every effective option of a rule set, with its meaning and, on request, its origin."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, load_rules
from gunzi.apps.cli.presets import brief, meaning
from gunzi.optionset import group_of
from gunzi.problems import format_problems
from gunzi.resolve import Origin
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules()
    parser.add_argument(
        "--origin",
        action="store_true",
        help=t(
            "每项写明谁定的：文件和行、改动经过、依据", "say who set each option: file and line, chain, status, source"
        ),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the options."""
    rules = load_rules(args.rules, args.overrides)
    if args.json:
        out.json(as_json(rules))
        return OK
    heading(rules, out)
    last = ""
    rows: list[tuple[str, str, str]] = []
    for option in rules.option_ids():
        group = group_of(option)
        if args.origin and group != last and last:
            out.line()
        last = group
        shown, short = rules.option(option).show(rules.options[option]), brief(rules, option)
        if not args.origin:
            said = meaning(rules, option, out)
            rows.append((option, short, said if short == shown else f"{said}{out.t('：', ': ')}{shown}"))
            continue
        out.line(f"{out.style(option, 'bold')} = {shown}")
        out.wrapped(meaning(rules, option, out), "    ")
        for text in origin_lines(rules.origin(option), out):
            out.wrapped(out.style(text, "dim"), "    ")
    out.table(rows)
    warn(rules, out)
    return OK


def heading(rules: RuleSet, out: Out) -> None:
    """The name of a rule set and what it is."""
    out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
    if out.say(rules.description):
        out.wrapped(out.say(rules.description))
    out.line()


def warn(rules: RuleSet, out: Out) -> None:
    """Tell what is suspicious about a rule set."""
    if rules.warnings:
        out.tell(format_problems(rules.warnings, "text", out.lang))


def origin_lines(origin: Origin, out: Out) -> list[str]:
    """Where a value was set, on what authority, and what it replaced."""
    t = out.t
    head = f"{out.say(names.place(origin.where))} · {out.say(names.status(origin.status))}"
    if origin.source:
        head += f" · {origin.source}"
    lines = [head]
    if len(origin.chain) > 1:
        lines.append(t("改动经过：", "chain: ") + " → ".join(out.say(names.place(where)) for where in origin.chain))
    return lines


def as_json(rules: RuleSet) -> dict[str, Any]:
    """A rule set as data."""
    return {
        "id": rules.id,
        "name": {"zh": rules.name.zh, "en": rules.name.en},
        "description": {"zh": rules.description.zh, "en": rules.description.en},
        "hash": rules.hash,
        "plugins": dict(rules.plugins),
        "options": [option_json(rules, option) for option in rules.option_ids()],
        "warnings": [problem.as_json() for problem in rules.warnings],
    }


def option_json(rules: RuleSet, option: str) -> dict[str, Any]:
    """An option's value with meaning and origin, as data."""
    text, origin = rules.value_text(option), rules.origin(option)
    return {
        "option": option,
        "value": rules.options[option],
        "meaning": {"zh": text.zh, "en": text.en},
        "where": origin.where,
        "chain": list(origin.chain),
        "status": origin.status,
        "source": origin.source,
        "overridden": origin.overridden,
    }
