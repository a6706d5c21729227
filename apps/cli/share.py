"""``gunzi share``: a rule set as a short code that every command takes as RULES."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import OK, Parser, load_rules
from gunzi.loading import load
from gunzi.sharecode import encode
from gunzi.writing import differences


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules()
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Print the code."""
    rules = load_rules(args.rules, args.overrides)
    code = encode(rules)
    if not args.json:
        out.line(code)
        return OK
    base = load(load(code).id)
    changed = differences(rules, base)
    out.json(
        {
            "code": code,
            "base": base.id,
            "differs": {option: rules.options[option] for option in changed},
            "plugins": [plugin for plugin in rules.plugins if plugin not in base.plugins],
            "hash": rules.hash,
        }
    )
    return OK
