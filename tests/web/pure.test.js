/** The pages' modules that touch no page, by node's own test runner: `node --test tests/web/`. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

// What the language module asks of a browser.
Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });
globalThis.document = /** @type {any} */ ({ documentElement: { classList: { toggle() {} } } });

const js = "../../apps/web/static/js";
const { after, left } = await import(`${js}/state.js`);
const { counting, grouped, handsAfter, holdings, laid, read, unseen } = await import(`${js}/reading.js`);
const { layout, rowsOf } = await import(`${js}/holding.js`);
const { sha256, toHex } = await import(`${js}/sha256.js`);
const { allKinds, cardsText, kindOf, without } = await import(`${js}/cards.js`);

const state = { t: "state", v: 1, rev: 5, you: { seat: 0 }, room: {}, score: {}, hand: { view: [{ e: "hand", n: 1 }], naming: null, dealt: 0, lanes: [] }, ask: null, clock: null, vote: null, fair: null };

test("frames lay themselves over the state, and old ones change nothing", () => {
  const first = after(null, state, 100);
  assert.equal(first.since, 100);
  const second = after(first, { t: "events", rev: 6, view: [{ e: "deal", card: "S3" }], dealt: 4, clock: { left: 500 } }, 200);
  assert.deepEqual(second.hand.view.map((event) => event.e), ["hand", "deal"]);
  assert.equal(second.hand.dealt, 4);
  assert.equal(second.since, 200);
  assert.equal(after(second, { t: "events", rev: 5, dealt: 99 }, 300), second);
  assert.deepEqual(first.hand.view.length, 1, "the old state is left as it was");
});

test("a new hand begins with nothing of the one before", () => {
  const first = after(null, state, 0);
  const next = after(first, { t: "events", rev: 7, view: [{ e: "settle", n: 9 }, { e: "hand", n: 10 }, { e: "deal", card: "S4" }] }, 0);
  assert.deepEqual(next.hand.view.map((event) => event.e), ["hand", "deal"]);
});

test("a clock runs out and no further", () => {
  assert.equal(left({ left: 1000 }, 100, 400), 700);
  assert.equal(left({ left: 1000 }, 100, 4000), 0);
});

const play = (n, seat, ...cards) => ({ e: "play", n, seat, cards });
const view = [
  { e: "hand", n: 1, dealer: 0, first: 0, levels: [3, 3] },
  { e: "deal", card: "S5", dealt: 1 },
  { e: "deal", card: "HK", dealt: 5 },
  { e: "trump", n: 2, dealer: 0, level: 3, suit: "H" },
  { e: "bottom", n: 3, cards: ["C5", "D6"], dry: false },
  { e: "bury", n: 4, seat: 0, cards: ["C5", "HK"] },
  play(5, 0, "S5"),
  play(6, 1, "S6"),
  play(7, 2, "S7"),
  play(8, 3, "S8"),
  { e: "trick", n: 9, winner: 3, points: 5 },
];

test("a hand is read from its events", () => {
  const found = read(view, 0);
  assert.deepEqual(found.mine, ["D6"]);
  assert.equal(found.attackers, 5);
  assert.equal(found.tricks[0].winner, 3);
  assert.deepEqual(found.known, ["C5", "HK"]);
  assert.deepEqual(holdings(found, 8, 2), [1, 1, 1, 1]);
  assert.deepEqual(unseen(found, ["S5", "S5", "D6", "BJ", "HK"]), ["S5", "BJ"]);
});

test("what was taken back does not count", () => {
  const undone = [...view.slice(0, 7), { e: "undo", n: 7, to: 4 }];
  assert.deepEqual(counting(undone).map((event) => event.n ?? 0), [1, 0, 0, 2, 3, 4]);
  assert.deepEqual(read(undone, 0).mine.sort(), ["D6", "S5"]);
});

