/** The table itself: the four seats round it, the cards of the trick, and what is public: level, trump, points, bottom. */

import { cardBack, cardFace, cardName, cardText, levelText, suitName, suitSign } from "./cards.js";
import { fill, h } from "./dom.js";
import { laidView } from "./laying.js";
import { left } from "./state.js";
import { counted, t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./reading.js").Reading} Reading */
/**
 * @typedef {object} Scene what is drawn; also replays are
 * @property {Reading} reading
 * @property {(seat: number) => string} names
 * @property {number} bottomSeat the seat drawn nearest to the person looking
 * @property {number[]} held cards in each hand
 * @property {number | null} turn whose turn it is
 * @property {{left: number, total: number} | null} clock of that seat, and `since`
 * @property {number} since
 * @property {(seat: number) => string[]} marks short words beside a name: 托管, 掉线 …
 * @property {string[][] | null} open all hands, where they are known (replays, and a finished hand)
 * @property {boolean} clockwise how the turn goes round
 * @property {{laid: import("./reading.js").Laid, lanes: readonly import("./types.js").Lane[], back: (() => void) | null} | null} [over] a hand that is over, with all
 *   cards open; `back` leads away from it
 */

/** Where the seats stand, from the one nearest: the next to play sits at the right where the turn goes counterclockwise. */
const PLACES = { counterclockwise: ["near", "right", "far", "left"], clockwise: ["near", "left", "far", "right"] };

/**
 * Where a seat is drawn.
 * @param {Scene} scene
 * @param {number} seat
 */
function placeOf({ clockwise, bottomSeat }, seat) {
  return PLACES[clockwise ? "clockwise" : "counterclockwise"][(seat - bottomSeat + 4) % 4] ?? "near";
}

export class Felt {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** @type {Scene | null} */
    this.scene = null;
    setInterval(() => this.tick(), 250);
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    const { reading, over } = scene;
    this.place.classList.toggle("laid", Boolean(over));
    if (over) {
      fill(this.place, laidView(over.laid, over.lanes, scene.names, (seat) => placeOf(scene, seat), over.back));
      return;
    }
    const trick = reading.tricks.at(-1) ?? null;
    const seats = [0, 1, 2, 3].map((seat) => this.seat(scene, seat, trick));
    fill(this.place, ...seats, this.middle(scene));
    this.tick();
  }

  /**
   * @param {Scene} scene
   * @param {number} seat
   * @param {import("./reading.js").Trick | null} trick
   */
  seat(scene, seat, trick) {
    const { reading } = scene;
    const place = placeOf(scene, seat);
    const play = trick?.plays.find((each) => each.seat === seat);
    const winner = trick?.winner === seat;
    const dealer = reading.dealer === seat;
    const turn = scene.turn === seat;
    const open = scene.open?.[seat];
    return h(
      "section",
      { class: `seat ${place}${turn ? " turn" : ""}`, "aria-label": scene.names(seat) },
      h(
        "div",
        { class: "who" },
        h("span", { class: "name" }, scene.names(seat)),
        dealer ? h("span", { class: "mark dealer", title: t("庄家", "dealer") }, t("庄", "D")) : null,
        scene.marks(seat).map((mark) => h("span", { class: "mark" }, mark)),
        h("span", { class: "count", "aria-label": t(`${scene.held[seat]} 张牌`, counted(scene.held[seat] ?? 0, "card")) }, String(scene.held[seat] ?? 0)),
        turn ? h("span", { class: "clock", "data-clock": "" }) : null,
      ),
      open?.length && place !== "near" ? h("div", { class: "open-hand" }, open.map((card) => h("span", { class: card[0] }, cardText(card)))) : null,
      h(
        "div",
        { class: `played${winner ? " winner" : ""}`, "aria-live": "off" },
        play ? play.cards.map((card) => h("div", { class: "lying" }, cardFace(card))) : null,
      ),
    );
  }

  /** @param {Scene} scene */
  middle({ reading, names }) {
    const bid = reading.bids.at(-1);
    const parts = [];
    if (reading.level !== null) parts.push(h("span", { class: "fact" }, h("b", {}, t("打 ", "level ")), levelText(reading.level)));
    if (reading.suit) {
      parts.push(h("span", { class: "fact" }, h("b", {}, t("主 ", "trump ")), suitSign(reading.suit), " ", suitName(reading.suit)));
    }
    if (reading.trump) {
      parts.push(h("span", { class: "fact" }, h("b", {}, t("抓分 ", "attackers ")), h("span", { class: "number" }, String(reading.attackers))));
    } else if (bid) {
      const cards = bid["cards"] ?? [bid["card"]];
      parts.push(
        h("span", { class: "bid" }, `${names(bid["seat"])} `, cards.map((/** @type {string} */ card) => h("span", { class: "lying small-card" }, cardFace(card)))),
      );
    }
    return h("div", { class: "middle" }, h("div", { class: "facts" }, parts), this.bottom(reading), this.turned(reading));
  }

  /** @param {Reading} reading */
  bottom(reading) {
    if (!reading.bottom || reading.settle) return null;
    const shown = reading.known;
    const count = reading.burials.length || shown ? (shown?.length ?? 6) : 6;
    const cards = shown ?? Array(count).fill(null);
    const dry = reading.bottom["dry"];
    return h(
      "div",
      { class: "bottom", "aria-label": shown ? t("底牌：", "bottom: ") + shown.map(cardName).join(t("、", ", ")) : t("底牌不公开", "the bottom is hidden") },
      h("span", { class: "label" }, dry ? t("干锅", "dry pot") : t("底", "bottom")),
      h("span", { class: "row" }, cards.map((card) => h("span", { class: "lying small-card" }, card ? cardFace(card) : cardBack()))),
    );
  }

  /** @param {Reading} reading */
  turned(reading) {
    if (reading.trump || !reading.turned.length) return null;
    return h(
      "div",
      { class: "bottom" },
      h("span", { class: "label" }, t("翻底", "turned")),
      h("span", { class: "row" }, reading.turned.map((event) => h("span", { class: "lying small-card" }, cardFace(event["card"])))),
    );
  }

  /** Draw the clocks on. */
  tick() {
    const { scene } = this;
    const shown = this.place.querySelector("[data-clock]");
    if (!shown || !scene) return;
    if (!scene.clock || !scene.clock.total) {
      shown.textContent = "";
      return;
    }
    const seconds = Math.ceil(left(scene.clock, scene.since, Date.now()) / 1000);
    shown.textContent = String(seconds);
    shown.classList.toggle("late", seconds <= 5);
  }
}
