/** The page's reckoning by itself, for tests/test_reckoning.py: a table and sheets of told hands in, what becomes of them out. */

import { readFileSync } from "node:fs";

const { reckoned } = await import("../../apps/web/static/js/reckoning.js");
const { table, sheets } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(sheets.map((/** @type {any} */ hands) => reckoned(table, hands))));
