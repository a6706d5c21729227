/**
 * The scorekeeper: for people with real cards. Entries are kept in this browser. With the rules comes their reckoning (reckoning.js), in
 * which hands are looked up here, network or not; rules that have none are reckoned by the server.
 */

import { api } from "./api.js";
import { levelText, suitName } from "./cards.js";
import { fill, h, the } from "./dom.js";
import { complain, notice } from "./notices.js";
import { keep as keepAnswers, keepPage } from "./offline.js";
import { reckoned } from "./reckoning.js";
import { resultView, sheetTable } from "./result.js";
import { showRule, whole, whyButton } from "./ruling.js";
import { fields } from "./score_form.js";
import { page } from "./top.js";
import { say, t } from "./words.js";

/** @typedef {import("./reckoning.js").Entry} Entry */

const KEPT = "gunzi.score";
const MOST_STEPS = 100;
/** `past` and `future`: the hands before each step, and after those that were taken back.
 * @type {{rules: string, players: string[], hands: Entry[], past: Entry[][], future: Entry[][]}} */
let book = { rules: "dalian", players: ["", "", "", ""], hands: [], past: [], future: [] };
/** @type {any[]} */
let presets = [];
/** The sheet as it was last worked out. @type {any} */
let sheet = null;
/** The reckoning of the rules, once it is here. @type {import("./reckoning.js").Reckoning | null} */
let table = null;
/** Why there is none: not fetched yet, out of reach, rules that are none, or that no reckoning can be made of. @type {"fetching" | "unreachable" | "wrong" | "none" | ""} */
let lacking = "fetching";
/** Can the page be opened again without a network? */
let safe = false;
/** @type {Entry} */
let entry = {};
/** The place of the hand that is being corrected; null: a new one is entered. @type {number | null} */
let place = null;
/** Is the sheet that is shown older than the entries, because the server could not be reached, or has refused them? */
let behind = false;
/** Why it has refused them. @type {import("./words.js").Text | null} */
let refused = null;
let asked = 0;
try {
  const { rules, players, hands, past, future } = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  if (typeof rules === "string") book.rules = rules;
  if (Array.isArray(players) && players.length === 4) book.players = players.map(String);
  if (areHands(hands)) book.hands = hands;
  if (Array.isArray(past) && past.every(areHands)) book.past = past;
  if (Array.isArray(future) && future.every(areHands)) book.future = future;
  const found = JSON.parse(localStorage.getItem(`${KEPT}.sheet`) ?? "null");
  if (Array.isArray(found?.rows)) sheet = found;
} catch {
  // unreadable: a new book, and the sheet is worked out again
}

/** @param {any} found */
function areHands(found) {
  return Array.isArray(found) && found.every((each) => each !== null && typeof each === "object");
}

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

// -- reckoning --------------------------------------------------------------------------------------------------------

/** The sheet of these hands: looked up here, or asked of the server. Throws ApiError where that is out of reach. @param {Entry[]} hands */
async function sheetOf(hands) {
  if (table) return reckoned(table, hands);
  return api("score", { body: { rules: book.rules, players: book.players.map((name, seat) => name || String(seat + 1)), hands } });
}

/** @param {boolean} [quietly] the page is left alone when the server is still out of reach: somebody may be typing */
async function reckon(quietly) {
  keep();
  const mine = ++asked;
  try {
    const found = await sheetOf(book.hands);
    if (mine !== asked) return; // something else was asked for meanwhile
    sheet = found;
    behind = false;
    refused = null;
    keep();
  } catch (error) {
    if (mine !== asked) return;
    const { passing, text } = /** @type {any} */ (error);
    behind = true;
    refused = passing ? null : (text ?? null);
    if (quietly) return;
    if (!passing) complain(error);
  }
  draw();
}

/** Fetch the reckoning of the rules, reckon, and keep it. @param {boolean} [quietly] */
async function fetchTable(quietly) {
  const { rules } = book;
  const path = `reckoning?rules=${encodeURIComponent(rules)}`;
  /** @type {any} */
  let found = null;
  try {
    found = await api(path);
  } catch (error) {
    if (rules !== book.rules) return;
    const { passing, text } = /** @type {any} */ (error);
    lacking = passing ? "unreachable" : "wrong";
    if (passing) return reckon(quietly);
    // A share code that was cut short, say: nothing can be reckoned by it.
    sheet = null;
    behind = true;
    refused = text ?? null;
    draw();
    return;
  }
  if (rules !== book.rules) return;
  table = found.reckoning;
  lacking = table ? "" : "none";
  await reckon(quietly);
  await whole(found.rules.hash).catch(() => null); // what a rule says can be read without a network, too
  const kept = table !== null && (await keepAnswers([`/api/${path}`, `/api/rules/${found.rules.hash}`]));
  if (rules !== book.rules) return;
  safe = kept;
  document.documentElement.dataset["reckoning"] = safe ? "kept" : table ? "here" : "none";
  fill(the("score-offline"), offlineText());
}

