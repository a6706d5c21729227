/** Replays: a record from a file or from a table, looked at event by event with all hands open, and a link to a moment. */

import { api } from "./api.js";
import { cardText, kindOf } from "./cards.js";
import { read as who } from "./connection.js";
import { fill, h, the } from "./dom.js";
import { Felt } from "./felt.js";
import { complain } from "./notices.js";
import { handsAfter, holdings, read } from "./reading.js";
import { resultView } from "./result.js";
import { page } from "./top.js";
import { tell } from "./telling.js";
import { counted, say, t } from "./words.js";

/** @typedef {import("./types.js").Event} Event */

const address = new URLSearchParams(location.hash.slice(1));
/** @type {any} */
let header = null;
/** The hands of the record: the places of their first events and the ends. @type {{from: number, to: number}[]} */
let hands = [];
/** @type {Event[]} */
let events = [];
let at = 0;
let hand = 0;
/** What `gunzi verify` says of it, null while it is not known. @type {any} */
let verdict = null;
let playing = 0;
/** How many records have been opened. */
let opened = 0;
/** Does the address lead to this record? To that of a file there is no link. */
let linked = false;

/**
 * Take a record's text.
 * @param {string} text
 * @param {boolean} [byAddress] it is the one that the page's address names
 */
async function take(text, byAddress = false) {
  linked = byAddress;
  const mine = ++opened;
  try {
    const rows = text.split("\n").filter((row) => row.trim()).map((row) => JSON.parse(row));
    if (rows[0]?.gunzi !== 1) throw new Error("no header");
    header = rows[0];
    verdict = null;
    events = rows.slice(1).filter((event) => event.n !== undefined);
  } catch {
    complain({ text: { zh: "这不是牌谱：第一行要以 {\"gunzi\": 1 开头，每行一个 JSON", en: 'this is no record: its first line begins with {"gunzi": 1, and every line is JSON' } });
    return;
  }
  hands = [];
  events.forEach((event, place) => {
    if (event.e === "hand") hands.push({ from: place, to: events.length });
    const before = hands.at(-2);
    if (event.e === "hand" && before) before.to = place;
  });
  const wanted = byAddress ? Number(address.get("at") ?? 0) : 0;
  const place = Math.max(0, events.findIndex((event) => event.n === wanted));
  hand = Math.max(0, hands.findLastIndex(({ from }) => from <= place));
  at = wanted ? place : (hands[hand]?.from ?? 0);
  draw();
  const said = await api("verify", { body: text }).catch(() => null);
  if (mine !== opened) return; // another record has been opened meanwhile
  verdict = said;
  draw();
}

/** @param {number} seat */
function names(seat) {
  return header?.players?.[seat % 4]?.name ?? t(`${seat + 1} 号`, `seat ${seat + 1}`);
}

/** All that is open at the moment, every card included. */
function moment() {
  const start = hands[hand];
  if (!start) return null;
  const shown = events.slice(start.from, at + 1);
  const first = /** @type {Event} */ (events[start.from]);
  const deck = /** @type {string[]} */ (first["deck"] ?? []);
  const inDeal = !shown.some((event) => event.e === "trump");
  const size = deck.length - (events.slice(start.from, start.to).find((event) => event.e === "bottom")?.["cards"]?.length ?? 6);
  const out = inDeal ? (shown.findLast((event) => event["dealt"] !== undefined)?.["dealt"] ?? (shown.length > 1 ? size : 0)) : size;
  const open = handsAfter(shown, out).map((cards) => cards.sort((a, b) => kindOf(a) - kindOf(b)));
  return { reading: read(shown, null), open, out, bottom: deck.length - size };
}

/** @param {number} by */
function go(by) {
  const last = (hands.at(-1)?.to ?? 1) - 1;
  at = Math.max(0, Math.min(last, at + by));
  hand = Math.max(0, hands.findLastIndex(({ from }) => from <= at));
  if (linked) history.replaceState(null, "", `#${new URLSearchParams({ ...Object.fromEntries(address), at: String(events[at]?.n ?? 0) })}`);
  draw();
}

const felt = new Felt(h("div", { class: "felt replay" }));

