/* A plain C loop of random trick play: the yardstick for the compiled fast path.
 *
 * It does what gunzi.playout.play_out does for hands under level 3, hearts, the 2s permanent, loose following: hand k of a seed is
 * dealt 39 cards a seat by the generator of core/chance.py, seat k & 3 leads the first trick, and every play is drawn from its
 * seat's stream among all legal plays, counted and numbered as in core/masks.py; tricks are won and their points added up.
 * Timed are the plays alone, from dealt hands and the bases of the streams. benchmarks/yardstick.py builds and calls it, and holds
 * every play against the engine's own.
 */
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;
typedef struct { u64 m[3]; } Holding;
typedef struct { Holding seats[4]; u64 base[4]; int leader; } Hand;

#define COUNT(x) __builtin_popcountll(x)
#define LOWEST(x) ((x) & -(x))
#define TOP(x) (63 - __builtin_clzll(x))
#define GOLDEN 0x9E3779B97F4A7C15ull
#define PLACE 0xD1342543DE82EF95ull
#define SIDE_LANE ((1ull << 12) - 1)
#define TRUMP_LANE (((1ull << 24) - 1) << 36)

enum { DECK = 1, CHOICE = 3, LEVEL = 3, PERMANENT = 2, TRUMP_SUIT = 1, CARDS = 162, DEALT = 156 };

static int bit_of[54], power[64], points[64];
static u64 pointed;
static Hand *hands;
static long dealt;

/* ---- chance ---- */

static inline u64 mix(u64 w) {
    w += GOLDEN;
    w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9ull;
    w = (w ^ (w >> 27)) * 0x94D049BB133111EBull;
    return w ^ (w >> 31);
}

static u64 stream(u64 seed, u64 hand, u64 purpose, u64 seat) {
    return mix(mix(seed) ^ mix((hand << 16) ^ (purpose << 8) ^ seat));
}

static inline u64 word(u64 base, u64 place, u64 i) { return mix(base ^ (place * PLACE + i * GOLDEN)); }

static inline uint32_t below(u64 base, u64 place, uint32_t n) { /* the first number drawn at a place */
    u64 drawn, product;
    if (n <= 1) return 0;
    drawn = word(base, place, 0);
    product = (drawn >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t limit = (uint32_t)((0x100000000ull - n) % n);
        while ((uint32_t)product < limit) {
            drawn = mix(drawn);
            product = (drawn >> 32) * n;
        }
    }
    return (uint32_t)(product >> 32);
}

static void shuffle(int *cards, int count, u64 base) {
    u64 drawn = 0, i = 0;
    int parts = 0;
    while (count > 1) {
        uint32_t product, low;
        int j, kept;
        if (!parts) {
            drawn = word(base, 0, i++);
            parts = 4;
        }
        product = (uint32_t)(drawn & 0xFFFF) * count;
        drawn >>= 16;
        parts--;
        low = product & 0xFFFF;
        if (low < (uint32_t)count && low < 0x10000u % count) continue;
        j = product >> 16;
        count--;
        kept = cards[count];
        cards[count] = cards[j];
        cards[j] = kept;
    }
}

/* ---- the order of the cards ---- */

static void put(int suit, int rank, int bit, int strength) {
    int worth = rank == 5 ? 5 : rank == 10 || rank == 13 ? 10 : 0;
    bit_of[suit == 4 ? 52 + rank : suit * 13 + rank - 2] = bit;
    power[bit] = strength;
    points[bit] = suit == 4 ? 0 : worth;
    if (points[bit]) pointed |= 1ull << bit;
}

static void order(void) {
    int rank, suit, lane = 0, bit = 36, strength = 100;
    const int special[2] = {PERMANENT, LEVEL};
    for (suit = 0; suit < 4; suit++) {
        int place = 0;
        if (suit == TRUMP_SUIT) continue;
        for (rank = 2; rank <= 14; rank++)
            if (rank != PERMANENT && rank != LEVEL) {
                put(suit, rank, 12 * lane + place, place + 1);
                place++;
            }
        lane++;
    }
    for (rank = 2; rank <= 14; rank++)
        if (rank != PERMANENT && rank != LEVEL) put(TRUMP_SUIT, rank, bit++, strength++);
    for (int k = 0; k < 2; k++) {
        for (suit = 0; suit < 4; suit++)
            if (suit != TRUMP_SUIT) put(suit, special[k], bit++, strength);
        strength++;
        put(TRUMP_SUIT, special[k], bit++, strength++);
    }
    put(4, 0, bit++, strength++);
    put(4, 1, bit++, strength++);
}

