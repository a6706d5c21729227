/** The form of the scorekeeper: what is asked of a hand, as people at a real table say it. */

import { cardsText, suitName } from "./cards.js";
import { fill, h } from "./dom.js";
import { SO_IT_WAS, cardsOf, wanted } from "./reckoning.js";
import { say, t } from "./words.js";

/** @typedef {import("./reckoning.js").Entry} Entry */
/** @typedef {import("./reckoning.js").Reckoning} Reckoning */
/** @typedef {import("./reckoning.js").Standing} Standing */

/**
 * The fields of a hand. What is typed goes into `entry` at once; `redraw` is called where an answer changes what is asked.
 * @param {Entry} entry
 * @param {Standing & {wanted: string[], unknown?: boolean}} standing before this hand; `unknown`: hands before it are not worked out yet
 * @param {Reckoning | null} table null: the server reckons
 * @param {(seat: number) => string} names
 * @param {() => void} redraw
 */
export function fields(entry, standing, table, names, redraw) {
  const asked = new Set(table ? wanted(table, standing, entry["captured"] === "yes") : standing.wanted);
  const make = /** @type {[string, () => Node | null][]} */ ([
    ["dealer", () => dealer(entry, standing, names)],
    ["trump", () => choice(entry, "trump", t("什么主", "Trump"), ["S", "H", "C", "D"].map((suit) => [suit, suitName(suit)]))],
    ["tribute", () => tribute(entry, standing, names, redraw)],
    ["captured", () => choice(entry, "captured", t("最后一圈", "Last trick"), [["no", t("庄家方保底", "the dealer side held the bottom")], ["yes", t("抓分方抠底", "the attackers captured the bottom")]], redraw)],
    ["last", () => cards(entry, "last", t("赢下最后一圈的那几张牌", "The cards that won the last trick"), table)],
    ["points", () => typed(entry, "points", t("抓分方台面分（不算底牌）", "Attackers' points in tricks (without the bottom)"), { inputmode: "numeric" })],
    ["bottom", () => cards(entry, "bottom", t("底牌", "Bottom"), table)],
    ["dry", () => choice(entry, "dry", t("干锅吗", "A dry pot?"), [["", t("不是", "no")], ["yes", t("是干锅", "yes, a dry pot")]])],
  ]);
  // Where the dealer is due, another one can be told all the same.
  return make.filter(([key]) => asked.has(key) || key === "dealer").map(([, each]) => each());
}

/**
 * @param {Entry} entry
 * @param {string} key
 * @param {string} text
 * @param {[string, string][]} values
 * @param {() => void} [changed]
 */
function choice(entry, key, text, values, changed) {
  const chosen = (/** @type {any} */ event) => {
    entry[key] = event.target.value;
    changed?.();
  };
  return h("label", {}, text, h("select", { id: `score-${key}`, onchange: chosen }, values.some(([value]) => !value) ? null : h("option", { value: "" }, "—"), values.map(([value, shown]) => h("option", { value, selected: (entry[key] ?? "") === value }, shown))));
}

/**
 * @param {Entry} entry
 * @param {string} key
 * @param {string} text
 * @param {Record<string, any>} more
 */
function typed(entry, key, text, more = {}) {
  return h("label", {}, text, h("input", { id: `score-${key}`, value: entry[key] ?? "", autocomplete: "off", oninput: (/** @type {any} */ event) => (entry[key] = event.target.value), ...more }));
}

/**
 * @param {Entry} entry
 * @param {Standing & {unknown?: boolean}} standing
 * @param {(seat: number) => string} names
 */
