// The service worker of the guests' page: it keeps the page and its files, which contain nothing of a guest, so that
// they open without a connection. The server's answers never pass through it.
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
const worker = globalThis as unknown as Worker;
const CACHE = "pages";

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname === "/" || pathname.startsWith("/assets/")) event.respondWith(loadFile(request, origin + pathname));
});

/** Removes the files of earlier versions and serves the pages that are open already. */
async function begin(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * Loads a file and stores it under `address`, which is without the link's secret. The server comes first, so that an update
 * is never held back.
 */
async function loadFile(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(address, answer.clone());
    return answer;
  } catch (error) {
    const file = await cache.match(address);
    if (!file) throw error;
    return file;
  }
}
