"""``gunzi compare``: the options on which rule sets differ, with each one's value, meaning, status and source."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.output import Out, columns, pad
from gunzi.apps.cli.parser import OK, Parser, Stop, load_rules
from gunzi.apps.cli.show import option_json
from gunzi.apps.cli.writing import files_of, keep_inputs, write_whole
from gunzi.ruleset import RuleSet


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules(nargs="+")
    parser.add_argument(
        "--html", metavar="FILE", help=parser.say("写成一个网页文件，并排着看", "write one HTML page, side by side")
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the differences."""
    if len(args.rules) < 2:
        raise Stop(
            "要比就得有两套规则：gunzi compare 甲 乙", "comparing takes two rule sets or more: gunzi compare ONE OTHER"
        )
    sets = [load_rules(name, args.overrides) for name in args.rules]
    labels = distinct_labels(sets, args.rules)
    differing = differing_options(sets)
    if args.html:
        _write_page(args.html, sets, labels, differing, out)
    if args.json:
        out.json(as_json(sets, labels, differing))
    if args.json or args.html:
        return OK
    t = out.t
    for label, rules in zip(labels, sets, strict=True):
        out.line(f"{out.style(label, 'bold')}  {out.say(rules.name)}")
    out.line()
    if not differing:
        out.line(t("每个选项都一样。", "They agree on every option."))
        return OK
    total = len(set().union(*(rules.option_ids() for rules in sets)))
    out.line(
        t(f"{total} 个选项里有 {len(differing)} 个不一样：", f"They differ on {len(differing)} of {total} options:")
    )
    for option in differing:
        _print_option(option, sets, labels, out)
    return OK


def _write_page(path: str, sets: Sequence[RuleSet], labels: Sequence[str], differing: Sequence[str], out: Out) -> None:
    from gunzi.apps.book import comparison

    keep_inputs(path, files_of(sets))
    write_whole(path, comparison(sets, labels, differing, out.lang))
    out.tell(out.t(f"写好了 {path}", f"wrote {path}"))


def _print_option(option: str, sets: Sequence[RuleSet], labels: Sequence[str], out: Out) -> None:
    owner = next(rules for rules in sets if option in rules.options)
    found = owner.option(option)
    out.line()
    out.line(f"{out.style(option, 'bold')}  {out.say(found.name)}")
    holders: dict[str, list[int]] = {}
    for place, rules in enumerate(sets):
        shown = rules.option(option).show(rules.options[option]) if option in rules.options else ""
        holders.setdefault(shown, []).append(place)
    width = max(columns(label) for label in labels)
    for shown, places in holders.items():
        if not shown:
            out.line("  " + out.t("没有这个选项（没装它的插件）", "no such option (its plugin is not in use)"))
        elif found.values():
            out.wrapped(out.say(sets[places[0]].value_text(option)), "      ", first=f"  {out.style(shown, 'cyan')}  ")
        else:
            out.wrapped(shown, "      ", first="  ")
        for place in places:
            basis = ""
            if shown:
                origin = sets[place].origin(option)
                basis = out.say(names.status(origin.status)) + (f" · {origin.source}" if origin.source else "")
            out.wrapped(basis, " " * (width + 8), first=f"      {pad(labels[place], width)}  ")


def distinct_labels(sets: Sequence[RuleSet], given: Sequence[str]) -> list[str]:
    """What to call the rule sets: their ids; where two have the same id, what was typed."""
    ids = [rules.id for rules in sets]
    return [id if ids.count(id) == 1 else name for id, name in zip(ids, given, strict=True)]


def differing_options(sets: Sequence[RuleSet]) -> list[str]:
    """The options on which not all agree, in the rule book's order."""
    every = dict.fromkeys(option for rules in sets for option in rules.option_ids())
    missing = object()
    return [
        option
        for option in every
        if any(rules.options.get(option, missing) != sets[0].options.get(option, missing) for rules in sets[1:])
    ]


def as_json(sets: Sequence[RuleSet], labels: Sequence[str], differing: Sequence[str]) -> dict[str, Any]:
    """The comparison as data."""
    return {
        "rules": [
            {"rules": label, "id": rules.id, "name": {"zh": rules.name.zh, "en": rules.name.en}, "hash": rules.hash}
            for label, rules in zip(labels, sets, strict=True)
        ],
        "differs": [
            {
                "option": option,
                "values": {
                    label: option_json(rules, option) if option in rules.options else None
                    for label, rules in zip(labels, sets, strict=True)
                },
            }
            for option in differing
        ],
    }
