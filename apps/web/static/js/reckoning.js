/**
 * Hands as people at a real table tell them, looked up in a reckoning that the server made of the rules. Nothing here knows a rule:
 * what a hand comes to stands in decision trees, whose form docs/web-protocol.md tells. Pure.
 */

/** @typedef {{zh: string, en: string}} Text */
/** @typedef {Record<string, string>} Entry */
/** @typedef {{columns: string[], nodes: number[][], leaves: number[][], values: any[], texts: any[]}} Pool */
/** @typedef {{from: number, to: number, count: number}} Owed */
/** @typedef {{number: number, round: number, hand: number, levels: number[], dealer: number | null, dealer_by: string, owed: Owed | null}} Standing */
/**
 * @typedef {object} Reckoning
 * @property {{id: string, name: Text, hash: string}} rules
 * @property {{patterns: any, copies: number[], points: number[], hand: number, bottom: number, all_points: number, step: number}} cards
 * @property {Standing} start
 * @property {Record<string, string[]>} wanted
 * @property {[number, number][]} parties who pays whom, seats counted from the dealer's; empty: anybody
 * @property {boolean} last is the play that won the last trick asked for?
 * @property {Record<string, number[]>} domains
 * @property {[number, string][]} titles
 * @property {any[][]} lines
 * @property {Record<string, Record<string, number>>} functions
 * @property {Pool & {top: number}} hands
 * @property {Pool & {tops: Record<string, number>}} dry
 */

/** What is wrong with an entry, and with which part of it. */
export class Wrong extends Error {
  /**
   * @param {string | null} key
   * @param {string} zh
   * @param {string} en
   */
  constructor(key, zh, en) {
    super(en);
    this.key = key;
    this.text = { zh, en };
  }
}

const SUITS = "SHCD";
const RANKS = "23456789TJQKA";
/** After a dealer or a tribute that was not due: it was so all the same. */
export const SO_IT_WAS = "!";

/** @param {string} card */
function kindOf(card) {
  return card === "LJ" ? 52 : card === "BJ" ? 53 : 13 * SUITS.indexOf(card[0] ?? "") + RANKS.indexOf(card[1] ?? "");
}

// -- trees ----------------------------------------------------------------------------------------------------------

/**
 * What a tree says where the variables are known, by column.
 * @param {Reckoning} table
 * @param {Pool} pool
 * @param {number} tree
 * @param {(name: string) => number} known
 */
export function lookedUp(table, pool, tree, known) {
  /** @type {(line: any[]) => number} */
  const comeTo = (line) => {
    let sum = line[0];
    for (let at = 1; at < line.length; at += 2) sum += line[at] * atom(line[at + 1]);
    return sum;
  };
  /** @type {(each: any) => number} */
  const atom = (each) => {
    if (typeof each === "string") return known(each);
    if (each[0] === "f") return table.functions[each[1]]?.[each.slice(2).map(comeTo).join()] ?? NaN;
    const inner = comeTo(each[1]);
    const whole = Math.floor(inner / each[2]);
    return each[0] === "/" ? whole : inner - each[2] * whole;
  };
  /** @type {(place: any) => number} */
  const line = (place) => {
    const found = comeTo(table.lines[Number(place)] ?? [NaN]);
    if (Number.isNaN(found)) throw new Wrong(null, "没有网络，这套规则算不了这样的一把", "these rules cannot reckon such a hand without the server");
    return found;
  };
  /** @type {(value: any) => any} */
  const filled = (value) => {
    if (typeof value === "string") {
      if (value.startsWith("=")) return value.startsWith("==") ? value.slice(1) : line(value.slice(1));
      return value.replace(/\ue000(\d+)\ue001/g, (_, place) => String(line(place)));
    }
    if (Array.isArray(value)) return value.map(filled);
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]));
    return value;
  };
  while (tree >= 0) {
    const node = /** @type {number[]} */ (pool.nodes[tree]);
    const number = line(node[0]);
    let at = 1;
    while (at + 2 < node.length && /** @type {number} */ (node[at + 2]) <= number) at += 2;
    tree = /** @type {number} */ (node[at + 1]);
  }
  const leaf = /** @type {number[]} */ (pool.leaves[-1 - tree]);
  /** @type {Record<string, any>} */
  const found = {};
  pool.columns.forEach((column, place) => {
    const value = pool.values[/** @type {number} */ (leaf[place])];
    found[column] = column.endsWith(".explain") ? value.map((/** @type {number} */ text) => filled(pool.texts[text])) : filled(value);
  });
  return found;
}

