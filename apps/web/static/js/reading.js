/** What the events of a hand, as one person may see them, come to: who holds what, the tricks, the points. Pure. */

import { counted, without } from "./cards.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {{seat: number, cards: string[]}} Played */
/** @typedef {{leader: number, plays: Played[], winner: number | null, points: number}} Trick */
/**
 * @typedef {object} Reading
 * @property {Event | null} start the `hand` event
 * @property {Event | null} trump the `trump` event, null while trump is not final
 * @property {number | null} dealer
 * @property {number | null} level the level in force; before the dealer is known, that of both sides
 * @property {string | null} suit the trump suit: final, or as it stands in the deal
 * @property {Event[]} bids claims and declarations, in order
 * @property {Event[]} turned cards turned or drawn from the bottom
 * @property {Event[]} tribute tribute paid and returned
 * @property {Event | null} exempt
 * @property {Event | null} bottom the `bottom` event
 * @property {string[] | null} known the bottom as it lies now, where this person knows it
 * @property {Event[]} burials `bury` and `bury_kings`
 * @property {string[]} mine the cards this person holds, in no order
 * @property {number[]} held how many cards each seat holds
 * @property {Trick[]} tricks finished ones and, last, the running one if a card lies in it
 * @property {number} attackers points in the attackers' tricks so far
 * @property {string[]} played all cards that have been played
 * @property {Event | null} settle
 * @property {Event | null} early
 * @property {Event | null} disclosed
 * @property {{place: number, card: string}[]} dealt the cards dealt to this person, with their places in the deck
 * @property {string[] | null} taken the hidden bottom this person took as the dealer
 */

/**
 * Read a hand's events. `seat`: whose view it is, null for a spectator's. `size`: how many cards the bottom has, where known.
 * @param {readonly Event[]} view
 * @param {number | null} seat
 * @returns {Reading}
 */
export function read(view, seat) {
  /** @type {Reading} */
  const found = {
    start: null,
    trump: null,
    dealer: null,
    level: null,
    suit: null,
    bids: [],
    turned: [],
    tribute: [],
    exempt: null,
    bottom: null,
    known: null,
    burials: [],
    mine: [],
    held: [0, 0, 0, 0],
    tricks: [],
    attackers: 0,
    played: [],
    settle: null,
    early: null,
    disclosed: null,
    dealt: [],
    taken: null,
  };
  for (const event of counting(view)) step(found, event, seat);
  return found;
}

/**
 * The events that count: what was taken back is left out, and what was hidden stands open once the hand has disclosed it.
 * @param {readonly Event[]} view
 */
export function counting(view) {
  if (!view.some((event) => event.e === "undo" || event.e === "disclose")) return view;
  const open = new Map(view.flatMap((event) => (event.e === "disclose" ? event["events"] : [])).map((/** @type {Event} */ event) => [event.n, event]));
  /** @type {Event[]} */
  let kept = [];
  for (const event of view) {
    if (event.e === "undo") kept = kept.filter((old) => old.n === undefined || old.n <= event["to"]);
    else kept.push((event.n !== undefined && open.get(event.n)) || event);
  }
  return kept;
}

/**
 * @param {Reading} found
 * @param {Event} event
 * @param {number | null} seat
 */
function step(found, event, seat) {
  const { e } = event;
  if (e === "hand") {
    found.start = event;
    found.dealer = event["dealer"];
    found.level = event["levels"][(event["dealer"] ?? 0) % 2];
  } else if (e === "deal") {
    found.mine.push(event["card"]);
    found.dealt.push({ place: event["dealt"] - 1, card: event["card"] });
  } else if (e === "claim" || e === "declare") {
    found.bids.push(event);
    if (e === "claim") found.dealer = event["seat"];
    else found.suit = event["suit"];
  } else if (e === "turn" || e === "draw") found.turned.push(event);
  else if (e === "trump") {
    found.trump = event;
    found.dealer = event["dealer"];
    found.level = event["level"];
    found.suit = event["suit"];
  } else if (e === "exempt") found.exempt = event;
  else if (e === "tribute" || e === "return") moved(found, event, seat);
  else if (e === "bottom") {
    found.bottom = event;
    found.known = event["cards"] ?? null;
    if (!event["dry"]) dealerTakes(found, event["cards"], seat);
  } else if (e === "take") {
    found.known = found.taken = event["cards"];
    found.mine.push(...event["cards"]);
  } else if (e === "bury") {
    found.burials.push(event);
    found.known = event["cards"] ?? null;
    if (seat === event["seat"] && event["cards"]) found.mine = without(found.mine, event["cards"]);
  } else if (e === "bury_kings") {
    found.burials.push(event);
    const before = event["bottom"] ?? found.known;
    if (before) found.known = [...without(before, event["picked"]), ...event["kings"]];
    if (seat === event["seat"]) found.mine = [...without(found.mine, event["kings"]), ...event["picked"]];
  } else if (e === "play") played(found, event, seat);
  else if (e === "trick") {
    const last = found.tricks.at(-1);
    if (last) {
      last.winner = event["winner"];
      last.points = event["points"];
    }
    if (found.dealer !== null && (event["winner"] - found.dealer) % 2) found.attackers += event["points"];
  } else if (e === "settle") {
    found.settle = event;
    found.known = event["bottom"];
  } else if (e === "early") found.early = event;
  else if (e === "disclose") found.disclosed = event;
}

