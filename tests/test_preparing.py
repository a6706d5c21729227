"""How ``steady`` prepares a hand, decision by decision: claims, declarations, tribute, burying, kings."""

from __future__ import annotations

import gunzi
from gunzi import masks
from gunzi.apps.players import preparing
from gunzi.apps.players.steady import permanent_ranks, worth
from gunzi.cards import BIG, KINDS, LITTLE, parse_cards
from gunzi.trump import Masks, trump_order

HEARTS = trump_order(3, "H")
RULES = gunzi.load("dalian")
WORTH = worth(RULES, HEARTS)


def cards(text: str) -> Masks:
    return HEARTS.masks(parse_cards(text))


def text(chosen: Masks) -> str:
    return " ".join(HEARTS.cards(chosen))


def counts(text: str) -> list[int]:
    found = [0] * KINDS
    for card in parse_cards(text):
        found[card.kind] += 1
    return found


# -- the deal ------------------------------------------------------------------------------------------------------


def test_three_kings_of_either_size_claim_the_deal() -> None:
    held = [0] * KINDS
    held[BIG], held[LITTLE] = 1, 1
    assert not preparing.claims(held)
    held[LITTLE] = 2
    assert preparing.claims(held)


def test_level_cards_and_permanent_ranks_lengthen_no_suit() -> None:
    held = counts("SA SK SK S2 S3 S7 HA BJ")
    assert preparing.suit_length(held, 0, preparing.plain_ranks(3, permanent_ranks((2,)))) == 4
    assert preparing.suit_length(held, 0, preparing.plain_ranks(3, permanent_ranks((2, 7)))) == 3
    assert preparing.suit_length(held, 0, preparing.plain_ranks(7, permanent_ranks(()))) == 5
    assert preparing.suit_length(held, 1, preparing.plain_ranks(3, permanent_ranks((2,)))) == 1
    assert preparing.suit_length(held, 3, preparing.plain_ranks(3, permanent_ranks((2,)))) == 0


def weigh(suit: int, lengths: tuple[int, int, int, int], held: int, standing: int = -1, foes: int = 0) -> int:
    return preparing.weigh_declaration(suit, 1, lengths, held, 39, standing, foes)


def test_a_suit_is_named_early_when_it_is_long_and_at_the_end_unless_it_is_short() -> None:
    assert weigh(0, (6, 4, 4, 4), 18)
    assert not weigh(0, (6, 4, 4, 4), 19)
    assert not weigh(1, (9, 8, 8, 8), 38)
    assert weigh(1, (9, 8, 8, 8), 39)
    assert not weigh(1, (10, 8, 8, 8), 39)


def test_a_foe_is_overturned_for_a_longer_suit_the_own_side_for_a_much_longer_one() -> None:
    assert weigh(0, (7, 5, 5, 5), 24, standing=1, foes=1)
    assert not weigh(0, (6, 5, 5, 5), 24, standing=1, foes=1)
    assert not weigh(0, (8, 3, 3, 3), 19, standing=1, foes=1)
    assert weigh(0, (11, 5, 5, 5), 30, standing=1)
    assert not weigh(0, (10, 5, 5, 5), 30, standing=1)
    assert not weigh(0, (20, 5, 5, 5), 35, standing=0)


def test_the_longest_suit_is_worth_most_and_then_the_most_cards() -> None:
    longer = preparing.weigh_declaration(0, 1, (9, 8, 8, 8), 30, 39, -1, 0)
    shorter = preparing.weigh_declaration(1, 3, (9, 9, 8, 8), 30, 39, -1, 0)
    assert preparing.weigh_declaration(0, 2, (10, 8, 8, 8), 30, 39, -1, 0) > shorter > longer > 0


# -- tribute -------------------------------------------------------------------------------------------------------


