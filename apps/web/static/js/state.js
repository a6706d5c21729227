/** A table as this person sees it, kept up to date with the server's frames. Pure: a frame in, a new state out. */

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Hand} Hand */

const BESIDE = /** @type {const} */ (["you", "room", "score", "ask", "clock", "vote", "fair"]);
const INSIDE = /** @type {const} */ (["naming", "dealt", "lanes"]);

/**
 * The state after a frame `state` or `events`; null while there is none yet. `now`: when the frame came, for clocks (ms).
 * An `events` frame older than the state changes nothing.
 * @param {State | null} old
 * @param {any} frame
 * @param {number} now
 * @returns {State | null}
 */
export function after(old, frame, now) {
  if (frame.t === "state") {
    const { t: _kind, v: _version, ...parts } = frame;
    return { ...parts, since: now };
  }
  if (frame.t !== "events" || !old || frame.rev < old.rev) return old;
  /** @type {any} */
  const next = { ...old, rev: frame.rev };
  for (const key of BESIDE) if (key in frame) next[key] = frame[key];
  if ("clock" in frame || "vote" in frame) next.since = now;
  const touched = "view" in frame || INSIDE.some((key) => key in frame);
  if (touched) next.hand = handAfter(old.hand, frame);
  return next;
}

/**
 * @param {Hand | null} old
 * @param {any} frame
 * @returns {Hand}
 */
function handAfter(old, frame) {
  /** @type {Hand} */
  const hand = { ...(old ?? { view: [], naming: null, dealt: 0, lanes: [] }) };
  if (frame.view) {
    const fresh = frame.view.map((/** @type {any} */ event) => event.e).lastIndexOf("hand");
    hand.view = fresh < 0 ? [...hand.view, ...frame.view] : frame.view.slice(fresh);
    if (fresh >= 0) hand.naming = null;
  }
  for (const key of INSIDE) if (key in frame) /** @type {any} */ (hand)[key] = frame[key];
  return hand;
}

/**
 * What is left of a clock now, in ms.
 * @param {{left: number}} clock
 * @param {number} since when it was told
 * @param {number} now
 */
export function left(clock, since, now) {
  return Math.max(0, clock.left - Math.max(0, now - since));
}
