/** Events in words, as somebody at the table would say them. */

import { cardText, cardsText, levelText, suitName } from "./cards.js";
import { counted, say, t } from "./words.js";

/** @typedef {import("./types.js").Event} Event */
/** @typedef {(seat: number) => string} Names */

/** How trump was found. */
const HOW = /** @type {Record<string, [string, string]>} */ ({
  claim: ["抢亮大王", "a big joker was claimed"],
  turn: ["翻底牌", "turned from the bottom"],
  declare: ["亮主", "declared"],
  draw: ["抽底牌", "drawn from the bottom"],
});

const ENDINGS = /** @type {Record<string, [string, string]>} */ ({
  shutout: ["抓分方一分没得", "the attackers took no points"],
  sweep: ["抓分方拿满了分", "the attackers took all the points"],
  three_big: ["底牌扣着三个大王", "three big jokers are buried"],
  three_small: ["底牌扣着三个小王", "three small jokers are buried"],
  final_level: ["打过了最后一级", "the final level is passed"],
});

/** Is this the name of an ending that is known here? @param {unknown} name */
export function isEnding(name) {
  return typeof name === "string" && name in ENDINGS;
}

/**
 * How a round ended, in words; an ending that a plugin brought is said as its explanation says it.
 * @param {Event} settle
 */
export function endingText(settle) {
  const name = settle["ending"];
  if (!name) return "";
  const known = ENDINGS[name];
  if (known) return t(known[0], known[1]);
  const line = (settle["explain"] ?? []).find((/** @type {any} */ each) => each.value === name);
  return line ? say(line.what) : String(name);
}

/**
 * @param {Event} event
 * @param {Names} names
 */
function moved(event, names) {
  const what = event["cards"] ? cardsText(event["cards"]) : t(`${event["count"]} 张`, counted(event["count"], "card"));
  return event.e === "tribute"
    ? t(`${names(event["from"])}给${names(event["to"])}进贡：${what}`, `${names(event["from"])} pays ${names(event["to"])}: ${what}`)
    : t(`${names(event["from"])}还给${names(event["to"])}：${what}`, `${names(event["from"])} gives back to ${names(event["to"])}: ${what}`);
}

/**
 * @param {Event} event
 * @param {Names} names
 */
function started(event, names) {
  const [a, b] = event["levels"].map(levelText);
  const head = t(`第 ${event["round"]} 轮第 ${event["hand"]} 把`, `Round ${event["round"]}, hand ${event["hand"]}`);
  const again = event["redeal"] ? t(`（重新发牌，第 ${event["redeal"] + 1} 次）`, ` (dealt again, attempt ${event["redeal"] + 1})`) : "";
  const levels = t(`双方打 ${a} 和 ${b}`, `levels ${a} and ${b}`);
  const dealer =
    event["dealer"] === null
      ? t(`还没有庄家，从${names(event["first"])}发牌`, `no dealer yet; ${names(event["first"])} is dealt first`)
      : t(`${names(event["dealer"])}坐庄`, `${names(event["dealer"])} deals`);
  const owed = event["owed"]
    ? t(
        `；${names(event["owed"].from)}欠${names(event["owed"].to)} ${event["owed"].count} 张贡`,
        `; ${names(event["owed"].from)} owes ${names(event["owed"].to)} ${event["owed"].count}`,
      )
    : "";
  return `${head}${again}${t("：", ": ")}${levels}${t("；", "; ")}${dealer}${owed}`;
}