/**
 * @param {Reading} found
 * @param {Event} event
 * @param {number | null} seat
 */
function moved(found, event, seat) {
  found.tribute.push(event);
  if (!event["cards"]) return;
  if (seat === event["from"]) found.mine = without(found.mine, event["cards"]);
  if (seat === event["to"]) found.mine.push(...event["cards"]);
}

/**
 * @param {Reading} found
 * @param {string[] | undefined} cards
 * @param {number | null} seat
 */
function dealerTakes(found, cards, seat) {
  if (seat !== null && seat === found.dealer && cards) found.mine.push(...cards);
}

/**
 * @param {Reading} found
 * @param {Event} event
 * @param {number | null} seat
 */
function played(found, event, seat) {
  const cards = /** @type {string[]} */ (event["cards"]);
  let running = found.tricks.at(-1);
  if (!running || running.plays.length === 4) {
    running = { leader: event["seat"], plays: [], winner: null, points: 0 };
    found.tricks.push(running);
  }
  running.plays.push({ seat: event["seat"], cards });
  found.played.push(...cards);
  if (seat === event["seat"]) found.mine = without(found.mine, cards);
}

/**
 * How many cards each seat holds, from how many are out and what was played. `each`: cards dealt to a seat in all.
 * @param {Reading} found
 * @param {number} dealt
 * @param {number} bottom how many cards the bottom has
 */
export function holdings(found, dealt, bottom) {
  const first = found.start?.["first"] ?? 0;
  const held = [0, 1, 2, 3].map((seat) => Math.floor((dealt + 3 - ((seat - first + 4) % 4)) / 4));
  if (found.bottom && !found.bottom["dry"] && found.dealer !== null && !found.burials.length && !found.tricks.length) {
    held[found.dealer] = (held[found.dealer] ?? 0) + bottom;
  }
  for (const event of found.tribute) {
    const count = event["count"] ?? event["cards"].length;
    held[event["from"]] = (held[event["from"]] ?? 0) - count;
    held[event["to"]] = (held[event["to"]] ?? 0) + count;
  }
  for (const trick of found.tricks) for (const play of trick.plays) held[play.seat] = (held[play.seat] ?? 0) - play.cards.length;
  return held;
}

/**
 * The cards this person has not seen yet: in other hands, or in a bottom nobody has shown. Equal cards as often as they are out.
 * @param {Reading} found
 * @param {readonly string[]} deck all cards of the deck
 */
export function unseen(found, deck) {
  return without(deck, [...found.mine, ...found.played, ...(found.known ?? [])]);
}

/**
 * One's cards in groups, as `lanes` order them: a group for each suit that is held, trump last; cards of a group weakest first.
 * Cards no lane knows stand in a group of their own.
 * @param {readonly string[]} mine
 * @param {readonly {lane: string, cards: string[]}[]} lanes
 * @returns {{lane: string, cards: string[]}[]}
 */
export function grouped(mine, lanes) {
  const counts = counted(mine);
  const groups = [];
  for (const { lane, cards } of lanes) {
    const held = cards.flatMap((card) => Array(counts.get(card) ?? 0).fill(card));
    for (const card of cards) counts.delete(card);
    if (held.length) groups.push({ lane, cards: held });
  }
  const rest = [...counts].flatMap(([card, count]) => Array(count).fill(card));
  if (rest.length) groups.push({ lane: "", cards: rest });
  return groups;
}

/**
 * What the four seats hold after these events of a hand whose deck is known, in no order.
 * @param {readonly Event[]} events from the `hand` event on
 * @param {number} out how many cards are out
 * @returns {string[][]}
 */
export function handsAfter(events, out) {
  const [start, ...rest] = events;
  const deck = /** @type {string[]} */ (start?.["deck"] ?? []).slice(0, out);
  return [0, 1, 2, 3].map((seat) => {
    // The cards go round from the seat that is dealt first.
    const own = deck.flatMap((card, place) => ((start?.["first"] + place) % 4 === seat ? [{ e: "deal", card, dealt: place + 1 }] : []));
    return start ? read([start, ...own, ...rest], seat).mine : [];
  });
}

/** @typedef {{hands: string[][], left: string[][], reading: Reading}} Laid all hands as they were before the first lead, and what of them was left */

/**
 * A finished hand with everything open: what everybody held when the play began, and at its end. Null where the deck is not known.
 * @param {readonly Event[]} view from the `hand` event on
 * @returns {Laid | null}
 */
export function laid(view) {
  const events = counting(view);
  const reading = read(view, null);
  const deck = reading.start?.["deck"];
  if (!deck || !reading.settle) return null;
  const out = deck.length - reading.settle["bottom"].length;
  const lead = events.findIndex((event) => event.e === "play");
  return { hands: handsAfter(lead < 0 ? events : events.slice(0, lead), out), left: handsAfter(events, out), reading };
}