/** A hand with a deck of ten cards, two to a seat; the dealer's burial is hidden until the end. */
const deck = ["S3", "S4", "S5", "S6", "H3", "H4", "H5", "H6", "BJ", "LJ"];
const start = { e: "hand", n: 1, dealer: 1, first: 1, levels: [3, 3] };
const whole = [
  { ...start, deck },
  { e: "trump", n: 2, dealer: 1, level: 3, suit: "H" },
  { e: "bottom", n: 3, cards: ["BJ", "LJ"], dry: false, shown: false },
  { e: "bury", n: 4, seat: 1, cards: ["S3", "LJ"], shown: false },
  play(5, 1, "BJ"),
  play(6, 2, "S4"),
  play(7, 3, "S5"),
  play(8, 0, "S6"),
  { e: "trick", n: 9, winner: 1, points: 0 },
  { e: "early", n: 10 },
  { e: "settle", n: 11, bottom: ["S3", "LJ"] },
];

test("a finished hand lies open: what everybody held before the first lead, and what was never played", () => {
  const found = laid(whole);
  assert.deepEqual(found.hands.map((cards) => [...cards].sort()), [["H6", "S6"], ["BJ", "H3"], ["H4", "S4"], ["H5", "S5"]]);
  assert.deepEqual(found.left, [["H6"], ["H3"], ["H4"], ["H5"]]);
  assert.deepEqual(handsAfter(whole.slice(0, 1), 5), [["S6"], ["S3", "H3"], ["S4"], ["S5"]]);
});

test("who watches sees a hand open once it is over, and not before", () => {
  const hidden = [start, whole[1], { e: "bottom", n: 3, dry: false, shown: false }, { e: "bury", n: 4, seat: 1, shown: false }, ...whole.slice(4)];
  assert.equal(laid(hidden), null);
  const told = [...hidden, { e: "disclose", events: [whole[0], whole[2], whole[3]] }];
  assert.deepEqual(laid(told).hands, laid(whole).hands);
  assert.deepEqual(read(told, null).burials[0].cards, ["S3", "LJ"]);
  assert.equal(laid(whole.slice(0, -1)), null);
});

test("cards stand in the trump order in force, and none is lost", () => {
  const lanes = [{ lane: "S", cards: ["S3", "S4"] }, { lane: "trump", cards: ["H2", "BJ"] }];
  assert.deepEqual(grouped(["BJ", "S4", "S3", "S4", "C9"], lanes), [
    { lane: "S", cards: ["S3", "S4", "S4"] },
    { lane: "trump", cards: ["BJ"] },
    { lane: "", cards: ["C9"] },
  ]);
});

/** Hands of every shape: lengths of five groups, 45 cards at most. */
const hands = [[45], [39], [9, 9, 9, 9, 9], [1, 1, 1, 1, 41], [15, 15, 15], [0, 0, 20, 2, 17], [3, 13, 13, 13, 3], [12, 11, 11, 11]];

test("rows hold every card once, in order, and never more than fit", () => {
  for (const sizes of hands) {
    const groups = sizes.filter(Boolean).map((size, lane) => ({ lane: String(lane), cards: Array.from({ length: size }, (_, card) => `${lane}.${card}`) }));
    const cards = groups.flatMap((group) => group.cards);
    for (let most = 6; most <= 45; most++) {
      const rows = rowsOf(groups, most);
      assert.deepEqual(rows.flat().flatMap((part) => part.cards), cards);
      for (const row of rows) assert.ok(row.reduce((sum, part) => sum + part.cards.length, 0) <= most);
    }
  }
});

test("on every screen the cards fit, each with a strip that can be tapped", () => {
  for (const [width, height] of [[348, 217], [308, 200], [410, 270], [378, 292], [1268, 276]]) {
    for (const sizes of hands) {
      const groups = sizes.filter(Boolean).map((size, lane) => ({ lane: String(lane), cards: Array(size).fill("S3") }));
      const { rows, card, strip, step } = layout(groups, width, height);
      const widest = Math.max(...rows.map((row) => card + strip * (row.reduce((sum, part) => sum + part.cards.length, 0) - 1) + 8 * (row.length - 1)));
      assert.ok(widest <= width + 1, `${sizes}: ${widest} in ${width}`);
      assert.ok(strip >= 23 && (rows.length === 1 || step >= 26), `${sizes}: ${strip} ${step}`);
      assert.ok(1.4 * card + step * (rows.length - 1) <= height + 1, `${sizes} in ${width}x${height}`);
    }
  }
});

