/** What a hand came to, line by line, and the score sheet. */

import { cardsText, levelText, suitName } from "./cards.js";
import { h } from "./dom.js";
import { endingText } from "./telling.js";
import { say, t } from "./words.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./types.js").Score} Score */

/** A side by its seats' names.
 * @param {number} side
 * @param {(seat: number) => string} names
 */
export function sideText(side, names) {
  return t(`${names(side)}、${names(side + 2)}`, `${names(side)} and ${names(side + 2)}`);
}

/** @param {any} value */
function valueText(value) {
  if (Array.isArray(value)) return value.map((each) => (each > 0 ? `+${each}` : String(each))).join(" / ");
  if (value === true) return "✓";
  if (value === false) return "–";
  return value === null ? "" : String(value);
}

/**
 * A settlement with every line of its explanation; `rule` is called with the rule somebody wants to read.
 * @param {Event} settle
 * @param {(seat: number) => string} names
 * @param {(rule: string) => void} rule
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
      "table",
      { class: "explain" },
      h("tbody", {}, (settle["explain"] ?? []).map((/** @type {any} */ line) =>
        h(
          "tr",
          {},
          h("td", {}, say(line.what)),
          h("td", { class: "number" }, valueText(line.value)),
          h("td", {}, h("button", { type: "button", class: "plain small", onclick: () => rule(line.by), "aria-label": t(`看规则 ${line.by}`, `read the rule ${line.by}`) }, "?")),
        ),
      )),
    ),
    next,
  );
}

/**
 * The score sheet of a game.
 * @param {Score} score
 * @param {(seat: number) => string} names
 */
export function sheetView(score, names) {
  const heads = [t("把", "hand"), t("打", "level"), t("庄", "dealer"), t("主", "trump"), t("抓分", "points"), t("升级", "up"), ...[0, 1, 2, 3].map(names)];
  const rows = score.sheet.map((row) =>
    h(
      "tr",
      {},
      h("td", {}, `${row.round}·${row.hand}`),
      h("td", {}, row.levels.map(levelText).join(" : ")),
      h("td", {}, names(row.dealer)),
      h("td", {}, suitName(row.suit)),
      h("td", { class: "number" }, `${row.attackers_points}${row.captured ? t(" 抠", " cap.") : ""}`),
      h("td", {}, row.level_up ? `${sideText(row.level_up.side, names)} +${row.level_up.levels}` : "–"),
      row.scores.map((points) => h("td", { class: "number" }, points > 0 ? `+${points}` : String(points))),
    ),
  );
  const total = h(
    "tr",
    {},
    h("th", { colspan: 6 }, t("合计", "total")),
    score.scores.map((points, seat) => h("th", { class: "number" }, String(points), score.titles[seat] ? h("div", { class: "small quiet" }, score.titles[seat]) : null)),
  );
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", {}, head)))), h("tbody", {}, rows, total)));
}
