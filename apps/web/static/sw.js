/**
 * Pages without a network: whatever was loaded before is shown again when the server cannot be reached, and only then, so that an
 * upgrade is seen at once. Tables and everything that is sent are left alone.
 */

/** The worker itself; the type checker takes `self` for a worker of any kind. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const KEPT = "gunzi-pages";
/** What may be shown again: the pages, their parts, and what the server says of rules. */
const AGAIN = /^\/(?:$|rules$|score$|replay$|static\/|api\/(?:presets|options|about|rules\/))/;

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
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (error) {
    const old = await kept.match(request, { ignoreVary: true });
    if (old) return old;
    throw error;
  }
}
