"""The players: what they answer is always allowed, depends on what they may see alone, and ``steady`` knows the game."""

from __future__ import annotations

from typing import Any

import pytest

import gunzi
from gunzi import combinations, masks
from gunzi.acts import BuryKings, Claim, Declare, Pass, Play
from gunzi.apps import lab
from gunzi.apps.players import (
    PLAYERS,
    Dice,
    UnknownPlayerError,
    four_dice,
    one_act,
    parse_policy,
    play_hand,
    play_table,
    player,
    player_names,
)
from gunzi.apps.players.discarding import shortest_first, spare, spare_inside, spare_outside
from gunzi.apps.players.following import choose_follow
from gunzi.apps.players.leading import choose_lead
from gunzi.ask import CardsAsk, ListAsk
from gunzi.cards import parse_cards
from gunzi.chance import CHOICE, below, stream
from gunzi.choices import count_kings
from gunzi.hand import Hand
from gunzi.table import Table, seeded_deals
from gunzi.trump import NOTHING, TRUMP_LANE, Masks, trump_order

HEARTS = trump_order(3, "H")
OTHER_RULES: tuple[dict[str, Any], ...] = (
    {"deck.packs": 2, "deck.hand": 24, "deck.bottom": 12},
    {"deck.packs": 1, "deck.hand": 12, "deck.bottom": 6},
    {"deck.packs": 3, "deck.hand": 36, "deck.bottom": 18},
    {"deck.packs": 3, "deck.hand": 40, "deck.bottom": 2},
    {"follow.shapes": "strict", "follow.triple_against_pair": "must_split"},
    {"follow.shapes": "strict", "follow.triple_against_pair": "exempt"},
    {"trump.permanent": [], "points": {"7": 15}, "tribute.cards": "any", "tribute.return": "any"},
    {"trump.permanent": [2, 9], "points": {}, "levels.threshold": 5, "tribute.low": 5},
    {"first_dealer.claim": "automatic", "reveal.jokers": "high", "bury_kings.others": "none"},
    {"phases": ["deal", "reveal", "tribute", "bottom", "play", "settle"]},
)


def cards(text: str) -> Masks:
    return HEARTS.masks(parse_cards(text))


# -- the registry -------------------------------------------------------------------------------------------------


def test_players_are_found_by_name() -> None:
    assert player_names() == ("random", "steady", "sharp")
    assert player(" Steady ").name == "steady"
    assert parse_policy("random") == ("random",) * 4
    assert parse_policy("steady,random,steady,random") == ("steady", "random", "steady", "random")
    assert all(each.title.zh and each.title.en for each in PLAYERS.values())


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownPlayerError, match=r"no player is called 'stedy' \(did you mean steady\?\)"):
        player("stedy")
    with pytest.raises(UnknownPlayerError, match="four, not 3"):
        parse_policy("random,random,steady")


# -- dice ---------------------------------------------------------------------------------------------------------


def test_the_dice_of_a_play_are_those_of_its_trick_whatever_was_asked_before() -> None:
    one, other = Dice(5, 2), Dice(5, 2)
    one.at(3)
    other.at(3)
    other.ask("bury")
    other.below(1000)
    for dice in (one, other):
        dice.trick(7)
    base = stream(5, 3, CHOICE, 2)
    drawn = [one.below(9139), one.below(50)]
    assert drawn == [other.below(9139), other.below(50)] == [below(base, 7, 0, 9139), below(base, 7, 1, 50)]


def test_different_questions_draw_in_different_places() -> None:
    dice = Dice(1, 0)
    dice.at(1)
    numbers = []
    for kind in ("lead", "claim", "declare", "pay", "return", "bury", "bury_kings", "pick", "shuangming:show"):
        dice.ask(kind, 3)
        numbers.append(dice.below(1 << 60))
    assert len(set(numbers)) == len(numbers)


def test_a_seat_asked_again_at_the_same_moment_goes_on_in_its_stream() -> None:
    dice = Dice(1, 0)
    dice.at(1)
    asked = []
    for _ in range(3):
        dice.ask("declare", 156)
        asked.append(dice.below(1 << 40))
    assert len(set(asked)) == 3
    dice.at(1)
    dice.ask("declare", 12)
    dice.ask("declare", 156)
    assert dice.below(1 << 40) == asked[0]


