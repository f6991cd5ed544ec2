/**
 * A part of the page that didn't come. After an update the server has other parts than a tab that was open before asks for:
 * whoever waits for one gets the page anew. What was only loaded ahead is asked for again by who needs it.
 */

/** What the build's own loader says didn't come. */
const missing = new WeakSet<object>();
/** Starting over again so soon would find what it found before. */
const PAUSE_MILLISECONDS = 5 * 60_000;
let leaving = false;

/** What nobody caught, somebody waits for; but what a page that is being left no longer gets is no loss. */
export function watchParts(): void {
  addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));
  addEventListener("unhandledrejection", ({ reason }) => startOver(reason));
  addEventListener("beforeunload", () => {
    leaving = true;
  });
}

/** Loads the page anew if a part of it is what failed, and if that wasn't done just before. */
export function startOver(error: unknown): void {
  if (error instanceof Error && missing.has(error) && !leaving && mayStartOver(error)) location.reload();
}

/** For what React caught: it is said in the console unless it is a part that a page being left no longer gets. */
export function sayCaught(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  if (leaving && error instanceof Error && missing.has(error)) return;
  // biome-ignore lint/suspicious/noConsole: where React itself would say it
  console.error(error, componentStack);
}

/** For who waits for a part and says by themselves what failed. */
export async function needed<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    startOver(error);
    throw error;
  }
}

/** For what is loaded before anybody asked: that it didn't come is nobody's failure yet. */
export function inPassing(loading: Promise<unknown> | undefined): void {
  loading?.catch(() => undefined);
}

/**
 * Kept where the router keeps it, which starts over by itself for a page's own part and writes a 1: neither does it after
 * the other. Where nothing can be kept the page could start over for ever, so it doesn't.
 */
function mayStartOver({ message }: Error): boolean {
  try {
    const note = `tanstack_router_reload:${message}`;
    const [before, now] = [sessionStorage.getItem(note), Date.now()];
    sessionStorage.setItem(note, String(now));
    return before !== "1" && now - Number(before) >= PAUSE_MILLISECONDS;
  } catch {
    return false;
  }
}
