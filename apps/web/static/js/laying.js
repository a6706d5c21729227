/** 亮牌: after a hand everybody's cards lie open on the felt, as they were before the first lead, with the bottom and what was paid and buried. */

import { cardFace, cardName } from "./cards.js";
import { h } from "./dom.js";
import { grouped } from "./reading.js";
import { tell } from "./telling.js";
import { listed, t } from "./words.js";

/** @typedef {import("./reading.js").Laid} Laid */
/** @typedef {import("./types.js").Lane} Lane */

/**
 * @param {Laid} laid
 * @param {readonly Lane[]} lanes the cards in the order in force
 * @param {(seat: number) => string} names
 * @param {(seat: number) => string} place where a seat is drawn: near, right, far, left
 * @param {(() => void) | null} back what leads away from here, where nothing else does
 */
export function laidView(laid, lanes, names, place, back) {
  const { reading } = laid;
  const early = reading.played.length > 0 && laid.left.some((cards) => cards.length > 0);
  const told = [reading.exempt, ...reading.tribute, ...reading.burials].filter((event) => event !== null);
  return h(
    "div",
    { class: "laid-table" },
    [0, 1, 2, 3].map((seat) => seatView(laid, lanes, names, seat, place(seat), early)),
    h(
      "section",
      { class: "laid-middle", "aria-label": t("底牌", "the bottom") },
      h("div", { class: "bottom" }, h("span", { class: "label" }, t("底牌", "bottom")), h("span", { class: "row" }, (reading.settle?.["bottom"] ?? []).map((/** @type {string} */ card) => h("span", { class: "lying small-card" }, cardFace(card))))),
      told.length ? h("ul", { class: "plain-list small" }, told.map((event) => h("li", {}, tell(event, names)))) : null,
      early ? h("p", { class: "small" }, t("亮着的是没打出来的牌", "the bright cards were not played")) : null,
      back ? h("button", { type: "button", onclick: back }, t("收牌", "Put them away")) : null,
    ),
  );
}

/**
 * @param {Laid} laid
 * @param {readonly Lane[]} lanes
 * @param {(seat: number) => string} names
 * @param {number} seat
 * @param {string} place
 * @param {boolean} early were some cards never played?
 */
function seatView({ hands, left, reading }, lanes, names, seat, place, early) {
  const cards = hands[seat] ?? [];
  const kept = new Map();
  for (const card of left[seat] ?? []) kept.set(card, (kept.get(card) ?? 0) + 1);
  /** A card that was not played stays bright. @param {string} card */
  const bright = (card) => {
    const count = kept.get(card) ?? 0;
    if (count) kept.set(card, count - 1);
    return !early || count > 0;
  };
  const groups = grouped(cards, lanes);
  return h(
    "section",
    { class: `laid-seat ${place}`, "aria-label": t(`${names(seat)}的牌：`, `${names(seat)}'s cards: `) + listed(groups.flatMap((group) => group.cards).map(cardName)) },
    h(
      "div",
      { class: "who" },
      h("span", { class: "name" }, names(seat)),
      reading.dealer === seat ? h("span", { class: "mark dealer", title: t("庄家", "dealer") }, t("庄", "D")) : null,
    ),
    h(
      "div",
      { class: "laid-cards", "aria-hidden": "true" },
      groups.flatMap(({ cards: lane }) => lane.map((card, at) => h("span", { "data-card": card, class: `laid-card${at ? "" : " first"}${bright(card) ? "" : " dim"}` }, cardFace(card)))),
    ),
  );
}