def test_large_and_late_draws_are_even_too() -> None:
    dice = Dice(3, 1)
    dice.at(1)
    dice.trick(1)
    assert 0 <= dice.below(1 << 63) < 1 << 63
    dice.trick(45)
    assert {dice.below(3) for _ in range(60)} == {0, 1, 2}


# -- whole tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "steady", "steady,random,random,steady"])
def test_players_play_every_preset_in_both_follow_modes(rules: gunzi.RuleSet, policy: str) -> None:
    table = Table(rules, seed=4, rounds=None, hands=3)
    play_table(table, [player(name) for name in parse_policy(policy)], seed=9)
    assert table.over
    assert gunzi.verify(table.record).hands == 3


@pytest.mark.parametrize("options", OTHER_RULES)
@pytest.mark.parametrize("name", ["random", "steady"])
def test_players_play_an_operator_s_rules(options: dict[str, Any], name: str) -> None:
    rules = gunzi.load("dalian", options)
    table = Table(rules, seed=6, rounds=None, hands=4)
    play_table(table, [player(name)] * 4, seed=2)
    assert gunzi.verify(table.record).hands == 4


def test_players_keep_nothing_between_questions() -> None:
    rules = gunzi.load("yuwang", {"follow.shapes": "strict"})
    table = Table(rules, seed=8, rounds=None, hands=2)
    names = parse_policy("steady,random,steady,random")
    by_one = Table(rules, seed=8, rounds=None, hands=2)
    play_table(table, [player(name) for name in names], seed=5)
    seats = four_dice(5)
    while not by_one.over:
        seat = by_one.ask.seat
        by_one.do(seat, one_act(by_one, player(names[seat]), seats))
    assert by_one.events == table.events


def test_a_single_hand_is_played_as_at_a_table() -> None:
    rules = gunzi.load("baike")
    table = Table(rules, seed=2, rounds=None, hands=1)
    ends: list[Hand] = []
    play_table(table, [player("steady")] * 4, seed=2, finished=ends.append)
    deals = seeded_deals(rules, 2)
    redeal = ends[-1].redeal
    deck, first = deals(1, redeal)
    hand = Hand(rules, deck, first=first, redeal=redeal, watched=True)
    play_hand(hand, [player("steady")] * 4, four_dice(2))
    assert hand.settlement == ends[-1].settlement


def test_the_house_deals_on_a_paced_table() -> None:
    table = Table(gunzi.load("dalian"), seed=3, rounds=None, hands=1, paced=True)
    play_table(table, [player("random")] * 4, seed=3)
    assert table.over


def test_a_question_a_plugin_invents_gets_its_first_answer() -> None:
    rules = gunzi.load("dalian")
    table = Table(rules, seed=1, record=False, watched=True)
    dice = Dice(1, 0)
    dice.at(1)
    ask = ListAsk(rules, 0, "shuangming:show", (Pass(), Claim(gunzi.Card("BJ"))))
    assert player("steady").act(table.sight(0), ask, dice) == Pass()
    assert player("random").act(table.sight(0), ask, dice) in ask


# -- steady, situation by situation ---------------------------------------------------------------------------------


def steady_play(hand: str, others: str = "", **more: Any) -> str:
    """What ``steady`` follows with: the hand's cards after a lead, as text."""
    given: dict[str, Any] = {
        "lane": TRUMP_LANE, "n": 1, "strict": 0, "split": 0, "best": 0, "strongest": 0, "mate_wins": 0, "place": 3,
        "behind_void": 0, "pile": 0, **more,
    }  # fmt: skip
    rules = gunzi.load("dalian")
    pointed, points = rules.point_masks(HEARTS)
    heavy = sum(1 << bit for bit, each in enumerate(points) if each > 5)
    chosen = choose_follow(
        *cards(hand), *cards(others), given["lane"], given["n"], given["strict"], given["split"], given["best"],
        given["strongest"], given["mate_wins"], given["place"], given["behind_void"], given["pile"], pointed, heavy,
        HEARTS.power,
    )  # fmt: skip
    return " ".join(HEARTS.cards(chosen))


