/**
 * The language spoken: Chinese or English. Every text of the pages is given in both where it is used, `t("出牌", "play")`;
 * texts of the server come as `{zh, en}` and are said by `say`. Changing the language draws everything anew (`onLanguage`).
 */

/** @typedef {"zh" | "en"} Language */
/** @typedef {{zh: string, en: string}} Text */

const KEPT = "gunzi.lang";
const listeners = new Set(/** @type {(() => void)[]} */ ([]));

/** @type {Language} */
let spoken = kept() ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
document.documentElement.lang = spoken === "zh" ? "zh-CN" : "en";

/** @returns {Language | null} */
function kept() {
  try {
    const found = localStorage.getItem(KEPT);
    return found === "zh" || found === "en" ? found : null;
  } catch {
    return null; // no storage in this browser: the language lasts as long as the page
  }
}

/** @returns {Language} */
export function language() {
  return spoken;
}

/** @param {Language} wanted */
export function speak(wanted) {
  spoken = wanted;
  document.documentElement.lang = wanted === "zh" ? "zh-CN" : "en";
  try {
    localStorage.setItem(KEPT, wanted);
  } catch {
    // it lasts as long as the page
  }
  for (const listener of listeners) listener();
}

/**
 * Call when the language has changed.
 * @param {() => void} listener
 */
export function onLanguage(listener) {
  listeners.add(listener);
}

/**
 * `1 card`, `2 cards`: a number in an English sentence.
 * @param {number} number
 * @param {string} one
 * @param {string} [many] where it is more than `one` with an s
 */
export function counted(number, one, many) {
  return `${number} ${number === 1 ? one : (many ?? `${one}s`)}`;
}

/**
 * A text in the language spoken.
 * @param {string} zh
 * @param {string} en
 */
export function t(zh, en) {
  return spoken === "zh" ? zh : en;
}

/**
 * A text of the server in the language spoken.
 * @param {Text | string | null | undefined} text
 */
export function say(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : text[spoken];
}

/**
 * Why the server has refused something, problem by problem where it names several.
 * @param {{zh: string, en: string, problems?: Text[]}} refusal
 * @returns {Text}
 */
export function reason({ zh, en, problems }) {
  if (!problems?.length) return { zh, en };
  return { zh: problems.map((each) => each.zh).join("；"), en: problems.map((each) => each.en).join("; ") };
}

/**
 * The names joined as people read them: 甲、乙 / A, B.
 * @param {readonly string[]} names
 */
export function listed(names) {
  return names.join(t("、", ", "));
}