def test_of_equal_cards_those_are_paid_that_break_no_pair() -> None:
    forced, pool = cards("BJ"), cards("S3 S3 D3")
    hand = cards("BJ S3 S3 D3 H4")
    assert text(preparing.choose_payment(hand[1], *forced, *pool, 1)) == "D3 BJ"
    assert masks.size(*preparing.choose_payment(hand[1], *forced, *pool, 2)) == 3
    assert preparing.choose_payment(hand[1], *forced, 0, 0, 0, 0) == forced


def test_low_cards_of_short_suits_come_back() -> None:
    pool = cards("S4 S6 S7 S8 SJ C9 CQ D4 D6 D7 D8 DJ")
    assert text(preparing.choose_return(0, 0, 0, *pool, 2, WORTH.pointed, WORTH.heavy)) == "C9 CQ"
    forced = cards("C6")
    assert text(preparing.choose_return(*forced, *cards("S4 S6"), 1, WORTH.pointed, WORTH.heavy)) == "S4 C6"


# -- burying -------------------------------------------------------------------------------------------------------


def bury(hand: str, need: int) -> list[str]:
    king = preparing.king_to_spare(*cards(hand), HEARTS.big, HEARTS.little)
    chosen = preparing.choose_burial(
        *cards(hand), need - (king != 0), HEARTS.kings, WORTH.tops, WORTH.pointed, WORTH.heavy
    )
    assert masks.contains(*cards(hand), *chosen)
    return sorted([*HEARTS.cards(chosen), *HEARTS.cards((king, 0, 0))])


TRUMPS = "H4 H6 H7 H8 H9 HJ HQ S2 D2 C2 H2 S3 H3"


def test_short_suits_are_buried_without_winners_pairs_and_points() -> None:
    assert bury("C6 C8 CA ST S7 S7 S4 S6 S8 D4 D6 D8 D9 DJ DQ H4 H6", 4) == ["C6", "C8", "S4", "S6"]
    assert bury("SA SA CA C7 C7 D5 DK DT H4", 2) == ["C7", "C7"]


def test_a_hand_strong_in_trumps_buries_points_and_one_king() -> None:
    strong = f"{TRUMPS} LJ BJ BJ"
    assert bury(f"{strong} C5 CT DK D4 D6 SA", 4) == ["BJ", "C5", "CT", "D4"]
    assert bury(f"{strong} CT DK SA SA", 3) == ["BJ", "CT", "DK"]
    assert preparing.king_to_spare(*cards(f"{TRUMPS} LJ LJ LJ"), HEARTS.big, HEARTS.little) == HEARTS.little
    assert not preparing.king_to_spare(*cards(f"{TRUMPS} S2 S2 BJ BJ"), HEARTS.big, HEARTS.little)
    assert not preparing.king_to_spare(*cards("BJ BJ BJ H4"), HEARTS.big, HEARTS.little)


def test_what_is_short_of_other_cards_buries_trumps_and_at_last_kings() -> None:
    assert bury("H4 H6 H7 BJ", 2) == ["H4", "H6"]
    assert bury("H4 BJ LJ", 2) == ["H4", "LJ"]


def test_one_king_goes_from_a_hand_long_in_trumps() -> None:
    assert preparing.gives_king(*cards(f"{TRUMPS} LJ BJ BJ S2"))
    assert not preparing.gives_king(*cards(f"{TRUMPS} LJ BJ BJ"))


def test_cards_are_picked_up_that_make_pairs_and_triples() -> None:
    hand = cards("C4 C4 D4 H9")
    pool = cards("S4 C4 D4")
    assert text(preparing.choose_pick(hand[0], hand[1], 0, 0, 0, *pool, 1)) == "C4"
    assert text(preparing.choose_pick(hand[0], hand[1], 0, 0, 0, *pool, 2)) == "C4 D4"


def test_the_tops_of_the_side_suits_are_their_aces_unless_these_are_trumps() -> None:
    assert text((WORTH.tops, 0, 0)) == "SA CA DA"
    other = trump_order(14, "H")
    assert " ".join(other.cards((preparing.top_kinds(other), 0, 0))) == "SK CK DK"
