"""``gunzi diff --assert-same-until``: rule sets that differ in an option play the same until it is consulted."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gunzi.apps.cli.figures import each_of, ended_early, print_sections, stop_if_nothing, tell_clock
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import FAILED, OK, Parser, Stop
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

    for asked, name in (
        (args.html is not None, "--html"),
        (args.examples is not None, "--examples"),
        (args.no_causes, "--no-causes"),
        (args.fast == "on", "--fast on"),
    ):
        if asked:
            raise Stop(
                f"{name} 不能和 --assert-same-until 一起用：它只查一件事，不做比较",
                f"{name} does not go with --assert-same-until, which checks one thing and compares nothing",
            )
    for other in sets[1:]:
        check_differences(sets[0], other, args.same_until)
    found = []
    tell_clock(policy.split(","), out)
    for place, other in enumerate(sets[1:], 1):
        with Progress(out, out.t("打牌", "playing"), *much.values(), each=each_of(much, out)) as bar:
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
                    # A file keeps one check: those of further sets have their own beside it.
                    resume=args.resume if args.resume is None or place == 1 else f"{args.resume}-{place}",
                    cluster=args.cluster,
                    progress=bar.update,
                )
            )
        if found[-1].interrupted:
            if place == 1:
                stop_if_nothing(found[-1], found[-1].done, args)
            break
    if args.json:
        out.json([each.as_json() for each in found])
    else:
        for each in found:
            print_sections(each.rows(), out)
            out.line()
            mark = out.style(out.t("对", "ok"), "green") if each.holds else out.style(out.t("错", "WRONG"), "red")
            out.line(f"{mark}  {out.say(each.told())}")
    last = found[-1]
    if last.interrupted:
        return ended_early(last, out.t(f"{last.done} 个", str(last.done)), args, out)
    return OK if all(each.holds for each in found) else FAILED
