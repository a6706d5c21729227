/**
 * One connection to a table, kept through bad networks: requests that were not answered are sent again with the same id after
 * reconnecting, so that each is done once. The token of a table is kept in this browser.
 */

import { after } from "./state.js";
import { reason } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {"connecting" | "online" | "offline" | "closed"} Line */

const FIRST_WAIT = 250;
/** With the quarter by which waits vary, a line is tried again within two seconds. */
const LONGEST_WAIT = 1500;
const SILENCE = 20000;
/** How long a line may take to be made before another is tried. */
const PATIENCE = 5000;
const WATCH_EVERY = 1000;
/** Codes of `bye` and of a refused `hello` after which connecting again is of no use. */
const FINAL = new Set(["kicked", "replaced", "token", "invite", "no_table", "full", "version", "name", "frame"]);

/** A request that was refused: `code`, both texts, and for an illegal act `refused`. */
export class RequestError extends Error {
  /** @param {any} frame */
  constructor(frame) {
    super(frame.en);
    this.code = /** @type {string} */ (frame.code);
    this.text = reason(frame);
    this.refused = /** @type {import("./types.js").Refused | null} */ (frame.refused ?? null);
  }
}

export class Connection {
  /**
   * @param {string} table
   * @param {{invite?: string | null, name?: string | null, changed: (state: State, frame: any) => void,
   *   line: (line: Line, why: any) => void, phrase?: (frame: any) => void}} handlers
   */
  constructor(table, handlers) {
    this.table = table;
    this.handlers = handlers;
    /** @type {State | null} */
    this.state = null;
    this.waiting = new Map(/** @type {[string, {frame: any, done: (frame: any) => void, failed: (error: any) => void}][]} */ ([]));
    this.count = 0;
    this.prefix = Math.random().toString(36).slice(2, 8);
    this.wait = FIRST_WAIT;
    this.stopped = false;
    this.greeted = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heard = 0;
    this.opened = 0;
    this.again = 0;
    /** What the server has said of why the line is down. @type {any} */
    this.why = null;
    this.open();
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    setInterval(() => this.watch(), WATCH_EVERY);
  }

  /** The token that makes one the same person after a reload. */
  get token() {
    return read(this.table)?.token ?? null;
  }

  open() {
    clearTimeout(this.again);
    if (!this.why) this.handlers.line("connecting", null);
    this.greeted = false;
    this.opened = Date.now();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => socket === this.socket && this.greet());
    socket.addEventListener("message", (event) => socket === this.socket && this.take(JSON.parse(event.data)));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
  }

  greet() {
    /** @type {any} */
    const hello = { t: "hello", id: this.fresh(), v: 1, table: this.table };
    const kept = read(this.table);
    if (kept) hello.token = kept.token;
    else {
      if (this.handlers.invite) hello.invite = this.handlers.invite;
      if (this.handlers.name) hello.name = this.handlers.name;
    }
    this.hello = hello.id;
    this.put(hello);
  }

  /** @param {any} frame */
  take(frame) {
    this.heard = Date.now();
    if (frame.re && frame.re === this.hello) {
      if (frame.t === "error") return this.refusedHello(frame);
      if (frame.token) keep(this.table, { member: frame.member, token: frame.token });
      this.greeted = true;
      this.wait = FIRST_WAIT;
      this.why = null;
      this.handlers.line("online", null);
      for (const { frame: unanswered } of this.waiting.values()) this.put(unanswered);
      return;
    }
    if (frame.t === "ok" || frame.t === "error") {
      // A hello that could not even be read is answered without its id.
      if (!this.greeted && frame.re === null) return this.stop(frame);
      const waiting = this.waiting.get(frame.re);
      this.waiting.delete(frame.re);
      if (frame.t === "ok") waiting?.done(frame);
      else waiting?.failed(new RequestError(frame));
    } else if (frame.t === "state" || frame.t === "events") {
      this.state = after(this.state, frame, Date.now());
      if (this.state) this.handlers.changed(this.state, frame);
    } else if (frame.t === "phrase") this.handlers.phrase?.(frame);
    else if (frame.t === "bye") {
      if (FINAL.has(frame.code)) this.stop(frame);
      else this.why = frame;
    }
  }

  /** @param {any} frame */
  refusedHello(frame) {
    if (frame.code === "token") {
      // The server does not know this browser's token any more: be somebody new.
      forget(this.table);
      if (this.handlers.invite || !this.forgotten) {
        this.forgotten = true;
        this.greet();
        return;
      }
    }
    if (FINAL.has(frame.code)) return this.stop(frame);
    // The server is busy, say: it is asked again, and meanwhile one sees why.
    this.why = frame;
    this.drop();
  }

  /** Give this line up, and make another. */
  drop() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.lost();
  }

  lost() {
    if (this.stopped) return;
    this.greeted = false;
    this.handlers.line("offline", this.why);
    this.again = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** Connect at once where the browser says that there is a network again. */
  hurry() {
    if (!this.stopped && this.socket && this.socket.readyState > 1) this.open();
  }

  /** A network can die without a word: ask, and give the line up when nothing is heard. */
  watch() {
    if (this.stopped || !this.socket || this.socket.readyState > 1) return;
    // A clock that is set, forwards or back, costs a new line and shows no wrong countdown for long.
    const silent = Math.abs(Date.now() - (this.greeted ? this.heard : this.opened));
    if (silent > (this.greeted ? SILENCE : PATIENCE)) this.drop();
    else if (this.greeted && silent > SILENCE / 2) this.put({ t: "ping", id: this.fresh() });
  }

  /** @param {any} why */
  stop(why) {
    this.stopped = true;
    this.why = why;
    this.handlers.line("closed", why);
    for (const { failed } of this.waiting.values()) failed(new RequestError(why));
    this.waiting.clear();
    this.socket?.close();
  }

  fresh() {
    return `${this.prefix}-${++this.count}`;
  }

  /** @param {any} frame */
  put(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /**
   * Ask for something; the answer comes when it is done and in the server's log. Rejects with RequestError.
   * @param {string} kind
   * @param {Record<string, any>} [keys]
   * @returns {Promise<any>}
   */
  request(kind, keys = {}) {
    if (this.stopped) return Promise.reject(new RequestError(this.why));
    const frame = { t: kind, id: this.fresh(), ...keys };
    return new Promise((done, failed) => {
      this.waiting.set(frame.id, { frame, done, failed });
      if (this.greeted) this.put(frame);
    });
  }
}

/**
 * Who this browser is at a table.
 * @param {string} table
 * @returns {{member: string, token: string} | null}
 */
export function read(table) {
  try {
    const found = JSON.parse(localStorage.getItem(`gunzi.table.${table}`) ?? "null");
    return found && typeof found.token === "string" ? found : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} table
 * @param {{member: string, token: string}} who
 */
export function keep(table, who) {
  try {
    localStorage.setItem(`gunzi.table.${table}`, JSON.stringify(who));
  } catch {
    // no storage: after a reload one is somebody new
  }
}

/** @param {string} table */
export function forget(table) {
  try {
    localStorage.removeItem(`gunzi.table.${table}`);
  } catch {
    // nothing was kept
  }
}
