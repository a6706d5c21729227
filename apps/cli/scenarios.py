"""``gunzi test``: scenario files, each question asked of every rule set it names."""

from __future__ import annotations

from argparse import Namespace

from gunzi.apps.cli.output import Out
from gunzi.apps.cli.parser import Parser
from gunzi.apps.cli.progress import Progress


def arguments(parser: Parser) -> None:
    """What the command takes."""
    t = parser.say
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=t("场景文件，或装场景的文件夹", "scenario files, or folders of them")
    )
    parser.add_argument("-v", "--verbose", action="store_true", help=t("对的也列出来", "list what holds, too"))
    parser.add_json()


def run(args: Namespace, out: Out) -> int:
    """Run the scenarios; 1 where some fail, 2 where some cannot be asked."""
    from gunzi.apps.scenarios import Outcome, run_files

    done = 0

    with Progress(out, out.t("场景", "scenarios"), 0) as bar:

        def heard(outcome: Outcome) -> None:
            nonlocal done
            done += 1
            bar.update(done)
            if args.verbose and not args.json and outcome.passed:
                out.line(f"{out.style(out.t('对', 'ok'), 'green')}  {outcome.where}  {outcome.name}  {outcome.rules}")

        report = run_files(args.files, out.lang, progress=heard)
    if args.json:
        out.json(report.as_json())
    else:
        *rows, last = report.text(out.lang).split("\n")
        out.lines(rows)
        out.line(out.style(last, "green" if report.status == 0 else "red"))
    return report.status
