import { useSyncExternalStore } from "react";

/**
 * Tracks whether the server is reachable. Every request reports its outcome. A request without an answer is followed by
 * a check, so that a single broken request changes nothing. While the server is unreachable, it is asked again until it
 * answers.
 */

/** `since`: when the server last answered, in milliseconds. */
export type ConnectionLoss = { since: number };

/** Id of the bar that announces the loss; controls that need the server refer to it as their reason. */
export const CONNECTION_LOST_ID = "connection-lost";
const CHECK_TIMEOUT_MILLISECONDS = 5000;
const FIRST_PAUSE_MILLISECONDS = 1000;
const MAX_PAUSE_MILLISECONDS = 10_000;

let loss: ConnectionLoss | null = null;
let lastAnswerMs = Date.now();
let runningCheck: Promise<boolean> | null = null;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();
const restoreListeners = new Set<() => void>();

function setLoss(next: ConnectionLoss | null): void {
  const isRestored = loss !== null && next === null;
  loss = next;
  for (const watcher of watchers) watcher();
  if (isRestored) for (const listener of [...restoreListeners]) listener();
}

/** Records an answer from the server, including a refusal. */
export function noteAnswer(): void {
  lastAnswerMs = Date.now();
  if (!loss) return;
  clearTimeout(timer);
  failures = 0;
  setLoss(null);
}

/** Whether a proxy reports that the server behind it is unreachable. The server's own answers with these statuses are JSON. */
export function isFromProxy(response: Response): boolean {
  const json = response.headers.get("content-type")?.includes("json") ?? false;
  return [502, 503, 504].includes(response.status) && !json;
}

/** Asks the server whether it is reachable; simultaneous callers share one request. */
export function checkConnection(): Promise<boolean> {
  runningCheck ??= requestHealth().finally(() => {
    runningCheck = null;
  });
  return runningCheck;
}

async function requestHealth(): Promise<boolean> {
  clearTimeout(timer);
  const isReachable = await fetch("/healthz", {
    cache: "no-store",
    signal: AbortSignal.timeout(CHECK_TIMEOUT_MILLISECONDS),
  })
    .then(({ ok }) => ok)
    .catch(() => false);
  if (isReachable) {
    noteAnswer();
    return true;
  }
  if (!loss) setLoss({ since: lastAnswerMs });
  const pause = Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, MAX_PAUSE_MILLISECONDS);
  failures += 1;
  timer = setTimeout(() => void checkConnection(), pause * (0.75 + Math.random() / 2));
  return false;
}

/** Starts to check the connection when the browser reports that the network was lost or is back. */
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

/** Registers a callback for each time the server is back. */
export function onConnectionRestored(listener: () => void): () => void {
  restoreListeners.add(listener);
  return () => restoreListeners.delete(listener);
}

/** Resolves when the server is reachable. */
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
 * Sends a request and records whether the server answered. While the server is unreachable only reads are sent.
 * Everything else is refused at once, so that no action is carried out later than it was requested.
 */
export async function sendNoted(request: () => Promise<Response>, reads: boolean): Promise<Response> {
  if (!reads && loss && !(await checkConnection())) throw new TypeError("the server is unreachable");
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

/** Returns the loss while the server is unreachable, otherwise null. */
export function useConnectionLoss(): ConnectionLoss | null {
  return useSyncExternalStore(watch, () => loss);
}
