/** Before the start and after the end: who sits where, who is ready, what is played, and how to invite others. */

import { api } from "./api.js";
import { fill, h } from "./dom.js";
import { complain, notice } from "./notices.js";
import { download, replayLink } from "./export.js";
import { differences, showRules } from "./ruling.js";
import { hostName, seatName } from "./seats.js";
import { sheetView } from "./sheet.js";
import { say, t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {(kind: string, keys?: Record<string, any>) => Promise<any>} Request */

/** @type {any} */
let about = null;

/** A bot by its kind and pace, where these are known. @param {import("./types.js").Seat} seat */
function botText({ bot, pace }) {
  const player = about?.players.find((/** @type {any} */ each) => each.name === bot);
  const parts = [t("电脑", "bot"), player ? say(player) : "", pace && about ? say(about.paces[pace]) : ""];
  return parts.filter(Boolean).join(" · ");
}

/** What the server says of itself, fetched once. */
export async function aboutServer() {
  about ??= await api("about");
  return about;
}

export class Lobby {
  /**
   * @param {HTMLElement} place
   * @param {Request} request
   */
  constructor(place, request) {
    this.place = place;
    this.request = request;
    /** @type {State | null} */
    this.state = null;
    this.presets = /** @type {any[]} */ ([]);
    this.pace = "normal";
    this.drawn = "";
    Promise.all([api("presets"), aboutServer()]).then(([presets]) => {
      this.presets = presets;
      if (this.state) this.show(this.state);
    }, complain);
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} [keys]
   */
  ask(kind, keys) {
    this.request(kind, keys).catch(complain);
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const { room, you } = state;
    // What somebody is typing is not drawn away from under his fingers.
    const typing = document.activeElement;
    // Whoever is to be ready for rules sees which they are now.
    const drawing = you.host ? room.phase : `${room.phase} ${room.rules.hash}`;
    if (typing?.matches("input, select") && this.place.contains(typing) && this.drawn === drawing) return this.seatsOnly(state);
    this.drawn = drawing;
    const open = this.place.querySelector("#settings-form")?.hasAttribute("open");
    fill(
      this.place,
      h("h1", {}, room.name || t("牌桌", "A table")),
      room.phase === "over" ? this.ended(state) : null,
      h("div", { id: "lobby-seats", class: "seats" }, [0, 1, 2, 3].map((seat) => this.seat(state, seat))),
      this.actions(state),
      this.invitation(state),
      h(
        "section",
        { class: "panel stack" },
        h("div", { class: "row spread" }, h("h2", {}, t("规则：", "Rules: "), say(room.rules.name)), h("button", { type: "button", onclick: () => showRules(room.rules) }, t("细看", "Details"))),
        you.host ? this.chooser(state) : null,
        differences(room.rules),
      ),
      this.settings(state, Boolean(open)),
      this.watchers(state),
    );
  }

  /** What a finished game leaves: its sheet, its record, its deals. @param {State} state */
  ended(state) {
    const { room } = state;
    return h(
      "section",
      { class: "panel stack ended" },
      h("h2", {}, t("打完了", "The game is over")),
      sheetView(state, (seat) => seatName(room.seats[seat % 4], seat)),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: replayLink(room, undefined) }, t("复盘", "Replay")),
        h("button", { type: "button", onclick: () => download(room.table, `record?game=${room.game}`, `${room.table}-${room.game}.jsonl`) }, t("导出牌谱", "Export the record")),
      ),
    );
  }

  /** @param {State} state */
  seatsOnly(state) {
    const place = this.place.querySelector("#lobby-seats");
    if (place) fill(place, [0, 1, 2, 3].map((seat) => this.seat(state, seat)));
    const actions = this.place.querySelector(".actions");
    if (actions && !actions.contains(document.activeElement)) actions.replaceWith(this.actions(state));
  }

  /**
   * @param {State} state
   * @param {number} seat
   */
  seat({ room, you }, seat) {
    const taken = /** @type {import("./types.js").Seat} */ (room.seats[seat]);
    const mine = you.seat === seat;
    const wanted = room.swaps.some(([from, to]) => you.seat === to && from === seat);
    const state =
      taken.kind === "free"
        ? t("空位", "free")
        : taken.kind === "bot"
          ? botText(taken)
          : taken.ready || room.host === taken.member
            ? t("准备好了", "ready")
            : t("还没准备", "not ready");
    return h(
      "section",
      { class: `panel lobby-seat side${seat % 2}${mine ? " mine" : ""}`, "aria-label": t(`${seat + 1} 号位`, `seat ${seat + 1}`) },
      h("div", { class: "quiet small" }, t(`座位 ${seat + 1} · ${seat % 2 ? "乙" : "甲"}方`, `seat ${seat + 1} · side ${seat % 2 ? "B" : "A"}`)),
      h("div", { class: "name" }, taken.kind === "free" ? "—" : seatName(taken, seat), room.host && room.host === taken.member ? h("span", { class: "mark" }, t("房主", "host")) : null),
      h("div", { class: taken.ready ? "good small" : "quiet small" }, state, taken.kind === "human" && !taken.online ? t("（掉线）", " (offline)") : ""),
      h(
        "div",
        { class: "row" },
        you.seat === null && taken.kind !== "human" ? h("button", { type: "button", class: "main", onclick: () => this.ask("sit", { seat }) }, t("坐这儿", "Sit here")) : null,
        you.seat !== null && !mine && room.phase === "lobby"
          ? h("button", { type: "button", onclick: () => this.ask("swap", { seat, seating: room.seating }) }, wanted ? t("同意换座", "Agree to swap") : t("换到这儿", "Move here"))
          : null,
        mine ? h("button", { type: "button", onclick: () => this.ask("stand") }, t("站起来", "Get up")) : null,
        you.host && taken.kind === "free" ? h("button", { type: "button", onclick: () => this.ask("fill", { seat, pace: this.pace }) }, t("放电脑", "Add a bot")) : null,
        you.host && taken.kind !== "free" && !mine ? h("button", { type: "button", class: "plain", onclick: () => this.ask("kick", taken.kind === "bot" ? { seat } : { member: taken.member }) }, t("请走", "Remove")) : null,
        you.host && taken.kind === "human" && !mine ? h("button", { type: "button", class: "plain", onclick: () => this.ask("host", { member: taken.member }) }, t("让他当房主", "Make host")) : null,
      ),
    );
  }

  /** @param {State} state */
  actions(state) {
    const { room, you } = state;
    if (room.phase === "shuffle") return h("div", { class: "row actions" }, h("span", { class: "quiet", role: "status" }, t("大家一起洗牌…", "shuffling together…")));
    const free = room.seats.some((seat) => seat.kind === "free");
    const waiting = room.seats.filter((seat) => seat.kind === "human" && !seat.ready && seat.member !== room.host).map((seat) => seat.name);
    const found = [];
    if (room.phase === "over") {
      if (you.host) found.push(h("button", { type: "button", class: "main", onclick: () => this.ask("rematch") }, t("再来一局", "Another game")));
    } else {
      if (you.seat !== null && !you.host) {
        const ready = Boolean(room.seats[you.seat]?.ready);
        found.push(h("button", { type: "button", class: ready ? "" : "main", onclick: () => this.ask("ready", { on: !ready, rules: room.rules.hash }) }, ready ? t("再等等", "Not ready yet") : t("准备好了", "Ready")));
      }
      if (you.host && free) {
        found.push(
          h("button", { type: "button", onclick: () => this.ask("fill", { pace: this.pace }) }, t("空位都放电脑", "Bots on all free seats")),
          h(
            "label",
            { class: "row" },
            t("电脑快慢", "pace"),
            h(
              "select",
              { onchange: (/** @type {any} */ event) => (this.pace = event.target.value) },
              [
                ["slow", t("慢", "slow")],
                ["normal", t("正常", "normal")],
                ["fast", t("快", "fast")],
              ].map(([value, text]) => h("option", { value, selected: value === this.pace }, text)),
            ),
          ),
        );
      }
      if (you.host) found.push(h("button", { type: "button", class: "main", disabled: free || waiting.length > 0, onclick: () => this.ask("start") }, t("开局", "Start")));
    }
    const host = hostName(state);
    const again = room.phase === "over" && !you.host && host ? t(`再来一局由房主${host}开`, `another game is up to the host, ${host}`) : "";
    const hint = room.phase === "lobby" && waiting.length ? t(`等 ${waiting.join("、")} 准备好`, `waiting for ${waiting.join(", ")}`) : again;
    return h("div", { class: "row actions" }, found, hint ? h("span", { class: "quiet" }, hint) : null);
  }

  /** @param {State} state */
  invitation({ room }) {
    const link = `${location.origin}/t/${room.table}#k=${room.invite}`;
    const field = h("input", { readonly: true, value: link, "aria-label": t("邀请链接", "invitation link"), size: 40, onfocus: (/** @type {any} */ event) => event.target.select() });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(link);
      } catch {
        field.select(); // no clipboard on plain http: the old way
        document.execCommand("copy");
      }
      notice(t("链接复制好了，发给牌友吧", "The link is copied: send it to your friends"));
    };
    return h("div", { class: "row" }, h("label", { class: "row grow" }, t("邀请链接", "Invitation"), field), h("button", { type: "button", onclick: copy }, t("复制", "Copy")));
  }

  /** @param {State} state */
  chooser({ room }) {
    // Two presets may be one set of rules under two names.
    const same = this.presets.filter((preset) => preset.hash === room.rules.hash);
    const chosen = same.find((preset) => preset.id === room.rules.id) ?? same[0];
    const code = h("input", { placeholder: t("分享码 gz1.…", "share code gz1.…"), "aria-label": t("分享码", "share code"), size: 16 });
    return h(
      "div",
      { class: "row" },
      h(
        "label",
        { class: "row" },
        t("换成", "Play"),
        h(
          "select",
          { id: "rules-select", onchange: (/** @type {any} */ event) => event.target.value && this.ask("rules", { rules: event.target.value }) },
          chosen ? null : h("option", { value: "", selected: true }, say(room.rules.name)),
          this.presets.map((preset) => h("option", { value: preset.id, selected: preset === chosen }, say(preset.name))),
        ),
      ),
      code,
      h("button", { type: "button", onclick: () => code.value.trim() && this.ask("rules", { rules: code.value.trim() }) }, t("用这个码", "Use it")),
      h("a", { href: "/rules", target: "_blank", rel: "noopener" }, t("自己定规则", "Make your own rules")),
    );
  }

  /**
   * @param {State} state
   * @param {boolean} open
   */
  settings({ room, you }, open) {
    if (!about) return null;
    const change = (/** @type {string} */ id, /** @type {any} */ value) => this.ask("settings", { settings: { [id]: value } });
    const fields = about.settings.map((/** @type {any} */ setting) => {
      const value = room.settings[setting.id];
      const time = setting.id.endsWith("_ms");
      if (!you.host) return h("li", {}, say(setting), t("：", ": "), typeof value === "boolean" ? (value ? t("是", "yes") : t("否", "no")) : time ? t(`${Number(value) / 1000} 秒`, `${Number(value) / 1000} s`) : String(value));
      if (setting.type === "bool") {
        return h("li", {}, h("label", { class: "row" }, h("input", { type: "checkbox", checked: Boolean(value), onchange: (/** @type {any} */ event) => change(setting.id, event.target.checked) }), say(setting)));
      }
      const scale = time ? 1000 : 1;
      return h(
        "li",
        {},
        h(
          "label",
          { class: "row" },
          h("input", {
            type: "number",
            value: Number(value) / scale,
            min: setting.low / scale,
            max: setting.high / scale,
            step: time ? "any" : 1,
            onchange: (/** @type {any} */ event) => change(setting.id, Math.round(Number(event.target.value) * scale)),
          }),
          say(setting),
          time ? t("（秒）", " (seconds)") : "",
        ),
      );
    });
    return h("details", { class: "panel", id: "settings-form", open }, h("summary", {}, t("牌桌设置", "Table settings")), h("ul", { class: "settings" }, fields));
  }

  /** @param {State} state */
  watchers({ room, you }) {
    const watching = room.members.filter((member) => member.seat === null);
    if (!watching.length) return null;
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("旁观", "Watching")),
      h("ul", {}, watching.map((member) => h("li", {}, member.name, member.online ? "" : t("（掉线）", " (offline)"), " ", you.host && member.member !== you.member ? h("button", { type: "button", class: "plain small", onclick: () => this.ask("kick", { member: member.member }) }, t("请走", "Remove")) : null))),
    );
  }
}
