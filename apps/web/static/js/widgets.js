/** The fields of the rules editor: one kind of field for each kind of option, made from the option's own description. */

import { levelText } from "./cards.js";
import { h } from "./dom.js";
import { say, t } from "./words.js";

/** @typedef {{option: string, name: any, doc: any, clause: string, widget: string, schema: any, values: any[], base: any, shown: string, examples: any[], uses: any[]}} Option */
/** @typedef {(value: any) => void} Changed */

const RANKS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

/**
 * Do two values of an option mean the same? Lists and maps are compared by content.
 * @param {any} a
 * @param {any} b
 */
export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The field of an option with its value in force.
 * @param {Option} option
 * @param {any} value
 * @param {Changed} changed
 * @returns {HTMLElement}
 */
export function field(option, value, changed) {
  switch (option.widget) {
    case "choice":
    case "flag":
      return choices(option, value, changed);
    case "number":
      return number(option.schema, value, changed);
    case "rank":
      return rank(value, changed);
    case "ranks":
      return ranks(option.schema.maxItems ?? RANKS.length, value, changed);
    case "points":
      return points(value, changed);
    case "kings":
      return kings(option.schema, value, changed);
    case "titles":
      return titles(value, changed);
    case "names":
      return lines(value.join("\n"), (text) => text.split("\n").map((each) => each.trim()).filter(Boolean), changed);
    default:
      return plain(value, changed);
  }
}

/**
 * @param {Option} option
 * @param {any} value
 * @param {Changed} changed
 */
function choices(option, value, changed) {
  return h(
    "div",
    { class: "choices", role: "radiogroup", "aria-label": say(option.name) },
    option.values.map((each) => {
      const users = option.uses.filter((use) => use.preset !== "base" && same(use.value, each.value)).map((use) => use.preset);
      return h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name: option.option, checked: same(each.value, value), onchange: () => changed(each.value) }),
        h("span", {}, say(each), users.length ? h("span", { class: "quiet small" }, t(`（${users.join("、")}）`, ` (${users.join(", ")})`)) : null),
      );
    }),
  );
}

/**
 * @param {any} schema
 * @param {any} value
 * @param {Changed} changed
 */
function number(schema, value, changed) {
  return h("input", {
    type: "number",
    value,
    min: schema.minimum,
    max: schema.maximum,
    step: schema.multipleOf ?? 1,
    onchange: (/** @type {any} */ event) => changed(Number(event.target.value)),
  });
}

/**
 * @param {any} value
 * @param {Changed} changed
 */
function rank(value, changed) {
  return h(
    "select",
    { onchange: (/** @type {any} */ event) => changed(Number(event.target.value)) },
    RANKS.map((each) => h("option", { value: each, selected: each === value }, levelText(each))),
  );
}

/**
 * Ranks in the order in which they were chosen: the stronger first.
 * @param {number} most
 * @param {number[]} value
 * @param {Changed} changed
 */
function ranks(most, value, changed) {
  const toggle = (/** @type {number} */ each) => changed(value.includes(each) ? value.filter((old) => old !== each) : [...value, each]);
  return h(
    "div",
    { class: "row" },
    RANKS.map((each) => {
      const place = value.indexOf(each);
      return h(
        "button",
        { type: "button", class: place >= 0 ? "main" : "", disabled: place < 0 && value.length >= most, "aria-pressed": String(place >= 0), onclick: () => toggle(each) },
        levelText(each),
        place >= 0 && value.length > 1 ? h("span", { class: "small" }, `#${place + 1}`) : null,
      );
    }),
  );
}

/**
 * @param {Record<string, number>} value
 * @param {Changed} changed
 */
function points(value, changed) {
  const name = (/** @type {number} */ each) => (each <= 10 ? String(each) : levelText(each));
  return h(
    "div",
    { class: "row" },
    RANKS.map((each) =>
      h(
        "label",
        { class: "points" },
        levelText(each),
        h("input", {
          type: "number",
          min: 0,
          max: 100,
          step: 5,
          value: value[name(each)] ?? 0,
          onchange: (/** @type {any} */ event) => {
            const { [name(each)]: _old, ...rest } = value;
            const worth = Number(event.target.value);
            changed(worth ? { ...rest, [name(each)]: worth } : rest);
          },
        }),
      ),
    ),
  );
}

/**
 * @param {any} schema
 * @param {{big: number, small: number}} value
 * @param {Changed} changed
 */
function kings(schema, value, changed) {
  const one = (/** @type {"big" | "small"} */ which, /** @type {string} */ text) =>
    h("label", { class: "points" }, text, number(schema.properties[which], value[which], (worth) => changed({ ...value, [which]: worth })));
  return h("div", { class: "row" }, one("big", t("大王", "big joker")), one("small", t("小王", "small joker")));
}

/**
 * Titles, one a line: from how many points on, and the title.
 * @param {[number, string][]} value
 * @param {Changed} changed
 */
function titles(value, changed) {
  const read = (/** @type {string} */ text) =>
    text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => {
        const found = /^\s*(\d+)\s+(\S.*?)\s*$/.exec(line);
        return found ? [Number(found[1]), found[2]] : null;
      });
  return lines(value.map(([points, title]) => `${points} ${title}`).join("\n"), read, changed);
}

/**
 * A value written in lines; a line that cannot be read is said, and nothing is changed.
 * @param {string} text
 * @param {(text: string) => any[]} read null for a line that is none
 * @param {Changed} changed
 */
function lines(text, read, changed) {
  const said = h("span", { class: "bad small", role: "alert" });
  const area = h("textarea", {
    rows: Math.min(8, Math.max(3, text.split("\n").length)),
    spellcheck: "false",
    "aria-label": t("一行一个", "one a line"),
    onchange: () => {
      const found = read(area.value);
      const wrong = found.indexOf(null);
      said.textContent = wrong < 0 ? "" : t(`第 ${wrong + 1} 行要写成：分数 称号`, `line ${wrong + 1} is written: points title`);
      if (wrong < 0) changed(found);
    },
  });
  area.value = text;
  return h("div", { class: "stack" }, h("span", { class: "quiet small" }, t("一行一个", "one a line")), area, said);
}

/**
 * Whatever has no field of its own is written as JSON.
 * @param {any} value
 * @param {Changed} changed
 */
function plain(value, changed) {
  const said = h("span", { class: "bad small", role: "alert" });
  const area = h("textarea", {
    rows: 3,
    spellcheck: "false",
    onchange: () => {
      try {
        changed(JSON.parse(area.value));
        said.textContent = "";
      } catch {
        said.textContent = t("写法不对，要写成 JSON，比如 [[0, \"赤脚\"]]", 'this is not JSON, which looks like [[0, "赤脚"]]');
      }
    },
  });
  area.value = JSON.stringify(value);
  return h("div", { class: "stack" }, area, said);
}