/** @param {string} rules */
function choose(rules) {
  book.rules = rules;
  // What other rules made of the hands says nothing now.
  sheet = table = null;
  safe = false;
  lacking = "fetching";
  behind = false;
  refused = null;
  delete document.documentElement.dataset["reckoning"];
  keep();
  draw();
  fetchTable();
}

// -- changing ---------------------------------------------------------------------------------------------------------

/** @param {Entry[]} hands */
function change(hands) {
  book.past = [...book.past, book.hands].slice(-MOST_STEPS);
  book.future = [];
  book.hands = hands;
}

async function enter() {
  const at = place ?? book.hands.length;
  const before = { ...book };
  change([...book.hands.slice(0, at), { ...entry }, ...book.hands.slice(at + 1)]);
  const told = { entry, place };
  entry = {};
  place = null;
  await reckon();
  if (sheet?.wrong?.hand !== at + 1) return;
  // It cannot be: nothing is entered, and it stays in the form with what is wrong about it.
  const { wrong } = sheet;
  book = { ...book, hands: before.hands, past: before.past, future: before.future };
  ({ entry, place } = told);
  await reckon();
  notice(say(wrong), "bad");
  document.getElementById(`score-${wrong.key}`)?.focus();
}

/**
 * @param {"past" | "future"} from
 * @param {"past" | "future"} to
 */
function step(from, to) {
  const hands = book[from].at(-1);
  if (!hands) return;
  book = { ...book, hands, [from]: book[from].slice(0, -1), [to]: [...book[to], book.hands] };
  entry = {};
  place = null;
  reckon();
}

/** @param {number} at */
function correct(at) {
  place = at;
  entry = { ...book.hands[at] };
  draw();
  the("score-form").scrollIntoView({ block: "start" });
}

// -- what is shown ----------------------------------------------------------------------------------------------------

/** How the table stood before a hand. @param {number} at */
function before(at) {
  const row = sheet?.rows?.[at];
  const more = sheet?.last && entry["captured"] === "yes" ? ["last"] : [];
  if (!row) {
    // Hands before this one are not worked out yet: who deals and what is owed is not known, but what was done can be told.
    if (behind && at > (sheet?.rows?.length ?? 0)) return { dealer: null, owed: null, unknown: true, wanted: ["dealer", "trump", "captured", ...more, "points", "bottom", "dry"] };
    const now = sheet?.standing ?? { dealer: null, owed: null, wanted: ["dealer", "trump", "captured", "points", "bottom", "dry"] };
    return { ...now, wanted: [...now.wanted, ...more] };
  }
  const last = sheet.rows[at - 1];
  const first = row.hand === 1;
  const found = { number: row.number, round: row.round, hand: row.hand, levels: row.levels, dealer: first ? null : last.result.next_dealer, dealer_by: "", owed: first ? null : last.result.owed };
  return { ...found, wanted: [...(first ? ["dealer"] : []), "trump", ...(found.owed ? ["tribute"] : []), "captured", "points", "bottom", "dry", ...more] };
}

function form() {
  const at = place ?? book.hands.length;
  return h(
    "form",
    { class: "panel stack", id: "score-form", onsubmit: (/** @type {any} */ event) => (event.preventDefault(), enter()) },
    h("h2", {}, place === null ? t(`记第 ${at + 1} 把`, `Hand ${at + 1}`) : t(`改第 ${at + 1} 把`, `Correct hand ${at + 1}`)),
    h("div", { class: "fields" }, fields(entry, before(at), table, names, draw)),
    h(
      "div",
      { class: "row" },
      h("button", { class: "main", type: "submit" }, place === null ? t("记上", "Enter") : t("改好了", "Save")),
      place === null
        ? [
            h("button", { type: "button", id: "score-undo", disabled: !book.past.length, onclick: () => step("past", "future") }, t("退一步", "Undo")),
            h("button", { type: "button", id: "score-redo", disabled: !book.future.length, onclick: () => step("future", "past") }, t("再记上", "Redo")),
          ]
        : h("button", { type: "button", onclick: () => ((place = null), (entry = {}), draw()) }, t("不改了", "Leave it")),
    ),
  );
}

/** @param {string} rule */
function askRule(rule) {
  return whyButton(rule, () => sheet.rules && showRule(sheet.rules, rule));
}

