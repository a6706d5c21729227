"""The deal, compiled: claims and declarations of seats that answer at random, and how the trump is found."""

from __future__ import annotations

from gunzi import masks
from gunzi.apps.lab.fast import layout as at
from gunzi.apps.lab.fast.choosing import claims, declares
from gunzi.apps.lab.fast.layout import Log, Numbers, Scratch, Tables
from gunzi.apps.lab.fast.pieces import event, has_bid, put


def write_hand(t: Tables, s: Numbers, x: Scratch, log: Log, first: int) -> None:
    """The event a deal begins with."""
    event(log, at.E_HAND, 0)
    put(log, s[at.HAND])
    put(log, s[at.ROUND])
    put(log, s[at.LEVEL_0])
    put(log, s[at.LEVEL_1])
    put(log, s[at.DEALER])
    put(log, first)
    put(log, s[at.REDEAL])
    put(log, s[at.OWED_FROM])
    put(log, s[at.OWED_TO])
    put(log, s[at.OWED])
    word = 0
    shift = 0
    for p in range(t.scalars[at.DECK_SIZE]):
        word |= x.deck[p] << shift
        shift += 6
        if shift == 6 * at.KINDS_A_WORD:
            put(log, word)
            word = 0
            shift = 0
    if shift:
        put(log, word)


def note(x: Scratch, seat: int, kind: int) -> None:
    """A seat gets a card that can be claimed or declared with."""
    n1, n2, n3 = masks.add(x.noted[seat, 0], x.noted[seat, 1], x.noted[seat, 2], 1 << kind, 0, 0)
    x.noted[seat, 0] = n1
    x.noted[seat, 1] = n2
    x.noted[seat, 2] = n3


def holds(x: Scratch, seat: int, n1: int, n2: int, n3: int) -> bool:
    """Has a seat one of the kinds n1, or two of one of n2, or three of one of n3?"""
    return x.noted[seat, 0] & n1 | x.noted[seat, 1] & n2 | x.noted[seat, 2] & n3 != 0


def count_bids(t: Tables, x: Scratch, level: int, seat: int, standing: int) -> int:
    """How many declarations are open to a seat."""
    need = t.needed[level, standing + 1]
    if not holds(x, seat, need[0], need[1], need[2]):
        return 0
    count = 0
    for bid in range(t.scalars[at.BIDS]):
        if t.allowed[level, standing + 1, bid] and has_bid(t, x, level, seat, bid):
            count += 1
    return count


def kth_bid(t: Tables, x: Scratch, level: int, seat: int, standing: int, k: int) -> int:
    """The k-th of them."""
    for bid in range(t.scalars[at.BIDS]):
        if t.allowed[level, standing + 1, bid] and has_bid(t, x, level, seat, bid):
            if k == 0:
                return bid
            k -= 1
    return -1


def gains(t: Tables, x: Scratch, level: int, seat: int, standing: int, before: int) -> bool:
    """Has a seat a declaration that is allowed over the standing one and was not over the one before?"""
    for bid in range(t.scalars[at.BIDS]):
        new = t.allowed[level, standing + 1, bid] and not t.allowed[level, before + 1, bid]
        if new and has_bid(t, x, level, seat, bid):
            return True
    return False


def count_claims(t: Tables, x: Scratch, seat: int) -> int:
    """How many kinds a seat could claim with."""
    count = 0
    for i in range(t.scalars[at.CLAIMED]):
        count += x.noted[seat, 0] >> t.claimed[i] & 1
    return count


def claim(t: Tables, x: Scratch, log: Log, seat: int, dealt: int) -> None:
    """A seat claims the deal."""
    x.found[at.CLAIMER] = seat
    x.found[at.CLAIM_DEALT] = dealt
    if log.cursor[at.ON]:
        for i in range(t.scalars[at.CLAIMED]):
            kind = t.claimed[i]
            if x.noted[seat, 0] >> kind & 1:
                event(log, at.E_CLAIM, t.scalars[at.BY_CLAIM])
                put(log, seat)
                put(log, kind)
                put(log, dealt)
                break


def deal_first_hand(t: Tables, x: Scratch, log: Log, first: int) -> None:
    """Deal the first hand of a round; whoever holds a card to claim with is asked when it comes, and again at the end."""
    total = 4 * t.scalars[at.HAND_SIZE]
    notable = t.notable[0]
    for p in range(total):
        kind = x.deck[p]
        if notable >> kind & 1:
            seat = (first + p) & 3
            note(x, seat, kind)
            dealt = p + 1
            if t.scalars[at.AUTOMATIC]:
                claim(t, x, log, seat, dealt)
                return
            if ask_claim(t, x, seat, dealt):
                claim(t, x, log, seat, dealt)
                return
    if t.scalars[at.AUTOMATIC]:
        return
    for step in range(4):
        seat = (first + step) & 3
        if ask_claim(t, x, seat, total):
            claim(t, x, log, seat, total)
            return


def ask_claim(t: Tables, x: Scratch, seat: int, dealt: int) -> bool:
    """Does a seat that is asked claim?"""
    acts = count_claims(t, x, seat)
    return acts > 0 and claims(t, x, seat, dealt, acts)