/* ---- plays ---- */

static inline u64 select_bit(u64 mask, uint32_t k) {
    int shift = 0;
    if (k > 3) {
        uint32_t low = COUNT(mask & 0x3FFFFFFF);
        if (k >= low) {
            k -= low;
            mask >>= 30;
            shift = 30;
        }
        low = COUNT(mask & 0x7FFF);
        if (k >= low) {
            k -= low;
            mask >>= 15;
            shift += 15;
        }
    }
    while (k--) mask &= mask - 1;
    return LOWEST(mask) << shift;
}

static inline uint32_t choose_count(const u64 *m, int r) {
    uint32_t n = COUNT(m[0]);
    if (r == 1) return n;
    if (r == 2) return n * (n - 1) / 2 + COUNT(m[1]);
    return n * (n - 1) * (n - 2) / 6 + COUNT(m[1]) * (n - 1) + COUNT(m[2]);
}

static inline Holding choose_kth(const u64 *m, int r, uint32_t k) {
    Holding p = {{0, 0, 0}};
    uint32_t n = COUNT(m[0]), distinct, pairs, j, top, step;
    u64 bit;
    if (r == 1) {
        p.m[0] = select_bit(m[0], k);
        return p;
    }
    if (r == 2) {
        distinct = n * (n - 1) / 2;
        if (k >= distinct) {
            p.m[0] = p.m[1] = select_bit(m[1], k - distinct);
            return p;
        }
        for (j = 1; k >= j; j++) k -= j;
        p.m[0] = select_bit(m[0], k) | select_bit(m[0], j);
        return p;
    }
    distinct = n * (n - 1) * (n - 2) / 6;
    if (k < distinct) {
        for (top = 2, step = 1; k >= step; step += top, top++) k -= step;
        for (j = 1; k >= j; j++) k -= j;
        p.m[0] = select_bit(m[0], k) | select_bit(m[0], j) | select_bit(m[0], top);
        return p;
    }
    k -= distinct;
    pairs = COUNT(m[1]) * (n - 1);
    if (k < pairs) {
        bit = select_bit(m[1], k / (n - 1));
        p.m[0] = bit | select_bit(m[0] & ~bit, k % (n - 1));
        p.m[1] = bit;
        return p;
    }
    p.m[0] = p.m[1] = p.m[2] = select_bit(m[2], k - pairs);
    return p;
}

static inline Holding lead(const u64 *h, u64 base, u64 trick) {
    uint32_t one = COUNT(h[0]), two = COUNT(h[1]), k = below(base, trick, one + two + COUNT(h[2]));
    Holding p = {{0, 0, 0}};
    if (k < one) {
        p.m[0] = select_bit(h[0], k);
    } else if (k < one + two) {
        p.m[0] = p.m[1] = select_bit(h[1], k - one);
    } else {
        p.m[0] = p.m[1] = p.m[2] = select_bit(h[2], k - one - two);
    }
    return p;
}

static inline Holding follow(const u64 *h, u64 lane, int n, u64 base, u64 trick) {
    u64 in[3] = {h[0] & lane, h[1] & lane, h[2] & lane};
    int held = COUNT(in[0]) + COUNT(in[1]) + COUNT(in[2]);
    if (held >= n) return choose_kth(in, n, below(base, trick, choose_count(in, n)));
    u64 out[3] = {h[0] & ~lane, h[1] & ~lane, h[2] & ~lane};
    Holding p = choose_kth(out, n - held, below(base, trick, choose_count(out, n - held)));
    for (int i = 0; i < 3; i++) p.m[i] |= in[i];
    return p;
}

