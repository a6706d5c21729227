/** "Check this deal": worked out again here, from what the server has published. */

import { drawnDeck, givenTo, seedFits } from "./fairness.js";
import { h } from "./dom.js";
import { dialog } from "./notices.js";
import { counted, t } from "./words.js";

/** @typedef {import("./reading.js").Reading} Reading */

/**
 * What a finished hand's published seed and contributions say of it: a list of lines, good or bad.
 * @param {Reading} reading as this person has seen the hand
 * @param {number} packs
 * @param {string} table
 * @param {number | null} seat this person's; null: nobody who has given anything
 * @returns {{good: boolean, text: string}[]}
 */
export function checked(reading, packs, table, seat) {
  const fair = reading.start?.["fair"];
  const seed = reading.settle?.["fair_seed"];
  if (!fair || !seed) return [{ good: false, text: t("这一把没有公布种子，查不了", "no seed was published for this hand: it cannot be checked") }];
  const lines = [];
  const fits = seedFits(seed, fair.hash);
  lines.push({ good: fits, text: fits ? t("种子和发牌前公布的指纹对得上", "the seed fits the hash published before the deal") : t("种子和指纹对不上！", "the seed does not fit the hash!") });
  const { deck, first } = drawnDeck(seed, fair.contributions, reading.start?.["hand"], reading.start?.["redeal"], packs);
  if (seat !== null) lines.push(ownPart(reading, table, seat));
  const given = fair.contributions.filter(Boolean).length;
  lines.push({ good: true, text: t(`${given} 家加了自己的随机数`, `${given} of the seats added random numbers of their own`) });
  if (reading.start?.["dealer"] === null) {
    const same = first === reading.start["first"];
    lines.push({ good: same, text: same ? t("从哪家发牌也对得上", "the seat dealt first follows, too") : t("从哪家发牌对不上！", "the seat dealt first does not follow!") });
  }
  const seen = facts(reading, deck.length);
  const wrong = seen.filter(({ place, card }) => deck[place] !== card);
  lines.push({
    good: !wrong.length,
    text: wrong.length
      ? t(`有 ${wrong.length} 张牌对不上！`, `${counted(wrong.length, "card does", "cards do")} not follow from it!`)
      : t(`你见到的 ${seen.length} 张牌都对得上`, `${seen.length === 1 ? "the one card whose place you know follows" : `all ${seen.length} cards whose place you know follow`} from it`),
  });
  return lines;
}

/**
 * Was what this page gave taken, for the very hash it answered? What the server says after the hand is not enough: it could say anything.
 * @param {Reading} reading
 * @param {string} table
 * @param {number} seat
 */
function ownPart(reading, table, seat) {
  const { fair, hand, redeal } = /** @type {any} */ (reading.start);
  const mine = givenTo(table, hand, redeal);
  const told = fair.contributions[seat];
  if (!mine) {
    return told === null
      ? { good: true, text: t("你这一把没加随机数", "you added nothing to this shuffle") }
      : { good: false, text: t("这个窗口没记下你加的随机数，没法核对（换过设备或窗口？）", "this window does not remember what you added, so it cannot be compared (another device or window?)") };
  }
  const good = mine.hash === fair.hash && mine.value === told;
  return { good, text: good ? t("你加的随机数用上了，指纹也是你当时见到的那个", "what you added was used, with the hash you saw then") : t("你加的随机数或者当时的指纹被换过！", "what you added, or the hash you saw then, was replaced!") };
}

/**
 * The cards whose place in the deck this person knows: those dealt to him, and the bottom if it was shown; after the hand, all.
 * @param {Reading} reading
 * @param {number} size
 */
function facts(reading, size) {
  const whole = /** @type {string[] | undefined} */ (reading.start?.["deck"]);
  if (whole) return whole.map((card, place) => ({ place, card }));
  /** @type {{place: number, card: string}[]} */
  const found = reading.dealt.map(({ place, card }) => ({ place, card }));
  const bottom = reading.bottom?.["cards"] ?? reading.taken;
  // The bottom lies at the end of the deck, in the order in which its cards would be turned.
  if (bottom) bottom.forEach((/** @type {string} */ card, /** @type {number} */ i) => found.push({ place: size - bottom.length + i, card }));
  return found;
}

/**
 * Show the check of a hand.
 * @param {Reading} reading
 * @param {number} packs
 * @param {string} table
 * @param {number | null} seat
 */
export function showCheck(reading, packs, table, seat) {
  dialog(t("查这副牌", "Check this deal"), [
    h("p", {}, t("发牌前服务器先公布种子的指纹，各家再加自己的随机数，两样合起来定出牌来：谁也做不了手脚。这一查是在你这台机器上算的。", "Before the deal the server published the hash of its seed, then every seat added random numbers of its own; both together make the deck, so that nobody can steer it. This check was worked out on your own machine.")),
    h("ul", { class: "checks" }, checked(reading, packs, table, seat).map(({ good, text }) => h("li", { class: good ? "good" : "bad" }, good ? "✓ " : "✗ ", text))),
  ]);
}
