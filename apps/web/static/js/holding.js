/**
 * One's own cards: grouped by suit in the trump order in force, in as many rows as the width needs, each card to be tapped, dragged
 * over or reached by keyboard. Cards that cannot be part of a legal answer are dimmed; they can be chosen all the same, and the
 * refusal explains itself.
 */

import { cardFace, cardName, counted, suitName, without } from "./cards.js";
import { fill, h } from "./dom.js";
import { grouped } from "./reading.js";
import { preference } from "./prefs.js";
import { t } from "./words.js";

/** The least visible strip of a card, to be tapped and read, in CSS pixels and as a share of the card's width. */
const STRIP = 24;
const STRIP_SHARE = 0.43;
/** Widths of a card that are tried, the widest first; its height is 1.4 of it. */
const WIDEST = 78;
const NARROWEST = 40;
/** What of a card is seen above the next row, as a share of its width. */
const STEP = 0.66;
/** The gap between two suits in a row; what lies above and below the cards. */
const GAP = 8;
const AROUND = 20;
/** How far a finger may have gone before its way is looked at again: less than a strip. */
const STRIDE = 8;
/** The page of a phone on its side, as the style sheet says it. */
const SIDEWAYS = "(orientation: landscape) and (max-height: 520px)";

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
    /** Cards that have just come, how often each: they are drawn moving in. @type {Map<string, number>} */
    this.fresh = new Map();
    this.drawn = "";
    this.focus = 0;
    /** @type {{on: boolean, seen: Set<number>, x: number, y: number} | null} */
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
    this.fresh = counted(without(mine, this.cards));
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
    const width = this.place.clientWidth - 12;
    const height = matchMedia(SIDEWAYS).matches ? this.place.clientHeight : 0.37 * innerHeight;
    const signature = JSON.stringify([this.groups, this.lit && [...this.lit], width, Math.round(height), document.documentElement.lang]);
    if (signature !== this.drawn) {
      this.drawn = signature;
      this.build(width, height - AROUND);
    }
    this.place.querySelectorAll("button.held").forEach((button, place) => {
      const on = this.picked.has(place);
      button.classList.toggle("picked", on);
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("tabindex", place === Math.min(this.focus, this.cards.length - 1) ? "0" : "-1");
    });
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  build(width, height) {
    const { rows, card, strip, step } = layout(this.groups, width, height);
    const lit = this.lit && new Map(this.lit);
    const fresh = new Map(this.fresh);
    const focused = this.place.contains(document.activeElement);
    let place = 0;
    fill(
      this.place,
      rows.map((row) =>
        h(
          "div",
          { class: "cards" },
          row.map(({ lane, cards }) =>
            h(
              "div",
              { class: "lane", role: "group", "aria-label": lane === "trump" ? t("主牌", "trump") : lane ? suitName(lane) : t("牌", "cards") },
              cards.map((each) => this.card(each, place++, lit, fresh)),
            ),
          ),
        ),
      ),
    );
    this.place.style.setProperty("--card-width", `${card}px`);
    this.place.style.setProperty("--strip", `${strip}px`);
    this.place.style.setProperty("--step", `${step}px`);
    if (focused) /** @type {HTMLElement | undefined} */ (this.place.querySelectorAll("button.held")[Math.min(this.focus, place - 1)])?.focus({ preventScroll: true });
  }

  /**
   * @param {string} card
   * @param {number} place
   * @param {Map<string, number> | null} lit
   * @param {Map<string, number>} fresh
   */
  card(card, place, lit, fresh) {
    const possible = !lit || (lit.get(card) ?? 0) > 0;
    if (lit && possible) lit.set(card, (lit.get(card) ?? 0) - 1);
    const comes = (fresh.get(card) ?? 0) > 0;
    if (comes) fresh.set(card, (fresh.get(card) ?? 0) - 1);
    return h(
      "button",
      { type: "button", class: `held${possible ? "" : " dim"}${comes ? " fresh" : ""}`, "data-place": place, "aria-label": cardName(card) + (possible ? "" : t("（现在不能出）", " (not possible now)")) },
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
    const place = placeAt(event.clientX, event.clientY);
    if (place === null || event.button > 0) return;
    event.preventDefault();
    this.drag = { on: !this.picked.has(place), seen: new Set([place]), x: event.clientX, y: event.clientY };
    this.toggle(place);
    /** @type {HTMLElement | null} */ (this.place.querySelectorAll("button.held")[place] ?? null)?.focus({ preventScroll: true });
  }

  /** A quick finger is seen at few places: the cards between two of them were passed, too. @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag || !event.buttons) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    const steps = Math.ceil(Math.hypot(x, y) / STRIDE);
    for (let step = 1; step <= steps; step++) {
      const place = placeAt(drag.x + (x * step) / steps, drag.y + (y * step) / steps);
      if (place === null || drag.seen.has(place)) continue;
      drag.seen.add(place);
      if (this.picked.has(place) !== drag.on) this.toggle(place);
    }
    Object.assign(drag, { x: event.clientX, y: event.clientY });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const count = this.cards.length;
    const moves = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count });
    const rows = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 });
    const by = moves[event.key] ?? this.toRow(rows[event.key]);
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

  /**
   * How many places further the card lies that stands above or below the one in focus.
   * @param {number | undefined} by rows down
   */
  toRow(by) {
    if (by === undefined) return undefined;
    const rows = [...this.place.querySelectorAll(".cards")].map((row) => /** @type {HTMLElement[]} */ ([...row.querySelectorAll("button.held")]));
    const held = rows.flat();
    const from = held[this.focus];
    const row = from && rows[rows.findIndex((each) => each.includes(from)) + by];
    if (!from || !row) return 0;
    const off = (/** @type {HTMLElement} */ card) => Math.abs(card.getBoundingClientRect().left - from.getBoundingClientRect().left);
    const near = row.reduce((best, card) => (off(card) < off(best) ? card : best));
    return held.indexOf(near) - this.focus;
  }
}