function draw() {
  try {
    drawAll();
  } catch {
    // Whatever is wrong with the record, what the server says of it can be read.
    header = null;
    complain({ text: { zh: "这份牌谱有错，画不出来", en: "something is wrong with this record: it cannot be shown" } });
    drawAll();
  }
}

function drawAll() {
  const pick = h(
    "label",
    { class: "button" },
    t("打开牌谱文件…", "Open a record…"),
    h("input", {
      type: "file",
      class: "aside",
      accept: ".jsonl,.json,text/plain",
      onchange: async (/** @type {any} */ event) => event.target.files[0] && take(await event.target.files[0].text()),
    }),
  );
  const now = header ? moment() : null;
  if (now) {
    felt.show({
      reading: now.reading,
      names,
      bottomSeat: 0,
      held: holdings(now.reading, now.out, now.bottom),
      turn: null,
      clock: null,
      since: 0,
      marks: () => [],
      clockwise: header?.rules?.options?.direction === "clockwise",
      open: now.open,
    });
  }
  const settle = now?.reading.settle;
  fill(
    the("page"),
    h("h1", {}, t("看牌谱", "Replay")),
    h("div", { class: "row" }, pick),
    verdict ? h("p", { class: verdict.ok ? "good" : "bad" }, verdict.ok ? t(`查过了：${verdict.hands} 把都合规则`, `checked: ${counted(verdict.hands, "hand follows", "hands follow")} the rules`) : say(verdict)) : null,
    now
      ? [
          h("div", { class: "row" }, h("label", { class: "row" }, t("第几把", "hand"), h("select", { onchange: (/** @type {any} */ event) => ((hand = Number(event.target.value)), (at = hands[hand]?.from ?? 0), go(0)) }, hands.map(({ from }, place) => h("option", { value: place, selected: place === hand }, `${events[from]?.["round"]}·${events[from]?.["hand"]}${events[from]?.["redeal"] ? "*" : ""}`))))),
          felt.place,
          nearHand(now.open[0] ?? []),
          h(
            "div",
            { class: "row" },
            h("button", { type: "button", onclick: () => go(-1e9), "aria-label": t("回到开头", "to the beginning") }, "|◀"),
            h("button", { type: "button", onclick: () => go(-1), "aria-label": t("上一步", "back") }, "◀"),
            h("button", { type: "button", class: "main", onclick: run }, playing ? t("停", "Stop") : t("放", "Play")),
            h("button", { type: "button", onclick: () => go(1), "aria-label": t("下一步", "on") }, "▶"),
            h("input", { type: "range", min: hands[hand]?.from ?? 0, max: (hands[hand]?.to ?? 1) - 1, value: at, "aria-label": t("第几步", "event"), oninput: (/** @type {any} */ event) => ((at = Number(event.target.value)), go(0)) }),
            linked ? h("a", { href: location.href }, t("这一刻的链接", "Link to this moment")) : null,
          ),
          h("p", { role: "status" }, tell(/** @type {Event} */ (events[at]), names)),
          settle ? h("section", { class: "panel" }, resultView(settle, names, null)) : null,
        ]
      : h("p", { class: "quiet" }, t("选一个 .jsonl 牌谱文件：打完的桌可以导出，gunzi simulate --record 也写这种文件。", "Choose a .jsonl record: finished tables export it, and gunzi simulate --record writes it.")),
  );
}

/** @param {readonly string[]} cards */
function nearHand(cards) {
  return cards.length ? h("div", { class: "row" }, h("span", { class: "small" }, names(0)), h("div", { class: "open-hand" }, cards.map((card) => h("span", { class: card[0] }, cardText(card))))) : null;
}

function run() {
  if (playing) {
    clearInterval(playing);
    playing = 0;
  } else playing = window.setInterval(() => (at >= (hands[hand]?.to ?? 1) - 1 ? run() : go(1)), 700);
  draw();
}

page("replay", draw);
const table = address.get("table");
if (table) {
  const game = address.get("game") ?? "1";
  const wanted = address.get("hand");
  api(`tables/${table}/record?game=${game}${wanted ? `&hand=${wanted}` : ""}`, { token: who(table)?.token, text: true }).then((text) => take(text, true), complain);
}
