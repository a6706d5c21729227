/** Short notices at the top of the page, read aloud by screen readers, and questions in a dialog. */

import { h, fill, the } from "./dom.js";
import { say, t } from "./words.js";

const LASTS = 5000;
/** Over the cards in play a notice stays shorter, and fewer stand at once. */
const LASTS_IN_PLAY = 2500;

/**
 * Show a sentence for a while.
 * @param {string} text
 * @param {"plain" | "bad" | "big"} [kind]
 * @param {Node | null} [more] a button beside it
 */
export function notice(text, kind = "plain", more = null) {
  const place = the("notices");
  const shown = h("div", { class: `notice ${kind}` }, text, more);
  place.append(shown);
  const inPlay = document.body.classList.contains("at-play") && kind === "plain";
  while (place.childElementCount > (inPlay ? 2 : 4)) place.firstElementChild?.remove();
  setTimeout(() => shown.remove(), inPlay ? LASTS_IN_PLAY : LASTS);
}

/**
 * Show why a request was refused.
 * @param {any} error
 */
export function complain(error) {
  notice(error?.text ? say(error.text) : String(error?.message ?? error), "bad");
}

/** How many dialogs there have been. */
let dialogs = 0;

/**
 * A dialog with a title and some content; closed by its button, by Escape, or by the returned function.
 * @param {string} title
 * @param {readonly (Node | string)[]} content
 * @param {{wide?: boolean, closed?: () => void}} [options]
 */
export function dialog(title, content, { wide, closed } = {}) {
  const named = `dialog-${++dialogs}`; // one may be opened over another
  const box = h("dialog", { class: wide ? "wide" : "", "aria-labelledby": named });
  const close = () => box.close();
  fill(
    box,
    h("div", { class: "row spread" }, h("h2", { id: named }, title), h("button", { class: "plain", type: "button", onclick: close, "aria-label": t("关上", "close") }, "✕")),
    ...content,
  );
  box.addEventListener("close", () => {
    box.remove();
    closed?.();
  });
  box.addEventListener("click", (event) => event.target === box && close());
  document.body.append(box);
  box.showModal();
  return close;
}

/**
 * Ask yes or no.
 * @param {string} question
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  return new Promise((answer) => {
    let said = false;
    const close = dialog(
      question,
      [
        h(
          "div",
          { class: "row" },
          h("button", { class: "main", type: "button", onclick: () => ((said = true), close()) }, yes),
          h("button", { type: "button", onclick: () => close() }, t("算了", "Cancel")),
        ),
      ],
      { closed: () => answer(said) },
    );
  });
}
