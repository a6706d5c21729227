/** What a hand came to, line by line, and the score sheet. */

import { cardsText, levelText, suitName } from "./cards.js";
import { h } from "./dom.js";
import { whyButton } from "./ruling.js";
import { endingText, isEnding } from "./telling.js";
import { say, t } from "./words.js";

/** @typedef {import("./types.js").Event} Event */

/** A side by its seats' names.
 * @param {number} side
 * @param {(seat: number) => string} names
 */
export function sideText(side, names) {
  return t(`${names(side)}、${names(side + 2)}`, `${names(side)} and ${names(side + 2)}`);
}

/**
 * The value of a line of an explanation as people read it: a seat by its name, a level by its card; where the line says all, a tick.
 * @param {{what: any, by: string, value: any}} line
 * @param {Event} settle
 * @param {(seat: number) => string} names
 */
function valueText({ what, by, value }, settle, names) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean" || value === settle["ending"] || isEnding(value) || WON.test(what.en ?? what)) return "✓";
  if (typeof value !== "number") return String(value);
  if (by.startsWith("rotation.")) return names(value);
  return by.startsWith("levels.must_play") && value ? levelText(value) : value.toLocaleString("en");
}

/** The line that names the side which wins a round; its value is that side's number. */
const WON = /^the round is won by|赢下这一轮$/;

/**
 * Numbers of the four seats beside their names; other lists as they are.
 * @param {any[]} values
 * @param {(seat: number) => string} names
 */
function eachText(values, names) {
  const shown = values.map((each) => (typeof each === "number" && each > 0 ? `+${each}` : String(each)));
  return values.length === 4 ? shown.map((each, seat) => h("span", {}, `${names(seat)} `, h("b", {}, each))) : shown.join(" / ");
}

/** The sides as the server's texts call them, by seat numbers. */
const SIDES = [/0、2 号位一方|the side of seats 0 and 2/g, /1、3 号位一方|the side of seats 1 and 3/g];

/**
 * A text of the server with the sides' names in place of their seats' numbers.
 * @param {any} text
 * @param {(seat: number) => string} names
 */
function named(text, names) {
  return SIDES.reduce((shown, side, place) => shown.replace(side, t(`${sideText(place, names)}一方`, `the side of ${sideText(place, names)}`)), say(text));
}

/**
 * A settlement with every line of its explanation; `rule` is called with the rule somebody wants to read.
 * @param {Event} settle
 * @param {(seat: number) => string} names
 * @param {((rule: string) => void) | null} rule opens the text of a rule; null: it cannot be had here
 */
export function resultView(settle, names, rule) {
  const up = settle["level_up"];
  const headline =
    settle["round_won_by"] !== null
      ? t(`${sideText(settle["round_won_by"], names)}赢下这一轮`, `${sideText(settle["round_won_by"], names)} win the round`)
      : up
        ? t(`${sideText(up.side, names)}升 ${up.levels} 级`, `${sideText(up.side, names)} go up ${up.levels}`)
        : t("没人升级", "nobody levels up");
  const ending = endingText(settle);
  const owed = settle["owed"];
  const next =
    settle["next_dealer"] === null
      ? null
      : h(
          "p",
          {},
          t(
            `下一把${names(settle["next_dealer"])}坐庄；${sideText(0, names)}打 ${levelText(settle["levels"][0])}，${sideText(1, names)}打 ${levelText(settle["levels"][1])}`,
            `${names(settle["next_dealer"])} deals next; ${sideText(0, names)} play ${levelText(settle["levels"][0])}, ${sideText(1, names)} play ${levelText(settle["levels"][1])}`,
          ),
          owed ? t(`；${names(owed.from)}给${names(owed.to)}进贡 ${owed.count} 张`, `; ${names(owed.from)} pays ${names(owed.to)} ${owed.count}`) : "",
        );
  return h(
    "div",
    { class: "result stack" },
    h("p", { class: "headline" }, headline, ending ? h("span", { class: "quiet" }, ` · ${ending}`) : null),
    h("p", {}, t("底牌 ", "bottom "), cardsText(settle["bottom"]), t(`，${settle["bottom_points"]} 分`, `, ${settle["bottom_points"]} points`)),
    h(
      "ul",
      { class: "explain" },
      (settle["explain"] ?? []).map((/** @type {any} */ line) =>
        h(
          "li",
          {},
          h("span", { class: "what" }, named(line.what, names)),
          Array.isArray(line.value) ? h("span", { class: "each" }, eachText(line.value, names)) : h("span", { class: "number" }, valueText(line, settle, names)),
          rule ? whyButton(line.by, rule) : null,
        ),
      ),
    ),
    next,
  );
}

/**
 * A score sheet: a line of numbers for each hand, and under it what was played.
 * @param {readonly {round: number, hand: number, levels: readonly number[], dealer: number, suit: string | null, attackers_points: number,
 *   captured: boolean, level_up: {side: number, levels: number} | null, scores: readonly number[]}[]} rows
 * @param {{scores: readonly number[], titles: readonly (string | null)[]}} total
 * @param {(seat: number) => string} names
 */
export function sheetTable(rows, total, names) {
  const signed = (/** @type {number} */ points) => h("td", { class: "number" }, points > 0 ? `+${points}` : String(points));
  const about = (/** @type {typeof rows[number]} */ row) =>
    [
      `${t("打", "level")} ${row.levels.map(levelText).join(" : ")}`,
      t(`${names(row.dealer)}坐庄`, `${names(row.dealer)} deals`),
      row.suit ? t(`${suitName(row.suit)}主`, `${suitName(row.suit)} trump`) : "",
      row.captured ? t("抠底", "bottom captured") : "",
      row.level_up ? t(`${sideText(row.level_up.side, names)}升 ${row.level_up.levels} 级`, `${sideText(row.level_up.side, names)} +${row.level_up.levels}`) : "",
    ].filter(Boolean);
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "sheet" },
      h("thead", {}, h("tr", {}, h("th", {}, t("把", "hand")), h("th", { class: "number" }, t("抓分", "points")), [0, 1, 2, 3].map((seat) => h("th", { class: "number who-head" }, names(seat))))),
      h(
        "tbody",
        {},
        rows.flatMap((row) => [
          h("tr", {}, h("td", {}, `${row.round}·${row.hand}`), h("td", { class: "number" }, String(row.attackers_points)), row.scores.map(signed)),
          h("tr", { class: "about" }, h("td", { colspan: 6, class: "quiet small" }, about(row).join(" · "))),
        ]),
        h(
          "tr",
          {},
          h("th", { colspan: 2 }, t("合计", "total")),
          total.scores.map((points, seat) => h("th", { class: "number" }, String(points), total.titles[seat] ? h("div", { class: "small quiet title" }, total.titles[seat]) : null)),
        ),
      ),
    ),
  );
}
