/** What stands across the table's page when something is the matter: a vote, a failure, a line that is down. */

import { download } from "./export.js";
import { fill, h, refill, the } from "./dom.js";
import { leader } from "./seats.js";
import { onLanguage, say, t } from "./words.js";

/** @typedef {import("./types.js").State} State */

/**
 * What the others are asked.
 * @param {State} state
 * @param {(kind: string, keys: Record<string, any>) => void} request
 * @param {(seat: number) => string} names
 */
export function drawVote({ vote, you }, request, names) {
  const place = the("vote");
  place.hidden = !vote;
  if (!vote) return;
  const what = vote.kind === "take_back" ? t(`${names(vote.by)}想悔牌`, `${names(vote.by)} would like to take back`) : t(`${names(vote.by)}提议提前结束`, `${names(vote.by)} offers to end the hand early`);
  const mine = you.seat !== null && vote.needed.includes(you.seat);
  refill(place, [vote.id, what, mine], () => [
    h("span", { "data-vote": "" }, what),
    mine ? h("button", { type: "button", class: "main", onclick: () => request("vote", { vote: vote.id, agree: true }) }, t("同意", "Agree")) : h("span", { class: "quiet" }, t("等别人表态", "waiting for the others")),
    mine ? h("button", { type: "button", onclick: () => request("vote", { vote: vote.id, agree: false }) }, t("不同意", "Refuse")) : null,
  ]);
}

/**
 * Where a table has failed: what of, and for the host all that a report of it needs.
 * @param {State} state
 * @param {(kind: string) => void} request
 */
export function drawFailure({ room, you }, request) {
  const place = the("failure");
  const { error } = room;
  place.hidden = !error;
  if (!error) return;
  fill(
    place,
    h("span", {}, t("这张桌出了故障，停在这里了：", "This table has failed and stands still: "), say(error), " ", h("code", {}, error.code)),
    you.host ? h("button", { type: "button", onclick: () => download(room.table, "bundle", `${room.table}-failure.json`) }, t("导出故障报告", "Export a report")) : null,
    leader(room) === you.member ? h("button", { type: "button", onclick: () => request("rematch") }, t("重新开局", "Start again")) : null,
  );
}

/** How the line was last. @type {[import("./connection.js").Line, any]} */
let last = ["online", null];
onLanguage(() => drawLine(...last));

/**
 * How the line is, where it is not as it should be.
 * @param {import("./connection.js").Line} line
 * @param {any} why
 */
export function drawLine(line, why) {
  last = [line, why];
  const place = the("line");
  place.hidden = line === "online";
  place.className = line;
  const texts = {
    connecting: t("正在连…", "connecting…"),
    offline: (why ? say(why) : t("断线了", "the line is down")) + t("，正在重连…", ": connecting again…"),
    closed: why ? say(why) : t("连接关了", "the connection is closed"),
    online: "",
  };
  place.textContent = texts[line];
  if (line !== "closed") return;
  if (why?.code === "replaced") place.append(" ", h("button", { type: "button", onclick: () => location.reload() }, t("回这儿来打", "Play here")));
  place.append(" ", h("a", { href: "/" }, t("回大厅", "to the lobby")));
}
