"""``gunzi match``: two players on the same cards with the sides changed; which is better, and by how much."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.figures import (
    check_policy,
    ended_early,
    print_sections,
    running_arguments,
    seed_argument,
    stop_if_nothing,
    tell_clock,
)
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Parser, Stop, load_rules, whole
from gunzi.apps.cli.progress import Progress, tell_seconds
from gunzi.wording import counted


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    for place, name in enumerate(("P1", "P2")):
        parser.add_argument(
            name.lower(),
            metavar=name,
            help=t(
                f"第{'一二'[place]}个打法：random、steady、sharp；sharp:500 每步试打 500 次，sharp:0.2s 每步想 0.2 秒",
                f"the {('first', 'second')[place]} player: random, steady, sharp; sharp:500 (playouts a question), "
                "sharp:0.2s (seconds)",
            ),
        )
    parser.add_rules()
    parser.add_argument(
        "--pairs",
        type=whole(t, 1),
        metavar="N",
        help=t("打多少副：一副是同样的牌换边各打一把", "how many pairs: the same cards twice, with the sides changed"),
    )
    parser.add_argument(
        "--hands",
        type=whole(t, 2),
        metavar="N",
        help=t("一共打多少把（双数，两把一副）", "how many hands in all (an even number: two make a pair)"),
    )
    seed_argument(parser)
    running_arguments(parser)
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Play the pairs and report; what was finished is reported even when interrupted."""
    from gunzi.apps import lab

    pairs = _pairs(args)
    one, other = (_one_player(name) for name in (args.p1, args.p2))
    rules = load_rules(args.rules, args.overrides)
    t = out.t
    tell_clock((one, other), out)
    with Progress(out, t("打牌", "playing"), pairs, each=t("副", " pairs")) as bar:
        found = lab.match(
            rules,
            one,
            other,
            pairs=pairs,
            seed=args.seed,
            jobs=args.jobs,
            resume=args.resume,
            cluster=args.cluster,
            progress=bar.update,
        )
    stop_if_nothing(found, found.pairs, args)
    tell_seconds(found.seconds, out)
    if args.json:
        out.json(found.as_json())
    else:
        out.line(f"{out.style(rules.id, 'bold')}  {out.say(rules.name)}")
        out.line(
            t(
                f"{found.pairs} 副（{2 * found.pairs} 把）；种子 {args.seed}",
                f"{counted(found.pairs, 'pair')} ({2 * found.pairs} hands); seed {args.seed}",
            )
        )
        print_sections(found.rows(), out)
    return ended_early(found, t(f"{found.pairs} 副", counted(found.pairs, "pair")), args, out)


def _pairs(args: Namespace) -> int:
    if (args.pairs is None) == (args.hands is None):
        raise Stop("--pairs N 和 --hands N 写一个，只能写一个", "give --pairs N or --hands N, one of them")
    if args.pairs is not None:
        return int(args.pairs)
    if args.hands % 2:
        raise Stop(
            f"--hands 要写双数，不能写 {args.hands}：同样的牌换边各打一把",
            f"--hands takes an even number, not {args.hands}: the same cards are played twice, with the sides changed",
        )
    return int(args.hands) // 2


def _one_player(name: str) -> str:
    if "," in name:
        raise Stop(
            f"一方两家是同一个打法，不能写 {name}",
            f"both seats of a side are played by the same player, not {name!r}",
        )
    return check_policy(name)
