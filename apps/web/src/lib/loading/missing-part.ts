import { checkConnection, connectionRestored } from "./connection.ts";

/**
 * Handles code of the page that fails to load. After an update, the server no longer has the files that a tab opened
 * before it requests. If such a file is needed, the page reloads as soon as the server answers. Files that were only
 * preloaded are requested again when they are needed.
 */

/** Errors that the build's loader reported. */
const loadErrors = new WeakSet<object>();
/** Load errors caused by an unreachable server. They never reload the page, even if reported after it is back. */
const connectionErrors = new WeakSet<object>();
/** Minimum time since the same file last failed; an earlier reload would find the same files. */
const MIN_RELOAD_PAUSE_MS = 5 * 60_000;
let isUnloading = false;

/** Starts to watch for files that fail to load. An unhandled rejection means that the file was needed. */
export function watchMissingParts(): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    loadErrors.add(payload);
    void checkConnection().then((answered) => answered || connectionErrors.add(payload));
    // The router recognises the browser's own message and reloads the page, even if the server is unreachable.
    payload.message = `a part of the page didn't load: ${payload.message}`;
  });
  addEventListener("unhandledrejection", ({ reason }) => void reloadIfMissing(reason));
  addEventListener("beforeunload", () => {
    isUnloading = true;
  });
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && loadErrors.has(error);
}

/**
 * Reloads the page if one of its files failed to load, unless the same file failed a short time ago. It never reloads while the
 * server is unreachable, because the browser would show an error page.
 */
export async function reloadIfMissing(error: unknown): Promise<void> {
  if (!(error instanceof Error && loadErrors.has(error)) || isUnloading || connectionErrors.has(error)) return;
  if (!(await checkConnection())) connectionErrors.add(error);
  else if (!isUnloading && mayReload(error)) location.reload();
}

/** Loads a file, and again once the server is reachable. If it fails on a reachable server twice, the page reloads. */
export async function loadWhenReachable<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isMissingPart(error)) throw error;
      if (!(await checkConnection())) await connectionRestored();
      else if (++failures > 1) {
        await reloadIfMissing(error);
        throw error;
      }
    }
  }
}

/**
 * Reports errors that React caught to the browser's console, except for files that a page being left or an unreachable
 * server doesn't provide.
 */
export async function logCaughtError(
  error: unknown,
  { componentStack }: { componentStack?: string | undefined },
): Promise<void> {
  if (error instanceof Error && loadErrors.has(error)) {
    if (isUnloading || connectionErrors.has(error) || !(await checkConnection())) return;
  }
  // biome-ignore lint/suspicious/noConsole: React itself would log it here
  console.error(error, componentStack);
}

/**
 * Awaits a file that the caller needs. If it fails to load, the page reloads if that may help, and the error is thrown.
 */
export async function loadOrReload<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    await reloadIfMissing(error);
    throw error;
  }
}

/** Ignores failures of preloading, because the file is requested again when it is needed. */
export function ignoreFailure(loading: Promise<unknown> | undefined): void {
  loading?.catch(() => undefined);
}

/** Without storage, the page could reload for ever, so it never reloads then. */
function mayReload({ message }: Error): boolean {
  try {
    const key = `started-over:${message}`;
    const [lastReload, now] = [sessionStorage.getItem(key), Date.now()];
    sessionStorage.setItem(key, String(now));
    return now - Number(lastReload) >= MIN_RELOAD_PAUSE_MS;
  } catch {
    return false;
  }
}
