import { useSyncExternalStore } from "react";

/**
 * Whether the server is there. Every request tells what came of it; one that got no answer is checked by a question of its
 * own, so that a single broken request changes nothing. While the server is away it is asked again until it answers.
 */

/** Since when, in milliseconds: the last moment at which the server is known to have answered. */
export type ConnectionLoss = { since: number };

/** The bar that says so; what can't be done without the server names it as the reason. */
export const CONNECTION_LOST_ID = "connection-lost";
const CHECK_TIMEOUT_MILLISECONDS = 5000;
const FIRST_PAUSE_MILLISECONDS = 1000;
const MAX_PAUSE_MILLISECONDS = 10_000;

let loss: ConnectionLoss | null = null;
let answeredAt = Date.now();
let checking: Promise<boolean> | null = null;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();
const restored = new Set<() => void>();

function set(next: ConnectionLoss | null): void {
  const back = loss !== null && next === null;
  loss = next;
  for (const watcher of watchers) watcher();
  if (back) for (const listener of [...restored]) listener();
}

/** Something of the server's came back, be it a refusal. */
export function noteAnswer(): void {
  answeredAt = Date.now();
  if (!loss) return;
  clearTimeout(timer);
  failures = 0;
  set(null);
}

/** What a proxy answers in the server's place says that nobody is behind it. */
export function isFromProxy(response: Response): boolean {
  const json = response.headers.get("content-type")?.includes("json") ?? false;
  return response.status === 502 || response.status === 504 || (response.status === 503 && !json);
}

/** Asks the server whether it is there, once for all who want to know. */
export function checkConnection(): Promise<boolean> {
  checking ??= ask().finally(() => {
    checking = null;
  });
  return checking;
}

async function ask(): Promise<boolean> {
  clearTimeout(timer);
  const answered = await fetch("/healthz", {
    cache: "no-store",
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MILLISECONDS),
  })
    .then(({ ok }) => ok)
    .catch(() => false);
  if (answered) {
    noteAnswer();
    return true;
  }
  if (!loss) set({ since: answeredAt });
  const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, MAX_PAUSE_MILLISECONDS);
  failures += 1;
  timer = setTimeout(() => void checkConnection(), pause * (0.75 + Math.random() / 2));
  return false;
}

/** The browser knows of a pulled cable before any request does, and of a server that may be back. */
export function watchConnection(): void {
  addEventListener("offline", () => void checkConnection());
  addEventListener("online", () => void checkConnection());
  document.addEventListener("visibilitychange", () => {
    if (loss && document.visibilityState === "visible") void checkConnection();
  });
}

export function isConnectionLost(): boolean {
  return loss !== null;
}

/** Called each time the server is back. */
export function onConnectionRestored(listener: () => void): () => void {
  restored.add(listener);
  return () => restored.delete(listener);
}

/** Resolves when the server is there. */
export function connectionRestored(): Promise<void> {
  if (!loss) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onConnectionRestored(() => {
      stop();
      resolve();
    });
  });
}

/**
 * Sends what `request` sends, and notes whether the server answered. Nothing but a reading leaves while the server is away:
 * it is refused then and there, so that no act is done later than it was asked for.
 */
export async function sendNoted(request: () => Promise<Response>, reads: boolean): Promise<Response> {
  if (!reads && loss && !(await checkConnection())) throw new TypeError("the server is away");
  try {
    const response = await request();
    if (isFromProxy(response)) {
      void checkConnection();
      throw new TypeError(`answered by a proxy: ${response.status}`);
    }
    noteAnswer();
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) void checkConnection();
    throw error;
  }
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The loss, while the server is away. */
export function useConnectionLoss(): ConnectionLoss | null {
  return useSyncExternalStore(watch, () => loss);
}
