/** The first page: choose rules, open a table, or join a public one. */

import { api } from "./api.js";
import { levelText } from "./cards.js";
import { keep } from "./connection.js";
import { fill, h, the } from "./dom.js";
import { complain } from "./notices.js";
import { prefer, preference } from "./prefs.js";
import { page } from "./top.js";
import { counted, listed, say, t } from "./words.js";

/** @type {any[] | null} */
let presets = null;
/** @type {any[]} */
let tables = [];
/** Rules that came with the address, as the rules page and share links put them there. */
const given = new URLSearchParams(location.hash.slice(1)).get("rules");
let chosen = given ?? "dalian";
let isPublic = false;

/** Characters of a table's name. */
const LONGEST_NAME = 24;
/** How many of its differences a preset's card shows. */
const SHOWN = 4;

/** What a preset's option means, in a line: a list of ranks as people write them, a long list only by its length. @param {any} row */
function inShort(row) {
  const said = say(row.meaning);
  if (said !== row.shown) return said;
  if (row.shown.length <= 40) return Array.isArray(row.value) ? listed(row.value.map((/** @type {any} */ each) => (typeof each === "number" ? levelText(each) : String(each)))) : said;
  return t(`${row.value.length} 项`, `${row.value.length} of them`);
}

/** @param {any} preset */
function card(preset) {
  const differs = preset.differs.slice(0, SHOWN);
  const more = preset.differs.length - differs.length;
  return h(
    "button",
    { type: "button", class: `panel preset${chosen === preset.id ? " chosen" : ""}`, "aria-pressed": String(chosen === preset.id), onclick: () => ((chosen = preset.id), draw()) },
    h("h3", {}, say(preset.name)),
    h("div", { class: "quiet small" }, say(preset.description)),
    h("ul", { class: "small" }, differs.map((/** @type {any} */ row) => h("li", {}, say(row.name), t("：", ": "), inShort(row)))),
    more > 0 ? h("div", { class: "quiet small" }, t(`还有 ${more} 处不同`, `and ${more} more`)) : null,
  );
}

async function open() {
  const name = String(preference("name") ?? "").trim() || t("牌友", "guest");
  try {
    const called = [...t(`${name}的桌子`, `${name}'s table`)].slice(0, LONGEST_NAME).join("");
    const made = await api("tables", { body: { player: name, name: called, rules: chosen, settings: { public: isPublic } } });
    keep(made.table, { member: made.member, token: made.token });
    location.href = `/t/${made.table}#k=${made.invite}`;
  } catch (error) {
    complain(error);
  }
}

function draw() {
  if (!presets) return;
  const known = presets.some((preset) => preset.id === chosen);
  fill(
    the("home"),
    h("h1", {}, t("大连打滚子，怎么打你们定", "Da gunzi, by the rules of your own table")),
    h(
      "section",
      { class: "panel stack" },
      h("h2", {}, t("开一桌", "Open a table")),
      h(
        "div",
        { class: "fields" },
        h("label", {}, t("你的名字", "Your name"), h("input", { id: "name", maxlength: LONGEST_NAME, value: preference("name") ?? "", oninput: (/** @type {any} */ event) => prefer("name", event.target.value) })),
        h("label", { class: "row" }, h("input", { id: "public", type: "checkbox", checked: isPublic, onchange: (/** @type {any} */ event) => (isPublic = event.target.checked) }), t("大厅里谁都能进", "Listed here, open to everybody")),
      ),
      known ? null : h("p", {}, t("规则：", "Rules: "), h("code", {}, `${chosen.slice(0, 40)}…`)),
      h("div", { class: "row" }, h("button", { id: "open", type: "button", class: "main", onclick: open }, t("开桌", "Open")), h("a", { href: "/rules#pick" }, t("不知道自己家是哪种打法？问几个问题就知道", "Which rules do we play? A few questions tell"))),
    ),
    h("div", { class: "grid", role: "group", "aria-label": t("规则", "rules") }, presets.filter((preset) => preset.id !== "base").map(card)),
    h(
      "section",
      { class: "panel stack" },
      h("div", { class: "row spread" }, h("h2", {}, t("公开的桌", "Public tables")), h("button", { type: "button", class: "plain", onclick: refresh }, t("刷新", "Refresh"))),
      tables.length
        ? h(
            "ul",
            { class: "stack" },
            tables.map((table) =>
              h("li", { class: "row spread" }, h("span", {}, table.name || table.table, " · ", say(table.rules.name), " · ", t(`${table.people} 人`, counted(table.people, "person", "people"))), h("a", { class: "button", href: `/t/${table.table}` }, t("进去", "Enter"))),
            ),
          )
        : h("p", { class: "quiet" }, t("现在没有", "none at the moment")),
    ),
  );
}

async function refresh() {
  try {
    [presets, tables] = await Promise.all([presets ?? api("presets"), api("tables")]);
    draw();
  } catch (error) {
    complain(error);
  }
}

page("home", draw);
refresh();
