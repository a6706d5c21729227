"""``gunzi diff``: the same deals under two or more rule sets; where they part, by which option, and what that changes."""

from __future__ import annotations

import os
from argparse import Namespace

from gunzi.apps.cli.compare import distinct_labels
from gunzi.apps.cli.figures import (
    amount,
    check_policy,
    fast_argument,
    lab_arguments,
    print_sections,
    tell_note,
)
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import INTERRUPTED, OK, Parser, Stop, load_rules, whole
from gunzi.apps.cli.progress import Progress


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules(nargs="+")
    lab_arguments(parser)
    fast_argument(parser)
    parser.add_argument(
        "--jobs",
        type=whole(t, 1, 1024),
        default=os.cpu_count() or 1,
        metavar="J",
        help=t("同时开几个进程（不写就按处理器个数）", "how many processes (default: one a processor)"),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Play the deals and report; what was finished is reported even when interrupted."""
    from gunzi.apps import lab

    if len(args.rules) < 2:
        raise Stop(
            "要比就得有两套规则：gunzi diff 甲 乙 --hands N",
            "it takes two rule sets or more: gunzi diff ONE OTHER --hands N",
        )
    much = amount(args)
    policy = check_policy(args.policy)
    sets = [load_rules(name, args.overrides) for name in args.rules]
    labels = distinct_labels(sets, args.rules)
    t = out.t
    with Progress(out, t("打牌", "playing"), *much.values()) as bar:
        found = lab.diff(
            sets,
            hands=much.get("hands"),
            rounds=much.get("rounds"),
            seed=args.seed,
            policy=policy,
            jobs=args.jobs,
            progress=bar.update,
            fast=args.fast,
        )
    tell_note(found.note, out)
    if args.json:
        out.json(found.as_json())
    else:
        what = t("把", "hands") if found.unit == "hands" else t("轮", "rounds")
        sides = " / ".join(out.style(label, "bold") for label in labels)
        out.line(sides)
        out.line(
            t(
                f"同样的牌 {found.done} {what}；种子 {args.seed}，{policy}；{found.seconds:.1f} 秒",
                f"the same deals, {found.done} {what}; seed {args.seed}, {policy}; {found.seconds:.1f} s",
            )
        )
        print_sections(found.rows(), out)
    if found.interrupted:
        out.tell(
            t(
                f"已中断：以上是打完的 {found.done} 个的结果",
                f"interrupted: the above is of the {found.done} that were finished",
            )
        )
        return INTERRUPTED
    return OK
