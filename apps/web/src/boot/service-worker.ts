// The console's service worker. It answers nothing while the server does. Without the server, addresses of the console
// get the page that was kept with the last board; if no board is kept, the browser says itself that nobody answers.
import { BOARD_CACHE, FILE_CACHE, KEPT_BOARD_URL, KEPT_PAGE_URL } from "../lib/offline/cache-names.ts";

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  registration: { navigationPreload?: { enable(): Promise<void> } };
}
const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (pathname.startsWith("/assets/")) event.respondWith(loadFile(request));
});

/** The browser requests a page while it is still starting the worker. */
async function activate(): Promise<void> {
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  let answer: Response;
  try {
    answer = (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await findKeptPage();
    if (!page) throw error;
    return page;
  }
  // Statuses with which a proxy reports that the server behind it is away.
  return [502, 503, 504].includes(answer.status) ? ((await findKeptPage()) ?? answer) : answer;
}

async function findKeptPage(): Promise<Response | undefined> {
  const board = await caches.match(KEPT_BOARD_URL, { cacheName: BOARD_CACHE });
  return board && caches.match(KEPT_PAGE_URL, { cacheName: FILE_CACHE });
}

async function loadFile(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const file = await caches.match(request, { cacheName: FILE_CACHE });
    if (!file) throw error;
    return file;
  }
}
