"""The commands: names, what they do, and the modules they are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gunzi.errors import Text

if TYPE_CHECKING:
    from gunzi.apps.cli.output import Out


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its module under ``gunzi.apps.cli``, what it does, and what stands below its help."""

    name: str
    module: str
    synopsis: str
    text: Text
    more: Text = Text("", "")


_GROUPS: Final[tuple[tuple[Text, tuple[Command, ...]], ...]] = (
    (
        Text("挑规则", "Choosing rules"),
        (
            Command(
                "presets", "presets", "", Text("有哪些预设，各自特别在哪", "the presets, each with what sets it apart")
            ),
            Command("show", "show", "RULES [--origin]", Text("一套规则的每个选项", "every option of a rule set")),
            Command("compare", "compare", "RULES RULES…", Text("几套规则差在哪", "where rule sets differ")),
            Command(
                "explain",
                "explain",
                "OPTION",
                Text("讲一个选项，以及各预设怎么定的", "an option, its values, what the presets say"),
            ),
            Command(
                "pick",
                "pick",
                "",
                Text("问几个问题，找出最接近的预设", "asks a few questions and names the nearest preset"),
                Text(
                    "--answers 按问的顺序写答案（值、序号，? 表示不知道），或写 选项=值；也可以是文件，- 是标准输入。",
                    '--answers: in the order of the questions (a value, a number, ? for "don\'t know"), or option=value; '
                    "a file's name, or - for standard input, work too.",
                ),
            ),
        ),
    ),
    (
        Text("打牌", "Playing"),
        (
            Command(
                "play",
                "play",
                "RULES [--seat N]",
                Text("在终端里和电脑打一桌", "a table in the terminal, with bots"),
                Text(
                    "牌写成 h8 h8、红桃8、大王，或写手牌下面的序号；? 看怎么操作。",
                    "Cards are typed as h8 h8, BJ, or by the numbers shown under them; ? shows what can be typed.",
                ),
            ),
            Command(
                "score",
                "score",
                "RULES",
                Text("给真人牌桌记分：升级、坐庄、进贡、积分", "keeps the score of a real table"),
                Text(
                    "不写 --hand 就一项一项地问，每填一项马上存盘，同样的命令接着记；说错了可以退回，也可以改前面的某一把。\n"
                    '一把写成：--hand "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,C7,C8,D8,D9 dry=no tribute=1>2:3"\n'
                    '只知道总分和底里的王：--hand "dealer=0 trump=H total=85 captured=no kings=BJ,LJ"\n'
                    "打印：--print 记分.html",
                    "Without --hand it asks entry by entry; each is kept at once and the same command goes on. Steps can be taken back "
                    "and earlier hands corrected.\n"
                    'A hand: --hand "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,C7,C8,D8,D9 dry=no tribute=1>2:3"\n'
                    'Where only the total and the jokers of the bottom are known: --hand "dealer=0 trump=H total=85 captured=no kings=BJ,LJ"\n'
                    "To print: --print sheet.html",
                ),
            ),
        ),
    ),
    (
        Text("试规则", "Trying rules"),
        (
            Command(
                "simulate",
                "simulate",
                "RULES --hands N",
                Text("让电脑打很多把，统计结果", "bots play many hands; what came out"),
            ),
            Command(
                "diff",
                "diff",
                "RULES RULES… --hands N",
                Text("同样的牌，几套规则各打一遍", "the same deals under several rule sets"),
            ),
            Command(
                "match",
                "match",
                "P1 P2 RULES --pairs N",
                Text("两种打法，同样的牌换边打", "two players on the same cards, sides changed"),
            ),
            Command("test", "scenarios", "FILE…", Text("跑场景文件", "runs scenario files")),
        ),
    ),
    (
        Text("看牌谱", "Records"),
        (
            Command(
                "verify", "verify", "RECORD…", Text("逐步核对牌谱，指出第一处错", "checks every decision of a record")
            ),
            Command("replay", "replay", "RECORD [--seat N]", Text("把牌谱讲一遍", "a record in words")),
        ),
    ),
    (
        Text("写规则", "Writing rules"),
        (
            Command("new", "new", "ID --extends RULES", Text("起一个变体文件", "a variant file to start from")),
            Command(
                "book", "book", "RULES [--html FILE]", Text("把一套规则写成规则书", "the house rules as a rule book")
            ),
            Command("share", "share", "RULES", Text("把一套规则变成一个短码", "a rule set as a short code to send")),
            Command("check", "check", "FILE…", Text("查变体文件里的毛病", "what is wrong with a variant file")),
            Command(
                "schema",
                "schema",
                "[NAME]",
                Text("变体、场景、牌谱的 JSON Schema", "the JSON Schema of variants, scenarios, records"),
            ),
            Command(
                "plugins", "plugins", "[RULES]", Text("装了哪些插件，谁管哪条规则", "the plugins, and who decides what")
            ),
            Command(
                "new-plugin",
                "new_plugin",
                "NAME [--out DIR]",
                Text("给自己的规矩起一个插件包", "a package for a rule of your own"),
                Text(
                    "写出来的包装上就能用，自带选项、中英文说明、变体、场景和测试；照着改。",
                    "The package works as it is: an option with its texts, a variant, scenarios and tests to change.",
                ),
            ),
        ),
    ),
)
COMMANDS: Final = {command.name: command for _, group in _GROUPS for command in group}


def help_page(out: Out) -> str:
    """What ``gunzi --help`` prints."""
    from gunzi.apps.cli.output import pad

    t = out.t
    rows = [
        t("gunzi：打滚子，随你家的打法", "gunzi: 打滚子 under any house rules"),
        "",
        t("用法：gunzi 命令 …", "usage: gunzi COMMAND …"),
    ]
    for title, group in _GROUPS:
        rows += ["", out.style(out.say(title), "bold")]
        for command in group:
            left = pad(f"{command.name} {command.synopsis}".rstrip(), 31)
            rows.append(f"  {left}{out.say(command.text)}")
    rows += [
        "",
        t(
            "RULES：预设名、变体文件（NAME 就是 ./NAME.yaml）或分享码（gz1.…）。--set 选项=值 改一项。",
            "RULES: a preset, a variant file (NAME stands for ./NAME.yaml) or a share code (gz1.…); --set option=value changes an option.",
        ),
        t(
            "各命令的说明：gunzi 命令 --help。中文或英文：--lang zh|en。",
            "More on a command: gunzi COMMAND --help. Language: --lang zh|en.",
        ),
        t(
            "退出状态：0 正常，1 查出不对，2 没法运行，130 被中断。",
            "Exit status: 0 fine, 1 something does not hold, 2 could not run, 130 interrupted.",
        ),
    ]
    return "\n".join(rows)
