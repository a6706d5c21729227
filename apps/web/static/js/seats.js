/** Who sits where, and, in play, what the host or somebody who watches can do about it. */

import { h } from "./dom.js";
import { confirmed, dialog } from "./notices.js";
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
 * Who may do what the host may: the host, or, while he is away, the person of the first seat with somebody in it.
 * @param {State["room"]} room
 */
export function leader({ host, members, seats }) {
  if (members.some((each) => each.member === host && each.online)) return host;
  return seats.find((seat) => seat.kind === "human" && seat.online)?.member ?? null;
}

/** May this person take over a bot's seat in play? @param {State} state */
export function mayTakeOver({ room, you }) {
  return you.seat === null && (Boolean(room.settings["join"]) || you.host);
}

/** What the host is called; empty while nobody knows. @param {State} state */
export function hostName({ room }) {
  return room.members.find((each) => each.member === room.host)?.name ?? "";
}

/**
 * Whom the table waits for though he is away and no bot plays for him; `mine`: may one seat a bot in his place oneself? `by`: who else may.
 * @param {State} state
 */
export function waitedFor({ room, ask, you }) {
  const seat = ask?.seat ?? -1;
  const taken = room.seats[seat];
  if (!taken || room.phase !== "playing" || taken.kind !== "human" || taken.online || taken.auto) return null;
  const leads = leader(room);
  const by = room.members.find((each) => each.member === leads)?.name ?? "";
  return { seat, member: taken.member, name: taken.name, mine: leads === you.member, by, returns: Boolean(room.settings["join"]) || taken.member === room.host };
}

/** @typedef {NonNullable<ReturnType<typeof waitedFor>>} Away */

/** What is said beside the name of who is away; where one may seat a bot oneself, a button says so. @param {Away} who */
export function awayText({ mine, by }) {
  return mine || !by ? t("（掉线了）", " (offline)") : t(`（掉线了，${by}可以让电脑顶替）`, ` (offline; ${by} can seat a bot)`);
}

/**
 * Seat a bot for somebody who is away, if it is meant.
 * @param {Away} who
 * @param {(kind: string, keys: Record<string, any>) => void} request
 */
export async function relieve({ seat, member, name, returns }, request) {
  const later = returns ? t("他回来可以再坐下。", "Who comes back may sit down again.") : t("这张桌打牌当中不让再坐下。", "This table lets nobody sit down in play.");
  const question = t(`${name}掉线了，让电脑坐他的座位？`, `${name} is offline. Seat a bot in that place? `) + later;
  if (await confirmed(question, t("让电脑顶替", "Seat a bot"))) request("fill", { seat, member });
}

/**
 * The seats in play: a bot's may be taken over; the host, or who stands in for him, seats a bot for who has left, removes people, hands the host's rights on.
 * @param {State} state
 * @param {(kind: string, keys: Record<string, any>) => void} request
 */
export function showSeats(state, request) {
  const { room, you } = state;
  const leads = leader(room);
  const leading = you.member === leads;
  /** @type {() => void} */
  let close = () => {};
  const button = (/** @type {string} */ text, /** @type {string} */ kind, /** @type {Record<string, any>} */ keys) =>
    h("button", { type: "button", onclick: () => (close(), request(kind, keys)) }, text);
  const row = (/** @type {Seat} */ taken, /** @type {number} */ seat) => {
    const human = taken.kind === "human";
    const other = leading && human && taken.member !== you.member;
    const role = !human ? "" : taken.member === room.host ? t("（房主）", " (host)") : taken.member === leads ? t("（代房主）", " (stands in for the host)") : "";
    return h(
      "li",
      { class: "row" },
      h("span", { class: "grow" }, h("b", {}, seatName(taken, seat)), role, human && !taken.online ? t("（掉线）", " (offline)") : "", taken.auto ? t("（托管）", " (a bot plays)") : ""),
      taken.kind === "bot" && mayTakeOver(state) ? button(t("顶替它", "Take over"), "sit", { seat }) : null,
      other && !taken.online ? button(t("换成电脑", "Seat a bot"), "fill", { seat, member: taken.member }) : null,
      human && leading && !you.host && taken.member === you.member ? button(t("我来当房主", "Become host"), "host", { member: you.member }) : null,
      other && taken.online ? button(t("让他当房主", "Make host"), "host", { member: taken.member }) : null,
      other ? button(t("请走", "Remove"), "kick", { member: taken.member }) : null,
    );
  };
  const watching = room.members.filter((member) => member.seat === null && member.member !== you.member);
  close = dialog(t("座位", "Seats"), [
    h("ul", { class: "plain-list stack" }, room.seats.map(row)),
    watching.length ? h("h3", {}, t("旁观", "Watching")) : "",
    h("ul", { class: "plain-list stack" }, watching.map((member) => h("li", { class: "row" }, h("span", { class: "grow" }, member.name), leading ? button(t("请走", "Remove"), "kick", { member: member.member }) : null))),
  ]);
}
