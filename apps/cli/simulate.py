"""``gunzi simulate``: bots play many hands under one rule set, and what came out."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.figures import (
    amount,
    check_policy,
    each_of,
    ended_early,
    fast_argument,
    lab_arguments,
    print_sections,
    running_arguments,
    stop_if_nothing,
    tell_clock,
    tell_note,
)
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Parser, Stop, load_rules
from gunzi.apps.cli.progress import Progress, tell_seconds
from gunzi.wording import counted


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules()
    lab_arguments(parser)
    fast_argument(parser)
    running_arguments(parser)
    parser.add_argument(
        "--record",
        metavar="FILE",
        help=parser.say(
            "把打的牌记成牌谱；一千把（五十轮）一桌，后面几桌记在 FILE-2、FILE-3……已经有的文件不动",
            "write the record of the play; a table is a thousand hands (50 rounds), further ones go to FILE-2, FILE-3 …; "
            "a file that is there is left alone",
        ),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Simulate and report; what was finished is reported even when interrupted."""
    from gunzi.apps import lab

    much = amount(args)
    policy = check_policy(args.policy)
    if args.record is not None and (args.resume is not None or args.cluster is not None):
        raise Stop(
            "--record 不能和 --resume、--cluster 一起用：牌谱要在这里一口气写完",
            "--record goes with neither --resume nor --cluster: a record is written here and in one go",
        )
    rules = load_rules(args.rules, args.overrides)
    t = out.t
    tell_clock(policy.split(","), out)
    with Progress(out, t("打牌", "playing"), *much.values(), each=each_of(much, out)) as bar:
        report = lab.simulate(
            rules,
            hands=much.get("hands"),
            rounds=much.get("rounds"),
            seed=args.seed,
            policy=policy,
            record=args.record,
            progress=bar.update,
            jobs=args.jobs,
            resume=args.resume,
            cluster=args.cluster,
            fast=args.fast,
        )
    stop_if_nothing(report, report.hands, args)
    tell_note(report.note, out)
    tell_seconds(report.seconds, out)
    if args.json:
        out.json(report.as_json())
    else:
        done = t(
            f"{report.hands} 把，{report.rounds} 轮",
            f"{counted(report.hands, 'hand')}, {counted(report.rounds, 'round')}",
        )
        out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
        out.line(
            t(
                f"{done}；种子 {args.seed}，{policy}",
                f"{done}; seed {args.seed}, {policy}",
            )
        )
        print_sections(report.rows(), out)
    return ended_early(report, t(f"{report.hands} 把", counted(report.hands, "hand")), args, out)
