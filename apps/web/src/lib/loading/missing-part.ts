import { checkConnection, connectionRestored } from "./connection.ts";

/**
 * Handles code of the page that fails to load. After an update the server has other files than a tab opened before it
 * asks for. If somebody waits for such a file, the page reloads as soon as the server answers. Files that were only
 * preloaded are asked for again when they are needed.
 */

/** Errors that the build's loader reported. */
const missing = new WeakSet<object>();
/** Errors that an unreachable server explains, even if they are shown when it is back. */
const explained = new WeakSet<object>();
/** Shortest time between two reloads; an earlier one would find the same files. */
const PAUSE_MILLISECONDS = 5 * 60_000;
let leaving = false;

/**
 * An unhandled error means that somebody waits for the file. A page that is being left doesn't need its files any more.
 */
export function watchMissingParts(): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    missing.add(payload);
    void checkConnection().then((answered) => answered || explained.add(payload));
    // The router reloads the page for errors that read like the browser's own errors about modules, even without a
    // server.
    payload.message = `a part of the page didn't come: ${payload.message}`;
  });
  addEventListener("unhandledrejection", ({ reason }) => void reloadIfMissing(reason));
  addEventListener("beforeunload", () => {
    leaving = true;
  });
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

/**
 * Reloads the page if a file of it failed to load and we didn't reload just before. We never reload while the server is
 * away, because the browser would show an error page.
 */
export async function reloadIfMissing(error: unknown): Promise<void> {
  if (!(error instanceof Error && missing.has(error)) || leaving || explained.has(error)) return;
  if (!(await checkConnection())) explained.add(error);
  else if (!leaving && mayReload(error)) location.reload();
}

/**
 * Loads a file, and loads it again once the server is back if it was away. A file that is missing after that is
 * missing.
 */
export async function loadWhenReachable<T>(load: () => Promise<T>): Promise<T> {
  for (let answers = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isMissingPart(error)) throw error;
      if (!(await checkConnection())) await connectionRestored();
      else if (++answers > 1) {
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
  if (error instanceof Error && missing.has(error)) {
    if (leaving || explained.has(error) || !(await checkConnection())) return;
  }
  // biome-ignore lint/suspicious/noConsole: where React itself would say it
  console.error(error, componentStack);
}

/**
 * Awaits a file that the caller needs. If it failed to load, the page reloads where that may help; the error is thrown for
 * the caller to show.
 */
export async function loadOrReload<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    await reloadIfMissing(error);
    throw error;
  }
}

/** Ignores failures of preloading, since nobody needs the file yet. */
export function ignoreFailure(loading: Promise<unknown> | undefined): void {
  loading?.catch(() => undefined);
}

/** Without storage the page could reload for ever, so we don't reload then. */
function mayReload({ message }: Error): boolean {
  try {
    const note = `started-over:${message}`;
    const [before, now] = [sessionStorage.getItem(note), Date.now()];
    sessionStorage.setItem(note, String(now));
    return now - Number(before) >= PAUSE_MILLISECONDS;
  } catch {
    return false;
  }
}
