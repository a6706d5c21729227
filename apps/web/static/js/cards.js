/** Cards: read, named, ordered and drawn. A card is its text: `S3`, `HT`, `BJ`. */

import { s } from "./dom.js";
import { language, t } from "./words.js";

/** @typedef {string} Card */

export const SUITS = ["S", "H", "C", "D"];
export const SIGNS = /** @type {Record<string, string>} */ ({ S: "♠", H: "♥", C: "♣", D: "♦" });
const RANKS = "23456789TJQKA";
const SUIT_NAMES = /** @type {Record<string, [string, string]>} */ ({
  S: ["黑桃", "spades"],
  H: ["红桃", "hearts"],
  C: ["梅花", "clubs"],
  D: ["方片", "diamonds"],
});
const RANK_NAMES = /** @type {Record<string, string>} */ ({ J: "jack", Q: "queen", K: "king", A: "ace" });
/** Each suit in a square of 30. */
const PATHS = /** @type {Record<string, string>} */ ({
  S: "M15 2C11 8 3 12 3 19a6 6 0 0 0 10.5 4C13 26 12 28 10 29h10c-2-1-3-3-3.5-6A6 6 0 0 0 27 19C27 12 19 8 15 2Z",
  H: "M15 28C9 22 2 17 2 10a6.5 6.5 0 0 1 13-1.5A6.5 6.5 0 0 1 28 10C28 17 21 22 15 28Z",
  C: "M15 2a6 6 0 0 0-5 9.4A6 6 0 1 0 13.3 21C13 25 12 28 10 29h10c-2-1-3-4-3.3-8A6 6 0 1 0 20 11.4 6 6 0 0 0 15 2Z",
  D: "M15 1 26 15 15 29 4 15Z",
});
const STAR = "M15 2 18.5 11.5H28.5L20.5 17.5 23.5 27.5 15 21.5 6.5 27.5 9.5 17.5 1.5 11.5H11.5Z";

/** @param {Card} card */
export function isJoker(card) {
  return card === "BJ" || card === "LJ";
}

/** The rank as people write it: 10 for T. @param {Card} card */
export function rankOf(card) {
  return card[1] === "T" ? "10" : (card[1] ?? "");
}

/**
 * A level number as people write it.
 * @param {number} level
 */
export function levelText(level) {
  return level <= 10 ? String(level) : (["J", "Q", "K", "A"][level - 11] ?? String(level));
}

/**
 * A suit, or trump, by its name.
 * @param {string} suit
 */
export function suitName(suit) {
  const names = SUIT_NAMES[suit];
  return names ? t(names[0], names[1]) : t("主", "trump");
}

/**
 * A card as it is written in a line of text: ♠3, 大王.
 * @param {Card} card
 */
export function cardText(card) {
  if (card === "BJ") return t("大王", "big joker");
  if (card === "LJ") return t("小王", "small joker");
  return `${SIGNS[card[0] ?? ""]}${rankOf(card)}`;
}

/**
 * A card as it is read aloud: 黑桃3, three of spades.
 * @param {Card} card
 */
export function cardName(card) {
  if (isJoker(card)) return cardText(card);
  const suit = suitName(card[0] ?? "");
  const rank = rankOf(card);
  return language() === "zh" ? suit + rank : `${RANK_NAMES[rank] ?? rank} of ${suit}`;
}

/**
 * Several cards in a line, equal ones together: ♠3×2 大王.
 * @param {readonly Card[]} cards
 */
export function cardsText(cards) {
  return [...counted(cards)].map(([card, count]) => cardText(card) + (count > 1 ? `×${count}` : "")).join(" ");
}

/**
 * How many there are of each card, in the order of their first one.
 * @param {readonly Card[]} cards
 * @returns {Map<Card, number>}
 */
export function counted(cards) {
  const counts = new Map(/** @type {[Card, number][]} */ ([]));
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

/**
 * The cards without some of them, each taken away once. Cards that are not there are passed over.
 * @param {readonly Card[]} cards
 * @param {readonly Card[]} gone
 */
export function without(cards, gone) {
  const counts = counted(gone);
  return cards.filter((card) => {
    const left = counts.get(card) ?? 0;
    if (left > 0) counts.set(card, left - 1);
    return left === 0;
  });
}

/**
 * The place of a card among the 54 kinds: spades, hearts, clubs, diamonds from 2 to A, then the jokers.
 * @param {Card} card
 */
export function kindOf(card) {
  if (card === "LJ") return 52;
  if (card === "BJ") return 53;
  return 13 * SUITS.indexOf(card[0] ?? "") + RANKS.indexOf(card[1] ?? "");
}

/** All 54 kinds in that order. @returns {Card[]} */
export function allKinds() {
  return [...SUITS.flatMap((suit) => [...RANKS].map((rank) => suit + rank)), "LJ", "BJ"];
}

/**
 * A card's face as an SVG of 60 by 84. Its colours come from the page's style: classes S H C D, LJ, BJ.
 * @param {Card} card
 */
export function cardFace(card) {
  const joker = isJoker(card);
  const suit = joker ? card : (card[0] ?? "");
  const rank = rankOf(card);
  const mark = joker
    ? [
        ...[...(language() === "zh" ? (card === "BJ" ? "大王" : "小王") : "JKR")].map((letter, place) =>
          s("text", { x: 12, y: 20 + 18 * place, "font-size": 16, "text-anchor": "middle" }, letter),
        ),
        s("path", { d: STAR, transform: card === "BJ" ? "translate(20 38) scale(1.25)" : "translate(24 44) scale(0.95)" }),
      ]
    : [
        s("text", { x: rank.length > 1 ? 15 : 12, y: 24, "font-size": 23, "text-anchor": "middle", "letter-spacing": -1 }, rank),
        s("path", { d: PATHS[suit], transform: "translate(4 28) scale(0.55)" }),
        s("path", { d: PATHS[suit], transform: "translate(20 42) scale(1.15)" }),
      ];
  return s(
    "svg",
    { viewBox: "0 0 60 84", class: `card ${suit}`, role: "img", "aria-label": cardName(card), focusable: "false" },
    s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, class: "face" }),
    mark,
  );
}

/** The back of a card. */
export function cardBack() {
  return s(
    "svg",
    { viewBox: "0 0 60 84", class: "card back", "aria-hidden": "true", focusable: "false" },
    s("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, class: "face" }),
    s("rect", { x: 6, y: 6, width: 48, height: 72, rx: 4, class: "pattern" }),
  );
}

/**
 * A suit's sign as a small SVG, named for screen readers.
 * @param {string} suit
 */
export function suitSign(suit) {
  return s(
    "svg",
    { viewBox: "0 0 30 30", class: `suit ${suit}`, role: "img", "aria-label": suitName(suit), focusable: "false" },
    s("path", { d: PATHS[suit] ?? STAR }),
  );
}
