/** Who sits where, and, in play, what the host or somebody who watches can do about it. */

import { h } from "./dom.js";
import { dialog } from "./notices.js";
import { t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Seat} Seat */

/**
 * What a seat is called: by the person's name, a bot by its number, an empty seat by its own.
 * @param {Seat | undefined} taken
 * @param {number} seat
 */
export function seatName(taken, seat) {
  const number = (((seat % 4) + 4) % 4) + 1;
  if (taken?.kind === "human") return taken.name;
  return taken?.kind === "bot" ? t(`电脑${number}`, `Bot ${number}`) : t(`${number} 号`, `Seat ${number}`);
}

/**
 * The seats in play: a bot's may be taken over, the host seats a bot for who has left, removes people, hands his rights on.
 * @param {State} state
 * @param {(kind: string, keys: Record<string, any>) => void} request
 */
export function showSeats({ room, you }, request) {
  /** @type {() => void} */
  let close = () => {};
  const button = (/** @type {string} */ text, /** @type {string} */ kind, /** @type {Record<string, any>} */ keys) =>
    h("button", { type: "button", onclick: () => (close(), request(kind, keys)) }, text);
  const row = (/** @type {Seat} */ taken, /** @type {number} */ seat) => {
    const human = taken.kind === "human";
    const other = you.host && human && taken.member !== you.member;
    return h(
      "li",
      { class: "row" },
      h("span", { class: "grow" }, h("b", {}, seatName(taken, seat)), human && !taken.online ? t("（掉线）", " (offline)") : "", taken.auto ? t("（托管）", " (a bot plays)") : ""),
      you.seat === null && taken.kind === "bot" ? button(t("顶替它", "Take over"), "sit", { seat }) : null,
      other && !taken.online ? button(t("换成电脑", "Seat a bot"), "fill", { seat, member: taken.member }) : null,
      other && taken.online ? button(t("让他当房主", "Make host"), "host", { member: taken.member }) : null,
      other ? button(t("请走", "Remove"), "kick", { member: taken.member }) : null,
    );
  };
  const watching = room.members.filter((member) => member.seat === null && member.member !== you.member);
  close = dialog(t("座位", "Seats"), [
    h("ul", { class: "plain-list stack" }, room.seats.map(row)),
    watching.length ? h("h3", {}, t("旁观", "Watching")) : "",
    h("ul", { class: "plain-list stack" }, watching.map((member) => h("li", { class: "row" }, h("span", { class: "grow" }, member.name), you.host ? button(t("请走", "Remove"), "kick", { member: member.member }) : null))),
  ]);
}