/** @type {Record<string, (event: Event, names: Names) => string>} */
const TELL = {
  hand: started,
  claim: (event, names) => t(`${names(event["seat"])}抢亮 ${cardText(event["card"])}，坐庄`, `${names(event["seat"])} shows ${cardText(event["card"])} and deals`),
  turn: (event, names) => t(`${names(event["seat"])}翻开 ${cardText(event["card"])}`, `${names(event["seat"])} turns ${cardText(event["card"])}`),
  declare: (event, names) =>
    t(
      `${names(event["seat"])}亮 ${cardsText(event["cards"])}，${suitName(event["suit"])}主`,
      `${names(event["seat"])} declares ${suitName(event["suit"])} with ${cardsText(event["cards"])}`,
    ),
  draw: (event) => t(`没人亮主，抽底牌：${cardText(event["card"])}`, `nobody declared; drawn from the bottom: ${cardText(event["card"])}`),
  redeal: () => t("底牌翻不出花色牌，重新洗牌", "no suited card in the bottom: dealt again"),
  trump: (event, names) => {
    const how = HOW[event["how"]];
    const way = how ? t(`（${how[0]}）`, ` (${how[1]})`) : "";
    return t(
      `打 ${levelText(event["level"])}，${suitName(event["suit"])}主，${names(event["dealer"])}坐庄${way}`,
      `level ${levelText(event["level"])}, ${suitName(event["suit"])} are trump, ${names(event["dealer"])} deals${way}`,
    );
  },
  exempt: (event, names) =>
    event["kind"] === "reverse"
      ? t(`${names(event["seat"])}有三个大王，反过来进贡`, `${names(event["seat"])} holds three big jokers: the tribute is reversed`)
      : t(`${names(event["seat"])}有三个大王，免贡`, `${names(event["seat"])} holds three big jokers: no tribute`),
  tribute: moved,
  return: moved,
  bottom: (event) => {
    const dry = event["dry"] ? t("干锅！", "a dry pot!") : t("不是干锅", "not dry");
    return event["cards"]
      ? t(`底牌 ${cardsText(event["cards"])}，${dry}`, `bottom ${cardsText(event["cards"])}: ${dry}`)
      : t(`底牌不公开，${dry}`, `the bottom stays hidden: ${dry}`);
  },
  take: (event) => t(`你拿起底牌 ${cardsText(event["cards"])}`, `you pick up the bottom: ${cardsText(event["cards"])}`),
  bury: (event, names) =>
    event["cards"]
      ? t(`${names(event["seat"])}扣底：${cardsText(event["cards"])}`, `${names(event["seat"])} buries ${cardsText(event["cards"])}`)
      : t(`${names(event["seat"])}扣好了底（不公开）`, `${names(event["seat"])} has buried (hidden)`),
  bury_kings: (event, names) =>
    t(
      `${names(event["seat"])}扣王 ${cardsText(event["kings"])}，捡起 ${cardsText(event["picked"])}`,
      `${names(event["seat"])} buries ${cardsText(event["kings"])} and picks up ${cardsText(event["picked"])}`,
    ),
  naming: (event, names) =>
    t(
      `${names(event["seat"])}要扣 ${cardsText(event["kings"])}，正在捡底牌`,
      `${names(event["seat"])} names ${cardsText(event["kings"])} and picks from the bottom`,
    ),
  play: (event, names) => t(`${names(event["seat"])}出 ${cardsText(event["cards"])}`, `${names(event["seat"])} plays ${cardsText(event["cards"])}`),
  trick: (event, names) =>
    event["points"]
      ? t(`${names(event["winner"])}拿下这圈，${event["points"]} 分`, `${names(event["winner"])} takes the trick, ${event["points"]} points`)
      : t(`${names(event["winner"])}拿下这圈`, `${names(event["winner"])} takes the trick`),
  early: () => t("剩下的牌改变不了结果，提前结束", "the cards left cannot change the result: the hand ends early"),
  undo: () => t("悔牌：退回一步", "taken back"),
  settle: (event) =>
    t(`这一把打完：抓分方 ${event["attackers_points"]} 分`, `the hand is over: the attackers have ${event["attackers_points"]} points`),
};

/**
 * An event in a sentence; an empty text where it needs none. Events of plugins are given by name and what they carry.
 * @param {Event} event
 * @param {Names} names
 */
export function tell(event, names) {
  const telling = TELL[event.e];
  if (telling) return telling(event, names);
  if (!event.e.includes(":")) return "";
  const rest = Object.entries(event).filter(([key]) => !["e", "n", "by"].includes(key));
  return `${event.e} ${rest.map(([key, value]) => `${key}=${typeof value === "object" ? JSON.stringify(value) : value}`).join(" ")}`;
}
