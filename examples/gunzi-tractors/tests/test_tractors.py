"""Whole rounds of 双升: they are played to the end, verified, and keep to the rules of the table."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from gunzi_tractors.ladder import ladder

import gunzi
from gunzi import trump_order
from gunzi.values import Capture, Result

HERE = Path(__file__).resolve().parent.parent
VARIANTS = {2: HERE / "shuangsheng.yaml", 3: HERE / "three-packs.yaml"}


def play(rules: gunzi.RuleSet, seed: int, hands: int) -> gunzi.Table:
    """A table played to its end: leads of many cards where there are any, everything else by chance."""
    table = gunzi.Table(rules, seed=seed, rounds=None, hands=hands)
    chance = random.Random(seed)
    while not table.over:
        ask = table.ask
        act = ask[-1] if ask.kind == "lead" and chance.random() < 0.6 else ask[chance.randrange(len(ask))]
        table.do(ask.seat, act)
    return table


@pytest.fixture(scope="module", params=[2, 3], ids=["two-packs", "three-packs"])
def table(request: pytest.FixtureRequest) -> gunzi.Table:
    return play(gunzi.load(VARIANTS[request.param]), seed=5, hands=20)


def test_the_deck_and_the_levels_are_those_of_the_game() -> None:
    rules = gunzi.load(VARIANTS[2])
    assert (rules.deck.size, rules.deck.hand, rules.deck.bottom) == (108, 25, 8)
    assert rules.permanent == ()
    assert rules.start_level == 2
    assert rules.warnings == ()
    assert gunzi.load(VARIANTS[3]).warnings == ()


def test_every_hand_is_settled_and_the_record_verifies(table: gunzi.Table) -> None:
    verified = gunzi.verify(gunzi.Record.parse(table.record.text()))
    assert verified.hands == 20
    assert verified.table.scores == table.scores


def test_a_trick_has_four_plays_of_one_size_and_tractors_are_among_the_leads(table: gunzi.Table) -> None:
    plays = [event for event in table.events if event["e"] == "play"]
    sizes: Counter[int] = Counter()
    for start in range(0, len(plays), 4):
        trick = plays[start : start + 4]
        assert len({len(event["cards"]) for event in trick}) == 1
        sizes[len(trick[0]["cards"])] += 1
    assert any(size >= 4 for size in sizes)
    assert all(size in (1, 2, 3) or size % 2 == 0 for size in sizes)


def test_nobody_but_the_dealer_sees_the_bottom_before_the_end(table: gunzi.Table) -> None:
    for event in table.view(None):
        if event["e"] in ("bottom", "bury"):
            assert not event["shown"]
            assert "cards" not in event


def test_no_tribute_is_ever_owed(table: gunzi.Table) -> None:
    assert all(event["owed"] is None for event in table.events if event["e"] in ("hand", "settle"))


def test_a_round_goes_from_two_to_the_ace() -> None:
    table = gunzi.Table(gunzi.load(VARIANTS[2]), seed=8, rounds=1)
    chance = random.Random(8)
    while not table.over:
        table.do(table.ask.seat, table.ask[chance.randrange(len(table.ask))])
    settled = [event for event in table.events if event["e"] == "settle"]
    assert settled[-1]["ending"] == "final_level"
    assert max(level for event in table.events if event["e"] == "hand" for level in event["levels"]) == 14


def test_a_refusal_names_the_rule_and_what_is_owed_in_both_languages() -> None:
    rules = gunzi.load(VARIANTS[2])
    trump = trump_order(7, "S", rules.permanent)
    _, follows, _ = rules.play_rules(trump)

    def why(hand: str, led: str, play: str) -> gunzi.Text:
        masks = [trump.masks(gunzi.parse_cards(cards)) for cards in (hand, led, play)]
        reason = follows.why_not(*masks)
        assert reason.rule in rules.rule_ids()
        assert "{" not in reason.text.zh + reason.text.en
        return reason.text

    hand = "H5 H5 H9 H9 HT HT HK C3"
    assert "拖拉机，最长 2 对" in why(hand, "H3 H3 H4 H4", "H5 H5 HK H9").zh
    assert "enough hearts" in why(hand, "H3 H3 H4 H4", "H5 H5 HK C3").en
    assert "only 1 pairs of hearts" in why("H5 H5 H9 HT HK C3", "H3 H3 H4 H4", "H5 H9 HT HK").en
    assert "2 pairs" in why("H5 H5 H9 H9 HK HK", "H3 H3 H4 H4", "H5 H5 H9 HK").en
    assert "a pair of hearts" in why(hand, "H3 H3", "H5 H9").en
    assert "only 1 of clubs" in why(hand, "C5 C5", "H5 H5").en


@pytest.mark.parametrize("play", ["H5 C5", "H5 H5 H6", "H5 H6", "H5 H5 H9 H9", ""])
def test_a_lead_that_is_none_is_explained(play: str) -> None:
    rules = gunzi.load(VARIANTS[2])
    trump = trump_order(7, "S", rules.permanent)
    leads, _, _ = rules.play_rules(trump)
    hand = trump.masks(gunzi.parse_cards("H5 H5 H6 H6 H9 H9 C5"))
    cards = trump.masks(gunzi.parse_cards(play))
    assert not leads.contains(*hand, *cards)
    assert leads.why_not(hand, cards).rule == "tractors.lead"


def test_a_clean_sweep_is_explained_in_both_languages() -> None:
    rules = gunzi.load(VARIANTS[2], {"tractors.clean_sweep": True})
    bottom = gunzi.parse_cards("H3 H4 H6 C6 C9 D8 D9 DJ")
    result = Result(0, (4, 6), 200, Capture.HELD, bottom, 0, False, trump_order(4, "S", ()), gunzi.parse_cards("S8"))
    settlement = gunzi.settle(rules, result)
    assert settlement.outcome.ending == "clean_sweep"
    assert any("通吃" in line.what.zh and "clean sweep" in line.what.en for line in settlement.explain)


def test_with_three_packs_a_triple_that_need_not_be_broken_is_a_warning() -> None:
    rules = gunzi.load(VARIANTS[3], {"follow.triple_against_pair": "may_keep"})
    assert [problem.code for problem in rules.warnings] == ["tractors-triples"]


def test_the_longest_chain_of_trumps_has_sixteen_steps() -> None:
    trump = trump_order(7, "S", ())
    steps = ladder(trump, True)
    trumps = sum(1 << bit for bit in range(36, 60) if trump.kind_at[bit] >= 0)
    assert steps.longest(trumps) == 12 + 4
    assert steps.longest((1 << 12) - 1) == 12
    assert ladder(trump, False).longest(trumps) == 12
