/** This page without a network: a service worker shows again what was loaded. Browsers have it on https and on the own machine only. */

const KEPT = "gunzi-pages";

/** Keep this page and all its parts for the time without a network. Where the browser cannot, nothing happens. */
export async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const own = parts.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
    const addresses = new Set([location.pathname, "/static/icon.svg", "/api/presets", ...own.map(({ pathname }) => pathname)]);
    if (await keep([...addresses])) document.documentElement.dataset["kept"] = "";
  } catch {
    // a browser that keeps nothing: the page needs a network then
  }
}

/**
 * Keep what these addresses answer. True where it can be shown again without a network.
 * @param {string[]} addresses
 */
export async function keep(addresses) {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return false;
  try {
    await (await caches.open(KEPT)).addAll(addresses);
    return true;
  } catch {
    return false;
  }
}
