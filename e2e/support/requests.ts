import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Hosts of this machine: the console, and the card readers' services that the browser talks to. */
export const OF_THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
/** URL schemes of content that the page creates itself. */
const OF_THE_PAGE = new Set(["data:", "blob:", "about:"]);

/**
 * Notes every address that the page asks from now on. The returned function checks that all of them are the console's,
 * except card readers on this machine, which are asked by WebSocket.
 */
export function watchRequests(context: BrowserContext, page: Page): () => void {
  const urls = new Set<string>();
  context.on("request", (request) => urls.add(request.url()));
  page.on("websocket", (socket) => urls.add(socket.url()));
  return () => {
    const own = new URL(page.url()).host;
    const others = [...urls]
      .map((url) => new URL(url))
      .filter(({ protocol, host }) => host !== own && !OF_THE_PAGE.has(protocol));
    expect(urls.size).toBeGreaterThan(100);
    expect(others.filter(({ hostname }) => !OF_THIS_MACHINE.test(hostname)).map(String)).toEqual([]);
    expect(
      others.filter(({ protocol }) => !protocol.startsWith("ws")).map(String),
      "readers are asked by WebSocket",
    ).toEqual([]);
  };
}