def led(text: str) -> dict[str, Any]:
    one, two, three = cards(text)
    n = masks.size(one, two, three)
    bit = one if n == 1 else two if n == 2 else three
    card = parse_cards(text)[0]
    return {"lane": HEARTS.lane(card), "n": n, "best": bit, "strongest": HEARTS.power[bit.bit_length() - 1]}


def test_steady_gives_the_partner_points_when_the_trick_is_surely_his() -> None:
    assert steady_play("ST S8 S4 C4", **led("SA"), mate_wins=1) == "ST"


def test_steady_keeps_points_from_a_foe_who_wins() -> None:
    assert steady_play("ST S8 S4 C4", **led("SA"), pile=10) == "S4"


def test_steady_wins_cheaply_when_it_plays_last() -> None:
    assert steady_play("SA SQ S4", **led("SJ"), pile=5) == "SQ"
    assert steady_play("SA SK S4", **led("SJ"), pile=5) == "SK"


def test_steady_ruffs_a_trick_with_points_with_a_low_trump_and_lets_an_empty_one_go() -> None:
    assert steady_play("H4 HA C4 C6", **led("SA"), pile=20) == "H4"
    assert steady_play("HA HA C4 C6", **led("SA"), pile=0) == "C4"


def test_steady_does_not_ruff_the_partner_s_trick() -> None:
    assert steady_play("H4 C4 CT", **led("SA"), mate_wins=1, pile=10) == "CT"


def test_strict_following_is_kept() -> None:
    assert steady_play("S4 S4 S7 S9", **led("SJ SJ"), strict=1) == "S4 S4"
    assert steady_play("S4 S5 S7 S7 S7", **led("SJ SJ SJ"), strict=1) == "S7 S7 S7"
    assert steady_play("S4 S6 S7 S7", **led("SJ SJ SJ"), strict=1) == "S4 S7 S7"


def test_steady_leads_a_triple_and_keeps_its_kings() -> None:
    rules = gunzi.load("dalian")
    pointed, points = rules.point_masks(HEARTS)
    others = cards("SA SK SQ SQ C9 D9 H9 H9 BJ")
    lead = choose_lead(*cards("S8 S8 S8 D4 BJ BJ"), *others, 0, 0, pointed, points)
    assert HEARTS.cards(lead) == parse_cards("S8 S8 S8")
    lead = choose_lead(*cards("D4 D7 BJ"), *others, 0, 0, pointed, points)
    assert HEARTS.cards(lead) == parse_cards("D4")
    lead = choose_lead(*cards("SA D4 BJ"), *cards("SK SQ S9 S8 S7 S6 S5 S4 S4 S5 S6 S7 H4 D9"), 0, 0, pointed, points)
    assert HEARTS.cards(lead) == parse_cards("SA")


def test_spare_cards_are_as_many_as_asked_and_held() -> None:
    base = stream(2, 0, 9)
    rules = gunzi.load("dalian")
    pointed, points = rules.point_masks(HEARTS)
    heavy = sum(1 << bit for bit, each in enumerate(points) if each > 5)
    whole = seeded_deals(rules, 3)(1, 0)[0]
    for k in range(300):
        held = HEARTS.masks([whole[(k * 7 + i) % 162] for i in range(1 + below(base, k, 0, 39))])
        lane = (0xFFF, 0xFFF << 12, 0xFFF << 24, TRUMP_LANE)[k % 4]
        inside = (held[0] & lane, held[1] & lane, held[2] & lane)
        for giving in (0, 1):
            for n in (1, 2, 3):
                for strict, split in ((0, 0), (1, 0), (1, 1), (1, 2)):
                    if masks.size(*inside) >= n:
                        play = spare_inside(*inside, n, strict, split, pointed, heavy, giving)
                    elif masks.size(*held) >= n:
                        need = n - masks.size(*inside)
                        play = spare_outside(*held, lane, need, pointed, heavy, giving, *inside)
                    else:
                        continue
                    assert masks.is_follow(*held, lane, n, strict, split, *play)
        if masks.size(*inside) >= 2:
            assert masks.size(*spare(*inside, 2, pointed, heavy, k & 1, 0, 0, 0)) == 2
        lanes = shortest_first(*held)
        sizes = [masks.size(*(mask & each for mask in held)) for each in lanes]
        assert sizes == sorted(sizes)


# -- steady, phase by phase ---------------------------------------------------------------------------------------