/**
 * The columns of a part, by their own names.
 * @param {Record<string, any>} found
 * @param {string} part
 */
function part(found, part) {
  return Object.fromEntries(Object.entries(found).flatMap(([key, value]) => (key.startsWith(`${part}.`) ? [[key.slice(part.length + 1), value]] : [])));
}

// -- reading an entry -------------------------------------------------------------------------------------------------

/**
 * The cards a text names, in any of the ways people write them.
 * @param {Reckoning} table
 * @param {string} key
 * @param {string} text
 */
export function cardsOf(table, key, text) {
  const { patterns } = table.cards;
  const [joker, one, other] = [patterns.joker, ...patterns.cards].map((each) => new RegExp(each, "uy"));
  const times = new RegExp(patterns.times, "iuy");
  const plain = text.trim().toUpperCase();
  /** @type {string[]} */
  const found = [];
  let at = 0;
  const match = (/** @type {RegExp | undefined} */ pattern) => {
    if (!pattern) return null;
    pattern.lastIndex = at;
    return pattern.exec(plain);
  };
  while (at < plain.length) {
    if (patterns.breaks.includes(plain[at]) || /\s/.test(plain[at] ?? "")) {
      at += 1;
      continue;
    }
    const king = match(joker);
    const read = king ?? match(one) ?? match(other);
    if (!read) {
      const rest = plain.slice(at).split(/[\s ,，、;；+]/)[0];
      throw new Wrong(key, `${rest} 不是牌`, `${rest} is no card`);
    }
    const card = king ? patterns.jokers[king[0]] : patterns.suits[read.groups?.["suit"] ?? ""] + (read.groups?.["rank"] ?? "").replace(/10|十/, "T");
    at += read[0].length;
    const more = match(times);
    if (more) at += more[0].length;
    for (let count = more ? Number(more[1]) : 1; count > 0; count--) found.push(card);
  }
  return found;
}

/**
 * @param {Reckoning} table
 * @param {string} key
 * @param {readonly string[]} cards
 */
function checkCopies(table, key, cards) {
  for (const card of cards) {
    const count = cards.filter((each) => each === card).length;
    const copies = table.cards.copies[kindOf(card)] ?? 0;
    if (count > copies) throw new Wrong(key, `${card} 写了 ${count} 张，一共只有 ${copies} 张`, `${card} is given ${count} times, but there are only ${copies}`);
  }
}

/**
 * @param {string} key
 * @param {string} text
 * @param {number} high
 * @param {number} step
 * @param {Text} name
 */
function number(key, text, high, step, name) {
  const found = Number(text);
  if (/^\d{1,5}$/.test(text) && found <= high && found % step === 0) return found;
  const [zh, en] = step > 1 ? [`，是 ${step} 的倍数`, `, a multiple of ${step}`] : ["", ""];
  throw new Wrong(key, `${name.zh}要写 0 到 ${high}${zh}，不能写 ${text}`, `${name.en}: 0 to ${high}${en}, not ${text}`);
}

/**
 * @param {Entry} told
 * @param {string} key
 * @param {Text} name
 */
function needed(told, key, name) {
  const value = told[key];
  if (!value) throw new Wrong(key, `还没填${name.zh}`, `${name.en}: not filled in yet`);
  return value;
}

/**
 * @param {Entry} told
 * @param {string} key
 * @param {Text} name
 */
function yesOrNo(told, key, name) {
  const value = needed(told, key, name);
  if (value !== "yes" && value !== "no") throw new Wrong(key, `${name.zh}要写 yes 或 no`, `${name.en} is yes or no`);
  return value === "yes";
}

/**
 * @param {string} key
 * @param {string} text
 */
function seat(key, text) {
  if (!/^[0-3]$/.test(text)) throw new Wrong(key, `座位要写 0 到 3，不能写 ${text}`, `a seat is 0 to 3, not ${text}`);
  return Number(text);
}

/**
 * Who dealt; where it was not his turn, it says so (`remarks`).
 * @param {Entry} told
 * @param {Standing} standing
 * @param {any[]} remarks
 */
