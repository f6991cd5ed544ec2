import { type BrowserContext, expect, type Page } from "@playwright/test";

/** Hosts of this machine: the console, and the card readers' services that the browser talks to. */
export const LOCAL_HOSTS = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
/** URL schemes of content that the page creates itself. */
const PAGE_SCHEMES = new Set(["data:", "blob:", "about:"]);

/**
 * Records every address that the page requests from now on. The returned function checks that all of them are the
 * console's, except card readers on this machine, which are reached by WebSocket.
 */
export function watchRequests(context: BrowserContext, page: Page): () => void {
  const urls = new Set<string>();
  context.on("request", (request) => urls.add(request.url()));
  page.on("websocket", (socket) => urls.add(socket.url()));
  return () => {
    const ownHost = new URL(page.url()).host;
    const others = [...urls]
      .map((url) => new URL(url))
      .filter(({ protocol, host }) => host !== ownHost && !PAGE_SCHEMES.has(protocol));
    expect(urls.size).toBeGreaterThan(100);
    expect(others.filter(({ hostname }) => !LOCAL_HOSTS.test(hostname)).map(String)).toEqual([]);
    expect(
      others.filter(({ protocol }) => !protocol.startsWith("ws")).map(String),
      "readers are reached by WebSocket",
    ).toEqual([]);
  };
}