function standing() {
  const now = sheet?.standing;
  if (!now || behind) return null;
  const sides = [0, 1].map((side) => t(`${names(side)}、${names(side + 2)}打 ${levelText(now.levels[side])}`, `${names(side)} and ${names(side + 2)} play ${levelText(now.levels[side])}`));
  const won = sheet.rounds_won ?? [0, 0];
  return h(
    "section",
    { class: "panel stack", id: "standing", role: "status" },
    h("p", { class: "quiet small" }, t(`第 ${now.number} 把（第 ${now.round} 轮第 ${now.hand} 把）`, `hand ${now.number} (round ${now.round}, hand ${now.hand})`)),
    h("p", { class: "headline" }, sides.join(t("，", ", "))),
    now.dealer === null
      ? h("p", {}, t("一轮的头一把，还没定庄", "the first hand of a round: no dealer yet"))
      : h("p", {}, t(`${names(now.dealer)}坐庄，打 ${levelText(now.levels[now.dealer % 2])}`, `${names(now.dealer)} deals, level ${levelText(now.levels[now.dealer % 2])}`), now.dealer_by ? askRule(now.dealer_by) : null),
    now.owed ? h("p", {}, t(`${names(now.owed.from)}给${names(now.owed.to)}进贡 ${now.owed.count} 张`, `${names(now.owed.from)} pays ${now.owed.count} of tribute to ${names(now.owed.to)}`)) : now.dealer === null ? null : h("p", {}, t("不用进贡", "no tribute")),
    won[0] + won[1] ? h("p", {}, t(`赢的轮数：${names(0)}、${names(2)} ${won[0]}，${names(1)}、${names(3)} ${won[1]}`, `rounds won: ${names(0)} and ${names(2)} ${won[0]}, ${names(1)} and ${names(3)} ${won[1]}`)) : null,
  );
}

/** Entries that no sheet has yet: the server is out of reach, and says nothing of them until it is back. */
function waiting() {
  if (!behind) return null;
  const rest = book.hands.slice(sheet?.rows?.length ?? 0);
  return h(
    "section",
    { class: "panel stack", id: "waiting", role: "status" },
    h("p", { class: "bad" }, refused ? say(refused) : t("没连上服务器。可以接着记，记下的都在这台机器上；级数、坐庄、进贡和分数等连上了再算。", "The server is out of reach. Go on entering: entries stay on this device; levels, dealer, tribute and scores are worked out when it is back.")),
    rest.length ? h("ul", {}, rest.map((hand, more) => h("li", {}, t(`第 ${book.hands.length - rest.length + more + 1} 把：`, `hand ${book.hands.length - rest.length + more + 1}: `), toldText(hand)))) : null,
  );
}

/** An entry in words, as far as it has been told. @param {Entry} told */
function toldText(told) {
  const { dealer, trump, tribute, captured, points, bottom, dry, last } = told;
  const each = [
    dealer ? t(`${names(Number(dealer[0]))}坐庄`, `${names(Number(dealer[0]))} dealt`) : "",
    trump ? t(`${suitName(trump)}主`, `${suitName(trump)} trump`) : "",
    tribute === "no" ? t("没进贡", "no tribute") : paidText(tribute ?? ""),
    captured ? (captured === "yes" ? t("抠底", "bottom captured") : t("保底", "bottom held")) : "",
    points ? t(`台面 ${points} 分`, `${points} points in tricks`) : "",
    bottom ? t(`底牌 ${bottom}`, `bottom ${bottom}`) : "",
    dry === "yes" ? t("干锅", "dry pot") : "",
    last ? t(`最后一手 ${last}`, `last play ${last}`) : "",
  ];
  return each.filter(Boolean).join(" · ");
}

/** A hand that these rules cannot take, because others were chosen or an earlier one was corrected. */
function stuck() {
  const wrong = sheet?.wrong;
  if (!wrong || behind) return null;
  return h(
    "section",
    { class: "panel stack", id: "stuck", role: "alert" },
    h("p", { class: "bad" }, t(`第 ${wrong.hand} 把记不下去：${say(wrong)}`, `hand ${wrong.hand} cannot be: ${say(wrong)}`)),
    h("p", {}, t("后面的都还在，改好这一把接着算。", "The later ones are still here: correct this one and they are worked out again.")),
    h("button", { type: "button", class: "main", onclick: () => correct(wrong.hand - 1) }, t(`改第 ${wrong.hand} 把`, `Correct hand ${wrong.hand}`)),
  );
}

/** @param {any} remark what the table did otherwise than the rules had it */
function remarkText(remark) {
  if (remark.kind === "dealer") return t(`该${names(remark.due)}坐庄，实际是${names(remark.was)}；照实际打的记`, `${names(remark.due)} should have dealt, ${names(remark.was)} did; kept as it was played`);
  if (remark.kind === "tribute") return t(`${names(remark.from)}给${names(remark.to)}进贡，按规则不该；照实际进的记`, `${names(remark.from)} paid ${names(remark.to)} though the rules had it otherwise; kept as it was paid`);
  return say(remark);
}

