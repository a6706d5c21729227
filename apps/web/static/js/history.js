/** The tricks that were played, and the cards that are still out. */

import { cardFace, cardText, counted, suitName } from "./cards.js";
import { h } from "./dom.js";
import { dialog } from "./notices.js";
import { unseen } from "./reading.js";
import { whyButton } from "./ruling.js";
import { tell } from "./telling.js";
import { t } from "./words.js";

/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("./reading.js").Trick} Trick */

/**
 * @param {Trick} trick
 * @param {number} number
 * @param {(seat: number) => string} names
 */
function trickView(trick, number, names) {
  return h(
    "li",
    { class: "trick" },
    h("div", { class: "quiet small" }, t(`第 ${number} 圈`, `trick ${number}`), trick.winner === null ? "" : t(`，${names(trick.winner)}赢，${trick.points} 分`, `: ${names(trick.winner)} wins, ${trick.points} points`)),
    h(
      "div",
      { class: "plays" },
      trick.plays.map((play) =>
        h("div", { class: `past${play.seat === trick.winner ? " winner" : ""}` }, h("div", { class: "small" }, names(play.seat)), h("div", { class: "row tight" }, play.cards.map((card) => h("span", { class: "lying small-card" }, cardFace(card))))),
      ),
    ),
  );
}

/**
 * What happened, and by which rule.
 * @param {import("./types.js").Event} event
 * @param {(seat: number) => string} names
 * @param {(rule: string) => void} rule
 */
function told(event, names, rule) {
  return h("li", {}, tell(event, names), event["by"] ? [" ", whyButton(event["by"], rule)] : null);
}

/**
 * The last trick, or all of them, the newest first, and before them what happened until the play began.
 * @param {Reading} reading
 * @param {(seat: number) => string} names
 * @param {boolean} all
 * @param {(rule: string) => void} rule opens the text of a rule
 */
export function showHistory(reading, names, all, rule) {
  const tricks = reading.tricks.map((trick, place) => ({ trick, number: place + 1 }));
  const finished = tricks.filter(({ trick }) => trick.winner !== null);
  const shown = (all ? finished : finished.slice(-1)).reverse();
  const before = [...reading.bids, ...reading.turned, reading.trump, reading.exempt, ...reading.tribute, reading.bottom, ...reading.burials].filter((event) => event !== null);
  dialog(
    all ? t("打过的牌", "What was played") : t("上一圈", "The last trick"),
    [
      shown.length ? h("ol", { class: "tricks" }, shown.map(({ trick, number }) => trickView(trick, number, names))) : h("p", { class: "quiet" }, t("还没打完一圈", "no trick is finished yet")),
      all ? h("h3", {}, t("打牌以前", "Before the play")) : null,
      all ? h("ul", {}, before.map((event) => told(/** @type {any} */ (event), names, rule))) : null,
    ].filter((part) => part !== null),
    { wide: true },
  );
}

/**
 * The cards this person has not seen, by suit: where there are how many.
 * @param {Reading} reading
 * @param {readonly {lane: string, cards: string[]}[]} lanes all kinds in order
 * @param {number} packs
 */
export function showCounting(reading, lanes, packs) {
  const deck = lanes.flatMap((lane) => lane.cards.flatMap((card) => Array(packs).fill(card)));
  const left = counted(unseen(reading, deck));
  dialog(
    t("记牌：还没见到的牌", "Cards not seen yet"),
    lanes.map(({ lane, cards }) => {
      const total = cards.reduce((sum, card) => sum + (left.get(card) ?? 0), 0);
      return h(
        "section",
        {},
        h("h3", {}, lane === "trump" ? t("主牌", "trump") : suitName(lane), h("span", { class: "quiet" }, ` ${total}`)),
        h("div", { class: "counts" }, [...cards].reverse().map((card) => h("span", { class: left.get(card) ? "" : "quiet" }, cardText(card), h("b", {}, String(left.get(card) ?? 0))))),
      );
    }),
    { wide: true },
  );
}
