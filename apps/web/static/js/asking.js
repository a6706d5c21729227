/** The question that is open, with what can be answered: buttons, how many cards to choose, and why a choice is not allowed. */

import { cardText, cardsText, suitName } from "./cards.js";
import { h, refill } from "./dom.js";
import { say, t } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Ask & {way?: string}} Ask `way`: how trump is found in this hand, where anybody still may: claim, declare */
/** @typedef {import("./types.js").Act} Act */
/** @typedef {import("./types.js").Refused} Refused */

/** The questions that are answered with chosen cards, and what answering them is called. */
const WITH_CARDS = /** @type {Record<string, [string, string]>} */ ({
  lead: ["出牌", "Play"],
  follow: ["出牌", "Play"],
  pay: ["进贡", "Pay"],
  return: ["还贡", "Give back"],
  bury: ["扣底", "Bury"],
  pick: ["捡牌", "Pick up"],
});

const ACT_OF = /** @type {Record<string, string>} */ ({ lead: "play", follow: "play" });

/** What can be done while cards are dealt, and when all are out. @type {Record<string, [[string, string], [string, string]]>} */
const WAYS = {
  claim: [
    ["，有大王随时可以抢亮", ": who holds a big joker may show it at any moment"],
    ["，最后的抢亮机会", ": the last chance to show a big joker"],
  ],
  declare: [
    ["，随时可以亮", ": declare at any moment"],
    ["，最后的亮主机会", ": the last chance to declare"],
  ],
};

/**
 * What a question asks of somebody, in a sentence.
 * @param {Ask} ask
 */
export function asked(ask) {
  const { count, suit } = ask;
  const many = count === null || count === undefined ? "" : t(`${count} 张`, `${count} ${count === 1 ? "card" : "cards"}`);
  switch (ask.kind) {
    case "lead":
      return t("领牌：一张，或几张一样的", "lead: one card, or several equal ones");
    case "follow":
      return suit ? t(`跟${suit === "trump" ? "主" : suitName(suit)}，${many}`, `follow ${suit === "trump" ? "trump" : suitName(suit)}: ${many}`) : t(`跟 ${many}`, `follow with ${many}`);
    case "pay":
      return t(`进贡：交 ${many}`, `tribute: pay ${many}`);
    case "return":
      return t(`还贡：还 ${many}`, `give back ${many}`);
    case "bury":
      return t(`扣底：选 ${many}`, `bury ${many}`);
    case "bury_kings":
      return t("要扣王吗？", "bury kings?");
    case "pick":
      return t(`从底里捡 ${many}`, `pick ${many} from the bottom`);
    case "deal": {
      const [during, last] = WAYS[ask.way ?? ""] ?? [null, null];
      if (ask.closing) return t("发完了", "all cards are out") + (last ? t(...last) : "");
      return t("正在发牌", "dealing") + (during ? t(...during) : "");
    }
    case "between":
      return t("看完结果，打下一把", "look at the result, then on to the next hand");
    default:
      return ask.kind;
  }
}

/** What somebody else is waited for to do. */
const AWAITED = /** @type {Record<string, [string, string]>} */ ({
  lead: ["领牌", "to lead"],
  follow: ["跟牌", "to follow"],
  pay: ["进贡", "to pay tribute"],
  return: ["还贡", "to give cards back"],
  bury: ["扣底", "to bury"],
  bury_kings: ["看扣不扣王", "to bury kings or not"],
  pick: ["捡底牌", "to pick from the bottom"],
});

/**
 * What the table waits for while it is somebody else's turn, or nobody's.
 * @param {Ask} ask
 * @param {string} name whose turn it is
 */
export function awaited(ask, name) {
  if (ask.seat === null) return ask.kind === "between" ? t("等下一把", "the next hand is coming") : asked(ask);
  const [zh, en] = AWAITED[ask.kind] ?? ["", ""];
  return t(`等${name}${zh}`, `waiting for ${name} ${en}`).trim();
}

/**
 * An act of a short list, on its button.
 * @param {Act} act
 */
export function actText(act) {
  if (act.act === "claim") return t(`抢亮 ${cardText(act.card ?? "")}`, `claim with ${cardText(act.card ?? "")}`);
  if (act.act === "declare") {
    return t(`亮 ${cardsText(act.cards ?? [])} → ${suitName(act.suit ?? "")}`, `declare ${cardsText(act.cards ?? [])} → ${suitName(act.suit ?? "")}`);
  }
  if (act.act === "bury_kings") return t(`扣 ${cardsText(act.kings ?? [])}`, `bury ${cardsText(act.kings ?? [])}`);
  if (act.act === "choose") return t(`第 ${(act.k ?? 0) + 1} 项`, `choice ${(act.k ?? 0) + 1}`);
  return cardsText(act.cards ?? []);
}

/**
 * Why a play is not allowed: the sentence, and whose rule it is.
 * @param {Refused} refused
 */
export function refusedText(refused) {
  const rule = refused.shown ? t(`（规则 ${refused.rule}：${say(refused.shown)}）`, ` (rule ${refused.rule}: ${say(refused.shown)})`) : t(`（规则 ${refused.rule}）`, ` (rule ${refused.rule})`);
  const where = refused.origin ? t(`，出处 ${refused.origin}`, `, set in ${refused.origin}`) : "";
  return say(refused) + rule + where;
}