/**
 * @param {number} x
 * @param {number} y
 */
function placeAt(x, y) {
  const under = document.elementFromPoint(x, y)?.closest("button.held");
  return under instanceof HTMLElement ? Number(under.dataset["place"]) : null;
}

/** @typedef {{lane: string, cards: string[]}} Group */

/**
 * Cards as large as fit into a place: the rows, the width of a card, of its visible strip, and from row to row. Where not even the
 * smallest fit with every suit in one piece, rows are filled up and suits run on into the next.
 * @param {readonly Group[]} groups
 * @param {number} width
 * @param {number} height
 * @returns {{rows: Group[][], card: number, strip: number, step: number}}
 */
export function layout(groups, width, height) {
  const tallOf = (/** @type {number} */ card, /** @type {number} */ rows) => 1.4 * card + (rows - 1) * STEP * card;
  for (let card = WIDEST; card >= NARROWEST; card -= 2) {
    const rows = rowsOf(groups, roomFor(card, width));
    if (tallOf(card, rows.length) <= height) return spaced(rows, card, width, height);
  }
  const most = roomFor(NARROWEST, width);
  const filled = rowsOf([{ lane: "", cards: groups.flatMap((group) => group.cards) }], most);
  return spaced(filled, NARROWEST, width, height);
}

/**
 * How many cards of this width a row takes, each with the least strip; a place is kept for the gaps between suits.
 * @param {number} card
 * @param {number} width
 */
function roomFor(card, width) {
  return Math.max(6, Math.floor((width - card) / Math.max(STRIP, STRIP_SHARE * card)) + 1);
}

/**
 * The room that is left is given to the strips and to the steps.
 * @param {Group[][]} rows
 * @param {number} card
 * @param {number} width
 * @param {number} height
 */
function spaced(rows, card, width, height) {
  const strips = rows.map((row) => {
    const count = row.reduce((sum, { cards }) => sum + cards.length, 0);
    return count > 1 ? (width - card - GAP * (row.length - 1)) / (count - 1) : card;
  });
  const strip = Math.max(STRIP - 1, Math.min(0.62 * card, ...strips));
  const step = rows.length > 1 ? Math.min(0.85 * card, Math.max(28, (height - 1.4 * card) / (rows.length - 1))) : card;
  return { rows, card, strip: Math.floor(10 * strip) / 10, step: Math.floor(step) };
}

/**
 * Groups laid into rows of at most `most` cards: a group begins a new row when it does not fit, and is cut only when it is longer
 * than a row. The gap between two suits takes the room of a card.
 * @param {readonly Group[]} groups
 * @param {number} most
 */
export function rowsOf(groups, most) {
  /** @type {Group[][]} */
  const rows = [];
  let room = 0;
  for (const { lane, cards } of groups) {
    // A suit longer than a row is cut into parts of about the same length.
    const size = Math.ceil(cards.length / Math.ceil(cards.length / most));
    for (let start = 0; start < cards.length; start += size) {
      const part = cards.slice(start, start + size);
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