test("cards have their places, and are taken away one by one", () => {
  assert.deepEqual(allKinds().map(kindOf), Array.from({ length: 54 }, (_, place) => place));
  assert.deepEqual(without(["S3", "S3", "BJ"], ["S3", "D9"]), ["S3", "BJ"]);
  assert.equal(cardsText(["HT", "HT", "LJ"]), "♥10×2 small joker");
});

test("SHA-256 is SHA-256, at every length round a block", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 128, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 31) % 256);
    assert.equal(toHex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("every module is imported by a relative path, and no page holds a script or a style of its own", () => {
  const folder = new URL("../../apps/web/static/", import.meta.url);
  for (const page of ["index", "table", "rules", "score", "replay"]) {
    const html = readFileSync(new URL(`${page}.html`, folder), "utf8");
    assert.doesNotMatch(html, /<style|style=|\son\w+=|<script(?![^>]* src=)/);
    const [, entry] = /src="\/static\/js\/(\w+)\.js"/.exec(html) ?? [];
    const text = readFileSync(new URL(`js/${entry}.js`, folder), "utf8");
    for (const [, from] of text.matchAll(/from "([^"]+)"/g)) assert.match(from, /^\.\/\w+\.js$/);
  }
});

test("the heads of all pages are alike, but for their style sheets and their script", () => {
  const folder = new URL("../../apps/web/static/", import.meta.url);
  const pages = ["index", "table", "rules", "score", "replay"].map((page) => readFileSync(new URL(`${page}.html`, folder), "utf8"));
  const head = (/** @type {string} */ html) => (/^.*<\/head>/s.exec(html)?.[0] ?? "").replace(/ *<(?:link rel="stylesheet"|script).*\n/g, "");
  for (const html of pages) {
    assert.equal(head(html), head(/** @type {string} */ (pages[0])));
    assert.ok(html.includes('<link rel="stylesheet" href="/static/css/base.css" />'));
    for (const [, name] of html.matchAll(/href="\/static\/(css\/[^"]+)"/g)) assert.ok(readFileSync(new URL(String(name), folder), "utf8"));
  }
  // The pages beside the table are the same to the last letter otherwise: only the script that draws them differs.
  const body = (/** @type {string} */ html) => html.slice(html.indexOf("<body>")).replace(/<main .*<\/main>/, "");
  const beside = pages.filter((html) => !html.includes('id="play"'));
  assert.equal(beside.length, 4);
  for (const html of beside) assert.equal(body(html), body(/** @type {string} */ (beside[0])));
});

test("a part of the shuffle that was replaced after the deal is found out", async () => {
  const { contribution } = await import("../../apps/web/static/js/fairness.js");
  const { checked } = await import("../../apps/web/static/js/dealing.js");
  const value = contribution("t", { hash: "ab", hand: 4, redeal: 1 });
  const read = (/** @type {string} */ hash, /** @type {string | null} */ told, hand = 4) =>
    /** @type {any} */ ({
      start: { fair: { hash, contributions: [null, told, null, null] }, hand, redeal: 1, dealer: 0 },
      settle: { fair_seed: "00".repeat(32) },
      dealt: [],
      bottom: null,
      taken: null,
    });
  const own = (/** @type {any} */ reading) => checked(reading, 3, "t", 1)[1];
  assert.ok(own(read("ab", value)).good);
  assert.ok(!own(read("cd", value)).good);
  assert.ok(!own(read("ab", "00".repeat(32))).good);
  assert.ok(!own(read("ab", null)).good);
  assert.ok(!own(read("ab", value, 5)).good);
  assert.ok(own(read("ab", null, 5)).good);
  assert.equal(checked(read("ab", value), 3, "t", null).length + 1, checked(read("ab", value), 3, "t", 1).length);
});