def deal_later_hand(t: Tables, x: Scratch, log: Log, first: int, level: int) -> None:
    """Deal a hand whose dealer is known: seats are asked when a card opens a declaration to them, when another's declaration does,
    and all of them at the end, again after each declaration made there."""
    total = 4 * t.scalars[at.HAND_SIZE]
    notable = t.notable[level]
    standing = -1
    dealt = 0
    pending = 0
    closing = False
    while True:
        while pending:
            seat = x.pending[0]
            acts = count_bids(t, x, level, seat, standing)
            k = declares(t, x, seat, dealt, standing, acts) if acts else 0
            if k == 0:
                pending -= 1
                for i in range(pending):
                    x.pending[i] = x.pending[i + 1]
                continue
            before = standing
            standing = kth_bid(t, x, level, seat, standing, k - 1)
            x.found[at.DECLARER] = seat
            if log.cursor[at.ON]:
                event(log, at.E_DECLARE, t.scalars[at.BY_DECLARE])
                put(log, seat)
                put(log, t.bids[level, standing, 0])
                put(log, t.bids[level, standing, 1])
                put(log, t.bids[level, standing, 2])
                put(log, dealt)
            still = 0
            for i in range(pending):
                if x.pending[i] != seat:
                    still |= 1 << x.pending[i]
            pending = 0
            for step in range(1, 5):
                other = (seat + step) & 3
                if closing or still >> other & 1 or gains(t, x, level, other, standing, before):
                    x.pending[pending] = other
                    pending += 1
        if dealt < total:
            noticed = False
            n1 = t.needed[level, standing + 1, 0]
            n2 = t.needed[level, standing + 1, 1]
            n3 = t.needed[level, standing + 1, 2]
            if n1 | n2 | n3:
                while dealt < total and not noticed:
                    kind = x.deck[dealt]
                    seat = (first + dealt) & 3
                    dealt += 1
                    if notable >> kind & 1:
                        note(x, seat, kind)
                        noticed = holds(x, seat, n1, n2, n3)
                        if noticed:
                            x.pending[0] = seat
                            pending = 1
            if not noticed:
                dealt = total
        elif not closing:
            closing = True
            pending = 4
            for step in range(4):
                x.pending[step] = (first + step) & 3
        else:
            break
    x.found[at.STANDING] = standing


def find_trump(t: Tables, s: Numbers, x: Scratch, answer: Numbers, log: Log, first: int) -> int:
    """Trump and dealer, from the deal or the bottom: DONE, REDEALT, or MISS_REVEAL. Answers the dealer in ``s``-independent
    form: ``x.found`` has trump and how, ``x.pending[0]`` the dealer."""
    total = 4 * t.scalars[at.HAND_SIZE]
    suit = -1
    dealer = s[at.DEALER]
    how = at.DRAW_HOW
    why = t.scalars[at.BY_DRAW]
    if x.found[at.CLAIMER] >= 0:
        dealer = x.found[at.CLAIMER]
        how = at.CLAIM_HOW
        why = t.scalars[at.BY_CLAIM]
        for p in range(x.found[at.CLAIM_DEALT], total):
            if (first + p) & 3 == dealer:
                suit = t.draw_suit[x.deck[p]]
                if suit >= 0:
                    break
        if suit < 0:
            for p in range(total, t.scalars[at.DECK_SIZE]):
                kind = x.deck[p]
                if log.cursor[at.ON]:
                    event(log, at.E_TURN, t.scalars[at.BY_CLAIM_SUIT])
                    put(log, dealer)
                    put(log, kind)
                suit = t.draw_suit[kind]
                if suit >= 0:
                    break
    elif dealer < 0:
        if not answer[0]:
            return at.MISS_REVEAL
        how = at.TURN_HOW
        if log.cursor[at.ON]:
            for i in range(answer[1]):
                event(log, at.E_TURN, answer[at.ANSWER + 3 * i + 2])
                put(log, answer[at.ANSWER + 3 * i])
                put(log, answer[at.ANSWER + 3 * i + 1])
        dealer = answer[2]
        suit = answer[3]
        why = answer[4]
    elif x.found[at.STANDING] >= 0:
        how = at.DECLARE_HOW
        why = t.scalars[at.BY_DECLARED]
        suit = t.bids[x.found[at.LEVEL], x.found[at.STANDING], 2]
    else:
        for p in range(total, t.scalars[at.DECK_SIZE]):
            kind = x.deck[p]
            if log.cursor[at.ON]:
                event(log, at.E_DRAW, t.scalars[at.BY_DRAW])
                put(log, kind)
            suit = t.draw_suit[kind]
            if suit >= 0:
                break
    if suit < 0:
        if log.cursor[at.ON]:
            event(log, at.E_REDEAL, t.scalars[at.BY_REDEAL])
        return at.REDEALT
    level = s[at.LEVEL_1] if dealer & 1 else s[at.LEVEL_0]
    x.found[at.LEVEL] = level
    x.found[at.TRUMP] = 4 * level + suit
    x.found[at.HOW] = how
    x.pending[0] = dealer
    if log.cursor[at.ON]:
        event(log, at.E_TRUMP, why)
        put(log, suit)
        put(log, level)
        put(log, dealer)
        put(log, how)
    return at.DONE


def take_up(t: Tables, x: Scratch, first: int) -> None:
    """The dealt cards as holdings, in the order of the trump that was found; the bottom too."""
    total = 4 * t.scalars[at.HAND_SIZE]
    mask_at = t.mask_at[x.found[at.TRUMP]]
    for step in range(5):
        h1 = 0
        h2 = 0
        h3 = 0
        if step < 4:
            for p in range(step, total, 4):
                bit = mask_at[x.deck[p]]
                h3 |= h2 & bit
                h2 |= h1 & bit
                h1 |= bit
            seat = (first + step) & 3
            x.holdings[seat, 0] = h1
            x.holdings[seat, 1] = h2
            x.holdings[seat, 2] = h3
        else:
            for p in range(total, t.scalars[at.DECK_SIZE]):
                bit = mask_at[x.deck[p]]
                h3 |= h2 & bit
                h2 |= h1 & bit
                h1 |= bit
            x.found[at.BOTTOM_1] = h1
            x.found[at.BOTTOM_2] = h2
            x.found[at.BOTTOM_3] = h3