function dealer(entry, standing, names) {
  const due = standing.dealer;
  const shown = (/** @type {number} */ seat) => (due === null ? names(seat) : seat === due ? t(`${names(seat)}（该他）`, `${names(seat)} (due)`) : t(`${names(seat)}（不该他，真是他坐的）`, `${names(seat)} (not due, but it was so)`));
  const value = (/** @type {number} */ seat) => (due === null && !standing.unknown ? String(seat) : seat === due ? "" : `${seat}${SO_IT_WAS}`);
  const chosen = (/** @type {any} */ event) => (entry["dealer"] = event.target.value);
  const now = due !== null && entry["dealer"] === String(due) ? "" : (entry["dealer"] ?? "");
  const seats = due === null ? [0, 1, 2, 3] : [due, ...[0, 1, 2, 3].filter((seat) => seat !== due)];
  return h(
    "label",
    {},
    t("谁坐庄", "Dealer"),
    h("select", { id: "score-dealer", onchange: chosen }, due === null ? h("option", { value: "" }, standing.unknown ? t("按规则，连上再算", "by the rules, worked out later") : "—") : null, seats.map((seat) => h("option", { value: value(seat), selected: now === value(seat) }, shown(seat)))),
  );
}

/**
 * Who paid whom how many: as it is due, or what the table did.
 * @param {Entry} entry
 * @param {Standing} standing
 * @param {(seat: number) => string} names
 * @param {() => void} redraw
 */
function tribute(entry, standing, names, redraw) {
  const { owed } = standing;
  if (!owed) return null;
  const read = /^([0-3])>([0-3]):(\d*)!?$/.exec(entry["tribute"] ?? "");
  const turned = read?.[1] === String(owed.to);
  const how = entry["tribute"] === "no" ? "no" : turned ? "turned" : read ? "other" : "";
  const count = read?.[3] ?? String(owed.count);
  const told = (/** @type {string} */ which, /** @type {string} */ many) => {
    const [from, to] = which === "turned" ? [owed.to, owed.from] : [owed.from, owed.to];
    entry["tribute"] = which === "no" || which === "" ? which : `${from}>${to}:${many}`;
  };
  const chosen = (/** @type {any} */ event) => {
    told(event.target.value, String(owed.count));
    redraw();
  };
  const options = [
    ["", t(`照进：${names(owed.from)}给${names(owed.to)} ${owed.count} 张`, `as due: ${names(owed.from)} paid ${owed.count} to ${names(owed.to)}`)],
    ["turned", t(`反进贡（三个大王）：${names(owed.to)}给${names(owed.from)}`, `turned round (three big jokers): ${names(owed.to)} paid ${names(owed.from)}`)],
    ["no", t("没进", "nothing was paid")],
    ["other", t("进的张数不一样", "another number of cards")],
  ];
  return h(
    "div",
    { class: "stack" },
    h("label", {}, t("进贡", "Tribute"), h("select", { id: "score-tribute", onchange: chosen }, options.map(([value, shown]) => h("option", { value: value ?? "", selected: value === how }, shown)))),
    read ? h("label", {}, t("实际进了几张", "Cards that were paid"), h("input", { id: "score-tribute-count", inputmode: "numeric", value: count, oninput: (/** @type {any} */ event) => told(how, event.target.value.trim()) })) : null,
  );
}

/**
 * Cards as they are typed, and under them what was read.
 * @param {Entry} entry
 * @param {string} key
 * @param {string} text
 * @param {Reckoning | null} table
 */
function cards(entry, key, text, table) {
  const echo = h("span", { class: "small quiet", id: `score-${key}-read` });
  const show = () => {
    const given = (entry[key] ?? "").normalize("NFKC").trim();
    if (!table) return;
    try {
      const read = cardsOf(table, key, given);
      const left = key === "bottom" ? table.cards.bottom - read.length : 0;
      const more = left > 0 ? t(`还差 ${left} 张`, `${left} more`) : left < 0 ? t(`多了 ${-left} 张`, `${-left} too many`) : "";
      fill(echo, [cardsText(read), more].filter(Boolean).join(" · "));
    } catch (error) {
      fill(echo, say(/** @type {any} */ (error).text));
    }
  };
  show();
  const changed = (/** @type {any} */ event) => {
    entry[key] = event.target.value;
    show();
  };
  return h("label", {}, text, h("input", { id: `score-${key}`, value: entry[key] ?? "", autocomplete: "off", autocapitalize: "characters", placeholder: t("黑桃5 红桃10 方片K 大王", "S5 H10 DK BJ"), oninput: changed }), echo);
}