def asked(rules: gunzi.RuleSet, kind: str, tables: int = 40) -> list[tuple[gunzi.Ask, gunzi.Act]]:
    """What ``steady`` answers to questions of a kind at tables where all are ``steady``."""
    found = []
    for seed in range(tables):
        plan = lab.Plan(seed, ("steady",) * 4, "hands", (3, 10))
        table = lab.unit_table(rules, plan, 1 if kind != "claim" else 0, record=False)
        seats = four_dice(seed)
        while not table.over and table.hand.trick_number < 2:
            ask = table.ask
            act = one_act(table, player("steady"), seats)
            if ask.kind == kind:
                found.append((ask, act))
            table.do(ask.seat, act)
    assert found
    return found


def test_steady_claims_with_three_kings_only() -> None:
    answers = asked(gunzi.load("yuwang"), "claim", 12)
    assert any(isinstance(act, Claim) for _, act in answers) and any(isinstance(act, Pass) for _, act in answers)


def test_steady_declares_its_longer_suits_only() -> None:
    answers = asked(gunzi.load("yuwang"), "declare")
    assert any(isinstance(act, Declare) for _, act in answers) and any(isinstance(act, Pass) for _, act in answers)


@pytest.mark.parametrize("kind", ["pay", "return", "bury"])
def test_steady_pays_returns_and_buries_as_it_may(kind: str) -> None:
    for ask, act in asked(gunzi.load("chayuan"), kind, 20):
        assert act in ask


def test_steady_buries_no_trumps_but_a_king_from_a_strong_hand() -> None:
    buried = 0
    for ask, act in asked(gunzi.load("dalian"), "bury", 40):
        assert isinstance(act, gunzi.Bury) and isinstance(ask, CardsAsk)
        kings = [card for card in act.cards if card.is_joker]
        buried += len(kings)
        assert not any(ask.trump.is_trump(card) for card in act.cards if not card.is_joker)
        assert len(kings) <= 1
        if kings:
            assert sum(count_kings(ask.holding, ask.trump)) >= 3
    assert buried


def test_others_bury_kings_and_pick_up_as_they_may() -> None:
    rules = gunzi.load("dalian")
    table = Table(rules, seed=1, rounds=None, hands=40)
    seats = four_dice(1)
    picked = 0
    while not table.over:
        ask = table.ask
        act = one_act(table, player("steady"), seats)
        if ask.kind == "bury_kings":
            # The player itself may pass; here it is made to bury, to see what it then picks up.
            act = next((each for each in ask if isinstance(each, BuryKings)), act)
        picked += ask.kind == "pick"
        assert act in ask
        table.do(ask.seat, act)
    assert picked


def test_steady_answers_alike_whatever_the_hidden_cards_are() -> None:
    rules = gunzi.load("yuwang")
    table = Table(rules, seed=13, rounds=None, hands=1)
    seats = four_dice(13)
    compared = 0
    while not table.over:
        ask, hand = table.ask, table.hand
        act = one_act(table, player("steady"), seats)
        if isinstance(act, Play) and hand.trick_number in (3, 8, 15):
            me, one, other = ask.seat, (ask.seat + 1) % 4, (ask.seat + 3) % 4
            kept = list(hand.holdings)
            a, b = combinations.choose_kth(*kept[one], 2, 1), combinations.choose_kth(*kept[other], 2, 2)
            if masks.size(*a) == masks.size(*b) and not a[0] & kept[other][2] and not b[0] & kept[one][2]:
                hand.holdings[one] = masks.add(*masks.remove(*kept[one], *a), *b)
                hand.holdings[other] = masks.add(*masks.remove(*kept[other], *b), *a)
                assert one_act(table, player("steady"), seats) == act
                hand.holdings[:] = kept
                compared += 1
            assert hand.holdings[me] != NOTHING
        table.do(ask.seat, act)
    assert compared > 4


@pytest.mark.parametrize(("preset", "mode"), [("yuwang", "loose"), ("baike", "strict")])
def test_steady_beats_random_over_duplicate_deals(preset: str, mode: str) -> None:
    rules = gunzi.load(preset, {"follow.shapes": mode})
    found = lab.duplicate(rules, "steady", "random", hands=60, seed=2)
    assert found.levels.low is not None and found.levels.low > 0.3
    assert found.points.low is not None and found.points.low > 20