export class Asking {
  /**
   * @param {HTMLElement} place
   * @param {{act: (act: Act, ask: Ask) => void, pass: (ask: Ask) => void, next: (ask: Ask) => void, suggest: () => void,
   *   check: (act: Act) => Promise<Refused | null>, clear: () => void}} handlers
   */
  constructor(place, handlers) {
    this.place = place;
    this.handlers = handlers;
    /** @type {Ask | null} */
    this.ask = null;
    /** @type {string[]} */
    this.chosen = [];
    this.busy = false;
    this.why = "";
    this.checking = 0;
    this.suggests = false;
    this.whose = "";
    /** @type {(() => void) | null} */
    this.relieve = null;
  }

  /**
   * @param {Ask | null} ask
   * @param {{suggests: boolean, whose: string, relieve: (() => void) | null}} more may a bot be asked; whose turn it is, in words;
   *   seats a bot for whom the table waits for, where this person may
   */
  show(ask, { suggests, whose, relieve }) {
    if (ask?.q !== this.ask?.q) {
      this.busy = false;
      this.why = "";
    }
    this.ask = ask;
    this.suggests = suggests;
    this.whose = whose;
    this.relieve = relieve;
    this.draw();
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.why = "";
    this.draw();
    const act = this.act;
    clearTimeout(this.checking);
    if (act && this.complete) {
      this.checking = window.setTimeout(async () => {
        const refused = await this.handlers.check(act);
        if (this.chosen === chosen) {
          this.why = refused ? refusedText(refused) : "";
          this.draw();
        }
      }, 120);
    }
  }

  /** Are as many cards chosen as are asked for? */
  get complete() {
    const count = this.ask?.count;
    return this.chosen.length > 0 && (count === null || count === undefined || this.chosen.length === count);
  }

  /** What the chosen cards would be as an answer. @returns {Act | null} */
  get act() {
    const { ask } = this;
    if (!ask?.mine || !WITH_CARDS[ask.kind]) return null;
    return { act: ACT_OF[ask.kind] ?? ask.kind, cards: this.chosen };
  }

  /** Answer with what is chosen. */
  go() {
    const { act, ask } = this;
    if (act && ask && this.chosen.length && !this.busy) {
      this.busy = true;
      this.draw();
      this.handlers.act(act, ask);
    }
  }

  /**
   * The answer was not taken.
   * @param {string} why
   */
  refuse(why) {
    this.busy = false;
    this.why = why;
    this.draw();
  }

  draw() {
    const { ask } = this;
    this.place.dataset["kind"] = ask?.mine ? ask.kind : "";
    // The number of the question is no part of what is seen: a button to declare stays where it is while cards are dealt.
    const seen = ask && { ...ask, q: 0, lit: null, ways: 0, forced: null };
    const relieved = this.relieve !== null;
    const focused = this.place.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset["do"] : undefined;
    refill(this.place, [seen, this.whose, this.why, this.busy, this.suggests, this.chosen.length, relieved], () =>
      ask
        ? [
            h("p", { class: `asked${ask.mine ? " mine" : " quiet"}`, role: "status" }, ask.mine ? asked(ask) : this.whose),
            this.why ? h("p", { class: "why bad", role: "alert" }, this.why) : null,
            ask.mine ? h("div", { class: "buttons" }, this.buttons(ask)) : null,
            relieved ? h("div", { class: "buttons" }, h("button", { type: "button", "data-do": "relieve", onclick: () => this.relieve?.() }, t("让电脑顶替", "Seat a bot"))) : null,
          ]
        : [h("p", { class: "asked quiet" }, this.whose)],
    );
    // Who plays by keyboard stays at his button, or is back at his cards when it is gone.
    if (focused && !this.place.contains(document.activeElement)) {
      const next = this.place.querySelector(`[data-do="${focused}"]:enabled`) ?? document.querySelector('.held[tabindex="0"]');
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    }
  }

  /**
   * A button that does something about the question that is open when it is pressed.
   * @param {string} what
   * @param {string} text
   * @param {(ask: Ask) => void} run
   * @param {import("./dom.js").Attributes} [more]
   */
  button(what, text, run, more = {}) {
    return h("button", { type: "button", "data-do": what, disabled: this.busy, ...more, onclick: () => this.ask && run(this.ask) }, text);
  }

  /** @param {Ask} ask */
  buttons(ask) {
    const { handlers } = this;
    const found = [];
    const name = WITH_CARDS[ask.kind];
    if (name) {
      const count = ask.count ?? null;
      const label = t(name[0], name[1]) + (count === null ? "" : ` ${this.chosen.length}/${count}`);
      found.push(this.button("go", label, () => this.go(), { class: "main", disabled: this.busy || !this.complete }));
      if (this.chosen.length) found.push(this.button("clear", t("重选", "Clear"), () => handlers.clear(), { disabled: false }));
    }
    for (const act of ask.acts ?? []) found.push(this.button("act", actText(act), (now) => handlers.act(act, now), { class: "main" }));
    if (ask.kind === "between") {
      found.push(this.button("next", ask.passed ? t("等别人…", "waiting…") : t("下一把", "Next hand"), (now) => handlers.next(now), { class: "main", disabled: Boolean(ask.passed) }));
    } else if (ask.pass && !ask.passed) {
      found.push(this.button("pass", ask.kind === "bury_kings" ? t("不扣", "No") : t("不亮", "Pass"), (now) => handlers.pass(now)));
    }
    if (this.suggests && name) found.push(this.button("suggest", t("提示", "Hint"), () => handlers.suggest(), { class: "plain" }));
    return found;
  }
}
