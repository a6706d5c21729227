"""Four players at a table: the loops that ask and answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gunzi.acts import Act
from gunzi.apps.players.base import Player
from gunzi.apps.players.dice import Dice
from gunzi.hand import Hand
from gunzi.sight import Sight
from gunzi.table import Table

IN_THE_DEAL: Final = frozenset({"claim", "declare"})


def play_table(
    table: Table,
    players: Sequence[Player],
    seed: int,
    *,
    finished: Callable[[Hand], None] | None = None,
    until: Callable[[], bool] | None = None,
) -> None:
    """Answer until the table is over, or ``until`` says so (it is asked after every act).

    ``players`` are the four seats'; the house of a paced table deals when it is asked. Whoever looks needs a table that is
    watched or keeps its events. ``finished`` is called with every hand that is over, settled or to be dealt again.
    """
    seats = four_dice(seed)
    looks = [player.looks for player in players]
    at_once = until is None and all(player.uniform for player in players)
    while not table.over:
        hand = table.hand
        for dice in seats:
            dice.at(hand.number, hand.redeal)
        do = table.do
        while (ask := hand.waiting) is not None:
            seat = ask.seat
            if at_once and ask.kind == "lead" and hand.trick_number == 1 and hand.watch is None:
                table.play_out([dice.plays for dice in seats])
                continue
            if seat < 0:
                do(seat, ask[0])
                continue
            dice = seats[seat]
            if hand.trick_number:
                dice.trick(hand.trick_number)
            else:
                dice.ask(ask.kind, hand.dealt if ask.kind in IN_THE_DEAL else 0)
            do(seat, players[seat].act(table.sight(seat) if looks[seat] else None, ask, dice))  # type: ignore[arg-type]
            if until is not None and until():
                return
        if finished is not None:
            finished(hand)


def play_hand(hand: Hand, players: Sequence[Player], seats: Sequence[Dice]) -> None:
    """Answer until a hand is over, settled or to be dealt again. Whoever looks needs a watched hand."""
    for each in seats:
        each.at(hand.number, hand.redeal)
    looks = [player.looks for player in players]
    watch = hand.watch
    sights = [Sight(watch, seat) for seat in range(4)] if watch is not None else []
    while (ask := hand.waiting) is not None:
        seat = ask.seat
        dice = seats[seat]
        if hand.trick_number:
            dice.trick(hand.trick_number)
        else:
            dice.ask(ask.kind, hand.dealt if ask.kind in IN_THE_DEAL else 0)
        sight = sights[seat].look(hand) if looks[seat] else None
        hand.do(seat, players[seat].act(sight, ask, dice))  # type: ignore[arg-type]


def one_act(table: Table, player: Player, seats: Sequence[Dice]) -> Act:
    """What a player answers to the question its table asks now; ``seats`` are ``four_dice`` of the table.

    The dice are set to the hand and the moment, so that it does not matter who answered the questions before.
    """
    ask, hand = table.ask, table.hand
    dice = seats[ask.seat]
    dice.at(hand.number, hand.redeal)
    if hand.trick_number:
        dice.trick(hand.trick_number)
    else:
        dice.ask(ask.kind, hand.dealt if ask.kind in IN_THE_DEAL else 0)
    return player.act(table.sight(ask.seat), ask, dice)


def four_dice(seed: int) -> tuple[Dice, Dice, Dice, Dice]:
    """The dice of the four seats of a table."""
    return Dice(seed, 0), Dice(seed, 1), Dice(seed, 2), Dice(seed, 3)
