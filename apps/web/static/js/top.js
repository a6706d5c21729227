/** The bar at the top of every page beside the table: where one can go, and the language. */

import { fill, h, the } from "./dom.js";
import { language, onLanguage, speak, t } from "./words.js";

/**
 * Draw the bar and keep it in the language spoken; `draw` draws the page itself, now and whenever the language changes.
 * @param {"home" | "rules" | "score" | "replay"} here
 * @param {() => void} draw
 */
export function page(here, draw) {
  const both = () => {
    const pages = /** @type {[string, string, string][]} */ ([
      ["rules", "/rules", t("规则", "Rules")],
      ["score", "/score", t("记分", "Score")],
      ["replay", "/replay", t("看牌谱", "Replay")],
    ]);
    fill(
      the("bar"),
      h("a", { class: "name", href: "/", "aria-current": here === "home" && "page" }, t("打滚子", "gunzi")),
      pages.map(([id, href, text]) => h("a", { href, "aria-current": here === id && "page" }, text)),
      h("button", { type: "button", class: "plain", onclick: () => speak(language() === "zh" ? "en" : "zh") }, language() === "zh" ? "English" : "中文"),
    );
    draw();
  };
  onLanguage(both);
  both();
}
