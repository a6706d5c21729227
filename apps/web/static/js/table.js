/** The table's page: connects, and shows the lobby or the play as the server's state says. */

import { Asking, awaited, refusedText } from "./asking.js";
import { drawFailure, drawLine, drawVote } from "./banners.js";
import { Connection, read as known } from "./connection.js";
import { h, refill, the } from "./dom.js";
import { askName } from "./entering.js";
import { contribution } from "./fairness.js";
import { showCheck } from "./dealing.js";
import { Felt } from "./felt.js";
import { Holding } from "./holding.js";
import { showHistory } from "./history.js";
import { aboutServer, Lobby } from "./lobby.js";
import { showMenu } from "./menu.js";
import { handRecord, replayLink } from "./export.js";
import { awayText, hostName, mayTakeOver, relieve, seatName, showSeats, waitedFor } from "./seats.js";
import { complain, dialog, notice } from "./notices.js";
import { onPreference, preference } from "./prefs.js";
import { holdings, laid, read } from "./reading.js";
import { resultView } from "./result.js";
import { showRule, showRules, whyButton } from "./ruling.js";
import { play } from "./sounds.js";
import { sheetView } from "./sheet.js";
import { left } from "./state.js";
import { tell } from "./telling.js";
import { onLanguage, say, t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./reading.js").Reading} Reading */

const table = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const invite = new URLSearchParams(location.hash.slice(1)).get("k");
/** Events that are told to everybody as they come. */
const ANNOUNCED = new Set(["claim", "turn", "declare", "draw", "redeal", "trump", "exempt", "tribute", "return", "bottom", "take", "bury", "bury_kings", "early", "undo"]);
/** Of these, the ones that a rule has decided, which can be read with a tap. */
const EXPLAINED = new Set(["trump", "exempt", "bottom", "redeal"]);

/** @type {Connection} */
let connection;
/** @type {State | null} */
let state = null;
/** @type {Reading} */
let reading = read([], null);
/** What has been seen to already: the question whose only answer was chosen, the turn and the result that were announced, the shuffle that was answered. */
const seen = { forced: -1, turn: -1, fair: "", result: "" };
/** @type {(() => void) | null} */
let closeResult = null;
/** The hand that is over with all its cards open: which one, what is known of it, and whether somebody looks at it after the game. */
const open = { key: "", laid: /** @type {import("./reading.js").Laid | null} */ (null), looking: false };

const felt = new Felt(the("felt"));
const holding = new Holding(the("holding"), { chosen: (cards) => asking.choose(cards), go: () => asking.go() });
const asking = new Asking(the("asking"), {
  act: (act, ask) => answer(act, ask.q),
  pass: (ask) => answer({ act: "pass" }, ask.q),
  next: (ask) => request("next", { q: ask.q }),
  suggest: suggest,
  check: async (act) => {
    const found = await connection.request("check", { act }).catch(() => null);
    return found && found.legal === false ? found.refused : null;
  },
  clear: () => holding.choose([]),
});
const lobby = new Lobby(the("lobby"), (kind, keys) => connection.request(kind, keys));

/**
 * @param {string} kind
 * @param {Record<string, any>} [keys]
 */
function request(kind, keys) {
  connection.request(kind, keys).catch(complain);
}

/**
 * @param {import("./types.js").Act} act
 * @param {number} q
 */
async function answer(act, q) {
  try {
    await connection.request("act", { act, q });
    holding.choose([]);
  } catch (error) {
    // A pass that came as the deal ended has nothing to say any more.
    if (act.act === "pass" && ["stale", "phase"].includes(/** @type {any} */ (error).code)) return;
    const refused = /** @type {any} */ (error).refused;
    const said = refused ? refusedText(refused) : say(/** @type {any} */ (error).text);
    asking.refuse(said);
    if (!state?.ask?.mine) notice(said, "bad");
  }
}

async function suggest() {
  try {
    const { act } = await connection.request("suggest");
    holding.choose(act.cards ?? act.kings ?? []);
    if (act.act === "pass") notice(t(state?.ask?.kind === "bury_kings" ? "电脑说不扣" : "电脑说不亮", "a bot would pass"));
  } catch (error) {
    complain(error);
  }
}

/** Names at the head of a column or of a seat: one's own is said, too. @param {number} seat */
function fullNames(seat) {
  return seatName(state?.room.seats[((seat % 4) + 4) % 4], seat);
}

/** Names in a sentence: 你 for oneself, where the language's verbs allow it. @param {number} seat */
function names(seat) {
  return state?.you.seat === seat ? t("你", fullNames(seat)) : fullNames(seat);
}

/**
 * @param {State} next
 * @param {any} frame
 */
function changed(next, frame) {
  const before = state;
  state = next;
  if (next.hand) reading = read(next.hand.view, next.you.seat);
  draw();
  if (before?.room.host && before.room.host !== next.room.host) {
    const host = hostName(next);
    notice(next.you.host ? t("你当房主了", "You are the host now") : t(`${host}当房主了`, `${host} is the host now`));
  }
  if (frame.t === "events") announce(frame.view ?? [], before);
  if (before?.vote && !next.vote) voteOver(before.vote, frame.view ?? []);
  contribute(next);
  chooseForced(next);
}

/**
 * A vote that came to nothing is said; one that passed shows itself.
 * @param {import("./types.js").Vote} vote
 * @param {readonly Event[]} events
 */
function voteOver({ kind, by }, events) {
  if (events.some((event) => event.e === "undo" || event.e === "early")) return;
  notice(kind === "take_back" ? t(`没都同意，${names(by)}没悔成`, `not everybody agreed: nothing is taken back`) : t("没都同意，接着打", "not everybody agreed: the hand goes on"));
}

/** Give the shuffle one's own random part. @param {State} next */
function contribute({ fair, room }) {
  if (!fair?.wanted || seen.fair === fair.hash) return;
  seen.fair = fair.hash;
  request("contribute", { hash: fair.hash, value: contribution(room.table, fair) });
}

/** Where only one play is possible its cards are chosen already: one press plays them. @param {State} next */
function chooseForced({ ask }) {
  if (!ask?.mine || !ask.forced || seen.forced === ask.q) return;
  seen.forced = ask.q;
  if (ask.kind === "follow" || ask.kind === "lead") holding.choose(ask.forced.cards ?? []);
}

/** @param {string} rule */
function readRule(rule) {
  if (state) void showRule(state.room.rules, rule);
}

/**
 * @param {readonly Event[]} events
 * @param {State | null} before
 */
function announce(events, before) {
  for (const event of events) {
    if (ANNOUNCED.has(event.e) || event.e.includes(":")) {
      const dry = event.e === "bottom" && event["dry"];
      const said = tell(event, names);
      if (said) notice(said, dry ? "big" : "plain", EXPLAINED.has(event.e) && event["by"] ? whyButton(event["by"], readRule) : null);
      if (dry) play("notice");
    } else if (event.e === "play") play("card");
    else if (event.e === "trick") play("trick");
  }
  speakOf(events);
  const ask = state?.ask;
  if (ask?.mine && ask.q !== seen.turn && ask.kind !== "deal" && ask.kind !== "between") {
    seen.turn = ask.q;
    if (!before?.ask?.mine) play("turn");
  }
}

/**
 * What eyes see on the felt is said to screen readers: who plays what, who takes the trick.
 * @param {readonly Event[]} events
 */
function speakOf(events) {
  const told = events.filter((event) => event.e === "play" || event.e === "trick").map((event) => tell(event, names));
  if (told.length) the("spoken").textContent = told.join(t("。", ". "));
}

function draw() {
  const now = state;
  if (!now) return;
  const { room, you } = now;
  const unread = room.phase === "over" && reading.settle !== null && seen.result !== resultKey(now);
  const looking = open.looking && open.key === resultKey(now);
  const playing = room.phase !== "lobby" && now.hand !== null && (room.phase !== "over" || unread || closeResult !== null || looking);
  the("lobby").hidden = playing;
  the("play").hidden = !playing;
  document.body.classList.toggle("at-play", playing);
  drawBar(now);
  drawVote(now, request, names);
  drawFailure(now, request);
  if (!playing) {
    lobby.show(now);
    return;
  }
  layOpen(now);
  drawFelt(now);
  const ask = now.ask;
  const pool = ask?.mine && ask.kind === "pick" && now.hand?.naming ? now.hand.naming.bottom : reading.mine;
  const lit = ask?.mine && ask.lit ? ask.lit : null;
  the("holding").hidden = you.seat === null;
  the("holding").setAttribute("aria-label", ask?.kind === "pick" && ask.mine ? t("底牌", "the bottom") : t("你的牌", "your cards"));
  holding.show(pool, now.hand?.lanes ?? [], lit);
  const gone = waitedFor(now);
  const whose = ask ? awaited({ ...ask, way: way(now) }, ask.seat === null ? "" : fullNames(ask.seat)) + (gone ? awayText(gone) : "") : room.phase === "shuffle" ? t("大家一起洗牌…", "shuffling together…") : "";
  asking.show(ask && { ...ask, mine: ask.mine && you.seat !== null, way: way(now) }, { suggests: Boolean(room.settings["suggest"]), whose, relieve: gone?.mine ? () => relieve(gone, request) : null });
  drawResult(now);
}

/** Notices stand just above the question and the cards, however high these are. */
const below = new ResizeObserver(() => {
  document.body.style.setProperty("--below", `${the("vote").offsetHeight + the("asking").offsetHeight + the("holding").offsetHeight}px`);
});
below.observe(the("vote"));
below.observe(the("holding"));
below.observe(the("asking"));

/** @param {State} now */
function drawFelt(now) {
  const { room, you, ask, clock } = now;
  const bottom = reading.bottom?.["cards"]?.length ?? 6;
  felt.show({
    reading,
    names: fullNames,
    bottomSeat: you.seat ?? 0,
    held: holdings(reading, now.hand?.dealt ?? 0, bottom),
    turn: ask?.seat ?? null,
    clock: clock && clock.for === "act" ? clock : null,
    since: now.since,
    clockwise: option(now, "direction", "counterclockwise") === "clockwise",
    marks: (seat) => {
      const taken = room.seats[seat];
      if (!taken) return [];
      return [
        taken.kind === "human" && !taken.online ? t("掉线", "offline") : "",
        taken.auto ? t("托管", "auto") : "",
      ].filter(Boolean);
    },
    open: null,
    over: open.laid && open.key === resultKey(now) ? { laid: open.laid, lanes: now.hand?.lanes ?? [], back: room.phase === "over" ? () => ((open.looking = false), draw()) : null } : null,
  });
  the("play").classList.toggle("alone", you.seat === null || felt.place.classList.contains("laid"));
}

/**
 * A hand that is over lies open to who watches, who has been told all of it then.
 * @param {State} now
 */
function layOpen(now) {
  const key = resultKey(now);
  // With the next hand what lay open of the one before is put away.
  if (key !== open.key) Object.assign(open, { key, laid: key && now.hand ? laid(now.hand.view) : null, looking: false });
}

/**
 * Look at all the cards of the hand that is over. Who played asks for its record, which is open then.
 * @param {State} now
 */
async function lookAtAll(now) {
  open.looking = true;
  closeResult?.();
  if (open.laid) return;
  const { key } = open;
  try {
    const found = laid(await handRecord(now.room, Number(reading.start?.["hand"])));
    if (open.key === key) open.laid = found;
  } catch (error) {
    open.looking = false;
    complain(error);
  }
  draw();
}

/** Which hand's result this is; empty while there is none. @param {State} now */
function resultKey({ room }) {
  const { settle, start } = reading;
  return settle ? `${room.game}.${start?.["hand"]}.${start?.["redeal"]}` : "";
}

/** The result of a hand in a dialog, once for each hand. @param {State} now */
function drawResult(now) {
  const { settle } = reading;
  if (!settle) {
    closeResult?.();
    seen.result = "";
    return;
  }
  if (seen.result === resultKey(now)) return;
  seen.result = resultKey(now);
  showResult(now);
}

/** @param {State} now */
function showResult(now) {
  const { settle, start } = reading;
  if (!settle) return;
  const content = [
    resultView(settle, fullNames, readRule),
    h("details", {}, h("summary", {}, t("记分表", "Score sheet")), sheetView(now, fullNames)),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: () => showCheck(reading, packs(now), now.room.table, now.you.seat) }, t("查这副牌", "Check this deal")),
      h("button", { type: "button", onclick: () => showHistory(reading, fullNames, true, readRule) }, t("看全把", "All tricks")),
      h("button", { type: "button", onclick: () => lookAtAll(now) }, t("亮牌", "All hands")),
      h("a", { class: "button", target: "_blank", href: replayLink(now.room, start?.["n"]) }, t("复盘", "Replay")),
    ),
    h(
      "div",
      { class: "row foot" },
      now.you.seat !== null && now.room.phase === "between"
        ? h("button", { type: "button", class: "main", onclick: () => (request("next", { q: now.ask?.q ?? 0 }), closeResult?.()) }, t("下一把", "Next hand"))
        : h("button", { type: "button", class: "main", onclick: () => closeResult?.() }, t("知道了", "OK")),
    ),
  ];
  closeResult = dialog(t("这一把的结果", "How the hand ended"), content, {
    closed: () => {
      closeResult = null;
      // Who watches has come for the cards.
      if (now.you.seat === null) open.looking = true;
      draw();
    },
  });
}

