/** Everything else one can do at the table: look at the sheet, take back, let a bot play, talk, leave. */

import { h } from "./dom.js";
import { showCounting } from "./history.js";
import { aboutServer } from "./lobby.js";
import { complain, confirmed, dialog } from "./notices.js";
import { prefer, preference } from "./prefs.js";
import { showSeats } from "./seats.js";
import { sheetView } from "./sheet.js";
import { language, say, speak, t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./reading.js").Reading} Reading */

/**
 * @param {State} state
 * @param {Reading} reading
 * @param {{request: (kind: string, keys?: Record<string, any>) => Promise<any>, names: (seat: number) => string, packs: number,
 *   result: () => void, asked: () => number}} table
 *   asks the server, names the seats; how many packs are played with; shows the result again; which question is open by now
 */
export function showMenu(state, reading, { request: send, names, packs, result, asked }) {
  const { room, you, hand, ask } = state;
  const request = (/** @type {string} */ kind, /** @type {Record<string, any>} */ keys = {}) => void send(kind, keys).catch(complain);
  const playing = room.phase === "playing" || room.phase === "between";
  /** @type {() => void} */
  let close = () => {};
  const item = (/** @type {string} */ text, /** @type {() => void} */ run) => h("button", { type: "button", onclick: () => (close(), run()) }, text);
  const flag = (/** @type {string} */ text, /** @type {import("./prefs.js").Preference} */ which) =>
    h("label", { class: "row" }, h("input", { type: "checkbox", checked: Boolean(preference(which)), onchange: (/** @type {any} */ event) => prefer(which, event.target.checked) }), text);
  close = dialog(t("更多", "More"), [
    h(
      "div",
      { class: "menu" },
      item(t("记分表", "Score sheet"), () => dialog(t("记分表", "Score sheet"), [sheetView(state, names)], { wide: true })),
      room.settings["counting"] && hand && you.seat !== null ? item(t("记牌", "Cards left"), () => showCounting(reading, hand.lanes, packs)) : null,
      room.phase === "playing" && you.seat !== null && room.settings["take_back"] ? item(t("悔牌", "Take back"), () => request("take_back", { q: asked() })) : null,
      room.phase === "playing" && you.seat !== null && room.settings["early"] && ask ? item(t("提前结束这一把", "End this hand early"), () => request("early", { q: asked() })) : null,
      playing && you.seat !== null && !you.auto ? item(t("托管", "Let a bot play for me"), () => request("auto", { on: true })) : null,
      reading.settle ? item(t("这一把的结果", "How the hand ended"), result) : null,
      room.settings["phrases"] && you.seat !== null ? item(t("说一句", "Say something"), () => showPhrases(request)) : null,
      item(you.muted ? t("听别人说话", "Hear phrases") : t("不听别人说话", "Mute phrases"), () => request("mute", { on: !you.muted })),
      item(language() === "zh" ? "English" : "中文", () => speak(language() === "zh" ? "en" : "zh")),
      flag(t("四色花色", "Four colours"), "fourColours"),
      flag(t("大牌在前", "Strong cards first"), "strongFirst"),
      flag(t("声音", "Sounds"), "sounds"),
      playing ? item(t("座位", "Seats"), () => showSeats(state, request)) : null,
      item(t("离开这张桌", "Leave the table"), async () => {
        const warned = you.seat !== null && playing ? t("离开？电脑替你打，随时可以回来。", "Leave? A bot plays on for you; you may come back.") : t("离开这张桌？", "Leave the table?");
        if (await confirmed(warned, t("离开", "Leave"))) {
          await send("leave").catch(() => {});
          location.href = "/";
        }
      }),
    ),
  ]);
}

/** @param {(kind: string, keys: Record<string, any>) => void} request */
async function showPhrases(request) {
  const { phrases: known } = await aboutServer();
  const close = dialog(t("说一句", "Say something"), [
    h("div", { class: "menu" }, Object.entries(known).map(([id, text]) => h("button", { type: "button", onclick: () => (request("phrase", { phrase: id }), close()) }, say(/** @type {any} */ (text))))),
  ]);
}
