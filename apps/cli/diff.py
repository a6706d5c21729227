"""``gunzi diff``: the same deals under two or more rule sets; where they part, by which option, and what that changes."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.compare import distinct_labels
from gunzi.apps.cli.diff_output import check_places, output_arguments, tell_examples, write_files
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
from gunzi.apps.cli.same_until import run as check_same_until
from gunzi.apps.cli.same_until import same_until_argument
from gunzi.wording import counted


def arguments(parser: Parser) -> None:
    """What the command takes."""
    parser.add_rules(nargs="+")
    lab_arguments(parser)
    fast_argument(parser)
    running_arguments(parser)
    output_arguments(parser)
    same_until_argument(parser)
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
    if args.same_until:
        return check_same_until(sets, args, much, policy, out)
    check_places(args, sets)
    t = out.t
    tell_clock(policy.split(","), out)
    with Progress(out, t("打牌", "playing"), *much.values(), each=each_of(much, out)) as bar:
        found = lab.diff(
            sets,
            hands=much.get("hands"),
            rounds=much.get("rounds"),
            seed=args.seed,
            policy=policy,
            jobs=args.jobs,
            resume=args.resume,
            cluster=args.cluster,
            fast=args.fast,
            progress=bar.update,
            prove=not args.no_causes,
            pairs=args.pairs,
        )
    stop_if_nothing(found, found.done, args)
    tell_note(found.note, out)
    tell_seconds(found.seconds, out)
    if args.json:
        out.json(found.as_json())
    else:
        what = "把" if found.unit == "hands" else "轮"
        deals = counted(found.done, found.unit.removesuffix("s"))
        sides = " / ".join(out.style(label, "bold") for label in labels)
        out.line(sides)
        out.line(
            t(
                f"同样的牌 {found.done} {what}；种子 {args.seed}，{policy}",
                f"the same deals, {deals}; seed {args.seed}, {policy}",
            )
        )
        print_sections(found.rows(labels), out)
        tell_examples(found, sets, labels, out)
    write_files(args, found, sets, labels, out)
    done = t(f"{found.done} 个", str(found.done))
    return ended_early(found, done, args, out)
