/** The rules in force, read in a drawer: what differs from the base first, any rule by its id, the whole book on its own page. */

import { api } from "./api.js";
import { h } from "./dom.js";
import { complain, dialog } from "./notices.js";
import { language, say, t } from "./words.js";

/** @typedef {import("./types.js").Rules} Rules */

/** What is known of rule sets by their hash. @type {Map<string, Promise<any>>} */
const known = new Map();

/** All of a rule set, fetched once. @param {string} hash */
export function whole(hash) {
  let found = known.get(hash);
  if (!found) {
    found = api(`rules/${hash}`);
    known.set(hash, found);
    found.catch(() => known.delete(hash));
  }
  return found;
}

/**
 * The options that differ from the base, as a list.
 * @param {Rules} rules
 */
export function differences(rules) {
  if (!rules.differs.length) return h("p", {}, t("和底本一样。", "The same as the base."));
  return h(
    "dl",
    { class: "rules" },
    rules.differs.flatMap((row) => [
      h("dt", {}, say(row.name), h("code", { class: "quiet small" }, valued(row))),
      h("dd", {}, meaning(row), h("div", { class: "quiet small" }, row.where)),
    ]),
  );
}

/**
 * An option with its value in a line; a long list stands below, folded.
 * @param {{option: string, shown: string}} row
 */
function valued({ option, shown }) {
  return ` ${option}${shown.length > 40 ? "" : ` = ${shown}`}`;
}

/**
 * What a value means, in words; a long list is folded.
 * @param {{value: any, shown: string, meaning: import("./types.js").Text}} row
 */
function meaning(row) {
  const said = say(row.meaning);
  if (said !== row.shown) return said;
  if (row.shown.length <= 40) return null;
  const each = Array.isArray(row.value) ? row.value.map((part) => (Array.isArray(part) ? part.join(" ") : String(part))) : [row.shown];
  return h("details", { class: "small title" }, h("summary", {}, t(`一共 ${each.length} 项`, `${each.length} in all`)), each.join(" · "));
}

/**
 * Show the rules in force.
 * @param {Rules} rules
 */
export async function showRules(rules) {
  dialog(say(rules.name), [
    h("p", { class: "quiet" }, say(rules.description)),
    h("h3", {}, t("和底本不同的", "What differs from the base")),
    differences(rules),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button", target: "_blank", rel: "noopener", href: `/api/rules/${rules.hash}/book?lang=${language()}` }, t("整本规则书", "The whole rule book")),
      h("button", { type: "button", onclick: () => showAll(rules) }, t("每一项", "Every option")),
    ),
    h("p", { class: "quiet small" }, t("分享码 ", "Share code "), h("code", { class: "code" }, rules.code)),
  ]);
}

/**
 * A small button that opens the text of a rule.
 * @param {string} rule
 * @param {(rule: string) => void} show
 */
export function whyButton(rule, show) {
  return h("button", { type: "button", class: "plain small", onclick: () => show(rule), "aria-label": t(`看规则 ${rule}`, `read the rule ${rule}`) }, "?");
}

/** @param {Rules} rules */
async function showAll(rules) {
  try {
    const { options } = await whole(rules.hash);
    dialog(
      t("每一项", "Every option"),
      [
        h(
          "dl",
          { class: "rules" },
          options.flatMap((/** @type {any} */ row) => [
            h("dt", { class: row.differs ? "differs" : "" }, say(row.name), h("code", { class: "quiet small" }, valued(row))),
            h("dd", {}, meaning(row), h("div", { class: "quiet small" }, [row.where, row.source].filter(Boolean).join(" · "))),
          ]),
        ),
      ],
      { wide: true },
    );
  } catch (error) {
    complain(error);
  }
}

/**
 * Show one rule: an option with its value in force, or a fixed rule.
 * @param {Rules} rules
 * @param {string} rule
 */
export async function showRule(rules, rule) {
  try {
    const { options, fixed } = await whole(rules.hash);
    const row = options.find((/** @type {any} */ each) => each.option === rule);
    if (row) {
      dialog(say(row.name), [
        h("p", {}, h("code", {}, `${row.option} = ${row.shown}`)),
        h("p", {}, say(row.meaning)),
        h("p", { class: "quiet small" }, [row.where, row.source].filter(Boolean).join(" · ")),
      ]);
    } else dialog(t("固定规则", "A fixed rule"), [h("p", {}, h("code", {}, rule)), h("p", {}, say(fixed?.[rule]))]);
  } catch (error) {
    complain(error);
  }
}
