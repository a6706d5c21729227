/** The rules page: presets compared, "which rules do we play?", and an editor for every option with what it leads to beside it. */

import { api } from "./api.js";
import { fill, h, the } from "./dom.js";
import { complain, notice } from "./notices.js";
import { differences } from "./ruling.js";
import { page } from "./top.js";
import { field, same } from "./widgets.js";
import { language, say, t } from "./words.js";

/** @typedef {import("./widgets.js").Option} Option */

/** @type {any[]} */
let presets = [];
/** @type {{group: string, options: Option[]}[]} */
let groups = [];
const address = new URLSearchParams(location.hash.slice(1));
/** What the rules start from: a preset's id or a share code. */
let from = address.get("rules") ?? "dalian";
/** What has been changed from there, by option. @type {Record<string, any>} */
let set = {};
/** The answer of the server for these rules. @type {any} */
let found = null;
/** The rules as they were when they last could be used. @type {any} */
let good = null;
let asked = 0;
/** The interview's answers, null while it is not running. @type {Record<string, any> | null} */
let answers = location.hash.startsWith("#pick") ? {} : null;
/** @type {any} */
let interview = null;

async function resolve() {
  const mine = ++asked;
  try {
    const answer = await api("rules", { body: { rules: from, set } });
    if (mine !== asked) return; // a later change was asked for meanwhile
    found = answer;
    if (answer.rules) good = answer.rules;
    if (good) history.replaceState(null, "", `#rules=${encodeURIComponent(good.code)}`);
    draw();
  } catch (error) {
    complain(error);
  }
}

/**
 * @param {string} option
 * @param {any} value
 */
function change(option, value) {
  set = { ...set, [option]: value };
  resolve();
}

/** @param {string} rules */
function start(rules) {
  from = rules;
  set = {};
  resolve();
}

async function ask() {
  try {
    interview = await api("pick", { body: { answers } });
    draw();
  } catch (error) {
    complain(error);
  }
}

function pickView() {
  if (answers === null) {
    return h("section", { class: "panel row spread" }, h("span", {}, t("不知道自己家是哪种打法？", "Which rules do we play?")), h("button", { type: "button", onclick: () => ((answers = {}), ask()) }, t("问几个问题", "Answer a few questions")));
  }
  if (!interview) return null;
  const { question, nearest } = interview;
  const answer = (/** @type {any} */ value) => {
    answers = { ...answers, [question.option]: value };
    ask();
  };
  const done = () => {
    from = nearest[0].id;
    set = interview.set ?? {};
    answers = null;
    resolve();
  };
  return h(
    "section",
    { class: "panel stack", id: "pick" },
    h("h2", {}, t("我们家怎么打？", "Which rules do we play?")),
    question
      ? [
          h("h3", {}, say(question.name)),
          h("p", {}, say(question.doc)),
          h("div", { class: "stack" }, question.values.map((/** @type {any} */ each) => h("button", { type: "button", class: "answer", onclick: () => answer(each.value) }, say(each)))),
          h("div", { class: "row" }, h("button", { type: "button", class: "plain", onclick: () => answer(null) }, t("说不准", "I do not know")), h("button", { type: "button", class: "plain", onclick: done }, t("够了，就用最像的", "Enough: use the nearest"))),
        ]
      : h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: done }, t("就按这些定", "Use these rules"))),
    h(
      "p",
      { class: "quiet" },
      t("最像的：", "Nearest: "),
      nearest.slice(0, 3).map((/** @type {any} */ each, /** @type {number} */ place) =>
        h("span", {}, place ? t("、", ", ") : "", say(each.name), each.differs.length ? t(`（${each.differs.length} 处不同）`, ` (${each.differs.length} answers differ)`) : "")),
    ),
  );
}

/** What is in force for an option: as the server resolved it, with what is being changed laid over. @param {Option} option */
function value(option) {
  if (option.option in set) return set[option.option];
  return good?.options.find((/** @type {any} */ row) => row.option === option.option)?.value ?? option.base;
}

/** @param {Option} option */
function optionView(option) {
  const row = good?.options.find((/** @type {any} */ each) => each.option === option.option);
  const problems = (found?.problems ?? []).filter((/** @type {any} */ problem) => problem.path?.includes(option.option));
  const sources = option.uses.filter((use) => use.source);
  return h(
    "section",
    { class: `option${row?.differs ? " differs" : ""}`, id: `option-${option.option}` },
    h("h3", {}, say(option.name), " ", h("code", { class: "quiet small" }, option.option)),
    h("p", { class: "small" }, say(option.doc)),
    field(option, value(option), (next) => change(option.option, next)),
    problems.map((/** @type {any} */ problem) => h("p", { class: "bad small", role: "alert" }, say(problem))),
    option.option in set && !same(set[option.option], option.base) ? h("button", { type: "button", class: "plain small", onclick: () => change(option.option, option.base) }, t("改回底本的", "Back to the base's")) : null,
    sources.length
      ? h("details", { class: "small quiet" }, h("summary", {}, t("谁这样打、写在哪里", "Who plays which, and where it is written")), h("ul", {}, sources.map((use) => h("li", {}, `${use.preset}: ${use.shown} · ${use.source}`))))
      : null,
  );
}

