/**
 * One's own cards: grouped by suit in the trump order in force, in as many rows as the width needs, each card to be tapped, dragged
 * over or reached by keyboard. Cards that cannot be part of a legal answer are dimmed; they can be chosen all the same, and the
 * refusal explains itself.
 */

import { cardFace, cardName, counted, suitName } from "./cards.js";
import { fill, h } from "./dom.js";
import { grouped } from "./reading.js";
import { preference } from "./prefs.js";
import { t } from "./words.js";

/** The least width of a card's visible strip, and how wide a card is, in CSS pixels. */
const STRIP = 24;
const WIDEST = 62;

export class Holding {
  /**
   * @param {HTMLElement} place
   * @param {{chosen: (cards: string[]) => void, go: () => void}} handlers
   */
  constructor(place, handlers) {
    this.place = place;
    this.handlers = handlers;
    /** @type {{lane: string, cards: string[]}[]} */
    this.groups = [];
    /** Cards chosen, by their place in the flat order. @type {Set<number>} */
    this.picked = new Set();
    /** @type {Map<string, number> | null} */
    this.lit = null;
    this.drawn = "";
    this.focus = 0;
    /** @type {{on: boolean, seen: Set<number>} | null} */
    this.drag = null;
    place.addEventListener("pointerdown", (event) => this.down(event));
    place.addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", () => (this.drag = null));
    addEventListener("pointercancel", () => (this.drag = null));
    place.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(place);
  }

  /** The cards in the order in which they are shown. */
  get cards() {
    return this.groups.flatMap((group) => group.cards);
  }

  /** The cards that are chosen. @returns {string[]} */
  get chosen() {
    const cards = this.cards;
    return [...this.picked].sort((a, b) => a - b).map((place) => /** @type {string} */ (cards[place]));
  }

  /**
   * Show these cards. What was chosen stays chosen as far as it is still there.
   * @param {readonly string[]} mine
   * @param {readonly {lane: string, cards: string[]}[]} lanes
   * @param {readonly string[] | null} lit the cards that can be part of an answer; null: nothing is asked
   */
  show(mine, lanes, lit) {
    const before = counted(this.chosen);
    this.groups = grouped(mine, lanes);
    if (preference("strongFirst")) this.groups = this.groups.map(({ lane, cards }) => ({ lane, cards: [...cards].reverse() })).reverse();
    this.lit = lit && counted(lit);
    this.picked.clear();
    this.cards.forEach((card, place) => {
      const left = before.get(card) ?? 0;
      if (left) {
        before.set(card, left - 1);
        this.picked.add(place);
      }
    });
    this.draw();
  }

  /**
   * Choose these cards and no others.
   * @param {readonly string[]} cards
   */
  choose(cards) {
    const wanted = counted(cards);
    this.picked.clear();
    this.cards.forEach((card, place) => {
      const left = wanted.get(card) ?? 0;
      if (left) {
        wanted.set(card, left - 1);
        this.picked.add(place);
      }
    });
    this.draw();
    this.handlers.chosen(this.chosen);
  }

  draw() {
    const width = this.place.clientWidth;
    const signature = JSON.stringify([this.groups, this.lit && [...this.lit], width, document.documentElement.lang]);
    if (signature !== this.drawn) {
      this.drawn = signature;
      this.build(width);
    }
    this.place.querySelectorAll("button.held").forEach((button, place) => {
      const on = this.picked.has(place);
      button.classList.toggle("picked", on);
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("tabindex", place === Math.min(this.focus, this.cards.length - 1) ? "0" : "-1");
    });
  }

  /** @param {number} width */
  build(width) {
    const most = Math.max(6, Math.floor((width - WIDEST) / STRIP) + 1);
    const lit = this.lit && new Map(this.lit);
    let place = 0;
    const rows = rowsOf(this.groups, most).map((row) =>
      h(
        "div",
        { class: "cards" },
        row.map(({ lane, cards }) =>
          h(
            "div",
            { class: "lane", role: "group", "aria-label": lane === "trump" ? t("主牌", "trump") : suitName(lane) },
            cards.map((card) => this.card(card, place++, lit)),
          ),
        ),
      ),
    );
    fill(this.place, rows);
    this.place.style.setProperty("--card-width", `${Math.min(WIDEST, Math.max(44, Math.floor(width / 8)))}px`);
  }

  /**
   * @param {string} card
   * @param {number} place
   * @param {Map<string, number> | null} lit
   */
  card(card, place, lit) {
    const possible = !lit || (lit.get(card) ?? 0) > 0;
    if (lit && possible) lit.set(card, (lit.get(card) ?? 0) - 1);
    return h(
      "button",
      { type: "button", class: `held${possible ? "" : " dim"}`, "data-place": place, "aria-label": cardName(card) + (possible ? "" : t("（现在不能出）", " (not possible now)")) },
      cardFace(card),
    );
  }

  /** @param {number} place */
  toggle(place) {
    if (this.picked.has(place)) this.picked.delete(place);
    else this.picked.add(place);
    this.focus = place;
    this.draw();
    this.handlers.chosen(this.chosen);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const place = placeAt(event);
    if (place === null || event.button > 0) return;
    event.preventDefault();
    this.drag = { on: !this.picked.has(place), seen: new Set([place]) };
    this.toggle(place);
    /** @type {HTMLElement | null} */ (this.place.querySelectorAll("button.held")[place] ?? null)?.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.drag || !event.buttons) return;
    const place = placeAt(event);
    if (place === null || this.drag.seen.has(place)) return;
    this.drag.seen.add(place);
    if (this.picked.has(place) !== this.drag.on) this.toggle(place);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const count = this.cards.length;
    const moves = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count });
    const by = moves[event.key];
    if (by !== undefined && count) {
      this.focus = Math.max(0, Math.min(count - 1, this.focus + by));
      this.draw();
      /** @type {HTMLElement} */ (this.place.querySelectorAll("button.held")[this.focus]).focus();
    } else if (event.key === " ") this.toggle(this.focus);
    else if (event.key === "Enter") this.handlers.go();
    else if (event.key === "Escape") this.choose([]);
    else return;
    event.preventDefault();
  }
}

/** @param {PointerEvent} event */
function placeAt(event) {
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("button.held");
  return under instanceof HTMLElement ? Number(under.dataset["place"]) : null;
}

/**
 * Groups laid into rows of at most `most` cards: a group begins a new row when it does not fit, and is cut only when it is longer
 * than a row.
 * @param {readonly {lane: string, cards: string[]}[]} groups
 * @param {number} most
 */
export function rowsOf(groups, most) {
  /** @type {{lane: string, cards: string[]}[][]} */
  const rows = [];
  let room = 0;
  for (const { lane, cards } of groups) {
    // A suit longer than a row is cut into parts of about the same length.
    const size = Math.ceil(cards.length / Math.ceil(cards.length / most));
    for (let start = 0; start < cards.length; start += size) {
      const part = cards.slice(start, start + size);
      // The gap between two suits takes the room of a card.
      if (!rows.length || part.length + 1 > room) {
        rows.push([]);
        room = most + 1;
      }
      rows.at(-1)?.push({ lane, cards: part });
      room -= part.length + 1;
    }
  }
  return rows;
}
