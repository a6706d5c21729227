"""``gunzi score`` beside a real table: nothing entered is lost, every step can be taken back, every number has its reason."""

from __future__ import annotations

import pytest
from cli_harness import assert_no_english
from score_harness import ENDS, FIRST, SECOND, sheet_of

from gunzi.apps.cli.entry import Wrong, read_line

# -- telling a hand ----------------------------------------------------------------------------------------------


def test_the_jokers_alone_are_enough_where_the_total_is_told() -> None:
    whole = sheet_of(FIRST).rows[0].settlement
    short = sheet_of("dealer=0 trump=H total=85 captured=no kings=BJ,LJ").rows[0].settlement
    assert short.outcome.levels == whole.outcome.levels
    assert short.outcome.owed == whole.outcome.owed
    assert short.scores == whole.scores


def test_the_jokers_alone_are_enough_where_the_bottom_was_held() -> None:
    told = sheet_of(FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=大王,小王")).rows[0]
    assert told.told["kings"] == "BJ,LJ"
    assert told.settlement.scores == sheet_of(FIRST).rows[0].settlement.scores


def test_a_hand_may_be_told_in_chinese_and_with_full_width_signs() -> None:
    chinese = sheet_of("庄家＝0 主=红桃 台面=85 抠底=没有 底牌=大王 小王 梅花7 梅花8 方片8 方片9")
    assert chinese.rows[0].told == sheet_of(FIRST).rows[0].told


def test_players_names_stand_for_their_seats() -> None:
    names = ("老王", "老李", "老张", "老赵")
    sheet = sheet_of(FIRST.replace("dealer=0", "dealer=老王"), SECOND.replace("1>2", "老李>老张"), players=names)
    assert [row.told for row in sheet.rows] == [row.told for row in sheet_of(FIRST, SECOND).rows]


def test_the_number_alone_tells_a_tribute_that_is_due() -> None:
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "2")).rows[1].told["tribute"] == "1>2:2"
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "2>1:3")).rows[1].told["tribute"] == "2>1:3"  # turned round
    assert sheet_of(FIRST, SECOND.replace("1>2:3", "no")).rows[1].told["tribute"] == "no"


