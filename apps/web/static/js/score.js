/** The scorekeeper: for people with real cards. Entries are kept in this browser; the server works out levels, dealer, tribute, sheet. */

import { api } from "./api.js";
import { cardsText, levelText, suitName } from "./cards.js";
import { fill, h, the } from "./dom.js";
import { complain } from "./notices.js";
import { keepPage } from "./offline.js";
import { resultView, sheetTable } from "./result.js";
import { showRule } from "./ruling.js";
import { page } from "./top.js";
import { say, t } from "./words.js";

const KEPT = "gunzi.score";
/** @type {{rules: string, players: string[], hands: Record<string, string>[], undone: Record<string, string>[]}} */
let book = { rules: "dalian", players: ["", "", "", ""], hands: [], undone: [] };
try {
  book = { ...book, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
} catch {
  // unreadable: a new book
}
/** @type {any[]} */
let presets = [];
/** The sheet as the server last worked it out, kept for the time without a network. @type {any} */
let sheet = null;
try {
  sheet = JSON.parse(localStorage.getItem(`${KEPT}.sheet`) ?? "null");
} catch {
  // unreadable: it is worked out again
}
/** @type {Record<string, string>} */
let entry = {};
/** Is the sheet that is shown older than the entries, because the server could not be reached? */
let behind = false;

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(book));
    localStorage.setItem(`${KEPT}.sheet`, JSON.stringify(sheet));
  } catch {
    // no storage: the book lasts as long as the page
  }
}

/** @param {number} seat */
function names(seat) {
  return book.players[seat % 4] || t(`${(seat % 4) + 1} 号`, `seat ${(seat % 4) + 1}`);
}

/** @param {boolean} [quietly] the page is left alone when the server is still out of reach: somebody may be typing */
async function reckon(quietly) {
  keep();
  try {
    sheet = await api("score", { body: { rules: book.rules, players: book.players.map((name, seat) => name || String(seat + 1)), hands: book.hands } });
    behind = false;
    if (sheet.wrong) {
      // The last entry cannot be: it goes back into the form with what is wrong about it.
      complain({ text: sheet.wrong });
      entry = book.hands.pop() ?? {};
    }
    keep();
  } catch (error) {
    behind = true;
    if (quietly) return;
    if (!(/** @type {any} */ (error).status === 0)) complain(error);
  }
  draw();
}

function add() {
  book.hands.push(entry);
  book.undone = [];
  entry = {};
  reckon();
}

function undo() {
  const last = book.hands.pop();
  if (last) book.undone.push(last);
  reckon();
}

function redo() {
  const next = book.undone.pop();
  if (next) book.hands.push(next);
  reckon();
}

/**
 * @param {string} key
 * @param {string} text
 * @param {[string, string][]} values
 */
function choice(key, text, values) {
  return h(
    "label",
    {},
    text,
    h("select", { id: `score-${key}`, onchange: (/** @type {any} */ event) => (entry[key] = event.target.value) }, h("option", { value: "" }, "—"), values.map(([value, shown]) => h("option", { value, selected: entry[key] === value }, shown))),
  );
}

/**
 * @param {string} key
 * @param {string} text
 * @param {Record<string, any>} more
 */
function typed(key, text, more = {}) {
  return h("label", {}, text, h("input", { id: `score-${key}`, value: entry[key] ?? "", oninput: (/** @type {any} */ event) => (entry[key] = event.target.value), ...more }));
}

function form() {
  const wanted = new Set(sheet?.standing?.wanted ?? ["dealer", "trump", "points", "captured", "bottom", "dry"]);
  const yesNo = /** @type {[string, string][]} */ ([
    ["yes", t("是", "yes")],
    ["no", t("否", "no")],
  ]);
  const fields = /** @type {Record<string, () => Node>} */ ({
    dealer: () => choice("dealer", t("谁坐庄", "Dealer"), [0, 1, 2, 3].map((seat) => [String(seat), names(seat)])),
    trump: () => choice("trump", t("什么主", "Trump"), ["S", "H", "C", "D"].map((suit) => [suit, suitName(suit)])),
    tribute: () => typed("tribute", t("实际进贡几张", "Tribute paid"), { inputmode: "numeric" }),
    points: () => typed("points", t("抓分方台面得分", "Attackers' points in tricks"), { inputmode: "numeric" }),
    captured: () => choice("captured", t("抠底了吗", "Bottom captured?"), yesNo),
    bottom: () => typed("bottom", t("底牌（S5,HK,BJ…）", "Bottom (S5,HK,BJ…)"), { autocapitalize: "characters" }),
    dry: () => choice("dry", t("干锅吗", "Dry pot?"), yesNo),
  });
  return h(
    "form",
    { class: "panel stack", onsubmit: (/** @type {any} */ event) => (event.preventDefault(), add()) },
    h("h2", {}, t(`记第 ${book.hands.length + 1} 把`, `Hand ${book.hands.length + 1}`)),
    h("div", { class: "fields" }, Object.entries(fields).filter(([key]) => wanted.has(key)).map(([, make]) => make())),
    h(
      "div",
      { class: "row" },
      h("button", { class: "main", type: "submit" }, t("记上", "Enter")),
      h("button", { type: "button", disabled: !book.hands.length, onclick: undo }, t("退一步", "Undo")),
      h("button", { type: "button", disabled: !book.undone.length, onclick: redo }, t("再记上", "Redo")),
    ),
  );
}

