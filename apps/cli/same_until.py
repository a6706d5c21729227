"""``gunzi diff --assert-same-until``: rule sets that differ in an option play the same until it is consulted."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gunzi.apps.cli.figures import print_sections
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import FAILED, INTERRUPTED, OK, Parser
from gunzi.apps.cli.progress import Progress

if TYPE_CHECKING:
    from gunzi.ruleset import RuleSet


def same_until_argument(parser: Parser) -> None:
    """``--assert-same-until``."""
    parser.add_argument(
        "--assert-same-until",
        action="append",
        default=[],
        metavar="OPTION",
        dest="same_until",
        help=parser.say(
            "只查一件事：几套规则只差这一项，在问到它以前打得完全一样；不一样就说出最早的一处，退出状态 1。可以写多次",
            "check one thing: the sets differ in this option alone and play the same until it is consulted; if not, the earliest "
            "counter-example is told and the exit status is 1; repeatable",
        ),
    )


def run(sets: Sequence[RuleSet], args: Namespace, much: Mapping[str, int], policy: str, out: Out) -> int:
    """Check the first set against each other one; 1 where records part too early."""
    from gunzi.apps import lab
    from gunzi.apps.lab.same_until import check_differences

    for other in sets[1:]:
        check_differences(sets[0], other, args.same_until)
    found = []
    for other in sets[1:]:
        with Progress(out, out.t("打牌", "playing"), *much.values()) as bar:
            found.append(
                lab.same_until(
                    sets[0],
                    other,
                    args.same_until,
                    hands=much.get("hands"),
                    rounds=much.get("rounds"),
                    seed=args.seed,
                    policy=policy,
                    jobs=args.jobs,
                    progress=bar.update,
                )
            )
        if found[-1].interrupted:
            break
    if args.json:
        out.json([each.as_json() for each in found])
    else:
        for each in found:
            print_sections(each.rows(), out)
            out.line()
            mark = out.style(out.t("对", "ok"), "green") if each.holds else out.style(out.t("错", "WRONG"), "red")
            out.line(f"{mark}  {out.say(each.told())}")
    if any(each.interrupted for each in found):
        out.tell(out.t("已中断：以上是打完的", "interrupted: the above is of what was finished"))
        return INTERRUPTED
    return OK if all(each.holds for each in found) else FAILED