@pytest.mark.parametrize(
    ("hand", "key", "said"),
    [
        (FIRST.replace("85", "86"), "points", "0 to 300, a multiple of 5"),
        (FIRST.replace("points=85", "total=305"), "total", "0 to 300"),
        ("dealer=0 trump=H total=10 captured=yes bottom=CT,LJ,C7,C8,D8,D9", "total", "20 to 310"),
        ("dealer=0 trump=H total=365 captured=yes kings=no", "total", "0 to 360"),
        (FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=BJ,BJ,BJ,BJ"), "kings", "only 3"),
        (FIRST.replace("bottom=BJ,LJ,C7,C8,D8,D9", "kings=S3"), "kings", "S3 is none"),
        (FIRST + " kings=BJ", "kings", "not both"),
        ("dealer=0 trump=H points=85 captured=yes kings=BJ", "bottom", "all 6 cards"),
        (FIRST.replace("BJ,LJ,C7", "BJ,C7"), "bottom", "6 cards, not 5"),
        (FIRST.replace("C7,C8,D8", "C7,C7,C7,C7")[:-3], "bottom", "given 4 times, but there are only 3"),
        (FIRST.replace("C7", "H7") + " dry=yes", "dry", "no dry pot (rule dry_pot.side_leg"),
        (FIRST.replace("dealer=0", "dealer=王二"), "dealer", "0 to 3"),
        (FIRST.replace("trump=H", "trump=NT"), "trump", "S H C D"),
        (FIRST.replace("captured=no", "captured=maybe"), "captured", "yes or no"),
        ("points=85", "dealer", "lacks dealer"),
        (FIRST + " tribute=1>2:3", "tribute", "no tribute is due"),
        (FIRST + " tribute=1>1:3!", "tribute", "pay itself"),
        (FIRST + " points=90", "points", "twice"),
        (FIRST + " total=90", "total", "not both"),
        (FIRST.replace("trump", "trmup"), None, "did you mean trump?"),
        (FIRST.replace("dealer=0", "dealer 0"), None, "key=value"),
    ],
)
def test_what_cannot_be_is_refused_naming_the_entry(hand: str, key: str | None, said: str) -> None:
    with pytest.raises(Wrong) as caught:
        sheet_of(hand)
    assert caught.value.key == key
    assert said in caught.value.text.en
    assert_no_english(caught.value.text.zh)


def test_a_wrong_hand_changes_nothing() -> None:
    sheet = sheet_of(FIRST)
    before = sheet.as_json()
    with pytest.raises(Wrong):
        sheet.add(read_line(SECOND.replace("150", "151")))
    assert sheet.as_json() == before


def test_a_dry_bottom_is_taken_where_it_is_dry() -> None:
    dry = "dealer=0 trump=H points=85 captured=no bottom=BJ,LJ,H7,H8,H9,HT dry=yes"
    row = sheet_of(dry).rows[0]
    assert row.settlement.outcome.result.dry
    assert row.settlement.outcome.levels == (4, 3)


def test_what_the_table_did_against_the_rules_can_be_kept_with_a_remark() -> None:
    with pytest.raises(Wrong, match=r"write dealer=1!"):
        sheet_of(FIRST, SECOND + " dealer=1")
    row = sheet_of(FIRST, SECOND + " dealer=1!").rows[1]
    assert row.dealer == 1
    assert "rotation.hold" in row.remarks[0].en
    assert "照实际打的记" in row.remarks[0].zh


def test_rules_that_look_at_the_last_play_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = sheet_of(FIRST)
    monkeypatch.setattr("gunzi.apps.cli.told.asks_for_last_play", lambda rules: True)
    with pytest.raises(Wrong, match="lacks last"):
        sheet.add(read_line(SECOND))
    assert sheet.add(read_line(SECOND + " last=HA,HA")).told["last"] == "HA,HA"


# -- undo, redo, correct -------------------------------------------------------------------------------------------


def test_steps_are_taken_back_and_put_back_one_by_one() -> None:
    sheet = sheet_of(FIRST, SECOND)
    after_two = sheet.as_json()
    sheet.correct(1, {"points": "60"})
    corrected = sheet.as_json()
    assert sheet.undo() is not None
    assert sheet.as_json() == after_two
    assert sheet.undo() is not None
    assert sheet.undo() is not None
    assert sheet.undo() is None
    assert sheet.rows == []
    for _ in range(3):
        assert sheet.redo() is not None
    assert sheet.redo() is None
    assert sheet.as_json() == corrected


def test_a_new_entry_forgets_what_was_taken_back() -> None:
    sheet = sheet_of(FIRST, SECOND)
    sheet.undo()
    sheet.add(read_line(SECOND.replace("150", "155")))
    assert sheet.redo() is None


def test_a_correction_settles_the_later_hands_again_as_they_were_played() -> None:
    sheet = sheet_of(FIRST, SECOND)
    sheet.correct(1, {"points": "125"})
    again = sheet_of(FIRST.replace("85", "125"), SECOND.replace("1>2:3", "no") + " dealer=2!")
    assert sheet.rows[0].settlement == again.rows[0].settlement
    assert sheet.rows[1].dealer == 2
    remarks = " ".join(remark.en for remark in sheet.rows[1].remarks)
    assert "seat 1's to deal" in remarks
    assert "rotation.takeover" in remarks
    assert "kept as it was paid" in remarks


def test_a_correction_that_cannot_be_changes_nothing() -> None:
    sheet = sheet_of(FIRST, SECOND)
    before = sheet.as_json()
    with pytest.raises(Wrong):
        sheet.correct(1, {"points": "86"})
    with pytest.raises(IndexError):
        sheet.correct(3, {"points": "80"})
    assert sheet.as_json() == before


def test_a_correction_may_put_the_total_in_place_of_the_points() -> None:
    sheet = sheet_of(FIRST)
    sheet.correct(1, {"total": "60", "kings": "no"})
    assert sheet.rows[0].told == {
        "dealer": "0",
        "trump": "H",
        "total": "60",
        "captured": "no",
        "kings": "no",
        "dry": "no",
    }


def test_rounds_follow_each_other() -> None:
    sheet = sheet_of(ENDS, FIRST, SECOND, rules="yuwang")
    assert sheet.rounds_won == [0, 1]
    assert [(row.standing.round, row.standing.hand) for row in sheet.rows] == [(1, 1), (2, 1), (2, 2)]
    assert sheet.scores == (0, 1, 0, 1)
