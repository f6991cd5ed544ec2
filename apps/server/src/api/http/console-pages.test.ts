import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConsolePages } from "./console-pages.ts";

const BOOT = "boot(1 < 2)";
const HTML = `<html data-arrival="app"><head><!-- arrival --><script>${BOOT}</script><style>a{}</style><script type="module" src="/m.js"></script></head></html>`;
const PAGES = {
  sessionCall: "/api/session",
  texts: { en: ["/en1.js", "/en2.js"] },
  temporal: "/temporal.js",
  publicPaths: ["/login"],
  pages: {
    "/room": { scripts: ["/board.js"], call: "/api/board", needsAllTexts: false },
    "/room/$roomId": { scripts: ["/one.js"], call: "/api/one?id={roomId}", needsAllTexts: true },
    "/room/guest": { scripts: ["/in-room.js"], needsAllTexts: true },
    "/guest": { scripts: ["/guest.js"], call: "/api/guest?id={id}", needsAllTexts: true },
    "/days": { scripts: ["/days.js"], call: { wide: "/api/days?14", narrow: "/api/days?5" }, needsAllTexts: true },
  },
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "innkey-pages-"));
  writeFileSync(join(directory, "index.html"), HTML);
  writeFileSync(join(directory, "pages.json"), JSON.stringify(PAGES));
});
afterAll(() => rmSync(directory, { recursive: true }));

function arrivalOf(html: string): { calls: string[]; needsAllTexts: boolean } {
  const [, text = ""] = /id="arrival">(.*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(text);
}

it("names the files and the first read of an address", () => {
  const pages = new ConsolePages(directory);
  const board = pages.htmlFor("/room", { hasSession: true, nonce: "n" });
  expect(board).toContain('<link rel="modulepreload" crossorigin href="/board.js" />');
  expect(board).toContain('<meta property="csp-nonce" nonce="n" />');
  expect(arrivalOf(board)).toMatchObject({
    calls: ["/api/session", "/api/board"],
    temporal: "/temporal.js",
    needsAllTexts: false,
  });
  const room = pages.htmlFor("/room/7/", { hasSession: true, nonce: "n" });
  expect(room).toContain("/one.js");
  expect(arrivalOf(room)).toMatchObject({ calls: ["/api/session", "/api/one?id=7"], needsAllTexts: true });
});

it("leaves out the first read of an address whose parameters may change it", () => {
  const html = new ConsolePages(directory).htmlFor("/room?q=lee", { hasSession: true, nonce: "n" });
  expect(html).toContain("/board.js");
  expect(arrivalOf(html).calls).toEqual(["/api/session"]);
});

it("leaves the choice to the browser where a narrow screen reads less", () => {
  const pages = new ConsolePages(directory);
  const callsOf = (url: string): unknown[] => arrivalOf(pages.htmlFor(url, { hasSession: true, nonce: "n" })).calls;
  expect(callsOf("/days")).toEqual(["/api/session", { wide: "/api/days?14", narrow: "/api/days?5" }]);
  expect(callsOf("/days?days=7")).toEqual(["/api/session"]);
});

it("an address without parameters is preferred to one that would match it", () => {
  const html = new ConsolePages(directory).htmlFor("/room/guest", { hasSession: true, nonce: "n" });
  expect(html).toContain("/in-room.js");
  expect(html).not.toContain("/one.js");
});

it("takes nothing but numbers from an address into the first read", () => {
  const pages = new ConsolePages(directory);
  const callsOf = (url: string): string[] => arrivalOf(pages.htmlFor(url, { hasSession: true, nonce: "n" })).calls;
  expect(callsOf("/guest?note=a&id=12")).toEqual(["/api/session", "/api/guest?id=12"]);
  for (const url of ["/guest", "/guest?id=", "/guest?id=1e3", "/guest?id=0", "/guest?id=1%3C", "/room/new", "/room/07"])
    expect(callsOf(url)).toEqual(["/api/session"]);
});

it("shows a visitor without a session nothing but the frame of the login", () => {
  const html = new ConsolePages(directory).htmlFor("/room", { hasSession: false, nonce: "n" });
  expect(html).toContain('data-arrival="public"');
  expect(html).not.toContain("/board.js");
  expect(arrivalOf(html).calls).toEqual(["/api/session"]);
});

it("shows the frame of the console at every address of an operator but the login", () => {
  const pages = new ConsolePages(directory);
  expect(pages.htmlFor("/", { hasSession: true, nonce: "n" })).toContain('data-arrival="app"');
  expect(pages.htmlFor("/login", { hasSession: true, nonce: "n" })).toContain('data-arrival="public"');
});

it("repeats nothing of an address in the page", () => {
  const html = new ConsolePages(directory).htmlFor("/<script>alert(1)</script>", { hasSession: true, nonce: "n" });
  expect(html).not.toContain("alert");
});

it("hashes what is inside the page, and no files", () => {
  const { hashes } = new ConsolePages(directory);
  const sha256 = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  expect(hashes).toEqual({ scripts: [sha256(BOOT)], styles: [sha256("a{}")] });
});

it("says that the console is not built yet", () => {
  const pages = new ConsolePages(join(directory, "nothing"));
  expect(pages.isBuilt).toBe(false);
  expect(pages.htmlFor("/", { hasSession: false, nonce: "n" })).toContain("npm run build");
});
