"""``gunzi sweep``: a rule set with one option changed at a time; which options change the game, and how much."""

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
from gunzi.apps.cli.parser import Parser, load_rules
from gunzi.apps.cli.progress import Progress, tell_seconds
from gunzi.wording import counted


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_rules()
    parser.add_argument(
        "option",
        nargs="?",
        metavar="OPTION",
        help=t("只试这一个选项（不写就每个都试）", "try this option alone (default: every option)"),
    )
    parser.add_argument(
        "--value",
        action="append",
        metavar="VALUE",
        help=t("OPTION 要试的取值，可以写多次", "a value of OPTION to try, repeatable"),
    )
    lab_arguments(parser)
    fast_argument(parser)
    running_arguments(parser)
    parser.add_argument(
        "--html",
        metavar="FILE",
        help=t(
            "另写一个网页文件：图和表，不用联网就能看",
            "write one HTML page too: plots and tables; no network needed to read it",
        ),
    )
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Play the neighbours and report; what was finished is reported even when interrupted."""
    from gunzi.apps import lab

    much = amount(args)
    policy = check_policy(args.policy)
    rules = load_rules(args.rules, args.overrides)
    if args.html is not None:
        from gunzi.apps.cli.writing import check_writable, files_of, keep_inputs

        keep_inputs(args.html, files_of([rules]))
        check_writable(args.html)  # told before anything is played
    t = out.t
    tell_clock(policy.split(","), out)
    with Progress(out, t("打牌", "playing"), *much.values(), each=each_of(much, out)) as bar:
        found = lab.sweep(
            rules,
            args.option,
            args.value,
            hands=much.get("hands"),
            rounds=much.get("rounds"),
            seed=args.seed,
            policy=policy,
            jobs=args.jobs,
            resume=args.resume,
            cluster=args.cluster,
            fast=args.fast,
            progress=bar.update,
        )
    stop_if_nothing(found, found.done, args)
    tell_note(found.note, out)
    tell_seconds(found.seconds, out)
    if args.json:
        out.json(found.as_json())
    else:
        what = "把" if found.unit == "hands" else "轮"
        deals = counted(found.done, found.unit.removesuffix("s"))
        tried = len(found.effects)
        neighbours = counted(tried, "neighbour")
        out.line(out.style(rules.id, "bold"))
        out.line(
            t(
                f"{tried} 种改法，各打同样的牌 {found.done} {what}；种子 {args.seed}，{policy}",
                f"{neighbours}, the same deals, {deals}; seed {args.seed}, {policy}",
            )
        )
        print_sections(found.rows(), out)
    if args.html is not None:
        from gunzi.apps.cli.sweep_page import page
        from gunzi.apps.cli.writing import write_whole

        write_whole(args.html, page(found, rules, out.lang))
        out.tell(t(f"写好了 {args.html}", f"wrote {args.html}"))
    return ended_early(found, t(f"{found.done} 个", str(found.done)), args, out)
