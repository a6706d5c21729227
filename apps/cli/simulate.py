"""``gunzi simulate``: bots play many hands under one rule set, and what came out."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.figures import (
    amount,
    check_policy,
    fast_argument,
    lab_arguments,
    print_sections,
    tell_note,
)
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import INTERRUPTED, OK, Parser, load_rules
from gunzi.apps.cli.progress import Progress


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules()
    lab_arguments(parser)
    fast_argument(parser)
    parser.add_argument("--record", metavar="FILE", help=parser.say("把打的牌记成牌谱", "write the record of the play"))
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Simulate and report; what was finished is reported even when interrupted."""
    from gunzi.apps import lab

    much = amount(args)
    policy = check_policy(args.policy)
    rules = load_rules(args.rules, args.overrides)
    t = out.t
    with Progress(out, t("打牌", "playing"), *much.values()) as bar:
        report = lab.simulate(
            rules,
            hands=much.get("hands"),
            rounds=much.get("rounds"),
            seed=args.seed,
            policy=policy,
            record=args.record,
            progress=bar.update,
            fast=args.fast,
        )
    tell_note(report.note, out)
    if args.json:
        out.json(report.as_json())
    else:
        done = t(f"{report.hands} 把，{report.rounds} 轮", f"{report.hands} hands, {report.rounds} rounds")
        out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
        out.line(
            t(
                f"{done}；种子 {args.seed}，{policy}；{report.seconds:.1f} 秒",
                f"{done}; seed {args.seed}, {policy}; {report.seconds:.1f} s",
            )
        )
        print_sections(report.rows(), out)
    if report.interrupted:
        out.tell(
            t(
                f"已中断：打完了 {report.hands} 把，以上是这些的结果",
                f"interrupted: the above is of the {report.hands} hands that were finished",
            )
        )
        return INTERRUPTED
    return OK