function besideView() {
  const rules = found?.rules ?? good;
  const wrong = (found?.problems ?? []).filter((/** @type {any} */ problem) => problem.severity === "error");
  const why = wrong.length ? h("div", { class: "bad", role: "alert" }, h("p", {}, t("这样定打不了：", "Rules like this cannot be played:")), h("ul", {}, wrong.map((/** @type {any} */ problem) => h("li", {}, say(problem))))) : null;
  // A link that was cut short, say: there is nothing to show but that.
  if (!rules) return why && h("aside", { class: "beside stack" }, h("section", { class: "panel stack" }, why));
  const warnings = (found?.problems ?? []).filter((/** @type {any} */ problem) => problem.severity !== "error");
  const link = `${location.origin}/rules#rules=${encodeURIComponent(rules.code)}`;
  const copy = async () => {
    await navigator.clipboard?.writeText(link).catch(() => {});
    notice(t("链接复制好了", "The link is copied"));
  };
  return h(
    "aside",
    { class: "beside stack" },
    h(
      "section",
      { class: "panel stack" },
      h("h2", {}, say(rules.name)),
      why,
      warnings.length ? h("ul", { class: "small" }, warnings.map((/** @type {any} */ problem) => h("li", {}, say(problem)))) : null,
      h("h3", {}, t("和底本不同的", "What differs from the base")),
      differences(rules),
      h(
        "div",
        { class: "row" },
        h("a", { class: `button main${wrong.length ? " hidden" : ""}`, id: "use", href: `/#rules=${encodeURIComponent(rules.code)}` }, t("用它开一桌", "Open a table with it")),
        h("a", { class: "button", target: "_blank", rel: "noopener", href: `/api/rules/${rules.hash}/book?lang=${language()}` }, t("规则书", "Rule book")),
        h("a", { class: "button", href: `/api/rules/${rules.hash}/yaml?id=my-house`, download: "my-house.yaml" }, "YAML"),
        h("button", { type: "button", onclick: copy }, t("复制链接", "Copy link")),
      ),
      h("p", { class: "quiet small" }, t("分享码 ", "Share code "), h("code", { id: "code" }, rules.code)),
    ),
    h("iframe", { class: "book", title: t("规则书", "rule book"), src: `/api/rules/${rules.hash}/book?lang=${language()}`, loading: "lazy" }),
  );
}

function importView() {
  const area = h("textarea", { rows: 4, spellcheck: "false", placeholder: t("把变体文件（YAML）或分享码贴在这里", "paste a variant file (YAML) or a share code here") });
  const take = async () => {
    const text = area.value.trim();
    if (!text) return;
    if (text.startsWith("gz1.")) return start(text);
    try {
      const answer = await api("rules", { body: { yaml: text } });
      if (answer.rules) start(answer.rules.code);
      else fill(said, answer.problems.map((/** @type {any} */ problem) => h("li", {}, problem.line ? `${problem.line}:${problem.col}: ` : "", say(problem))));
    } catch (error) {
      complain(error);
    }
    return undefined;
  };
  const said = h("ul", { class: "bad small", role: "alert" });
  return h("details", { class: "panel" }, h("summary", {}, t("导入", "Import")), h("div", { class: "stack" }, area, said, h("div", {}, h("button", { type: "button", onclick: take }, t("导入", "Import")))));
}

function draw() {
  if (!groups.length) return;
  const open = new Set([...document.querySelectorAll("details[open][data-group]")].map((each) => /** @type {HTMLElement} */ (each).dataset["group"]));
  const place = scrollY;
  fill(
    the("page"),
    h("h1", {}, t("规则", "Rules")),
    pickView(),
    h(
      "div",
      { class: "editor" },
      h(
        "div",
        { class: "stack" },
        h(
          "section",
          { class: "panel row" },
          h("label", { class: "row" }, t("从这个改起", "Start from"), h("select", { id: "from", onchange: (/** @type {any} */ event) => start(event.target.value) }, presets.some((each) => each.id === from) ? null : h("option", { value: from, selected: true }, from.slice(0, 20)), presets.map((each) => h("option", { value: each.id, selected: each.id === from }, say(each.name))))),
        ),
        importView(),
        groups.map(({ group, options }) =>
          h("details", { class: "panel", "data-group": group, open: open.has(group) }, h("summary", {}, listed(options), changes(options)), options.map(optionView)),
        ),
      ),
      besideView(),
    ),
  );
  scrollTo(0, place);
}

/** @param {Option[]} options */
function listed(options) {
  const names = options.map((option) => say(option.name));
  return names.slice(0, 3).join(t("、", ", ")) + (names.length > 3 ? "…" : "");
}

/** How many options of a group differ from the base. @param {Option[]} options */
function changes(options) {
  const count = options.filter((option) => good?.options.find((/** @type {any} */ row) => row.option === option.option)?.differs).length;
  return count ? h("span", { class: "mark" }, t(`${count} 处不同`, `${count} differ`)) : null;
}

page("rules", draw);
Promise.all([api("presets"), api("options")]).then(([first, second]) => {
  presets = first;
  groups = second.groups;
  if (answers !== null) ask();
  resolve();
}, complain);