/**
 * An option's value: the base's, unless these rules say otherwise.
 * @param {State} now
 * @param {string} id
 * @param {any} base
 */
function option({ room }, id, base) {
  return room.rules.differs.find((row) => row.option === id)?.value ?? base;
}

/** What may be done in this deal: the first hand's dealer is claimed once, in later hands trump is declared. @param {State} now */
function way(now) {
  if (reading.start?.["dealer"] !== null) return "declare";
  return reading.bids.length || option(now, "first_dealer.claim", "optional") === "automatic" ? "" : "claim";
}

/** How many packs are played with. @param {State} now */
function packs(now) {
  return Number(option(now, "deck.packs", 3));
}

/** @param {State} now */
function drawBar(now) {
  const { room, you } = now;
  const over = room.phase === "over" || room.phase === "lobby";
  const all = Boolean(room.settings["history"]);
  const sits = !over && mayTakeOver(now) && room.seats.some((seat) => seat.kind === "bot");
  const button = (/** @type {string} */ text, /** @type {(now: State) => void} */ run, /** @type {import("./dom.js").Attributes} */ more = {}) =>
    h("button", { type: "button", class: "plain", ...more, onclick: () => state && run(state) }, text);
  refill(the("bar"), [over, all, you.auto, sits], () => [
    h("a", { class: "name", href: "/" }, t("打滚子", "gunzi")),
    button(t("规则", "Rules"), (now) => showRules(now.room.rules)),
    over ? null : button(all ? t("前几圈", "Tricks") : t("上一圈", "Last trick"), () => showHistory(reading, fullNames, all, readRule)),
    button(t("更多", "More"), menu, { "aria-haspopup": "dialog" }),
    you.auto ? button(t("取消托管", "I am back"), () => request("auto", { on: false }), { class: "main" }) : null,
    sits ? button(t("坐下", "Sit down"), (now) => showSeats(now, request), { class: "main" }) : null,
  ]);
}