function sheetView() {
  if (!sheet?.rows?.length) return null;
  return h(
    "section",
    { class: "panel stack", id: "sheet" },
    h("h2", {}, t("记分表", "Score sheet")),
    sheetTable(
      sheet.rows.map((/** @type {any} */ row) => ({ ...row, ...row.result, round: row.round, hand: row.hand, levels: row.levels, dealer: row.dealer, suit: row.told.trump ?? null, captured: row.told.captured === "yes" })),
      sheet,
      names,
    ),
    sheet.rows.toReversed().map((/** @type {any} */ row, /** @type {number} */ back) =>
      h(
        "details",
        { open: back === 0 },
        h("summary", {}, t(`第 ${row.number} 把怎么来的`, `how hand ${row.number} came out`)),
        resultView(row.result, names, (rule) => sheet.rules && showRule(sheet.rules, rule)),
        paidText(row.told.tribute ?? "") ? h("p", { class: "quiet small" }, t("这一把", "in this hand "), paidText(row.told.tribute)) : null,
        row.remarks.map((/** @type {any} */ remark) => h("p", { class: "quiet small" }, remarkText(remark))),
        h("button", { type: "button", class: "small", onclick: () => correct(row.number - 1) }, t(`改第 ${row.number} 把`, `Correct hand ${row.number}`)),
      ),
    ),
  );
}

/** @param {string} tribute */
function paidText(tribute) {
  const [, from, to, count] = /^(\d)>(\d):(\d+)!?$/.exec(tribute) ?? [];
  return count ? t(`${names(Number(from))}给${names(Number(to))}进贡 ${count} 张`, `${names(Number(from))} paid ${count} of tribute to ${names(Number(to))}`) : "";
}

/** Whether the rules can be reckoned without a network, in a sentence. */
function offlineText() {
  if (lacking === "none") return t("这套规则带着插件，光凭记下的这几样，只有服务器算得出：没网的时候先记着，连上了再算。", "These rules come with a plugin, and only the server can reckon them from what is entered here. Without a network entries are kept and worked out later.");
  if (lacking === "fetching") return t("正在取这套规则……", "fetching these rules…");
  if (lacking === "wrong") return t("这套规则用不了，换一套吧；记下的都还在。", "These rules cannot be used: choose others; what was entered is still here.");
  if (lacking === "unreachable") return t("没连上服务器，没取到这套规则。", "the server is out of reach: these rules could not be fetched.");
  if (safe) return t("规则已经存在这台机器上：没有网络也照样算，关了页再开也行。", "The rules are on this device: everything is reckoned without a network, too, even when the page is opened again.");
  return t("规则已经在这一页里：没有网络也照样算，只是别关这一页。", "The rules are in this page: everything is reckoned without a network, too, as long as the page stays open.");
}

function draw() {
  fill(
    the("page"),
    h("h1", {}, t("记分", "Scorekeeper")),
    h(
      "section",
      { class: "panel stack" },
      h("label", { class: "row" }, t("规则", "Rules"), h("select", { id: "score-rules", onchange: (/** @type {any} */ event) => choose(event.target.value) }, presets.some((each) => each.id === book.rules) ? null : h("option", { value: book.rules, selected: true }, sheet?.rules ? say(sheet.rules.name) : book.rules.slice(0, 20)), presets.map((each) => h("option", { value: each.id, selected: each.id === book.rules }, say(each.name)))), h("a", { href: "/rules" }, t("自己定", "Make your own"))),
      h("p", { class: "quiet small", id: "score-offline" }, offlineText()),
      h("details", {}, h("summary", {}, t("四家的名字", "The four names")), h("div", { class: "fields" }, book.players.map((name, seat) => h("label", {}, t(`座位 ${seat + 1}（和座位 ${((seat + 2) % 4) + 1} 一伙）`, `seat ${seat + 1} (with seat ${((seat + 2) % 4) + 1})`), h("input", { value: name, maxlength: 24, onchange: (/** @type {any} */ event) => ((book.players[seat] = event.target.value), reckon()) }))))),
    ),
    waiting(),
    stuck(),
    standing(),
    form(),
    sheetView(),
    h("div", {}, h("button", { type: "button", class: "plain bad", disabled: !book.hands.length, onclick: () => (change([]), (entry = {}), (place = null), reckon()) }, t("重新开一张", "Start a new sheet"))),
  );
}

page("score", draw);
const given = new URLSearchParams(location.hash.slice(1)).get("rules");
if (given && given !== book.rules) {
  book.rules = given;
  sheet = null;
}
const AGAIN_MS = 15_000;
api("presets").then((found) => {
  presets = found;
  draw();
  keepPage();
}, () => draw());
fetchTable();
const again = () => (table || lacking === "wrong" ? undefined : lacking === "unreachable" ? fetchTable(true) : behind ? reckon(true) : undefined);
addEventListener("online", again);
setInterval(() => document.hidden || again(), AGAIN_MS);