function dealerOf(told, standing, remarks) {
  if (standing.dealer !== null && !told["dealer"]) return standing.dealer;
  const text = needed(told, "dealer", { zh: "谁坐庄", en: "dealer" });
  const forced = text.endsWith(SO_IT_WAS);
  const was = seat("dealer", forced ? text.slice(0, -1) : text);
  if (standing.dealer === null || was === standing.dealer) return was;
  if (!forced) throw new Wrong("dealer", "这一把不该他坐庄", "it was not his turn to deal");
  remarks.push({ kind: "dealer", due: standing.dealer, was, by: standing.dealer_by });
  return was;
}

/**
 * What was paid: null where nothing was.
 * @param {Reckoning} table
 * @param {Entry} told
 * @param {Standing} standing
 * @param {any[]} remarks
 * @returns {Owed | null}
 */
function tributeOf(table, told, standing, remarks) {
  const { owed } = standing;
  const given = told["tribute"] ?? "";
  if (!given) return owed;
  const forced = given.endsWith(SO_IT_WAS);
  let text = forced ? given.slice(0, -1).trim() : given;
  if (text === "no") return null;
  if (owed && /^\d+$/.test(text)) text = `${owed.from}>${owed.to}:${text}`;
  const read = /^([^>]*)>([^:]*):(.*)$/.exec(text);
  if (!read) throw new Wrong("tribute", `看不懂进贡 ${given}`, `tribute: ${given} is not understood`);
  const [from, to] = [seat("tribute", read[1] ?? ""), seat("tribute", read[2] ?? "")];
  if (from === to) throw new Wrong("tribute", "不能给自己进贡", "nobody pays himself");
  const count = number("tribute", read[3] ?? "", table.cards.hand, 1, { zh: "进贡的张数", en: "cards of tribute" });
  if (!owed || ![owed.from, owed.to].includes(from) || ![owed.from, owed.to].includes(to)) {
    if (!forced) throw new Wrong("tribute", owed ? "进贡的不是该进的两家" : "这一把没人欠贡", owed ? "tribute is due between two others" : "no tribute is due in this hand");
    remarks.push({ kind: "tribute", owed, from, to });
  }
  return count ? { from, to, count } : null;
}

/**
 * A told hand, looked up: its row of the sheet, and how the table stands after it. Throws Wrong.
 * @param {Reckoning} table
 * @param {Entry} entry
 * @param {Standing} standing
 */