static inline void take(u64 *h, const u64 *p) {
    for (int i = 0; i < 3; i++) { /* of each kind the highest copies go */
        u64 twice = h[1] & p[i], thrice = h[2] & twice;
        h[0] ^= p[i] ^ twice;
        h[1] ^= twice ^ thrice;
        h[2] ^= thrice;
    }
}

static inline int strength(const u64 *p, int n, u64 lane) {
    u64 top = p[n - 1];
    return top & (lane | TRUMP_LANE) ? power[TOP(top)] : 0;
}

static inline int worth(const u64 *p) {
    int total = 0;
    for (u64 rest = p[0] & pointed; rest; rest &= rest - 1) {
        u64 bit = LOWEST(rest);
        int each = points[TOP(bit)];
        total += each * (1 + ((p[1] & bit) != 0) + ((p[2] & bit) != 0));
    }
    return total;
}

/* ---- a hand ---- */

typedef struct { int attackers, winner, tricks; u64 digest; } Played;

static inline Played play(const Hand *dealt_hand, int logged) {
    Hand hand = *dealt_hand;
    Played found = {0, hand.leader, 0, 0};
    int seat = hand.leader;
    while (hand.seats[seat].m[0]) {
        u64 trick = found.tricks + 1, lane = 0;
        int n = 0, best = -1, winner = seat, pile = 0;
        for (int place = 0; place < 4; place++) {
            int who = (seat + place) & 3, power_of;
            u64 *h = hand.seats[who].m;
            Holding p;
            if (!place) {
                p = lead(h, hand.base[who], trick);
                int low = TOP(LOWEST(p.m[0]));
                lane = low >= 36 ? TRUMP_LANE : SIDE_LANE << (12 * (low / 12));
                n = COUNT(p.m[0]) + COUNT(p.m[1]) + COUNT(p.m[2]);
            } else {
                p = follow(h, lane, n, hand.base[who], trick);
            }
            take(h, p.m);
            power_of = strength(p.m, n, lane);
            if (power_of > best) {
                best = power_of;
                winner = who;
            }
            pile += worth(p.m);
            if (logged)
                for (int i = 0; i < 3; i++) found.digest = mix(found.digest ^ p.m[i]);
        }
        if ((winner ^ hand.leader) & 1) found.attackers += pile;
        if (logged) found.digest = mix(found.digest ^ (u64)(winner << 16 | pile));
        seat = winner;
        found.winner = winner;
        found.tricks++;
    }
    return found;
}

/* ---- what is called ---- */

/* Deal `count` hands, number 0 and up, by one seed; their plays are drawn by another. 0 where there is no memory. */
int yardstick_deal(long count, u64 deck_seed, u64 play_seed) {
    Hand *made = realloc(hands, count * sizeof(Hand));
    if (!made) return 0;
    hands = made;
    pointed = 0;
    order();
    for (long k = 0; k < count; k++) {
        int cards[CARDS];
        Hand *hand = hands + k;
        for (int i = 0; i < CARDS; i++) cards[i] = i / 3;
        shuffle(cards, CARDS, stream(deck_seed, k, DECK, 0));
        for (int seat = 0; seat < 4; seat++) {
            u64 *m = hand->seats[seat].m;
            m[0] = m[1] = m[2] = 0;
            for (int i = seat; i < DEALT; i += 4) {
                u64 bit = 1ull << bit_of[cards[i]];
                m[m[1] & bit ? 2 : m[0] & bit ? 1 : 0] |= bit;
            }
            hand->base[seat] = stream(play_seed, k, CHOICE, seat);
        }
        hand->leader = k & 3;
    }
    dealt = count;
    return 1;
}

/* Play all hands; the sum of all results: points, tricks and the last winner, so that no play can be left out. */
u64 yardstick_play(void) {
    u64 sum = 0;
    for (long k = 0; k < dealt; k++) {
        Played found = play(hands + k, 0);
        sum += (u64)found.attackers << 16 | found.tricks << 2 | found.winner;
    }
    return sum;
}

/* The digest of every play and trick of hand k. */
u64 yardstick_digest(long k) {
    return play(hands + k, 1).digest;
}