function standing() {
  const now = sheet?.standing;
  if (!now) return null;
  return h(
    "section",
    { class: "panel", role: "status" },
    h("p", { class: "headline" }, t(`甲方打 ${levelText(now.levels[0])}，乙方打 ${levelText(now.levels[1])}`, `side A plays ${levelText(now.levels[0])}, side B ${levelText(now.levels[1])}`)),
    h("p", {}, now.dealer === null ? t("头一把，还没定庄", "first hand: no dealer yet") : t(`${names(now.dealer)}坐庄`, `${names(now.dealer)} deals`), now.owed ? t(`，${names(now.owed.from)}给${names(now.owed.to)}进贡 ${now.owed.count} 张`, `; ${names(now.owed.from)} pays ${names(now.owed.to)} ${now.owed.count}`) : ""),
  );
}

/** Entries that no sheet has yet: the server is out of reach, and says nothing of them until it is back. */
function waiting() {
  const rest = book.hands.slice(sheet?.rows?.length ?? 0);
  if (!behind) return null;
  return h(
    "section",
    { class: "panel stack", id: "waiting", role: "status" },
    h("p", { class: "bad" }, t("没连上服务器。可以接着记，记下的都在这台机器上；级数、坐庄、进贡和分数等连上了再算。", "The server is out of reach. Go on entering: entries are kept on this device; levels, dealer, tribute and scores are worked out when it is back.")),
    rest.length ? h("ul", {}, rest.map((hand, place) => h("li", {}, t(`第 ${book.hands.length - rest.length + place + 1} 把：`, `hand ${book.hands.length - rest.length + place + 1}: `), h("code", {}, Object.entries(hand).map(([key, value]) => `${key}=${value}`).join(" "))))) : null,
  );
}

function sheetView() {
  if (!sheet?.rows?.length) return null;
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, t("记分表", "Score sheet")),
    sheetTable(
      sheet.rows.map((/** @type {any} */ row) => ({ ...row, ...row.result, round: row.round, hand: row.hand, levels: row.levels, dealer: row.dealer, suit: row.told.trump ?? null, captured: row.told.captured === "yes" })),
      sheet,
      names,
    ),
    sheet.rows.toReversed().map((/** @type {any} */ row, /** @type {number} */ place) =>
      h(
        "details",
        { open: place === 0 },
        h("summary", {}, t(`第 ${row.number} 把怎么来的`, `how hand ${row.number} came out`)),
        row.told.bottom ? h("p", { class: "quiet" }, t("底牌 ", "bottom "), cardsText(row.result.bottom)) : null,
        resultView(row.result, names, (rule) => sheet.rules && showRule(sheet.rules, rule)),
        row.remarks.map((/** @type {any} */ remark) => h("p", { class: "quiet small" }, say(remark))),
      ),
    ),
  );
}

function draw() {
  fill(
    the("page"),
    h("h1", {}, t("记分", "Scorekeeper")),
    h(
      "section",
      { class: "panel stack" },
      h("label", { class: "row" }, t("规则", "Rules"), h("select", { id: "score-rules", onchange: (/** @type {any} */ event) => ((book.rules = event.target.value), reckon()) }, presets.some((each) => each.id === book.rules) ? null : h("option", { value: book.rules, selected: true }, book.rules.slice(0, 20)), presets.map((each) => h("option", { value: each.id, selected: each.id === book.rules }, say(each.name)))), h("a", { href: "/rules" }, t("自己定", "Make your own"))),
      h("div", { class: "fields" }, book.players.map((name, seat) => h("label", {}, t(`座位 ${seat + 1}（${seat % 2 ? "乙" : "甲"}方）`, `seat ${seat + 1} (side ${seat % 2 ? "B" : "A"})`), h("input", { value: name, maxlength: 24, onchange: (/** @type {any} */ event) => ((book.players[seat] = event.target.value), reckon()) })))),
    ),
    waiting(),
    standing(),
    form(),
    sheetView(),
    h("div", {}, h("button", { type: "button", class: "plain bad", onclick: () => ((book = { ...book, hands: [], undone: [...book.hands].reverse() }), reckon()) }, t("重新开一张", "Start a new sheet"))),
  );
}

page("score", draw);
const given = new URLSearchParams(location.hash.slice(1)).get("rules");
if (given) book.rules = given;
const AGAIN_MS = 15_000;
api("presets").then((found) => {
  presets = found;
  reckon();
  keepPage();
}, () => reckon());
addEventListener("online", () => reckon(true));
setInterval(() => behind && !document.hidden && reckon(true), AGAIN_MS);
