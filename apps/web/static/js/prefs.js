/** What a person has set for this browser: four colours for the suits, sounds, strong cards first, the name. */

/** @typedef {"fourColours" | "sounds" | "strongFirst" | "name"} Preference */

const KEPT = "gunzi.prefs";
/** @type {Record<string, any>} */
let kept = {};
try {
  kept = { ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
} catch {
  // unreadable or no storage: as if nothing had been set
}
const listeners = /** @type {Set<() => void>} */ (new Set());
apply();

/**
 * @param {Preference} which
 * @returns {any}
 */
export function preference(which) {
  return kept[which];
}

/**
 * @param {Preference} which
 * @param {any} value
 */
export function prefer(which, value) {
  kept[which] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // it lasts as long as the page
  }
  apply();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener */
export function onPreference(listener) {
  listeners.add(listener);
}

function apply() {
  document.documentElement.classList.toggle("four-colours", Boolean(kept["fourColours"]));
}
