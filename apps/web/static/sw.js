/**
 * Pages without a network: whatever was loaded before is shown again when the server cannot be reached, and only then, so that an
 * upgrade is seen at once. Tables and everything that is sent are left alone.
 */

/** The worker itself; the type checker takes `self` for a worker of any kind. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const KEPT = "gunzi-pages";
/** What may be shown again: the pages, their parts, and what the server says of rules. */
const AGAIN = /^\/(?:$|rules$|score$|replay$|static\/|api\/(?:presets|options|about|reckoning$|rules\/))/;
/** How long a network may take where there is something to show again: one that is there in name only must not keep the page away. */
const PATIENCE_MS = 4000;
/** Was the last that was waited for in vain? Then nothing is waited for until something comes. */
let silent = false;

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === "GET" && origin === worker.location.origin && AGAIN.test(pathname)) event.respondWith(fresh(request));
});

/** @param {Request} request */
async function fresh(request) {
  const kept = await caches.open(KEPT);
  const old = await kept.match(request, { ignoreVary: true });
  let waiting = true;
  const network = fetch(request).then(async (answer) => {
    waiting = silent = false;
    if (answer.ok) await kept.put(request, answer.clone()).catch(() => {});
    return answer;
  });
  if (!old) return network;
  const late = new Promise((answer) =>
    setTimeout(() => {
      silent ||= waiting;
      answer(old);
    }, silent ? 0 : PATIENCE_MS),
  );
  return Promise.race([network, late]).catch(() => {
    waiting = false;
    return old;
  });
}
