/** What a table gives away: its record, a report of its failure, the address of a moment. */

import { api } from "./api.js";
import { read as who } from "./connection.js";
import { complain } from "./notices.js";

/**
 * Fetch a file of a table with this browser's token and let it be saved.
 * @param {string} table
 * @param {string} path below the table, `record?game=1`
 * @param {string} name what the file is called
 */
export async function download(table, path, name) {
  try {
    const text = await api(`tables/${table}/${path}`, { token: who(table)?.token ?? null, text: true });
    const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (error) {
    complain(error);
  }
}

/**
 * The events of a finished hand, every card open.
 * @param {{table: string, game: number}} room
 * @param {number} hand
 * @returns {Promise<import("./types.js").Event[]>}
 */
export async function handRecord({ table, game }, hand) {
  const text = await api(`tables/${table}/record?game=${game}&hand=${hand}`, { token: who(table)?.token ?? null, text: true });
  const events = text.split("\n").filter((/** @type {string} */ row) => row.trim()).map((/** @type {string} */ row) => JSON.parse(row));
  // A deal that was void stands before the one that was played.
  return events.slice(events.findLastIndex((/** @type {any} */ event) => event.e === "hand"));
}

/**
 * The address at which a table's finished hands are looked at, from one event on.
 * @param {{table: string, game: number}} room
 * @param {number | undefined} at the event's number
 */
export function replayLink({ table, game }, at) {
  const wanted = new URLSearchParams({ table, game: String(game) });
  if (at !== undefined) wanted.set("at", String(at));
  return `/replay#${wanted}`;
}
