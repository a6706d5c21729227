"""A score in words: each hand with the reason for every number, the sheet as a table, what comes next."""

from __future__ import annotations

from typing import Any

from gunzi.apps.cli import names
from gunzi.apps.cli.explained import explained, explanation
from gunzi.apps.cli.narrate import Narrator
from gunzi.apps.cli.output import Out
from gunzi.apps.cli.sheet import Row, Sheet
from gunzi.cards import rank_text
from gunzi.values import Owed
from gunzi.wording import counted


class _Teller(Narrator):
    """Tells a settlement with the players' names."""

    def __init__(self, out: Out, sheet: Sheet) -> None:
        super().__init__(out, rules=sheet.rules)
        self._sheet = sheet

    def seat(self, number: Any) -> str:
        return seat(self._sheet, number, self.out)


def seat(sheet: Sheet, number: int, out: Out) -> str:
    """A seat with its player's name."""
    return out.say(sheet.standing.seat(number))


def side(sheet: Sheet, number: int, out: Out) -> str:
    """A side with its players' names."""
    if not sheet.players:
        return out.say(names.side(number))
    one, other = sheet.players[number], sheet.players[number + 2]
    return out.t(f"{one}、{other}", f"{one} and {other}")


def hand_title(sheet: Sheet, row: Row, out: Out) -> str:
    """Which hand, who dealt, what was played."""
    standing, level = row.standing, rank_text(row.level)
    who, trump = seat(sheet, row.dealer, out), out.suit(row.told["trump"])
    return out.t(
        f"第 {standing.number} 把（第 {standing.round} 轮第 {standing.hand} 把）：{who}坐庄，打 {level}，主{trump}",
        f"Hand {standing.number} (round {standing.round}, hand {standing.hand}): {who} dealt, level {level}, trump {trump}",
    )


def reasons(sheet: Sheet, row: Row, out: Out) -> list[str]:
    """Every number of a hand with the rule it comes from, where the hand led, and what the table did otherwise."""
    event = row.settlement.as_json()
    lines = explained(event["explain"], out, event["round_won_by"])
    lines += after(sheet, row, out)
    lines += ["  " + out.style(out.say(remark), "yellow") for remark in row.remarks]
    return lines


def explained_rows(row: Row, out: Out) -> list[tuple[str, str, str]]:
    """What, the value it came to, the rule: one for each number of a hand."""
    event = row.settlement.as_json()
    return explanation(event["explain"], out, event["round_won_by"])


def after(sheet: Sheet, row: Row, out: Out) -> list[str]:
    """Where a hand led: levels, dealer, tribute, or the round's winner."""
    return _Teller(out, sheet).after(row.settlement.as_json())


def standings(sheet: Sheet, out: Out) -> list[str]:
    """The four sheets with their titles, and the rounds won."""
    t, parts = out.t, []
    for number in range(4):
        score = sheet.scores[number]
        title = sheet.title(number)
        parts.append(f"{seat(sheet, number, out)} {signed(score)} {title}".rstrip())
    lines = [t("积分：", "sheet: ") + "  ".join(parts)]
    if any(sheet.rounds_won):
        won = sheet.rounds_won
        lines.append(
            t(
                f"赢的轮数：{side(sheet, 0, out)} {won[0]}，{side(sheet, 1, out)} {won[1]}",
                f"rounds won: {side(sheet, 0, out)} {won[0]}; {side(sheet, 1, out)} {won[1]}",
            )
        )
    return lines


def signed(score: int) -> str:
    """A score with its sign; 0 has none."""
    return f"{score:+d}" if score else "0"


