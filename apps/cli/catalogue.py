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
            Command(
                "serve",
                "serve",
                "[--port N]",
                Text("开一个服务器，在浏览器里打牌", "a server for tables in the browser"),
                Text(
                    "每一项也可以写成环境变量（GUNZI_PORT=80），或者写进 --config 的文件；先看命令行，再看环境变量，再看文件。\n"
                    "Ctrl-C 或 SIGTERM 关掉：牌桌都存好了，再开接着打。要装 gunzi[web]。",
                    "Each setting may also be an environment variable (GUNZI_PORT=80) or stand in the file of --config; flags count before the "
                    "environment, and that before the file.\n"
                    "Ctrl-C or SIGTERM stops it: the tables are kept and go on when it is started again. Needs gunzi[web].",
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
                Text(
                    "从哪里起不一样、是哪条规则、结果差多少；--html 写成一个网页，--examples 把例子写成成对的牌谱。\n"
                    "每一项是什么，见文档“看懂对打的结果”。",
                    "Where they part, by which rule, and what that changes; --html writes it as a page, --examples writes examples as "
                    "pairs of records.\n"
                    "What each part means: “Reading a comparison” in the documentation.",
                ),
            ),
            Command(
                "sweep",
                "sweep",
                "RULES [OPTION] --hands N",
                Text("一次只改一项，看哪些规则最改变打法", "one option at a time: which change the game most"),
                Text(
                    "不写 OPTION：每个选项的每个别的取值都试一遍。取值太多的只试几个：数往上往下各两档，\n"
                    "点数表、分值表、步骤表各去掉一项，王算几级、几个血的各加一减一；--value 自己挑。\n"
                    "排名：先看变得最多的那个数字，差几个标准差，扣掉误差还剩多少；再看多少把打法不一样；\n"
                    "都一样就按规则书的次序。",
                    "Without OPTION every option's other values are tried. Where these are too many, a few are: numbers two\n"
                    "steps up and down, lists and maps with one entry left out, what a king is worth one up and down;\n"
                    "--value names your own.\n"
                    "Ranked by the figure that changes most, in standard deviations, as far as that is sure; then by the\n"
                    "share of hands that part; then in the order of the rule book.",
                ),
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
                "verify",
                "verify",
                "RECORD… [--as RULES]",
                Text("逐步核对牌谱，或按别的规则查", "checks a record, or under other rules"),
                Text(
                    "--as：不管牌谱自己的规则，按 RULES 查，不许的全列出来；别的程序的日志用 --mapping 说明哪一列是什么。",
                    "--as: whatever rules the record names, lists every event that RULES would not allow; --mapping says what stands "
                    "where in another program's log.",
                ),
            ),
            Command(
                "replay",
                "replay",
                "RECORD [--beside RECORD]",
                Text("把牌谱讲一遍，或两份并排着讲", "a record in words, or two side by side"),
            ),
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
                Text(
                    "变体、场景、牌谱、日志对照表的 JSON Schema",
                    "the JSON Schema of variants, scenarios, records, log mappings",
                ),
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


def _usage(command: Command) -> str:
    return f"{command.name} {command.synopsis}".rstrip()


def help_page(out: Out) -> str:
    """What ``gunzi --help`` prints."""
    from gunzi.apps.cli.output import pad

    t = out.t
    rows = [
        t("gunzi：打滚子，随你家的打法", "gunzi: 打滚子 under any house rules"),
        "",
        t("用法：gunzi 命令 …", "usage: gunzi COMMAND …"),
    ]
    width = max(len(_usage(command)) for _, group in _GROUPS for command in group)
    for title, group in _GROUPS:
        rows += ["", out.style(out.say(title), "bold")]
        rows += [f"  {pad(_usage(command), width)}  {out.say(command.text)}" for command in group]
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
