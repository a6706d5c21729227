/** A deal checked in the browser: does it follow from the seed that was published as a hash, and from what the seats added? */

import { allKinds } from "./cards.js";
import { fromHex, sha256, toHex } from "./sha256.js";

const GIVEN = "gunzi.given";
const MOST_GIVEN = 50;
/** @typedef {{key: string, hash: string, value: string}} Given what was given to a shuffle, and the hash that was answered */
/** @type {Given[]} */
let given = [];
try {
  const found = JSON.parse(sessionStorage.getItem(GIVEN) ?? "[]");
  if (Array.isArray(found)) given = found;
} catch {
  // unreadable or no storage: it lasts as long as the page
}

/**
 * Thirty-two random bytes of one's own for a shuffle, in hexadecimal. They are remembered with the hash they answer, so that the check
 * after the hand does not depend on what the server says of either.
 * @param {string} table
 * @param {{hash: string, hand: number, redeal: number}} fair
 */
export function contribution(table, fair) {
  const value = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const key = shuffleOf(table, fair.hand, fair.redeal);
  given = [...given.filter((each) => each.key !== key), { key, hash: fair.hash, value }].slice(-MOST_GIVEN);
  try {
    sessionStorage.setItem(GIVEN, JSON.stringify(given));
  } catch {
    // it lasts as long as the page
  }
  return value;
}

/**
 * What this page gave to a shuffle last; undefined: nothing, as far as it remembers.
 * @param {string} table
 * @param {number} hand
 * @param {number} redeal
 */
export function givenTo(table, hand, redeal) {
  const key = shuffleOf(table, hand, redeal);
  return given.find((each) => each.key === key);
}

/**
 * @param {string} table
 * @param {number} hand
 * @param {number} redeal
 */
function shuffleOf(table, hand, redeal) {
  return `${table}/${hand}/${redeal}`;
}

/**
 * The deck of a deal in dealing order, and the seat dealt first in a first hand. The record's page says how they are drawn.
 * @param {string} seed 64 hexadecimal digits
 * @param {readonly (string | null)[]} contributions of the seats 0-3
 * @param {number} hand
 * @param {number} redeal
 * @param {number} packs
 * @returns {{deck: string[], first: number}}
 */
export function drawnDeck(seed, contributions, hand, redeal, packs) {
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, hand);
  new DataView(head.buffer).setUint32(4, redeal);
  const parts = [new TextEncoder().encode("gunzi-deal-1\0"), bytes(seed), head];
  for (const share of contributions) parts.push(share === null ? Uint8Array.of(0) : joined([Uint8Array.of(1), bytes(share)]));
  const below = drawing(sha256(joined(parts)));
  const deck = allKinds().flatMap((card) => Array(packs).fill(card));
  for (let i = deck.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return { deck, first: below(4) };
}

/**
 * Was the seed the one that was published?
 * @param {string} seed
 * @param {string} hash
 */
export function seedFits(seed, hash) {
  return toHex(sha256(bytes(seed))) === hash;
}

/** @param {string} hex */
function bytes(hex) {
  const found = fromHex(hex);
  if (!found) throw new Error("not hexadecimal digits");
  return found;
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/**
 * @param {Uint8Array} key
 * @returns {(n: number) => number}
 */
function drawing(key) {
  /** @type {number[]} */
  let words = [];
  let block = 0;
  const next = () => {
    if (!words.length) {
      const counter = new Uint8Array(8);
      new DataView(counter.buffer).setUint32(4, block++);
      const made = new DataView(sha256(joined([key, counter])).buffer);
      words = Array.from({ length: 8 }, (_, i) => made.getUint32(4 * i));
    }
    return /** @type {number} */ (words.shift());
  };
  return (n) => {
    const enough = 2 ** 32 - (2 ** 32 % n);
    let word = next();
    while (word >= enough) word = next();
    return word % n;
  };
}