def coming(sheet: Sheet, out: Out) -> str:
    """The next hand: who deals, what is played, who owes what."""
    t, standing = out.t, sheet.standing
    text = t(
        f"接下来第 {standing.number} 把（第 {standing.round} 轮第 {standing.hand} 把）",
        f"Next: hand {standing.number} (round {standing.round}, hand {standing.hand})",
    )
    if standing.dealer is None:
        first = rank_text(standing.levels[0])
        return text + t(f"：打 {first}，看谁坐庄", f": level {first}, the dealer is to be found")
    level = standing.levels[standing.dealer % 2]
    text += t(
        f"：{seat(sheet, standing.dealer, out)}坐庄，打 {rank_text(level)}",
        f": {seat(sheet, standing.dealer, out)} deals, level {rank_text(level)}",
    )
    if level in sheet.rules.options["levels.must_play"]:
        text += t("（必打）", " (must be played)")
    if standing.owed:
        text += t("；", "; ") + owes(sheet, standing.owed, out)
    return text


def owes(sheet: Sheet, owed: Owed, out: Out) -> str:
    """Who owes whom how many cards."""
    giver, receiver, count = seat(sheet, owed.giver, out), seat(sheet, owed.receiver, out), owed.count
    return out.t(
        f"{giver}欠{receiver} {count} 张贡",
        f"{giver} owes {receiver} {counted(count, 'card')}",
    )


# -- the sheet as a table ----------------------------------------------------------------------------------------


def heads(sheet: Sheet, out: Out) -> list[str]:
    """The headings of the table's columns."""
    t = out.t
    people = [sheet.players[number] if sheet.players else t(f"{number}号", f"seat {number}") for number in range(4)]
    first = [t("把", "#"), t("轮", "round"), t("庄家", "dealer"), t("打", "level"), t("主", "trump")]
    return [*first, t("抓分方", "attackers"), t("底", "bottom"), t("进贡", "tribute"), *people, t("结果", "result")]


def cells(sheet: Sheet, row: Row, out: Out) -> list[str]:
    """A hand's line of the table; the four players' cells have the total after the hand and what the hand added."""
    standing, settlement = row.standing, row.settlement
    result = settlement.outcome.result
    people = [
        signed(total) + (f" ({signed(more)})" if more else "")
        for total, more in zip(row.scores, settlement.scores, strict=True)
    ]
    return [
        str(standing.number),
        f"{standing.round}-{standing.hand}",
        sheet.players[row.dealer] if sheet.players else out.say(names.seat(row.dealer)),
        rank_text(row.level),
        out.suit(row.told["trump"]),
        str(result.attackers_points),
        _bottom(row, out),
        _paid(result.tribute_paid, out),
        *people,
        _outcome(sheet, row, out),
    ]


def _bottom(row: Row, out: Out) -> str:
    t, result = out.t, row.settlement.outcome.result
    text = t("抠底", "captured") if result.captured else t("保底", "held")
    if result.dry:
        text += t("，干锅", ", dry")
    big, small = result.kings
    if big:
        text += t(f"，大王 {big}", f", {big} BJ")
    if small:
        text += t(f"，小王 {small}", f", {small} LJ")
    return text


def _paid(paid: Owed | None, out: Out) -> str:
    if not paid:
        return ""
    way = f"{paid.giver}→{paid.receiver}"
    return out.t(f"{way}：{paid.count} 张", f"{way}: {paid.count}")


def _outcome(sheet: Sheet, row: Row, out: Out) -> str:
    t, outcome = out.t, row.settlement.outcome
    if outcome.round_won_by is not None:
        ending = _Teller(out, sheet).ending(row.settlement.as_json())
        won = t(
            f"{side(sheet, outcome.round_won_by, out)}赢下第 {row.standing.round} 轮",
            f"{side(sheet, outcome.round_won_by, out)} won round {row.standing.round}",
        )
        return won + (t(f"（{ending}）", f" ({ending})") if ending else "")
    text = t("上台", "take-over") if outcome.result.takeover else t("保庄", "deal kept")
    up = outcome.level_up
    if up is not None:
        level = rank_text(outcome.levels[up.side])
        text += t(f"，{side(sheet, up.side, out)}升到 {level}", f", {side(sheet, up.side, out)} up to {level}")
    return text
