/** Coming to a table for the first time: everybody has a name before he comes in. */

import { fill, h, the } from "./dom.js";
import { prefer, preference } from "./prefs.js";
import { language, onLanguage, speak, t } from "./words.js";

/**
 * Ask who comes in, and go on with the name.
 * @param {(name: string) => void} go
 */
export function askName(go) {
  let entered = false;
  const field = h("input", { maxlength: 24, value: preference("name") ?? "" });
  const enter = () => {
    const name = field.value.trim() || t("牌友", "guest");
    prefer("name", name);
    entered = true;
    fill(the("lobby"));
    go(name);
  };
  const show = () => {
    if (entered) return;
    field.placeholder = t("你的名字", "your name");
    field.setAttribute("aria-label", field.placeholder);
    fill(
      the("bar"),
      h("a", { class: "name", href: "/" }, t("打滚子", "gunzi")),
      h("button", { type: "button", class: "plain", onclick: () => speak(language() === "zh" ? "en" : "zh") }, language() === "zh" ? "English" : "中文"),
    );
    the("lobby").hidden = false;
    fill(
      the("lobby"),
      h(
        "form",
        { class: "panel stack", onsubmit: (/** @type {any} */ event) => (event.preventDefault(), enter()) },
        h("h1", {}, t("来打滚子", "Join the table")),
        field,
        h("button", { class: "main", type: "submit" }, t("进来", "Come in")),
      ),
    );
    field.focus();
  };
  onLanguage(show);
  show();
}