function settled(table, entry, standing) {
  /** @type {Entry} */
  const told = {};
  for (const [key, value] of Object.entries(entry)) if (String(value).normalize("NFKC").trim()) told[key] = String(value).normalize("NFKC").trim();
  /** @type {any[]} */
  const remarks = [];
  const { cards } = table;
  const dealer = dealerOf(told, standing, remarks);
  const trump = table.cards.patterns.suits[needed(told, "trump", { zh: "什么主", en: "trump" }).toUpperCase()];
  if (!trump) throw new Wrong("trump", "主要写花色", "trump is a suit");
  const captured = yesOrNo(told, "captured", { zh: "抠底还是保底", en: "captured or held" });
  const bottom = cards.bottom ? cardsOf(table, "bottom", needed(told, "bottom", { zh: "底牌", en: "bottom" })) : [];
  if (bottom.length !== cards.bottom) throw new Wrong("bottom", `底牌是 ${cards.bottom} 张，写了 ${bottom.length} 张`, `the bottom has ${cards.bottom} cards, not ${bottom.length}`);
  checkCopies(table, "bottom", bottom);
  const worth = bottom.reduce((sum, card) => sum + (kindOf(card) < 52 ? (cards.points[kindOf(card) % 13] ?? 0) : 0), 0);
  const dry = told["dry"] ? yesOrNo(told, "dry", { zh: "干锅", en: "dry pot" }) : false;
  /** @type {(name: string) => number} */
  const inBottom = (name) => {
    const [how, one, kinds] = name.split(":");
    if (how === "count") return bottom.filter((card) => card === one).length;
    const mask = BigInt(`0x${kinds}`);
    const many = (/** @type {string} */ card) => bottom.filter((each) => each === card).length >= Number(one);
    return bottom.some((card) => (mask >> BigInt(kindOf(card))) & 1n && many(card)) ? 1 : 0;
  };
  const tree = table.dry.tops[`${standing.levels[dealer % 2]}${trump}${standing.dealer === null ? 1 : 0}`];
  if (dry && tree !== undefined) {
    const why = lookedUp(table, table.dry, tree, inBottom)["dry.why"];
    if (why) throw new Wrong("dry", why.zh, why.en);
  }
  const paid = tributeOf(table, told, standing, remarks);
  const last = told["last"] ? cardsOf(table, "last", told["last"]) : [];
  if (told["last"] && (last.length < 1 || last.length > cards.hand)) throw new Wrong("last", "要写赢下最后一圈的那几张牌", "the cards that won the last trick are wanted");
  checkCopies(table, "last", last);
  if (captured && table.last && !last.length) throw new Wrong("last", "底牌的分怎么翻，要看赢下最后一圈的牌：还没填", "what the bottom counts depends on the cards that won the last trick: not filled in yet");
  const points = number("points", needed(told, "points", { zh: "台面得分", en: "points" }), cards.all_points - worth, cards.step, { zh: "台面得分", en: "points" });
  const between = (/** @type {Owed} */ { from, to }) => table.parties.findIndex(([one, other]) => from === (dealer + one) % 4 && to === (dealer + other) % 4);
  /** @type {Record<string, number>} */
  const known = {
    captured: Number(captured),
    dry: Number(dry),
    paid: !paid ? 0 : table.parties.length ? 1 + between(paid) || NaN : 1,
    dealer,
    giver: paid?.from ?? 0,
    receiver: paid?.to ?? 0,
    count: paid?.count ?? 1,
    level0: standing.levels[0] ?? 0,
    level1: standing.levels[1] ?? 0,
    points,
    bottom: worth,
    last: last.length || 1,
  };
  for (const [name, values] of Object.entries(table.domains)) {
    if (!values.includes(known[name] ?? NaN)) throw new Wrong(name === "last" ? "last" : name === "paid" ? "tribute" : null, "没有网络，这套规则算不了这样的一把", "these rules cannot reckon such a hand without the server");
  }
  const all = { ...known, round: standing.round, hand: standing.hand, number: standing.number };
  const found = lookedUp(table, table.hands, table.hands.top, (name) => (name.includes(":") ? inBottom(name) : (/** @type {any} */ (all)[name] ?? NaN)));
  const tidy = /** @type {Entry} */ ({ dealer: String(dealer), trump });
  if (standing.owed || paid) tidy["tribute"] = paid ? `${paid.from}>${paid.to}:${paid.count}` : "no";
  Object.assign(tidy, { points: String(points), captured: captured ? "yes" : "no", bottom: bottom.join() || "no", dry: dry ? "yes" : "no" });
  if (last.length) tidy["last"] = last.join();
  const { number: place, round, hand, levels } = standing;
  return {
    row: { number: place, round, hand, levels, dealer, told: tidy, result: /** @type {any} */ ({ ...part(found, "result"), bottom }), remarks },
    next: /** @type {Standing} */ (part(found, "next")),
  };
}

// -- the sheet --------------------------------------------------------------------------------------------------------

/**
 * The keys to ask for, in order.
 * @param {Reckoning} table
 * @param {Standing} standing
 * @param {boolean} captured
 */
export function wanted(table, standing, captured) {
  return table.wanted[`${Number(standing.dealer === null)}${Number(standing.owed !== null)}${Number(captured)}`] ?? [];
}

/**
 * The sheet of all hands told so far. A hand that cannot be ends it (`wrong`: which hand, from 1, which key, why).
 * @param {Reckoning} table
 * @param {readonly Entry[]} hands
 */
export function reckoned(table, hands) {
  let standing = table.start;
  /** @type {any[]} */
  const rows = [];
  const scores = [0, 0, 0, 0];
  const won = [0, 0];
  let wrong = null;
  for (const [place, entry] of hands.entries()) {
    try {
      const { row, next } = settled(table, entry, standing);
      rows.push(row);
      row.result.scores.forEach((/** @type {number} */ more, /** @type {number} */ seat) => (scores[seat] = (scores[seat] ?? 0) + more));
      const winner = row.result.round_won_by;
      if (winner !== null) won[winner] = (won[winner] ?? 0) + 1;
      standing = next;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong = { hand: place + 1, key: error.key, ...error.text };
      break;
    }
  }
  const title = (/** @type {number} */ score) => table.titles.findLast(([from]) => from <= score)?.[1] ?? "";
  return { rules: table.rules, rows, standing: { ...standing, wanted: wanted(table, standing, false) }, scores, titles: scores.map(title), rounds_won: won, last: table.last, wrong };
}
