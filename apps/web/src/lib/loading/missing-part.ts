import { checkConnection, connectionRestored } from "./connection.ts";

/**
 * A part of the page that didn't come. After an update the server has other parts than a tab that was open before asks for:
 * whoever waits for one gets the page anew, once the server has answered. What was only loaded ahead is asked for again by
 * who needs it.
 */

/** What the build's own loader says didn't come. */
const missing = new WeakSet<object>();
/** Those that a server that was away explains, whoever shows them again when it is back. */
const explained = new WeakSet<object>();
/** Starting over again so soon would find what it found before. */
const PAUSE_MILLISECONDS = 5 * 60_000;
let leaving = false;

/** What nobody caught, somebody waits for; but what a page that is being left no longer gets is no loss. */
export function watchParts(): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    missing.add(payload);
    void checkConnection().then((answered) => answered || explained.add(payload));
    // The router reloads the page for an error that reads like a browser's own about a module, with or without a server.
    payload.message = `a part of the page didn't come: ${payload.message}`;
  });
  addEventListener("unhandledrejection", ({ reason }) => void startOver(reason));
  addEventListener("beforeunload", () => {
    leaving = true;
  });
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

/**
 * Loads the page anew if a part of it is what failed, and if that wasn't done just before. Never while the server is away:
 * the browser would find nothing to put in the page's place.
 */
export async function startOver(error: unknown): Promise<void> {
  if (!(error instanceof Error && missing.has(error)) || leaving || explained.has(error)) return;
  if (!(await checkConnection())) explained.add(error);
  else if (!leaving && mayStartOver(error)) location.reload();
}

/** Loads, and loads again once the server is back if it was away; what is missing after that is missing. */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let answers = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      if (!isMissingPart(error)) throw error;
      if (!(await checkConnection())) await connectionRestored();
      else if (++answers > 1) {
        await startOver(error);
        throw error;
      }
    }
  }
}

/** For what React caught: it is said in the console unless it is a part that a page being left, or a server that is away, doesn't give. */
export async function sayCaught(
  error: unknown,
  { componentStack }: { componentStack?: string | undefined },
): Promise<void> {
  if (error instanceof Error && missing.has(error)) {
    if (leaving || explained.has(error) || !(await checkConnection())) return;
  }
  // biome-ignore lint/suspicious/noConsole: where React itself would say it
  console.error(error, componentStack);
}

/** For who waits for a part and says by themselves what failed. */
export async function needed<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    await startOver(error);
    throw error;
  }
}

/** For what is loaded before anybody asked: that it didn't come is nobody's failure yet. */
export function inPassing(loading: Promise<unknown> | undefined): void {
  loading?.catch(() => undefined);
}

/** Where nothing can be kept the page could start over for ever, so it doesn't. */
function mayStartOver({ message }: Error): boolean {
  try {
    const note = `started-over:${message}`;
    const [before, now] = [sessionStorage.getItem(note), Date.now()];
    sessionStorage.setItem(note, String(now));
    return now - Number(before) >= PAUSE_MILLISECONDS;
  } catch {
    return false;
  }
}
