/** The score sheet of a table's game: what has come with the state, and the hands before it when somebody asks for them. */

import { api } from "./api.js";
import { read } from "./connection.js";
import { fill, h } from "./dom.js";
import { complain } from "./notices.js";
import { sheetTable } from "./result.js";
import { t } from "./words.js";

/** @typedef {import("./types.js").SheetRow} SheetRow */

/**
 * The score sheet of a game; earlier hands than the server has sent by itself are fetched with a button, some hundred at a time.
 * @param {import("./types.js").State} state
 * @param {(seat: number) => string} names
 */
export function sheetView({ room, score }, names) {
  const place = h("div", { class: "stack" });
  /** @param {readonly SheetRow[]} rows */
  const draw = (rows) => {
    const left = rows.length ? score.hands - rows.length : 0;
    const button = h("button", { type: "button", "data-do": "earlier", onclick: () => earlier(rows, button) }, t(`更早的 ${left} 把`, `${left} earlier hands`));
    fill(place, left > 0 ? button : "", sheetTable(rows, score, names));
  };
  /**
   * @param {readonly SheetRow[]} rows
   * @param {HTMLElement} button
   */
  const earlier = async (rows, button) => {
    button.setAttribute("disabled", "");
    try {
      const found = await api(`tables/${room.table}/hands?game=${room.game}&before=${rows[0]?.hand}`, { token: read(room.table)?.token ?? null });
      draw([...found, ...rows]);
    } catch (error) {
      button.removeAttribute("disabled");
      complain(error);
    }
  };
  draw(score.sheet);
  return place;
}
