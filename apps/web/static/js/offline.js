/** This page without a network: a service worker shows again what was loaded. Browsers have it on https and on the own machine only. */

const KEPT = "gunzi-pages";

/** Keep this page and all its parts for the time without a network. Where the browser cannot, nothing happens. */
export async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const own = parts.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/static/"));
    const kept = await caches.open(KEPT);
    await kept.addAll([location.pathname, "/api/presets", ...new Set(own.map(({ pathname }) => pathname))]);
    document.documentElement.dataset["kept"] = "";
  } catch {
    // a browser that keeps nothing: the page needs a network then
  }
}
