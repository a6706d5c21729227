/**
 * A person at a page of the table, for the tests: presses the buttons that are there. It runs in every page from its first moment and
 * does nothing until `driving` is set; the host begins when `start` is. At a kind of question that `released` does not hold yet it waits, so that it can be looked at.
 */
(() => {
  const me = Object.assign(window, { driving: false, seat: 0, start: true, released: new Set(), waiting: "", plays: 0, until: Infinity });
  let hinted = "";

  /** @param {Element | null | undefined} button */
  const press = (button) => {
    if (!(button instanceof HTMLButtonElement) || button.disabled) return false;
    button.click();
    return true;
  };

  const lobby = () => {
    const enter = document.querySelector("#lobby form button.main");
    if (enter) return press(enter);
    const seats = document.querySelectorAll(".lobby-seat");
    if (!seats.length) return false;
    if (!document.querySelector(".lobby-seat.mine")) return press(seats[me.seat]?.querySelector("button.main"));
    if (document.querySelector("#lobby .ended")) return false;
    return me.start && press(document.querySelector(".actions button.main"));
  };

  const answer = () => {
    const place = document.getElementById("asking");
    const kind = place?.dataset["kind"] ?? "";
    if (!place || !kind) return;
    if (kind !== "deal" && !me.released.has(kind)) {
      me.waiting = kind;
      return;
    }
    me.waiting = "";
    const find = (/** @type {string} */ what) => place.querySelector(`[data-do=${what}]`);
    if (kind === "deal" || kind === "bury_kings" || kind === "between") {
      press(find("act")) || press(find("next")) || press(find("pass"));
      return;
    }
    if (me.plays >= me.until) return;
    const go = find("go");
    if (go instanceof HTMLButtonElement && !go.disabled) {
      me.plays++;
      press(go);
      hinted = "";
      return;
    }
    const question = `${place.textContent} ${document.querySelectorAll(".held").length} ${document.querySelectorAll(".played .lying").length}`;
    if (hinted !== question && press(find("suggest"))) hinted = question;
  };

  setInterval(() => {
    if (!me.driving) return;
    const open = document.querySelector("dialog[open]");
    if (open) {
      if (!me.released.has("result")) me.waiting = "result";
      else press(open.querySelector("button.main"));
    } else if (document.getElementById("lobby")?.hidden === false) lobby();
    else answer();
  }, 40);
})();
