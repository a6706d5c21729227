/** What a screen must never show, looked for in the page: a list of complaints, empty where all is well. */
(() => {
  /** @param {Element} element */
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.getBoundingClientRect().width > 0;
  const all = (/** @type {string} */ what) => [...document.querySelectorAll(what)].filter(shown);
  const called = (/** @type {Element} */ element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 30)}"`;

  /** Overflow, cut-off texts, overlaps, cards that cannot be tapped. */
  const layout = () => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} wide on a screen of ${page.clientWidth}`);
    for (const element of all("button, .button, .who, .lying, select, input, h1, h2, h3")) {
      const box = element.getBoundingClientRect();
      if (element.closest(".scroll, .aside")) continue;
      if (box.right > innerWidth + 1 || box.left < -1) found.push(`${called(element)} reaches beyond the screen`);
      if (element.matches("button, .button") && element.scrollWidth > element.clientWidth + 1 && !element.matches(".held")) found.push(`${called(element)} does not hold its text`);
    }
    if (document.body.classList.contains("at-play") && !document.querySelector("dialog[open]")) found.push(...play());
    return found;
  };

  const play = () => {
    const found = [];
    if (document.body.scrollHeight > innerHeight + 1) found.push("the table is higher than the screen");
    const inside = (/** @type {string} */ what, /** @type {string} */ where) => {
      const place = document.querySelector(where)?.getBoundingClientRect();
      if (!place) return;
      for (const element of all(what)) {
        const box = element.getBoundingClientRect();
        if (box.top < place.top - 1 || box.bottom > place.bottom + 1 || box.left < place.left - 1 || box.right > place.right + 1) found.push(`${called(element)} is cut off by ${where}`);
      }
    };
    inside(".felt .who, .felt .lying, .felt .fact", "#felt");
    inside("#asking .buttons button", "#asking");
    inside(".held", "#holding");
    // Nothing of one seat, nor of the middle, lies on another's.
    const owner = (/** @type {Element} */ element) => element.closest(".seat, .middle");
    const things = all(".felt .who, .felt .played .lying, .felt .fact, .felt .bottom .lying, .felt .bottom .label");
    things.forEach((one, place) => {
      for (const other of things.slice(place + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
        if (over && (owner(one) !== owner(other) || !(one.matches(".lying") && other.matches(".lying")))) found.push(`${called(one)} and ${called(other)} lie on each other`);
      }
    });
    const covering = [...document.querySelectorAll("#notices .notice")];
    for (const notice of covering) /** @type {HTMLElement} */ (notice).style.visibility = "hidden";
    for (const card of all(".held")) {
      const box = card.getBoundingClientRect();
      const hit = (/** @type {number} */ x, /** @type {number} */ y) => document.elementFromPoint(x, y)?.closest(".held") === card;
      if (!hit(box.left + 3, box.top + 12) || !hit(box.left + 21, box.top + 24)) found.push(`${called(card)} cannot be tapped on a strip of its own`);
    }
    for (const notice of covering) /** @type {HTMLElement} */ (notice).style.visibility = "";
    return found;
  };

  /**
   * Texts in the wrong language. `names`: what people and things are called, in either.
   * @param {"zh" | "en"} language
   * @param {string[]} names
   */
  const words = (language, names) => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const wrong = language === "en" ? /[\u3400-\u9fff\uff00-\uffef\u3001\u3002]/ : /[A-Za-z]{2,}/;
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.parentElement && shown(node.parentElement) && !node.parentElement.closest("code, noscript, .title, body [lang], option, textarea")) texts.push(node.textContent ?? "");
    for (const element of document.querySelectorAll("[aria-label]")) if (shown(element)) texts.push(element.getAttribute("aria-label") ?? "");
    for (const text of texts) {
      let rest = text;
      for (const name of names) rest = rest.replaceAll(name, "");
      // The other language's own name, ids of options and presets, files, codes, cards as they are typed, addresses.
      rest = rest.replace(/English|中文|gz1\.\S*|[a-z_]+(\.[a-z_]+)+( =.*)?|[\w/]+\.(yaml|jsonl|txt|md)\S*|\b[SHCDBL][\dTJQKA]\b|YAML|JSON|JavaScript|https?:\S+/g, "");
      if (wrong.test(rest)) found.push(text.trim().slice(0, 80));
    }
    return found;
  };

  /** Things to press or fill in that a screen reader could not name. */
  const nameless = () =>
    all("button, a[href], input, select, textarea, [role=group]")
      .filter((element) => {
        const label = /** @type {any} */ (element).labels?.[0]?.textContent ?? "";
        const inner = element.querySelector("[aria-label]")?.getAttribute("aria-label") ?? "";
        return !`${element.getAttribute("aria-label") ?? ""}${element.getAttribute("title") ?? ""}${element.matches("select") ? "" : element.textContent}${label}${inner}`.trim();
      })
      .map(called);

  const numbers = (/** @type {string} */ colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const light = (/** @type {number[]} */ colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
  };
  const over = (/** @type {number[]} */ top, /** @type {number[]} */ under) => under.slice(0, 3).map((part, place) => (top[place] ?? 0) * (top[3] ?? 1) + part * (1 - (top[3] ?? 1)));

  /** What lies behind an element, colours and gradients laid over each other: every colour it may be. @param {Element | null} element @returns {number[][]} */
  const behind = (element) => {
    if (!element) return [[255, 255, 255]];
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    const ends = backgroundImage.match(/rgba?\([^)]*\)/g) ?? [];
    if (ends.length) return ends.map(numbers);
    const own = numbers(backgroundColor);
    if ((own[3] ?? 1) === 1 && own.length) return [own];
    return behind(element.parentElement).map((under) => over(own, under));
  };

  /** Texts that stand out too little from what is behind them (4.5 to 1). What is switched off may. */
  const faint = () => {
    const found = [];
    for (const element of all("body *")) {
      const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent?.trim()).join("");
      if (!text || element.closest("svg, option, select, noscript, .aside, :disabled, dialog:not([open]), .held") || (document.querySelector("dialog[open]") && !element.closest("dialog"))) continue;
      const ink = numbers(getComputedStyle(element).color);
      const ratio = Math.min(...behind(element).map((ground) => {
        const [a, b] = [light(over(ink, ground)), light(ground)].sort((x, y) => y - x);
        return ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05);
      }));
      if (ratio < 4.5) found.push(`${called(element)} stands out only ${ratio.toFixed(1)} to 1`);
    }
    return found;
  };

  Object.assign(window, { checks: { layout, words, nameless, faint } });
})();