/** @param {State} now */
function menu(now) {
  showMenu(now, reading, { request: (kind, keys) => connection.request(kind, keys), names: fullNames, packs: packs(now), result: () => showResult(now), asked: () => state?.ask?.q ?? 0 });
}

/** Clocks that do not stand at a seat: the claiming window and the result. */
setInterval(() => {
  const seconds = (/** @type {{left: number}} */ clock) => Math.ceil(left(clock, state?.since ?? 0, Date.now()) / 1000) + t(" 秒", " s");
  const voting = document.querySelector("[data-vote]");
  if (state?.vote && voting instanceof HTMLElement) voting.dataset["left"] = seconds(state.vote);
  const shown = document.querySelector("#asking .asked");
  if (!(shown instanceof HTMLElement)) return;
  const clock = state?.clock;
  shown.dataset["left"] = clock?.total && clock.for !== "act" ? seconds(clock) : "";
}, 250);

/** @param {any} frame */
function heard(frame) {
  aboutServer().then(({ phrases: known }) => {
    const member = state?.room.members.find((each) => each.member === frame.member);
    const who = frame.seat === null || frame.seat === undefined ? (member?.name ?? "") : fullNames(frame.seat);
    notice(`${who}${t("：", ": ")}${say(known[frame.phrase])}`);
  }, complain);
}

onLanguage(() => (the("spoken").textContent = ""));
onLanguage(draw);
onPreference(draw);

/** @param {string | null} name */
function connect(name) {
  connection = new Connection(table, { invite, name, changed, line, phrase: heard });
}

/**
 * @param {import("./connection.js").Line} how
 * @param {any} why
 */
function line(how, why) {
  drawLine(how, why);
  // A name that the server does not take can be given again.
  if (how === "closed" && why?.code === "name") askName(connect);
}

if (known(table)) connect(preference("name") || null);
else askName(connect);
